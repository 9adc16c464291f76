import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// What other programs read from MP4 and QuickTime files of ours, and what we read from theirs.
@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct MP4OracleTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func tagged(_ name: String, _ changes: [TagChange]) throws -> String {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    let path = try folder.file("file." + ending, SharedMedia.bytes(name)).path
    _ = try TagStore.retag(path, changes: changes)
    return path
  }

  func mutagen(_ script: String, _ path: String) throws -> [String] {
    let result = try Tool.run(
      "python3", ["-c", "import sys, hashlib, mutagen.mp4\n" + script, path])
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  private static func described(_ item: MetadataItem) -> [String] {
    let key = item.identifier.key
    switch item.value {
    case .texts(let texts):
      guard item.identifier.keySpace == .itlk else { return texts.map { "\(key) \($0)" } }
      return texts.map { "\(key) \(item.dataType ?? 0) \($0)" }
    case .integer(let number, _):
      let flags = ["cpil", "pgap", "pcst"]
      return ["\(key) \(flags.contains(key) ? (number == 1 ? "True" : "False") : "\(number)")"]
    case .pair(let number, let total): return ["\(key) (\(number), \(total))"]
    case .data(let bytes): return ["\(key) \(item.dataType ?? 0) \(bytes.count)"]
    }
  }

  /// Everything that mutagen finds in a file that it wrote itself, and nothing else.
  @Test(.enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote))
  func everyItemIsReadAsMutagenReadsIt() throws {
    let script = """
      for k, v in mutagen.mp4.MP4(sys.argv[1]).items():
        for x in v if isinstance(v, list) else [v]:
          name = k.replace('----:', '').replace(':', '.')
          if isinstance(x, mutagen.mp4.MP4FreeForm): x = f'{int(x.dataformat)} {x.decode()}'
          elif isinstance(x, mutagen.mp4.MP4Cover): x = f'{int(x.imageformat)} {len(x)}'
          print((name + ' ' + str(x)).replace('\\n', '/'))
      """
    let path = try SharedMedia.url("fixtures/full.m4a").path
    let items = try TagStore.read(path).items
    let ours = items.flatMap(Self.described).map { $0.replacing("\n", with: "/") }
    #expect(try ours.sorted() == mutagen(script, path).sorted())
    let widths = items.reduce(into: [String: Int]()) { widths, item in
      if case .integer(_, let width) = item.value { widths[item.identifier.key] = width }
    }
    for (key, width) in [("tmpo", 2), ("stik", 1), ("cnID", 4), ("plID", 8), ("tves", 4)] {
      #expect(widths[key] == width, "\(key)")
    }
  }

  static let canonical: [TagChange] = [
    .set(key: "trackNumber", values: ["3/12"]), .set(key: "discNumber", values: ["1/2"]),
    .set(key: "artist", values: ["A1", "A2"]), .set(key: "isHD", values: ["2"]),
    .set(key: "bpm", values: ["128"]), .set(key: "compilation", values: ["1"]),
    .set(key: "mediaKind", values: ["10"]), .set(key: "contentRating", values: ["1"]),
    .set(key: "itsk/plID", values: ["9999999999"]),
    .set(key: "podcastURL", values: ["http://feed"]),
    .set(key: "itlk/com.apple.iTunes.MULTI", values: ["a", "b"]),
  ]

  /// Type, locale and payload as iTunes writes them.
  @Test func valuesHaveTheTypesAndWidthsOfITunes() throws {
    let bytes = Array(
      try Data(contentsOf: URL(filePath: tagged("real/quodlibet-no-tags.m4a", Self.canonical))))
    func data(_ type: Int, _ payload: [UInt8]) -> [UInt8] {
      BoxBuilder.box("data", BoxBuilder.number(type), BoxBuilder.number(0), payload)
    }
    let artists = data(1, Array("A1".utf8)) + data(1, Array("A2".utf8))
    for (key, content) in [
      ("trkn", data(0, [0, 0, 0, 3, 0, 12, 0, 0])), ("disk", data(0, [0, 0, 0, 1, 0, 2])),
      ("©ART", artists), ("hdvd", data(21, [2])), ("tmpo", data(21, [0, 128])),
      ("cpil", data(21, [1])), ("stik", data(21, [10])), ("rtng", data(21, [1])),
      ("plID", data(21, [0, 0, 0, 2, 0x54, 0x0B, 0xE3, 0xFF])),
      ("purl", data(0, Array("http://feed".utf8))),
    ] {
      let atom = BoxBuilder.box(key, content)
      #expect(bytes.indices.count { bytes[$0...].starts(with: atom) } == 1, "\(key)")
    }
  }

  @Test(.enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote))
  func picturesAndFreeformValuesArriveWhole() throws {
    let pictures = try TagStoreTests.pictures()
    let path = try tagged("real/quodlibet-no-tags.m4a", Self.canonical + [.artwork(pictures)])
    let sums = try [("fixtures/cover.jpg", 13), ("fixtures/cover.png", 14)].map { name, type in
      let sum = try Tool.run("sha256sum", [SharedMedia.url(name).path]).output.prefix(64)
      return "\(type) \(sum)"
    }
    let script = """
      f = mutagen.mp4.MP4(sys.argv[1])
      for c in f['covr']: print(int(c.imageformat), hashlib.sha256(c).hexdigest())
      print([bytes(v) for v in f['----:com.apple.iTunes:MULTI']])
      """
    #expect(try mutagen(script, path) == sums + ["[b'a', b'b']"])
  }

  @Test(.enabled(if: Tool.isThere("exiftool"), Tool.note("exiftool")))
  func exiftoolReadsNumbers() throws {
    let path = try tagged("real/quodlibet-no-tags.m4a", Self.canonical)
    let output = try Tool.run("exiftool", ["-a", "-G1", "-s", "-n", path]).output
    for (key, value) in [
      ("BeatsPerMinute", "128"), ("Compilation", "1"), ("TrackNumber", "3 of 12"),
      ("DiskNumber", "1 of 2"), ("MediaType", "10"), ("Rating", "1"), ("HDVideo", "2"),
    ] {
      let line = output.split(separator: "\n").first { $0.contains(" \(key) ") }
      #expect(line?.hasSuffix(": \(value)") == true, "\(key): \(line ?? "none")")
    }
  }

  @Test(
    .enabled(if: Tool.isThere("exiftool"), Tool.note("exiftool")),
    .enabled(if: Tool.isThere("ffprobe"), Tool.note("ffprobe")))
  func keysAndUserDataOfAMovieAreReadByOthers() throws {
    let path = try tagged(
      "hostile/mdta-moov-meta.mov",
      [
        .set(key: "title", values: ["Ünï"]),
        .set(key: "udta/©xyz", values: ["+48.8577+002.2950+035.000/"]),
        .set(key: "mdta/org.example.mykey", values: ["mine"]),
      ])
    let probed = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "default", path]
    ).output
    #expect(probed.contains("TAG:com.apple.quicktime.title=Ünï\n"))
    #expect(probed.contains("TAG:com.apple.quicktime.creationdate=2023-10-25T10:09:10+0200\n"))
    #expect(probed.contains("TAG:org.example.mykey=mine\n"))
    #expect(probed.contains("TAG:location=+48.8577+002.2950+035.000/\n"))
    let output = try Tool.run("exiftool", ["-a", "-G1", "-s", path]).output
    #expect(output.contains("48 deg 51' 27.72\" N, 2 deg 17' 42.00\" E"))
    #expect(
      output.split(separator: "\n").contains { $0.contains("UserData") && $0.contains("GPS") })
  }

  /// iTunes' items and QuickTime's keys stand side by side in an MP4 file.
  @Test(
    .enabled(if: OracleTests.hasMutagen, OracleTests.mutagenNote),
    .enabled(if: Tool.isThere("ffprobe"), Tool.note("ffprobe")))
  func keysWithoutATwinKeepTheirOwnPlaceInMP4() throws {
    let path = try tagged(
      "hostile/moov64-noudta.mp4",
      [
        .set(key: "title", values: ["T"]), .set(key: "make", values: ["Acme"]),
        .set(key: "mdta/mykey", values: ["mine"]),
      ])
    #expect(
      try mutagen("f = mutagen.mp4.MP4(sys.argv[1]); print(f['\\xa9nam'], f['\\xa9mak'])", path)
        == ["['T'] ['Acme']"])
    let probed = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "default", path]
    ).output
    for line in ["TAG:title=T\n", "TAG:make=Acme\n", "TAG:mykey=mine\n"] {
      #expect(probed.contains(line), "\(line)")
    }
  }

  @Test(.enabled(if: Tool.isThere("mediainfo"), Tool.note("mediainfo")))
  func mediainfoReadsWhatStays() throws {
    let path = try tagged(
      "real/borewit-Apple__voice_memo.m4a", [.set(key: "title", values: ["Memo"])])
    let output = try Tool.run("mediainfo", ["--Output=JSON", path]).output
    #expect(output.contains("2021-01-02"))
    #expect(output.contains("\"Title\": \"Memo\""))
    #expect(
      try TagStore.read(path).items.contains {
        $0.identifier == MetadataIdentifier(.uiso, "date")
          && $0.values == ["2021-01-02T17:42:05Z"]
      })
  }

  /// The movie header first, with 64-bit offsets and a box of samples with a 64-bit size.
  @Test(.enabled(if: Tool.isThere("ffmpeg"), Tool.note("ffmpeg")))
  func wideOffsetsAndSizesMoveToo() throws {
    let first = folder.url.appending(path: "first.m4a")
    let arguments = ["-v", "error", "-i", try SharedMedia.url("fixtures/full.m4a").path]
    let copying = ["-map", "0:a", "-c", "copy", "-movflags", "+faststart", first.path]
    try #require(try Tool.run("ffmpeg", arguments + copying).status == 0)
    let source = Array(try Data(contentsOf: first))
    let boxes = try MP4SwitchTests.boxes(source)
    let media = try #require(boxes.first { $0.type == "mdat" }).range
    let wide =
      BoxBuilder.number(1) + Array("mdat".utf8) + BoxBuilder.number(media.count + 8, 8)
      + source[media.dropFirst(8)]
    // The samples begin 8 bytes later: what moves them in the tables is the same code that is
    // tested, so ffmpeg says whether they are still the same.
    let file = try folder.file("wide.m4a", Array(source[..<media.lowerBound]) + wide)
    var bytes = Array(try Data(contentsOf: file))
    let table = try #require(bytes.indices.first { bytes[$0...].starts(with: "stco".utf8) })
    for entry in 0..<Int(bytes[table + 11]) {
      let place = table + 12 + entry * 4
      let old = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      bytes.replaceSubrange(place..<place + 4, with: BoxBuilder.number(old + 8))
    }
    try Data(bytes).write(to: file)
    let before = try Tool.streamHash(file)
    try #require(try before == Tool.streamHash(first))
    _ = try TagStore.retag(
      file.path,
      changes: [.artwork([[0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 300_000)])])
    #expect(try Tool.streamHash(file) == before)
  }
}
