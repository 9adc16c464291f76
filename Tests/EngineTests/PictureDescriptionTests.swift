import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// What files say of their pictures beside the coding: kept with copies.
@Suite(.needsFFmpeg)
struct PictureDescriptionTests {
  private func description(_ url: URL) throws -> ProbedFile.Entry {
    // Of files that state no range, limited range is stated.
    try ProbedFile(url).stream("video").filter { key, value in
      key.hasPrefix("side_data_list") || key.hasPrefix("color_") && value != "tv"
    }
  }

  private func cut(
    _ clips: String, to name: String, in folder: URL
  ) throws -> (description: ProbedFile.Entry, made: Exported) {
    let made = try Text(clips: clips, export: #""audio": false"#).export(to: name, in: folder)
    return (try description(made.url), made)
  }

  @Test(
    "copies are turned as their sources, or rendered upright where nothing can say it",
    arguments: ["rot90.mp4", "rot180.mp4", "rot270.mp4"], ["mp4", "mov", "mkv", "ts"])
  func rotation(_ name: String, _ ending: String) throws {
    try withTemporaryDirectory { folder in
      let clips = try clip(name, #""in": 2, "out": 4"#)
      let (found, made) = try cut(clips, to: "o.\(ending)", in: folder)
      guard ["mkv", "ts"].contains(ending) else {
        #expect(found == (try description(try Fixtures.file(name))))
        #expect(made.actions["video"] == ["copy"])
        return
      }
      #expect(found.keys.allSatisfy { !$0.hasPrefix("side_data") })
      let size = try ProbedFile(made.url).stream("video")["width"]
      #expect(size == (name == "rot180.mp4" ? "320" : "180"))
      #expect(made.actions["video"] == ["render"])
    }
  }

  @Test(
    "brightness and colours are kept", .needsSamples,
    arguments: [
      ("vpx-av1/av1-hdr10-1080p5994-mdcv-clli.mp4", "mp4"),
      ("vpx-av1/av1-hdr10-1080p5994-mdcv-clli.mp4", "mkv"),
      ("hevc/hdr10-mdcv-clli-rot90-chapters.mkv", "mp4"),
      ("hevc/hdr10-mdcv-clli-rot90-chapters.mkv", "mov"),
    ])
  func brightness(_ file: String, _ ending: String) throws {
    try withTemporaryDirectory { folder in
      let (found, made) = try cut(try sample(file), to: "o.\(ending)", in: folder)
      #expect(made.actions["video"] == ["copy"])
      let source = try description(URL(fileURLWithPath: try ProbeFolder.path(file)))
      #expect(values(found) == values(source))
    }
  }

  /// Every value by its name, fractions as decimals of five digits.
  private func values(_ entry: ProbedFile.Entry) -> [String] {
    entry.filter { !$0.key.hasSuffix("displaymatrix") }.map { key, value in
      let parts = value.split(separator: "/").compactMap { Double($0) }
      let number = parts.count == 2 ? String(format: "%.4f", parts[0] / parts[1]) : value
      return (key.split(separator: ".").last ?? "") + "=" + number
    }.sorted()
  }

  @Test(
    "spherical and stereoscopic pictures stay so",
    arguments: [("mp4", true), ("mkv", true), ("mov", false)])
  func spheres(_ ending: String, _ isKept: Bool) throws {
    try withTemporaryDirectory { folder in
      let source = folder.appending(path: "sphere.mp4")
      try Self.makeSphere(source)
      let said = try description(source)
      #expect(said.values.contains("equirectangular") && said.values.contains("top and bottom"))
      let clips = try clip(source.path, #""in": 2, "out": 4"#)
      let (found, made) = try cut(clips, to: "o.\(ending)", in: folder)
      #expect(made.actions["video"] == ["copy"])
      #expect(values(found) == (isKept ? values(said) : []))
      let warnings = made.diagnostics.filter { $0.severity == .warning }.map(\.message)
      #expect(warnings.count == (isKept ? 0 : 2))
      #expect(warnings.allSatisfy { $0.hasSuffix("'mov' cannot hold it") })
    }
  }

  /// Puts the box by which YouTube's tools mark spherical video into a track.
  private static func makeSphere(_ url: URL) throws {
    var bytes = [UInt8](try Data(contentsOf: try Fixtures.file("count25.mp4")))
    func size(_ place: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(bytes[place + $1]) } }
    func box(_ type: String, _ range: Range<Int>) throws -> Int {
      var place = range.lowerBound
      while place + 8 <= range.upperBound {
        if Array(bytes[(place + 4)..<(place + 8)]) == Array(type.utf8) { return place }
        place += size(place)
      }
      throw Program.Failure(description: "no box \(type)")
    }
    let movie = try box("moov", 0..<bytes.count)
    let track = try box("trak", (movie + 8)..<(movie + size(movie)))
    let space = "http://ns.google.com/videos/1.0/spherical/"
    let xml =
      "<rdf:SphericalVideo xmlns:GSpherical=\"\(space)\">"
      + "<GSpherical:Spherical>true</GSpherical:Spherical>"
      + "<GSpherical:Stitched>true</GSpherical:Stitched>"
      + "<GSpherical:StitchingSoftware>x</GSpherical:StitchingSoftware>"
      + "<GSpherical:ProjectionType>equirectangular</GSpherical:ProjectionType>"
      + "<GSpherical:StereoMode>top-bottom</GSpherical:StereoMode></rdf:SphericalVideo>"
    let mark: [UInt8] = [
      0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f,
      0xdd,
    ]
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
    let length = 24 + xml.utf8.count
    let added = number(length) + Array("uuid".utf8) + mark + Array(xml.utf8)
    for place in [movie, track] {
      bytes.replaceSubrange(place..<(place + 4), with: number(size(place) + length))
    }
    bytes.insert(contentsOf: added, at: track + size(track) - length)
    try Data(bytes).write(to: url)
  }
}
