import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct TagStoreTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A private copy of a sample.
  func copy(_ name: String, as target: String? = nil) throws -> String {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    return try folder.file(target ?? "file." + ending, SharedMedia.bytes(name)).path
  }

  func values(_ path: String) throws -> [String: [String]] {
    let items = try TagStore.read(path).items
    return Dictionary(items.map { ($0.commonKey?.rawValue ?? "\($0.identifier)", $0.values) }) {
      $0 + $1
    }
  }

  static let canonical: [TagChange] = [
    .set(key: "title", values: ["Título Ünïcode 😀"]), .set(key: "artist", values: ["A1", "A2"]),
    .set(key: "albumArtist", values: ["AA"]), .set(key: "album", values: ["Al"]),
    .set(key: "composer", values: ["comp"]), .set(key: "genre", values: ["Rock"]),
    .set(key: "creationDate", values: ["2023-10-25"]), .set(key: "trackNumber", values: ["3/12"]),
    .set(key: "discNumber", values: ["1/2"]), .set(key: "comment", values: ["c"]),
    .set(key: "lyrics", values: ["l1\nl2"]), .set(key: "compilation", values: ["1"]),
    .set(key: "bpm", values: ["128"]), .set(key: "isrc", values: ["USRC17607839"]),
    .set(key: "replayGainTrackGain", values: ["-6.50 dB"]), .set(key: "sortTitle", values: ["ST"]),
    .set(key: "sortArtist", values: ["SA"]), .set(key: "sortAlbum", values: ["SAl"]),
    .set(key: "sortAlbumArtist", values: ["SAA"]), .set(key: "sortComposer", values: ["SC"]),
  ]

  static func pictures() throws -> [[UInt8]] {
    [
      try SharedMedia.bytes("fixtures/cover.jpg"), try SharedMedia.bytes("fixtures/cover.png"),
    ]
  }

  @Test(arguments: [
    "real/quodlibet-no-tags.m4a", "real/quodlibet-lame-peak.mp3", "fixtures/full.flac",
    "real/quodlibet-multipagecomment.ogg", "real/taglib-correctness_gain_silent_output.opus",
    "hostile/mdta-moov-meta.mov", "hostile/moov64-noudta.mp4", "fixtures/full.mp3",
    "fixtures/full.m4a", "real/quodlibet-id3v22-test.mp3", "real/taglib-itunes10.mp3",
    "real/taglib-duplicate_id3v2.mp3",
  ])
  func whatIsSetIsReadBackOrDropped(name: String) throws {
    let path = try copy(name)
    let changes = Self.canonical + [.artwork(try Self.pictures())]
    let (tags, outcomes) = try TagStore.retag(path, changes: changes)
    let values = try values(path)
    #expect(outcomes.count == changes.count + 1)
    for case .set(let key, let wanted) in changes {
      guard key != "replayGainTrackGain" || !path.hasSuffix("opus") else { continue }
      let outcome = outcomes.first { $0.key?.rawValue == key }
      let isJoined = tags.id3Version == 3 && values[key] == [wanted.joined(separator: "/")]
      #expect(
        values[key] == wanted || isJoined || outcome?.outcome == .dropped,
        "\(key): \(values[key] ?? [])")
    }
    let pictures = tags.items.filter { $0.commonKey == .artwork }
    #expect(pictures.map(\.mediaType) == ["image/jpeg", "image/png"])
    let (again, _) = try TagStore.retag(path, changes: changes)
    #expect(again == tags)
  }

  @Test(
    .enabled(if: Tool.isThere("ffmpeg"), Tool.note("ffmpeg")),
    arguments: [
      "fixtures/full.m4a", "fixtures/full.mp3", "fixtures/full.flac",
      "real/quodlibet-multipagecomment.ogg", "hostile/frag-base-data-offset.mp4",
    ])
  func packetsStayTheSame(name: String) throws {
    let path = try copy(name)
    let before = try Tool.streamHash(URL(filePath: path))
    let changes = [TagChange.set(key: "title", values: ["New"]), .artwork(try Self.pictures())]
    _ = try TagStore.retag(path, changes: changes)
    #expect(try Tool.streamHash(URL(filePath: path)) == before)
    _ = try TagStore.retag(path, changes: [.clear])
    #expect(try Tool.streamHash(URL(filePath: path)) == before)
    // What says how the file plays stays.
    let technical: Set = ["com.apple.iTunes.iTunSMPB", "com.apple.iTunes.iTunNORM"]
    let rest = try TagStore.read(path).items.map(\.identifier.key)
    #expect(Set(rest).isSubset(of: technical))
  }

  @Test func otherItemsOfATagAreKept() throws {
    for name in ["fixtures/full.mp3", "real/borewit-issue-406-geob.mp3", "fixtures/full.flac"] {
      let path = try copy(name)
      // TagLib leaves out frames that version 2.4 replaced by others.
      let before = try TagStore.read(path).items.filter {
        $0.commonKey != .title && $0.identifier.key != "RVAD"
      }
      _ = try TagStore.retag(path, changes: [.set(key: "title", values: ["New"])])
      let after = try TagStore.read(path).items.filter { $0.commonKey != .title }
      #expect(Set(before.map(\.identifier)) == Set(after.map(\.identifier)), "\(name)")
      let wfed = MetadataIdentifier(.id3, "WFED")
      #expect(
        Set(before.filter { $0.identifier != wfed }) == Set(after.filter { $0.identifier != wfed }))
    }
  }

  @Test(arguments: [
    ("hostile/mdta-moov-meta.mov", "mdta/com.apple.quicktime.title"),
    ("hostile/qt-udta-terminator-first.mov", "udta/©nam"),
    ("real/taglib-gnre.m4a", "itsk/©nam"),
  ])
  func twinsOfAKeyFollow(name: String, identifier: String) throws {
    let path = try copy(name)
    let (tags, _) = try TagStore.retag(path, changes: [.set(key: "title", values: ["Ünï"])])
    let titles = tags.items.filter { $0.commonKey == .title }
    #expect(titles.contains { $0.identifier.description == identifier })
    #expect(titles.allSatisfy { $0.values == ["Ünï"] })
    let (removed, _) = try TagStore.retag(path, changes: [.remove(key: "title")])
    #expect(!removed.items.contains { $0.commonKey == .title })
  }

  @Test func valuesAreAddedAndRemoved() throws {
    for name in [
      "real/quodlibet-no-tags.m4a", "real/quodlibet-lame-peak.mp3", "fixtures/full.flac",
    ] {
      let path = try copy(name)
      _ = try TagStore.retag(path, changes: [.set(key: "artist", values: ["A"])])
      _ = try TagStore.retag(path, changes: [.add(key: "artist", value: "B")])
      #expect(try values(path)["artist"] == ["A", "B"], "\(name)")
      _ = try TagStore.retag(path, changes: [.remove(key: "artist")])
      #expect(try values(path)["artist"] == nil, "\(name)")
    }
  }

  @Test func aPlainTextOfFFmpegGivesWayToTheRealFrame() throws {
    let path = try copy("real/quodlibet-lame-peak.mp3")
    _ = try TagStore.retag(path, changes: [.set(key: "id3/TXXX:comment", values: ["old"])])
    #expect(try values(path) == ["comment": ["old"]])
    let (tags, _) = try TagStore.retag(path, changes: [.set(key: "comment", values: ["new"])])
    #expect(tags.items.map(\.identifier.description) == ["id3/COMM"])
    #expect(tags.items.first?.values == ["new"])
  }

  @Test func manyFilesOfOneFolderAreChangedAtOnce() async throws {
    let paths = try (0..<8).map { try copy("hostile/moov64-noudta.mp4", as: "\($0).mp4") }
    await withTaskGroup(of: Void.self) { group in
      for path in paths {
        group.addTask {
          do {
            let changes = [TagChange.set(key: "title", values: [path])]
            let (tags, _) = try TagStore.retag(path, changes: changes)
            #expect(tags.items.map(\.values) == [[path]])
          } catch { Issue.record("\(error)") }
        }
      }
    }
  }

  @Test func foreignItemsAreTranslatedOrDropped() throws {
    let path = try copy("real/quodlibet-no-tags.m4a")
    let changes = [
      TagChange.set(key: "id3/TIT2", values: ["T"]), .set(key: "id3/PRIV:x", values: ["T"]),
      .set(key: "itsk/----:com.apple.iTunes:LABEL", values: ["L"]),
    ]
    let (tags, outcomes) = try TagStore.retag(path, changes: changes)
    #expect(outcomes.map(\.outcome) == [.rekeyed, .dropped, .exact])
    #expect(
      tags.items.map(\.identifier.description) == ["itsk/©nam", "itlk/com.apple.iTunes.LABEL"])
    let json = tags.json(file: "f", outcomes: outcomes).encoded()
    #expect(json.contains(#""identifier":"itsk/©nam","values":["T"],"outcome":"rekeyed""#))
    #expect(json.contains(#""outcome":"dropped""#))
  }

  @Test func refusalsLeaveTheFileAsItWas() throws {
    for name in [
      "hostile/stco-count-20M.mp4", "hostile/chap-nest-50k.mp3", "real/taglib-multiplex.ogg",
      "corrupt/corrupt-quodlibet-52-too-short-block-size.flac", "hostile/nest-100k.mp4",
      "real/taglib-tags-before-cues.mkv",
    ] {
      let path = try copy(name)
      let before = try Data(contentsOf: URL(filePath: path))
      #expect(throws: MetadataError.self, "\(name)") {
        try TagStore.retag(path, changes: [.set(key: "title", values: ["T"])])
      }
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func allDamagedFilesAreReadOrRefusedQuickly() throws {
    let names = try ["hostile", "corrupt", "real"].flatMap(SharedMedia.names)
    for name in names {
      let path = try copy(name)
      let time = ContinuousClock().measure {
        do { _ = try TagStore.read(path) } catch { #expect(error is MetadataError, "\(name)") }
        do {
          _ = try TagStore.retag(path, changes: [.set(key: "title", values: ["T"])])
        } catch { #expect(error is MetadataError, "\(name)") }
      }
      #expect(time < .seconds(4), "\(name)")
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func onlyRegularFilesAreTouched() throws {
    let fifo = folder.url.appending(path: "fifo.mp3").path
    #expect(try Tool.run("mkfifo", [fifo]).status == 0)
    let empty = try folder.file("empty.m4a", []).path
    for path in [fifo, folder.url.path, "/dev/null", empty, fifo + ".none"] {
      #expect(throws: MetadataError.self, "\(path)") {
        try TagStore.retag(path, changes: [.set(key: "title", values: ["T"])])
      }
    }
  }

  @Test func linksAreFollowedAndTheModeIsKept() throws {
    let path = try copy("fixtures/full.m4a", as: "real name 😀.m4a")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let link = folder.url.appending(path: "-link.m4a").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    _ = try TagStore.retag(link, changes: [.set(key: "title", values: ["T"])])
    let type = try FileManager.default.attributesOfItem(atPath: link)[.type]
    #expect(type as? FileAttributeType == .typeSymbolicLink)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o640)
    #expect(try values(path)["title"] == ["T"])
  }

  @Test func anotherFileIsWrittenOnlyWhereNoneIs() throws {
    let path = try copy("fixtures/full.mp3")
    let output = folder.url.appending(path: "out.mp3").path
    let before = try Data(contentsOf: URL(filePath: path))
    let change = [TagChange.set(key: "title", values: ["T"])]
    _ = try TagStore.retag(path, changes: change, output: output)
    #expect(try values(output)["title"] == ["T"])
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(throws: MetadataError.self) {
      try TagStore.retag(path, changes: change, output: output)
    }
    _ = try TagStore.retag(path, changes: change, output: output, overwrite: true)
    // The file itself is one that exists, by whatever name.
    for name in [path, folder.url.path + "/./" + (path.split(separator: "/").last ?? "")] {
      let error = #expect(throws: MetadataError.self) {
        try TagStore.retag(path, changes: change, output: name)
      }
      #expect(error?.code == .exists)
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
    _ = try TagStore.retag(path, changes: change, output: path, overwrite: true)
    #expect(try values(path)["title"] == ["T"])
  }

  @Test(arguments: ["fixtures/full.m4a", "fixtures/full.mp3", "fixtures/full.flac"])
  func chaptersAreWrittenAndReadBack(name: String) throws {
    let path = try copy(name)
    let chapters = [
      MetadataChapter(start: .zero, title: "Intro"),
      MetadataChapter(start: Rational(7, 10), title: "Kapitel zwei – “ü”"),
      MetadataChapter(start: Rational(3, 2), title: String(repeating: "x", count: 150)),
    ]
    _ = try TagStore.write(
      [MetadataItem(.title, "T")], chapters: chapters, to: path, duration: Rational(2))
    let tags = try TagStore.read(path)
    #expect(tags.chapters == chapters)
    #expect(try values(path)["title"] == ["T"])
  }

  @Test func moreThan255ChaptersAreATableOfTables() throws {
    let path = try copy("real/quodlibet-lame-peak.mp3")
    let chapters = (0..<300).map { MetadataChapter(start: Rational($0), title: "c\($0)") }
    _ = try TagStore.write([], chapters: chapters, to: path)
    #expect(try TagStore.read(path).chapters == chapters)
  }
}
