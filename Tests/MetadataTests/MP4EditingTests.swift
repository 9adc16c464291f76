import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct MP4EditingTests {
  static let title = MetadataIdentifier(.itsk, "©nam")

  func edited(
    _ bytes: [UInt8], _ operations: [TagOperation], chapters: [MetadataChapter]? = nil
  ) throws -> [UInt8] {
    let file = try MP4File(MemoryReader(bytes))
    let plan = try MP4TagEditor(file, container: .m4a).plan(operations, chapters: chapters)
    return plan.applied(to: bytes)
  }

  func set(_ text: String) -> TagOperation { .set(Self.title, [MetadataItem(Self.title, text)]) }

  func items(_ bytes: [UInt8]) throws -> [MetadataItem] { try MP4File(MemoryReader(bytes)).items() }

  static let editable = [
    "fixtures/full.m4a", "real/quodlibet-has-tags.m4a", "real/quodlibet-no-tags.m4a",
    "real/taglib-non-full-meta.m4a", "real/taglib-zero-length-mdat.m4a",
    "real/borewit-Apple__voice_memo.m4a", "real/taglib-nonprintable-atom-type.m4a",
    "hostile/qt-udta-terminator-first.mov", "hostile/frag-base-data-offset.mp4",
    "hostile/moov64-noudta.mp4", "hostile/ilst-odd.m4a", "hostile/id32-moov-meta.mp4",
    "hostile/mdta-moov-meta.mov", "hostile/chpl-mid-utf8.m4a", "real/beetbox-full.m4a",
  ]

  @Test(.enabled(if: Tool.isThere("ffmpeg"), Tool.note("ffmpeg")), arguments: editable)
  func samplesStayWhereTheyAre(name: String) throws {
    let bytes = try SharedMedia.bytes(name)
    let folder = try TemporaryFolder()
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    let before = try Tool.streamHash(folder.file("before." + ending, bytes))
    let picture = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 300_000)
    let cover = MetadataIdentifier(.itsk, "covr")
    let operations = [
      set("Título Ünïcode 😀"), .set(cover, [MetadataItem(cover, .data(picture))]),
    ]
    let new = try edited(bytes, operations)
    let after = try Tool.streamHash(folder.file("after." + ending, new))
    #expect(before == after)
    #expect(!before.isEmpty)
    #expect(try items(new).first { $0.identifier == Self.title }?.values == ["Título Ünïcode 😀"])
    #expect(try edited(new, operations) == new, "the second time changes nothing")
    let removed = try edited(new, [.clear])
    #expect(try Tool.streamHash(folder.file("removed." + ending, removed)) == before)
    #expect(try items(removed).isEmpty)
  }

  @Test func whatIsNotNamedStaysByteForByte() throws {
    let bytes = try SharedMedia.bytes("hostile/ilst-odd.m4a")
    let old = try items(bytes)
    let new = try items(edited(bytes, [set("New")]))
    #expect(new.dropFirst() == old.dropFirst())
    #expect(new.first?.values == ["New"])
  }

  @Test func paddingTakesTheDifference() throws {
    let bytes = try SharedMedia.bytes("fixtures/full.m4a")
    let new = try edited(bytes, [set("A longer title")])
    #expect(new.count == bytes.count)
    let plan = try MP4TagEditor(MP4File(MemoryReader(bytes)), container: .m4a).plan([set("A")])
    guard case .inPlace = plan else {
      Issue.record("the file is rewritten")
      return
    }
  }

  @Test func aFreeBoxAfterTheMovieIsUsedUp() throws {
    // moov, then free, then mdat: what our own exports look like.
    let original = try SharedMedia.bytes("hostile/moov64-noudta.mp4")
    let moovEnd = 28 + 1712
    let file = try MP4File(MemoryReader(original))
    let padded = try MP4TagEditor(file, container: .mp4).plan([set("x")]).applied(to: original)
    #expect(padded.count > original.count)
    let grown = padded.count - original.count
    let free = [0, 0, 0x10, 0, 0x66, 0x72, 0x65, 0x65] + [UInt8](repeating: 0, count: 4088)
    let bytes = Array(padded[..<(moovEnd + grown)]) + free + padded[(moovEnd + grown)...]
    let long = String(repeating: "long ", count: 200)
    let plan = try MP4TagEditor(MP4File(MemoryReader(bytes)), container: .mp4).plan([set(long)])
    guard case .inPlace(let patches, let size) = plan else {
      Issue.record("the file is rewritten")
      return
    }
    #expect(size == Int64(bytes.count))
    #expect(patches.map(\.bytes.count).reduce(0, +) < 4000)
    let new = plan.applied(to: bytes)
    #expect(try items(new).map(\.values) == [[long]])
    #expect(try edited(new, [.clear]).count == bytes.count)
  }

  @Test func indexOfFragmentsPointsAtFragments() throws {
    let new = try edited(SharedMedia.bytes("hostile/frag-base-data-offset.mp4"), [set("Frag")])
    let table = try #require(new.indices.first { new[$0...].starts(with: Array("tfra".utf8)) })
    let count = Int(new[table + 19])
    #expect(count > 0)
    // Version 1: time and offset of 8 bytes each, then three numbers of one byte.
    for entry in 0..<count {
      let position = table + 20 + entry * 19 + 8
      let offset = new[position..<position + 8].reduce(0) { $0 << 8 | Int($1) }
      #expect(Array(new[offset + 4..<offset + 8]) == Array("moof".utf8))
    }
  }

  @Test func offsetsThatOutgrow32BitsAreWidened() throws {
    var bytes = try SharedMedia.bytes("hostile/moov64-noudta.mp4")
    let table = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("stco".utf8)) })
    let count = Int(bytes[table + 11])
    for entry in 0..<count {
      bytes.replaceSubrange(
        table + 12 + entry * 4..<table + 16 + entry * 4, with: [255, 255, 255, 0])
    }
    let new = try edited(bytes, [set(String(repeating: "x", count: 300))])
    let wide = try #require(new.indices.first { new[$0...].starts(with: Array("co64".utf8)) })
    #expect(Int(new[wide + 11]) == count)
    let offset = new[wide + 12..<wide + 20].reduce(0) { $0 << 8 | Int($1) }
    #expect(offset == 0xFFFF_FF00 + new.count - bytes.count)
    #expect(try items(new).count == 1)
  }

  @Test(arguments: ["hostile/stco-count-20M.mp4", "hostile/nest-100k.mp4"])
  func damagedTablesAreRefused(name: String) throws {
    let bytes = try SharedMedia.bytes(name)
    #expect(throws: MetadataError.self) { try edited(bytes, [set("T")]) }
  }

  @Test func chapterTitlesAreCutBetweenCharacters() throws {
    let title = String(repeating: "a", count: 254) + "é"
    let chapters = [
      MetadataChapter(start: .zero, title: "Intro"),
      MetadataChapter(start: Rational(7, 10), title: "Kapitel zwei – “ü”"),
      MetadataChapter(start: Rational(3, 2), title: title),
    ]
    let new = try edited(SharedMedia.bytes("fixtures/full.m4a"), [], chapters: chapters)
    let read = try MP4File(MemoryReader(new)).chapters
    #expect(read.map(\.start) == [.zero, Rational(7, 10), Rational(3, 2)])
    // The track has the whole title, the list what a byte can count.
    #expect(read.map(\.title) == ["Intro", "Kapitel zwei – “ü”", title])
    let list = try #require(new.indices.first { new[$0...].starts(with: Array("chpl".utf8)) })
    let cut = [254] + Array(String(title.dropLast()).utf8)
    #expect(new[list...].prefix(400).indices.contains { new[$0...].starts(with: cut) })
  }

  @Test func damageNeverCrashes() throws {
    var generator = Seeded(state: 7)
    for name in ["hostile/ilst-odd.m4a", "hostile/frag-base-data-offset.mp4", "fixtures/full.m4a"] {
      let bytes = try SharedMedia.bytes(name)
      for _ in 0..<100 {
        var damaged = bytes
        for _ in 0..<8 {
          damaged[Int.random(in: damaged.indices, using: &generator)] =
            UInt8.random(in: 0...255, using: &generator)
        }
        if Bool.random(using: &generator) {
          damaged.removeLast(Int.random(in: 0..<2000, using: &generator))
        }
        do {
          let new = try edited(damaged, [set("T")])
          _ = try items(new)
        } catch { #expect(error is MetadataError) }
      }
    }
  }
}

/// Random numbers that are the same in every run.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
