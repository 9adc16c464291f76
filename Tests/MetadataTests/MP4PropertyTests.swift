import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Random edits of every sample: what was set reads back, and the samples stay what they are.
@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct MP4PropertyTests {
  static let names: [String] = {
    do {
      let endings = [".m4a", ".m4b", ".mp4", ".mov"]
      let all = try ["fixtures", "real", "hostile", "../phone", "../editlist", "../fragmented"]
        .flatMap(SharedMedia.names)
      let refused = ["hostile/stco-count-20M.mp4", "hostile/nest-100k.mp4"]
      return all.filter { name in
        endings.contains { name.hasSuffix($0) } && !refused.contains(name)
      }
    } catch { return [] }
  }()

  static let keys = [
    MetadataIdentifier(.itsk, "©nam"), MetadataIdentifier(.itsk, "trkn"),
    MetadataIdentifier(.itsk, "covr"), MetadataIdentifier(mean: "com.apple.iTunes", name: "MOOD"),
    MetadataIdentifier(.mdta, "com.apple.quicktime.title"), MetadataIdentifier(.mdta, "a.b"),
    MetadataIdentifier(.udta, "©xyz"), MetadataIdentifier(.udta, "©nam"),
    MetadataIdentifier(.uiso, "loci"),
  ]

  static func item(
    _ key: MetadataIdentifier, _ generator: inout Seeded
  ) -> MetadataItem {
    let length = [1, 3, 40, 5000].randomElement(using: &generator) ?? 1
    switch key.key {
    case "trkn": return MetadataItem(key, .pair(Int.random(in: 1...9, using: &generator), of: 12))
    case "covr":
      return MetadataItem(key, .data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: length)))
    case "loci": return MetadataItem(key, "+48.5000+002.2500/")
    default: return MetadataItem(key, String(repeating: "é", count: length))
    }
  }

  static func operations(_ generator: inout Seeded) -> [TagOperation] {
    var operations: [TagOperation] =
      Int.random(in: 0..<8, using: &generator) == 0 ? [.clear] : []
    for key in keys.shuffled(using: &generator).prefix(Int.random(in: 1...5, using: &generator)) {
      let isRemoved = Int.random(in: 0..<4, using: &generator) == 0
      operations.append(.set(key, isRemoved ? [] : [item(key, &generator)]))
    }
    return operations
  }

  @Test(arguments: names) func randomEditsReadBack(name: String) throws {
    var bytes = try SharedMedia.bytes(name)
    guard bytes.count < 40 << 20 else { return }
    let media = try Self.samples(bytes)
    for round in 0..<12 {
      var generator = Seeded(state: UInt64(round))
      let operations = Self.operations(&generator)
      let chapters =
        Bool.random(using: &generator) ? [MetadataChapter(start: .zero, title: "c")] : nil
      let file = try MP4File(MemoryReader(bytes))
      let plan = try MP4TagEditor(file, container: .mov).plan(operations, chapters: chapters)
      bytes = plan.applied(to: bytes)
      let items = try MP4File(MemoryReader(bytes)).items()
      for case .set(let key, let wanted) in operations {
        let found = items.filter { $0.identifier.folded == key.folded }
        #expect(found.map(\.value) == wanted.map(\.value), "\(name), round \(round): \(key)")
      }
      if let chapters { #expect(try MP4File(MemoryReader(bytes)).chapters == chapters) }
    }
    #expect(try Self.samples(bytes) == media, "\(name)")
  }

  /// Damage is put where the boxes are, so that it meets the editor and not the samples.
  @Test(arguments: names) func editsOfDamagedFilesEndInAnErrorAtWorst(name: String) throws {
    let bytes = try SharedMedia.bytes(name)
    guard bytes.count < 1 << 20,
      let movie = bytes.indices.first(where: { bytes[$0...].starts(with: "moov".utf8) })
    else { return }
    let length = min(bytes.count - movie, 8000)
    for round in 0..<60 {
      var generator = Seeded(state: UInt64(round))
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let position = movie - 4 + Int.random(in: 0..<length, using: &generator)
        let kinds: [UInt8] = [0, 1, 4, 8, 0x7F, 0xFF, UInt8.random(in: 0...255, using: &generator)]
        damaged[position] = kinds.randomElement(using: &generator) ?? 0
      }
      do {
        let file = try MP4File(MemoryReader(damaged))
        let plan = try MP4TagEditor(file, container: .mov).plan(
          Self.operations(&generator), chapters: [MetadataChapter(start: .zero, title: "c")])
        _ = try MP4File(MemoryReader(plan.applied(to: damaged))).items()
      } catch { #expect(!error.message.isEmpty, "\(name), round \(round)") }
    }
  }

  /// FFmpeg's hash of all packets.
  static func samples(_ bytes: [UInt8]) throws -> String {
    guard Tool.isThere("ffmpeg") else { return "" }
    let file = try TemporaryFolder()
    return try Tool.streamHash(file.file("a.mp4", bytes))
  }

  /// `udta` is followed at once by a `meta` whose size changes, too.
  @Test func anItemIsInsertedBeforeABoxThatGrows() throws {
    let bytes = try SharedMedia.bytes("../phone/iphone-rot90-568x320-29976-aac44k.mov")
    let title = MetadataIdentifier(.mdta, "com.apple.quicktime.title")
    let track = MetadataIdentifier(.itsk, "trkn")
    let file = try MP4File(MemoryReader(bytes))
    let plan = try MP4TagEditor(file, container: .mov).plan([
      .set(title, [MetadataItem(title, "x")]), .set(track, [MetadataItem(track, .pair(3, of: 12))]),
    ])
    let items = try MP4File(MemoryReader(plan.applied(to: bytes))).items()
    #expect(items.first { $0.identifier == title }?.values == ["x"])
    #expect(items.first { $0.identifier == track }?.values == ["3/12"])
    #expect(items.filter { $0.identifier.keySpace == .udta }.count == 5)
  }

  /// The movie ends with `udta`, which grows, and a new `meta` follows it.
  @Test func whatEndsAnInnerBoxStaysInside() throws {
    let track = MetadataIdentifier(.itsk, "trkn")
    let title = MetadataIdentifier(.mdta, "com.apple.quicktime.title")
    let bytes = try SharedMedia.bytes("fixtures/full.m4a")
    let file = try MP4File(MemoryReader(bytes))
    let place = MetadataIdentifier(.udta, "©xyz")
    let plan = try MP4TagEditor(file, container: .mov).plan([
      .set(title, [MetadataItem(title, "x")]), .set(track, [MetadataItem(track, .pair(3, of: 12))]),
      .set(place, [MetadataItem(place, "+1+2/")]),
    ])
    let items = try MP4File(MemoryReader(plan.applied(to: bytes))).items()
    for (key, value) in [(title, "x"), (track, "3/12"), (place, "+1+2/")] {
      #expect(items.first { $0.identifier == key }?.values == [value], "\(key)")
    }
  }
}
