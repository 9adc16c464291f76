import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Sizes, orientations and colours that other tools get wrong.
@Suite(.needsFFmpeg)
struct FaultPictureTests {
  private static let silent =
    #""mode": "render", "audio": false, "video": {"codec": "h264", "crf": 8, "preset": "ultrafast"}"#

  @Test(arguments: ["rot90.mp4", "rot270.mp4"])
  func turnedPicturesComeOutUprightWithoutAMatrix(name: String) throws {
    try withTemporaryDirectory { folder in
      let made = try Text(clips: try clip(name, #""out": "5f""#), export: Self.silent)
        .export(to: "upright.mp4", in: folder)
      let stream = try ProbedFile(made.url).stream("video")
      #expect(stream["width"] == "180")
      #expect(stream["height"] == "320")
      #expect(stream["sample_aspect_ratio"] == "1:1")
      #expect(stream.keys.allSatisfy { !$0.hasPrefix("side_data_list") })
      let quality = try DecodedPictures.psnr(
        made.url, try Fixtures.file(name), filters: ("setpts=N", "select='lt(n,5)',setpts=N"))
      #expect(quality > 35)
    }
  }

  @Test(arguments: ["rot90.mp4", "rot270.mp4"])
  func turnedPicturesFillACanvasOfTheirShape(name: String) throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip(name, #""in": "7f", "duration": "1f""#), timeline: #""size": [180, 320]"#,
        export: Self.silent
      ).export(to: "fit.mp4", in: folder)
      let quality = try DecodedPictures.psnr(
        made.url, try Fixtures.file(name),
        filters: ("setpts=0", "select='eq(n,7)',scale=180:320,setpts=0"))
      #expect(quality > 35)
    }
  }

