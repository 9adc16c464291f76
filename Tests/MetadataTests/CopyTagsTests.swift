import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Everything that one file says, taken over by another.
@Suite(.enabled(if: SharedMedia.isThere, SharedMedia.note)) struct CopyTagsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let files: [TagContainer: String] = [
    .mp3: "real/quodlibet-lame-peak.mp3", .m4a: "real/quodlibet-no-tags.m4a",
    .mov: "hostile/mdta-moov-meta.mov", .flac: "fixtures/full.flac",
    .opus: "real/taglib-correctness_gain_silent_output.opus",
    .ogg: "real/quodlibet-multipagecomment.ogg", .wav: "real/devsnd-riff_extra_zero.wav",
    .aiff: "real/quodlibet-with-id3.aif",
  ]

  static let order: [TagContainer] = [.mp3, .m4a, .mov, .flac, .opus, .ogg, .wav, .aiff]

  func empty(_ container: TagContainer, _ name: String) throws -> String {
    let sample = try #require(Self.files[container])
    let path = try folder.file("\(name).\(container.rawValue)", SharedMedia.bytes(sample)).path
    _ = try TagStore.retag(path, changes: [.clear])
    return path
  }

  /// A file with the canonical set of items, two pictures and three chapters.
  func full(_ container: TagContainer) throws -> String {
    let path = try empty(container, "full")
    let changes =
      TagStoreTests.canonical + [
        .set(key: "replayGainTrackPeak", values: ["0.988553"]),
        .artwork(try TagStoreTests.pictures()),
      ]
    _ = try TagStore.retag(path, changes: changes)
    // The sample of QuickTime plays for one second.
    let chapters = OracleTests.chapters.filter { container != .mov || $0.start < Rational(1) }
    _ = try TagStore.write([], chapters: chapters, to: path, duration: Rational(2))
    return path
  }

  /// What each container cannot hold of the canonical set.
  static func missing(_ container: TagContainer) -> Set<String> {
    container == .opus ? ["replayGainTrackPeak"] : []
  }

  @Test(arguments: order) func everythingArrivesOrIsReportedAsDropped(from: TagContainer) throws {
    let source = try TagStore.read(full(from))
    for container in Self.order {
      let path = try empty(container, "copy")
      let (tags, outcomes) = try TagStore.retag(path, changes: [.copy(source)])
      let dropped = outcomes.filter { $0.outcome == .dropped }.compactMap(\.key?.rawValue)
      #expect(
        Set(dropped).isSubset(of: Self.missing(container)), "\(from) to \(container): \(dropped)")
      for item in source.items {
        guard let key = item.commonKey, key != .software, !dropped.contains(key.rawValue) else {
          continue
        }
        let isGain = key == .replayGainTrackGain
        if isGain, container == .opus || from == .opus { continue }
        let found = tags.items.filter { $0.commonKey == key }
        #expect(!found.isEmpty, "\(from) to \(container): \(key)")
        let values = found.map { $0.values.joined(separator: "; ") }
        #expect(
          values.contains(item.values.joined(separator: "; ")),
          "\(from) to \(container): \(key) is \(values)")
      }
      let pictures = { (set: TagSet) in set.items.filter { $0.commonKey == .artwork }.map(\.value) }
      #expect(pictures(tags) == pictures(source), "\(from) to \(container)")
      let isShort = outcomes.contains { $0.identifier.key == "chapters" }
      let wanted = isShort ? Array(source.chapters.prefix(tags.chapters.count)) : source.chapters
      #expect(tags.chapters == wanted, "\(from) to \(container)")
    }
  }

  @Test func itemsThatAreThereAreReplacedByKey() throws {
    let path = try empty(.mp3, "a")
    _ = try TagStore.retag(
      path, changes: [.set(key: "title", values: ["Old"]), .set(key: "genre", values: ["Folk"])])
    let other = TagSet(
      container: "flac",
      items: [
        MetadataItem(MetadataIdentifier(.vorb, "TITLE"), "New"),
        MetadataItem(MetadataIdentifier(.vorb, "MOOD"), "calm"),
        MetadataItem(MetadataIdentifier(.vorb, "ENCODER"), "Lavf"),
      ])
    let (tags, outcomes) = try TagStore.retag(path, changes: [.copy(other)])
    let texts = tags.items.map { "\($0.identifier)=\($0.values.joined())" }
    #expect(Set(texts) == ["id3/TIT2=New", "id3/TCON=Folk", "id3/TXXX:MOOD=calm"])
    #expect(outcomes.map(\.outcome) == [.rekeyed, .rekeyed])
  }

  @Test func moreChaptersThanThereIsRoomForAreReported() throws {
    let chapters = (0..<1001).map { MetadataChapter(start: Rational($0, 1000), title: "c\($0)") }
    let other = TagSet(container: "mp3", chapters: chapters)
    let path = try empty(.flac, "a")
    let (tags, outcomes) = try TagStore.retag(path, changes: [.copy(other)])
    #expect(tags.chapters.count == 1000)
    #expect(outcomes.map(\.outcome) == [.truncated])
    #expect(outcomes.first?.identifier.description == "common/chapters")
  }

  @Test func chaptersBehindTheEndAreReported() throws {
    let chapters = [
      MetadataChapter(start: .zero, title: "A"), MetadataChapter(start: Rational(99), title: "B"),
    ]
    let path = try empty(.wav, "a")
    let other = TagSet(container: "mp3", chapters: chapters)
    let (tags, outcomes) = try TagStore.retag(path, changes: [.copy(other)])
    #expect(tags.chapters.map(\.title) == ["A"])
    #expect(outcomes.map(\.detail) == ["only 1 of 2 chapters begin before the file ends"])
  }

  @Test func aLossThatIsRefusedChangesNothing() throws {
    let path = try empty(.mp3, "a")
    let before = try Data(contentsOf: URL(filePath: path))
    var options = TagOptions()
    options.refusesLoss = true
    let change = TagChange.set(key: "creationDate", values: ["2023-10-25T10:09:10+0200"])
    let error = #expect(throws: MetadataError.self) {
      try TagStore.retag(path, changes: [change], options: options)
    }
    #expect(error?.code == .loss)
    #expect(error?.message.contains("creationDate") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    options.refusesLoss = false
    _ = try TagStore.retag(path, changes: [change], options: options)
  }
}
