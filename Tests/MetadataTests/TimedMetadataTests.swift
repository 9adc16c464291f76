import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Metadata that hold for a part of the time.
@Suite struct TimedMetadataTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func numbers(_ values: Int...) -> [UInt8] {
    values.flatMap { BoxBuilder.number($0) }
  }

  private static let zero = numbers(0)

  private static func key(_ number: Int, _ name: String, type: Int) -> [UInt8] {
    let parts =
      BoxBuilder.box("keyd", Array("mdta".utf8), Array(name.utf8))
      + BoxBuilder.box("dtyp", numbers(0, type))
    return numbers(parts.count + 8, number) + parts
  }

  private static func value(_ number: Int, _ payload: [UInt8]) -> [UInt8] {
    numbers(payload.count + 8, number) + payload
  }

  /// A movie with a track of timed metadata: each sample lasts half a second.
  static func movie(_ samples: [[UInt8]], claimed: Int? = nil, isFragmented: Bool = false)
    -> [UInt8]
  {
    let keys = BoxBuilder.box(
      "keys", key(1, "com.apple.quicktime.location.ISO6709", type: 1),
      key(2, "com.apple.quicktime.video-orientation", type: 65),
      key(3, "org.example.speed", type: 23))
    let entry = BoxBuilder.box("mebx", numbers(0, 1), keys)
    let table = BoxBuilder.box(
      "stbl", BoxBuilder.box("stsd", numbers(0, 1), entry),
      BoxBuilder.box("stts", numbers(0, 1, claimed ?? samples.count, 300)),
      BoxBuilder.box("stsc", numbers(0, 1, 1, claimed ?? samples.count, 1)),
      BoxBuilder.box(
        "stsz", numbers(0, 0, claimed ?? samples.count),
        samples.flatMap { BoxBuilder.number($0.count) }),
      BoxBuilder.box("stco", numbers(0, 1, 28)))
    let base = BoxBuilder.box(
      "gmhd", BoxBuilder.box("gmin", zero, [UInt8](repeating: 0, count: 12)))
    let reference = BoxBuilder.box(
      "dinf", BoxBuilder.box("dref", numbers(0, 1), BoxBuilder.box("url ", numbers(1))))
    let length = 300 * samples.count
    let media = BoxBuilder.box(
      "mdia", BoxBuilder.box("mdhd", zero, zero, zero, numbers(600, length), zero),
      BoxBuilder.handler("meta"), BoxBuilder.box("minf", base, reference, table))
    let edits = BoxBuilder.box(
      "edts",
      BoxBuilder.box("elst", numbers(0, 2, 250, -1, 0x10000, length * 1000 / 600, 0, 0x10000)))
    let head = zero + zero + numbers(1, 0, length * 1000 / 600)
    let track = BoxBuilder.box(
      "trak", BoxBuilder.box("tkhd", [0, 0, 0, 7], head, [UInt8](repeating: 0, count: 60)), edits,
      media)
    let movie =
      zero + zero + zero + numbers(1000, length * 1000 / 600, 0x10000)
      + [UInt8](repeating: 0, count: 72) + numbers(2)
    return BoxBuilder.box("ftyp", Array("qt  ".utf8), zero, Array("qt  ".utf8))
      + BoxBuilder.box("mdat", samples.flatMap(\.self))
      + BoxBuilder.box(
        "moov", BoxBuilder.box("mvhd", movie), track, isFragmented ? BoxBuilder.box("mvex") : [])
  }

  private static let samples = [
    value(1, Array("+48.8577+002.2950/".utf8)) + value(3, [0x3F, 0xC0, 0, 0]),
    [],
    value(1, Array("+52.5200+013.4050/".utf8)) + value(2, [6]),
  ]

  @Test func everySampleIsAGroupAtItsTime() throws {
    let path = try folder.file("t.mov", Self.movie(Self.samples)).path
    let groups = try TagStore.timedMetadata(path)
    // The edit list begins a quarter of a second later; the second sample says nothing.
    #expect(groups.map(\.start) == [Rational(1, 4), Rational(5, 4)])
    #expect(groups.map(\.duration) == [Rational(1, 2), Rational(1, 2)])
    let lines = groups.map { group in group.items.map { "\($0.identifier) \($0.values)" } }
    #expect(
      lines == [
        [
          #"mdta/com.apple.quicktime.location.ISO6709 ["+48.8577+002.2950/"]"#,
          #"mdta/org.example.speed ["1.5"]"#,
        ],
        [
          #"mdta/com.apple.quicktime.location.ISO6709 ["+52.5200+013.4050/"]"#,
          #"mdta/com.apple.quicktime.video-orientation ["6"]"#,
        ],
      ])
    #expect(groups[0].items[0].commonKey == .location)
  }

  @Test(.enabled(if: Tool.isThere("exiftool"), Tool.note("exiftool")))
  func exiftoolReadsTheSame() throws {
    let path = try folder.file("t.mov", Self.movie(Self.samples)).path
    let output = try Tool.run("exiftool", ["-ee", "-a", "-G3", "-s", "-n", path]).output
    let places = output.split(separator: "\n").filter { $0.contains("GPSCoordinates") }
    #expect(places.count == 2, "\(output)")
    #expect(places.first?.hasSuffix(": 48.8577 2.295") == true)
    #expect(places.last?.hasSuffix(": 52.52 13.405") == true)
  }

  @Test(.enabled(if: SharedMedia.isThere, SharedMedia.note)) func chaptersAreGroupsOfOneTitle()
    throws
  {
    for name in ["fixtures/full.m4a", "fixtures/full.mp3", "fixtures/full.flac"] {
      let ending = name.split(separator: ".").last.map(String.init) ?? ""
      let path = try folder.file("c." + ending, SharedMedia.bytes(name)).path
      let chapters = Array(OracleTests.chapters.prefix(2))
      _ = try TagStore.retag(path, changes: [.chapters(chapters)])
      let groups = try TagStore.timedMetadata(path)
      #expect(groups.map(\.start) == chapters.map(\.start))
      #expect(groups.map(\.duration) == [Rational(7, 10), nil])
      #expect(groups.flatMap(\.items) == chapters.map { MetadataItem(.title, $0.title) })
    }
  }

  @Test(arguments: [
    (movie(samples, claimed: 9_999_999), "do not fit together"),
    (movie(samples, isFragmented: true), "movie fragments"),
  ])
  func whatCannotBeReadIsRefused(bytes: [UInt8], message: String) throws {
    let path = try folder.file("d.mov", bytes).path
    let error = #expect(throws: MetadataError.self) { try TagStore.timedMetadata(path) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
