import Cutroom
import CutroomMetadata
import Foundation
import TestSupport
import Testing

/// Files with damage of every kind are read, changed or refused: quickly, with little memory, and
/// never half.
@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct DamagedFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let isThorough = ProcessInfo.processInfo.environment["CUTROOM_THOROUGH"] != nil

  static let containers = [
    "fixtures/full.m4a", "hostile/mdta-moov-meta.mov", "hostile/frag-base-data-offset.mp4",
    "real/borewit-issue-2672.m4b", "fixtures/full.mp3", "fixtures/full.flac",
    "real/beetbox-coverart.ogg", "real/taglib-correctness_gain_silent_output.opus",
    "real/quodlibet-silence-2s-PCM-16000-08-ID3v23.wav", "real/taglib-rf64.wav",
    "real/quodlibet-with-id3.aif",
    "real/taglib-tags-before-cues.mkv",
  ]

  /// A bit in the first bytes, where the structure is, and up to three more anywhere.
  static func flipped(_ bytes: [UInt8], round: Int) -> [UInt8] {
    var generator = Seeded(state: UInt64(round))
    var bytes = bytes
    let starts = [min(bytes.count, 200), min(bytes.count, 6000), bytes.count]
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let limit = starts.randomElement(using: &generator) ?? bytes.count
      // The movie header may be at the end.
      let isTail = Bool.random(using: &generator)
      let place = Int.random(in: 0..<limit, using: &generator)
      bytes[isTail ? bytes.count - 1 - place : place] ^=
        1 << UInt8.random(in: 0..<8, using: &generator)
    }
    return bytes
  }

  @Test(arguments: containers) func flippedBitsAreReadOrRefused(name: String) throws {
    let whole = try SharedMedia.bytes(name)
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    let changes = [
      TagChange.set(key: "title", values: ["Flipped ü"]), .remove(key: "artist"),
      .artwork([try SharedMedia.bytes("fixtures/cover.png")]),
    ]
    for round in 0..<(Self.isThorough ? 500 : 15) {
      let bytes = Self.flipped(whole, round: round)
      let path = try folder.file("flipped." + ending, bytes).path
      let time = try ContinuousClock().measure {
        do {
          let (tags, outcomes) = try TagStore.retag(path, changes: changes)
          let isDropped = outcomes.contains { $0.key == .title && $0.outcome == .dropped }
          let titles = tags.items.filter { $0.commonKey == .title }
          #expect(
            isDropped || titles.contains { $0.values == ["Flipped ü"] }, "\(name), round \(round)")
        } catch {
          #expect(error is MetadataError, "\(name), round \(round)")
          let found = try Data(contentsOf: URL(filePath: path))
          #expect(found == Data(bytes), "\(name), round \(round)")
        }
      }
      #expect(time < .seconds(2), "\(name), round \(round)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      #expect(names == ["flipped." + ending], "\(name), round \(round)")
    }
  }

  /// The same in a process of its own, whose memory can be told; printed where it is thorough.
  @Test(.enabled(if: Tool.isThere("python3"), Tool.note("python3")), arguments: containers)
  func flippedBitsTakeLittleMemoryAndTime(name: String) throws {
    let whole = try SharedMedia.bytes(name)
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    var worst: (seconds: Double, megabytes: Int) = (0, 0)
    for round in 0..<(Self.isThorough ? 500 : 2) {
      let path = try folder.file("flipped." + ending, Self.flipped(whole, round: round)).path
      let use = try Self.use(["tag", path, "--set", "title=T"])
      #expect([0, 1, 2].contains(use.status), "\(name), round \(round): \(use.status)")
      worst = (max(worst.seconds, use.seconds), max(worst.megabytes, use.megabytes))
    }
    #expect(worst.seconds < 2 && worst.megabytes < 200, "\(name): \(worst)")
    if Self.isThorough { print("\(name): \(worst.seconds) s, \(worst.megabytes) MB") }
  }

  /// What the program takes: seconds of work, and megabytes at most.
  static func use(
    _ arguments: [String]
  ) throws -> (seconds: Double, megabytes: Int, status: Int) {
    let measure = PackageFolder.root.appending(path: "Tests/Benchmarks/measure.py").path
    let result = try Tool.run("python3", [measure, TagSafetyTests.program] + arguments)
    let numbers = result.output.split(separator: "\n").last?.split(separator: " ") ?? []
    try #require(numbers.count == 4, "\(result.output)\(result.errors)")
    return (
      try #require(Double(numbers[1])), try #require(Int(numbers[2])), try #require(Int(numbers[3]))
    )
  }

  static let damaged: [String] = {
    do { return try ["hostile", "corrupt"].flatMap(SharedMedia.names) } catch { return [] }
  }()

  /// In a process of its own, whose memory can be told.
  @Test(.enabled(if: Tool.isThere("python3"), Tool.note("python3")), arguments: damaged)
  func damagedFilesTakeLittleMemoryAndTime(name: String) throws {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    let bytes = try SharedMedia.bytes(name)
    let path = try folder.file("damaged." + ending, bytes).path
    for arguments in [[], ["--set", "title=T"]] {
      let use = try Self.use(["tag", path] + arguments)
      #expect(use.seconds < 2 && use.megabytes < 200, "\(use)")
      #expect([0, 1, 2].contains(use.status), "\(use)")
      if use.status != 0 { #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes)) }
    }
  }
}
