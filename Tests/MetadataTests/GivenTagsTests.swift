import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// What somebody asks for on the command line: values that are none are refused.
@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct GivenTagsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let files = [
    "real/quodlibet-no-tags.m4a", "hostile/moov64-noudta.mp4", "hostile/mdta-moov-meta.mov",
    "real/quodlibet-lame-peak.mp3", "fixtures/full.flac", "real/quodlibet-multipagecomment.ogg",
    "real/taglib-correctness_gain_silent_output.opus", "fixtures/full.m4a", "fixtures/full.mp3",
    "hostile/qt-udta-terminator-first.mov", "real/devsnd-riff_extra_zero.wav",
    "real/quodlibet-with-id3.aif",
    "../phone/iphone-rot90-568x320-29976-aac44k.mov",
  ]

  func copy(_ name: String) throws -> String {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    return try folder.file("file." + ending, SharedMedia.bytes(name)).path
  }

  @Test(arguments: files) func whatIsSetAndAddedCombinesInOrder(name: String) throws {
    let path = try copy(name)
    for key in ["artist", "title", "genre"] {
      let (tags, _) = try TagStore.retag(
        path,
        changes: [
          .set(key: key, values: ["A"]), .add(key: key, value: "B"), .add(key: key, value: "C"),
        ])
      let found = tags.items.filter { $0.commonKey?.rawValue == key }
      #expect(!found.isEmpty)
      for item in found {
        #expect(item.values.joined(separator: "; ") == "A; B; C", "\(item.identifier)")
      }
    }
    let (tags, _) = try TagStore.retag(
      path, changes: [.set(key: "comment", values: ["A"]), .add(key: "comment", value: "B")])
    let comment = tags.items.first { $0.commonKey == .comment && $0.extraAttributes["mean"] == nil }
    #expect(comment?.values.joined(separator: "; ") == "A; B")
    let (cleared, _) = try TagStore.retag(path, changes: [.clear, .add(key: "artist", value: "Z")])
    // What says how the file plays stays.
    let rest = cleared.items.filter { !$0.identifier.key.hasPrefix("com.apple.iTunes.iTun") }
    #expect(Set(rest.map(\.values)) == [["Z"]])
  }

  static let tagged: [String] = {
    do {
      return try ["fixtures", "real", "../phone"].flatMap(SharedMedia.names)
        .filter { !$0.hasSuffix(".jpg") && !$0.hasSuffix(".png") && !$0.contains("4k60") }
    } catch { return [] }
  }()

  static let samples: [(key: String, values: [String])] = [
    ("title", ["x", "Ünï 😀", String(repeating: "long ", count: 2000)]), ("artist", ["A", "B"]),
    ("trackNumber", ["3/12", "7"]), ("bpm", ["128"]), ("comment", ["c\nd"]),
    ("compilation", ["1"]), ("isrc", ["USRC17607839"]), ("location", ["+48.5000+002.2500/"]),
    ("lyrics", ["l1\nl2"]), ("genre", ["Rock"]), ("sortTitle", ["S"]),
  ]

  /// Retagging compares the packets itself; here the values are.
  @Test(arguments: tagged) func randomChangesReadBack(name: String) throws {
    let path = try copy(name)
    let before: TagSet
    do { before = try TagStore.read(path) } catch { return }
    guard !["mkv", "mka", "webm", "avi"].contains(before.container) else { return }
    for round in 0..<3 {
      var generator = Seeded(state: UInt64(round))
      var wanted: [String: [String]] = [:]
      var changes: [TagChange] = []
      for sample in Self.samples.shuffled(using: &generator).prefix(5) {
        if Int.random(in: 0..<4, using: &generator) == 0 {
          changes.append(.remove(key: sample.key))
          wanted[sample.key] = []
        } else {
          let value = sample.values.randomElement(using: &generator) ?? ""
          changes.append(.set(key: sample.key, values: [value]))
          wanted[sample.key] = [value]
        }
      }
      do {
        let (tags, outcomes) = try TagStore.retag(path, changes: changes)
        let dropped = outcomes.filter { $0.outcome == .dropped }.compactMap(\.key?.rawValue)
        for (key, values) in wanted where !dropped.contains(key) {
          let found = tags.items.filter { $0.commonKey?.rawValue == key }
          #expect(found.isEmpty == values.isEmpty, "\(name), round \(round): \(key)")
          #expect(found.allSatisfy { $0.values == values }, "\(name), round \(round): \(key)")
        }
      } catch {
        // Files that cannot be changed safely are refused.
        #expect([.unsupported, .malformed, .limit].contains(error.code), "\(name): \(error)")
      }
    }
  }

  @Test(arguments: files) func aValueThatIsNoneIsRefused(name: String) throws {
    let path = try copy(name)
    let before = try Data(contentsOf: URL(filePath: path))
    for (key, value) in [
      ("trackNumber", "abc"), ("trackNumber", "3/x"), ("bpm", "fast"), ("compilation", "maybe"),
      ("discNumber", ""), ("artwork", "cover.jpg"),
    ] {
      let error = #expect(throws: MetadataError.self) {
        try TagStore.retag(path, changes: [.set(key: key, values: [value])])
      }
      #expect(error?.code == .value, "\(key)=\(value)")
      #expect(error?.message.hasPrefix("'\(key)'") == true, "\(error?.message ?? "")")
    }
    #expect(throws: MetadataError.self) {
      try TagStore.retag(path, changes: [.set(key: "trackNumber", values: ["1", "2"])])
    }
    #expect(throws: MetadataError.self) {
      try TagStore.retag(
        path,
        changes: [.set(key: "trackNumber", values: ["1"]), .add(key: "trackNumber", value: "2")]
      )
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func onlyPicturesAreArtwork() throws {
    let webp = Array("RIFF".utf8) + [9, 0, 0, 0] + Array("WEBPVP8 ".utf8)
    let cases: [(name: String, bytes: [UInt8], kind: String)] = [
      ("sound.ogg", try SharedMedia.bytes("../audio/vorbis-48k.ogg"), "an Ogg file"),
      ("webp.jpg", webp, "a WebP picture"), ("a.gif", Array("GIF89a...".utf8), "a GIF picture"),
      ("text.png", Array("BMX is a text".utf8), "a text"), ("empty.jpg", [], "empty"),
      ("video.mp4", try SharedMedia.bytes("hostile/moov64-noudta.mp4"), "an MP4 file"),
    ]
    for (name, bytes, kind) in cases {
      let path = try folder.file(name, bytes).path
      let error = #expect(throws: MetadataError.self) { try MetadataMerge.picture(path) }
      #expect(error?.code == .artwork)
      #expect(error?.message == "'\(path)' is \(kind); artwork is JPEG, PNG or BMP")
      let media = try copy("fixtures/full.mp3")
      #expect(throws: MetadataError.self) {
        try TagStore.retag(media, changes: [.artwork([bytes])])
      }
    }
    #expect(try MetadataMerge.picture(SharedMedia.url("fixtures/cover.png").path).count > 0)
  }

  @Test func theEndingOfAnotherContainerIsRefused() throws {
    let path = try copy("fixtures/full.m4a")
    let changes = [TagChange.set(key: "title", values: ["T"])]
    for name in ["b.mp3", "b.mov", "b.flac", "b.mkv"] {
      let output = folder.url.appending(path: name).path
      let error = #expect(throws: MetadataError.self) {
        try TagStore.retag(path, changes: changes, output: output)
      }
      #expect(error?.code == .container)
      #expect(!FileManager.default.fileExists(atPath: output))
    }
    for name in ["b.mp4", "b.m4b", "b.new", "b"] {
      let output = folder.url.appending(path: name).path
      _ = try TagStore.retag(path, changes: changes, output: output)
      let error = #expect(throws: MetadataError.self) {
        try TagStore.retag(path, changes: changes, output: output)
      }
      #expect(error?.code == .exists)
      #expect(error?.message.contains(output) == true)
    }
  }

  @Test func aMisspeltKeyIsAnsweredWithTheNearest() {
    for (wrong, right) in [("titel", "title"), ("trackNo/x", ""), ("itks/©nam", "itsk")] {
      let error = #expect(throws: MetadataError.self) { try MetadataIdentifier(parsing: wrong) }
      #expect(right.isEmpty || error?.message.contains("did you mean '\(right)'?") == true)
    }
    // What other programs call them.
    for (word, key) in [
      ("year", "creationDate"), ("date", "creationDate"), ("track", "trackNumber"),
      ("TRACK_TOTAL", "trackNumber"), ("disc", "discNumber"), ("album_artist", "albumArtist"),
      ("cover", "artwork"), ("encoder", "software"), ("Title", "title"), ("label", "publisher"),
    ] {
      let error = #expect(throws: MetadataError.self) { try MetadataIdentifier(parsing: word) }
      #expect(error?.message.contains("did you mean '\(key)'?") == true, "\(word)")
    }
  }
}
