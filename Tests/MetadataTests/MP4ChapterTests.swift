import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// The chapter list and the chapter track of one file say the same.
@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct MP4ChapterTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let chapters = [
    MetadataChapter(start: .zero, title: "Intro"),
    MetadataChapter(start: Rational(7, 10), title: "Kapitel zwei – “ü”"),
    MetadataChapter(start: Rational(3, 2), title: String(repeating: "x", count: 150)),
  ]

  func copy(_ name: String) throws -> String {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    return try folder.file("file." + ending, SharedMedia.bytes(name)).path
  }

  func probed(_ path: String) throws -> [String] {
    try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_chapters", "-of", "compact=p=0:nk=1", path]
    ).output.split(separator: "\n").map { line in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false)
      return fields.count > 5 ? "\(fields[3]) \(fields[5]) \(fields.last ?? "")" : String(line)
    }
  }

  static let files = [
    "fixtures/full.m4a", "real/quodlibet-no-tags.m4a", "real/quodlibet-has-tags.m4a",
    "hostile/mdta-moov-meta.mov", "hostile/moov64-noudta.mp4",
    "../phone/iphone-rot90-568x320-29976-aac44k.mov",
  ]

  @Test(.enabled(if: Tool.isThere("ffprobe"), Tool.note("ffprobe")), arguments: files)
  func chaptersAreWrittenToBothPlaces(name: String) throws {
    let path = try copy(name)
    let media = try Tool.streamHash(URL(filePath: path))
    let chapters = Array(Self.chapters.prefix(2))
    for _ in 0..<2 {
      let (tags, _) = try TagStore.retag(
        path, changes: [.set(key: "title", values: ["T"]), .chapters(chapters)])
      #expect(tags.chapters == chapters)
      let lines = try probed(path)
      #expect(lines.count == 2)
      #expect(lines.first?.hasPrefix("0.000000 0.700000 Intro") == true, "\(lines)")
      #expect(lines.last?.hasPrefix("0.700000 ") == true)
      #expect(lines.last?.hasSuffix("Kapitel zwei – “ü”") == true)
      #expect(try Tool.streamHash(URL(filePath: path)) == media)
    }
    // The second time nothing is to be done, and other chapters take the place of the first.
    let size = try Data(contentsOf: URL(filePath: path)).count
    let others = [MetadataChapter(start: Rational(1, 4), title: "Only")]
    let (tags, _) = try TagStore.retag(path, changes: [.chapters(others)])
    #expect(tags.chapters == others)
    #expect(try Data(contentsOf: URL(filePath: path)).count < size + 64)
    let (none, _) = try TagStore.retag(path, changes: [.chapters([])])
    #expect(none.chapters.isEmpty)
    #expect(try probed(path).isEmpty)
    #expect(try Tool.streamHash(URL(filePath: path)) == media)
  }

  @Test func anEditOfTheSameChaptersChangesNothing() throws {
    for name in Self.files {
      let bytes = try SharedMedia.bytes(name)
      func edited(_ bytes: [UInt8]) throws -> [UInt8] {
        try MP4TagEditor(MP4File(MemoryReader(bytes)), container: .mp4).plan(
          [], chapters: Self.chapters.dropLast()
        ).applied(to: bytes)
      }
      let once = try edited(bytes)
      #expect(try edited(once) == once, "\(name)")
    }
  }

  @Test func aChapterTrackIsReadWhereThereIsNoList() throws {
    let path = try copy("real/borewit-issue-2672.m4b")
    #expect(try TagStore.read(path).chapters == [MetadataChapter(start: .zero, title: "Chapter 1")])
    let bytes = try SharedMedia.bytes("real/borewit-issue-2672.m4b")
    var hidden = bytes
    let list = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("chpl".utf8)) })
    hidden.replaceSubrange(list..<list + 4, with: Array("free".utf8))
    let file = try MP4File(MemoryReader(hidden))
    #expect(file.chapters == [MetadataChapter(start: .zero, title: "Chapter 1")])
  }

  @Test func moreThan255ChaptersAreInTheTrack() throws {
    let path = try copy("fixtures/full.m4a")
    let chapters = (0..<300).map {
      MetadataChapter(start: Rational(Int64($0), 200), title: "c\($0)")
    }
    let (tags, _) = try TagStore.retag(path, changes: [.chapters(chapters)])
    #expect(tags.chapters == chapters)
  }

  @Test(arguments: [
    [(Rational(1), "a"), (Rational(1, 2), "b")], [(Rational(1000), "late")],
    [(Rational.zero, String(repeating: "x", count: 70_000))],
  ])
  func chaptersThatCannotBeAreRefused(list: [(Rational, String)]) throws {
    let path = try copy("fixtures/full.m4a")
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(throws: MetadataError.self) {
      try TagStore.retag(
        path, changes: [.chapters(list.map { MetadataChapter(start: $0.0, title: $0.1) })])
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  /// Sound files and movies with fragments have no chapter track that would notice.
  @Test(arguments: [
    "fixtures/full.mp3", "fixtures/full.flac", "real/quodlibet-multipagecomment.ogg",
    "real/quodlibet-silence-2s-PCM-16000-08-ID3v23.wav", "real/quodlibet-with-id3.aif",
    "real/taglib-correctness_gain_silent_output.opus", "hostile/frag-base-data-offset.mp4",
  ])
  func chaptersBehindTheEndAreRefused(name: String) throws {
    let path = try copy(name)
    let before = try Data(contentsOf: URL(filePath: path))
    let late = [
      MetadataChapter(start: .zero, title: "a"),
      MetadataChapter(start: Rational(100_000), title: "b"),
    ]
    let error = #expect(throws: MetadataError.self) {
      try TagStore.retag(path, changes: [.chapters(late)])
    }
    #expect(error?.code == .value)
    #expect(error?.message.contains("'b' begins at 100000s, but the file ends at") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test(arguments: ["fixtures/full.mp3", "fixtures/full.flac"])
  func chaptersOfSoundFilesAreSetToo(name: String) throws {
    let path = try copy(name)
    let (tags, _) = try TagStore.retag(path, changes: [.chapters(Self.chapters)])
    #expect(tags.chapters == Self.chapters)
    let (none, _) = try TagStore.retag(path, changes: [.chapters([])])
    #expect(none.chapters.isEmpty)
  }
}