  @Test(arguments: ["contain", "cover", "stretch", "none"])
  func everyFitLiesWhereItSays(fit: String) throws {
    try withTemporaryDirectory { folder in
      let portrait = folder.appending(path: "portrait.png")
      // A white picture: what is not white is bar.
      try Program.ffmpeg([
        "-f", "lavfi", "-i", "color=white:s=180x320", "-frames:v", "1", portrait.path,
      ])
      let made = try Text(
        clips: try clip(portrait.path, #""duration": "1f", "video": {"fit": "\#(fit)"}"#),
        timeline: #""size": [320, 180], "frameRate": 25"#,
        export: #""mode": "render", "video": {"codec": "ffv1"}"#
      ).export(to: "fit.mkv", in: folder)
      let planes = try DecodedPictures.bytes(made.url, filter: "null", size: 320 * 180 * 3 / 2)[0]
      let middle = Array(planes[90 * 320..<91 * 320])
      let white = middle.indices.filter { middle[$0] > 200 }
      let expected: (Int, ClosedRange<Int>) =
        switch fit {
        case "contain": (102, 108...111)
        case "none": (180, 70...70)
        default: (320, 0...0)
        }
      #expect(abs(white.count - expected.0) <= 1)
      #expect(expected.1.contains(white.first ?? -1))
      // Bars are exactly black.
      let bars = middle.indices.filter { $0 + 2 < (white.first ?? 0) }
      #expect(bars.allSatisfy { middle[$0] == 16 })
      let chroma = planes[(320 * 180)...]
      #expect(chroma.allSatisfy { $0 == 128 })
    }
  }

  @Test func oddSizesAreNamedBeforeTheExport() throws {
    try withTemporaryDirectory { folder in
      let text = Text(clips: try clip("odd.mp4"), export: Text.quick)
      #expect(try text.refusal(in: folder) == ["size.odd /timeline"])
      let full = try Text(
        clips: try clip("odd.mp4"),
        export: """
          "mode": "render", "video": {"codec": "h264", "crf": 4, "preset": "ultrafast",
           "pixelFormat": "yuv444p"}
          """
      ).export(to: "odd.mp4", in: folder)
      let stream = try ProbedFile(full.url).stream("video")
      #expect(stream["width"] == "321")
      #expect(stream["height"] == "181")
      let quality = try DecodedPictures.psnr(
        full.url, try Fixtures.file("odd.mp4"), filters: ("null", "null"))
      #expect(quality > 40)
    }
  }

  @Test func outputsAreTaggedAndOverlaidColoursKept() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        tracks: """
          {"kind": "video", "clips": [\(try clip("bars.mp4"))]},
          {"kind": "video", "clips": [
            \(try clip("patch.png", #""duration": "0.2s", "video": {"fit": "none"}"#))]}
          """, export: Self.silent
      ).export(to: "bars.mp4", in: folder)
      let stream = try ProbedFile(made.url).stream("video")
      for key in ["color_space", "color_primaries", "color_transfer"] {
        #expect(stream[key] == "bt709")
      }
      #expect(stream["color_range"] == "tv")
      func colour(_ url: URL, _ x: Int, _ y: Int) throws -> [Int] {
        let filter = "crop=8:8:\(x):\(y),scale=in_color_matrix=bt709:in_range=limited,format=rgb24"
        return try DecodedPictures.bytes(url, filter: filter, size: 192)[0][84..<87].map { Int($0) }
      }
      let patch = try colour(made.url, 636, 356)
      #expect(zip(patch, [0xC0, 0, 0xC0]).allSatisfy { abs($0 - $1) <= 2 }, "\(patch)")
      for x in [200, 560, 700] {
        let (a, b) = try (colour(made.url, x, 100), colour(Fixtures.file("bars.mp4"), x, 100))
        #expect(zip(a, b).allSatisfy { abs($0 - $1) <= 2 }, "\(a) \(b)")
      }
    }
  }

  @Test func highDynamicRangeKeepsItsTagsAndMixesWithNothing() throws {
    try withTemporaryDirectory { folder in
      let hlg = try clip("hlg.mp4", #""out": "3f""#)
      let mixed = try Text(clips: "\(hlg), \(try clip("count25.mp4"))").refusal(in: folder)
      #expect(mixed == ["color.mixed-hdr /tracks/0/clips/1/source"])
      let made = try Text(
        clips: hlg, export: #""mode": "render", "video": {"preset": "ultrafast"}"#
      ).export(to: "hlg.mp4", in: folder)
      let stream = try ProbedFile(made.url).stream("video")
      #expect(stream["codec_name"] == "hevc")
      #expect(stream["pix_fmt"] == "yuv420p10le")
      #expect(stream["color_space"] == "bt2020nc")
      #expect(stream["color_transfer"] == "arib-std-b67")
      #expect(stream["color_primaries"] == "bt2020")
    }
  }

  @Test func fullRangeAndLimitedRangeShowTheSameGrey() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: "\(try clip("full.mp4")), \(try clip("limited.mp4"))", export: Self.silent
      ).export(to: "grey.mp4", in: folder)
      #expect(try ProbedFile(made.url).stream("video")["color_range"] == "tv")
      let pixels = try DecodedPictures.bytes(
        made.url, filter: "scale=2:2:flags=area+accurate_rnd+full_chroma_int,format=rgb24", size: 12
      )
      #expect(pixels.count == 50)
      #expect(pixels.allSatisfy { $0.allSatisfy { abs(Int($0) - 64) <= 1 } })
    }
  }

  @Test func noFrameIsBlackBetweenClips() throws {
    try withTemporaryDirectory { folder in
      let one = try clip("count5994.mp4", #""in": "1f", "out": "5s", "audio": false"#)
      let made = try Text(
        clips: "\(one), \(one)", timeline: #""frameRate": "60000/1001""#, export: Text.quick
      ).export(to: "row.mp4", in: folder)
      // Five seconds end in the middle of frame 299.
      let length = Rational(5) - Rational(1001, 60000)
      let rate = Rational(60000, 1001)
      let count = Int((length * 2 * rate).ceiling)
      let expected = (0..<count).map { frame -> Int in
        let time = Rational(Int64(frame)) / rate
        let start = Rational(1001, 60000)
        return Int(((time < length ? time + start : time - length + start) * rate).floor)
      }
      #expect(try DecodedPictures.numbers(made.url) == expected)
    }
  }
}
