import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

@Suite struct MetadataMergeTests {
  let sources = [
    MetadataMerge.Source(
      name: "a",
      items: [
        MetadataItem(MetadataIdentifier(.itsk, "©nam"), "A"),
        MetadataItem(MetadataIdentifier(.itsk, "©too"), "tool"),
        MetadataItem(MetadataIdentifier(.itsk, "©day"), "2020"),
        MetadataItem(MetadataIdentifier(mean: "com.apple.iTunes", name: "iTunSMPB"), " 0"),
        MetadataItem(MetadataIdentifier(mean: "com.apple.iTunes", name: "iTunNORM"), " 0"),
      ]),
    MetadataMerge.Source(
      name: "b",
      items: [
        MetadataItem(MetadataIdentifier(.id3, "TIT2"), "B"),
        MetadataItem(MetadataIdentifier(.id3, "TPE1"), "Artist"),
        MetadataItem(MetadataIdentifier(.mdta, "com.apple.quicktime.location.ISO6709"), "+1+2/"),
      ]),
  ]

  func merged(
    _ change: (inout MetadataSettings) -> Void, isRendered: Bool = true
  ) throws -> [String] {
    var settings = MetadataSettings()
    change(&settings)
    return try MetadataMerge(sources, settings, isRendered: isRendered).items.map {
      "\($0.identifier)=\($0.values.joined(separator: "|"))"
    }
  }

  @Test func theFirstSourceWithAKeyGivesIt() throws {
    let location = "mdta/com.apple.quicktime.location.ISO6709=+1+2/"
    #expect(
      try merged({ _ in }) == ["itsk/©nam=A", "itsk/©day=2020", "id3/TPE1=Artist", location])
    #expect(try merged({ $0.inherit = .from("b") }).first == "id3/TIT2=B")
    #expect(try merged({ $0.inherit = .none }).isEmpty)
    #expect(try merged({ $0.inherit = .sharing }) == ["itsk/©nam=A", "id3/TPE1=Artist"])
    #expect(try merged({ _ in }, isRendered: false).contains { $0.contains("iTunNORM") })
  }

  @Test func theCompositionHasTheLastWord() throws {
    let items = try merged {
      $0.items = [
        .init(key: "title", value: .texts(["T"])),
        .init(key: "id3/TPE1", value: .texts(["X", "Y"])),
      ]
      $0.remove = ["location"]
      $0.dates = .set("2024-01-02")
    }
    #expect(items == ["common/creationDate=2024-01-02", "common/title=T", "id3/TPE1=X|Y"])
    #expect(try !merged({ $0.dates = .drop }).contains { $0.contains("day") })
    #expect(throws: MetadataError.self) { try merged { $0.remove = ["titel"] } }
  }

  @Test func shiftedDatesAreAsMuchLaterAsTheSourceIsCut() throws {
    let date = MetadataIdentifier(.mdta, "com.apple.quicktime.creationdate")
    var settings = MetadataSettings()
    settings.dates = .shift
    for (text, later) in [
      ("2024-01-02T03:04:05Z", "2024-01-02T03:04:09Z"), ("2024-01-02", "2024-01-02"),
      ("spring", "spring"),
    ] {
      let source = MetadataMerge.Source(
        name: "a", items: [MetadataItem(date, text)], inPoint: Rational(4))
      let items = try MetadataMerge([source], settings, isRendered: true).items
      #expect(items.map(\.values) == [[later]])
    }
  }

  @Test func picturesAreReadFromFiles() throws {
    let folder = try TemporaryFolder()
    let picture = try folder.file("c.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3])
    let text = try folder.file("c.txt", Array("no picture".utf8))
    var settings = MetadataSettings()
    settings.items = [.init(key: "artwork", value: .files([picture.path]))]
    let items = try MetadataMerge([], settings, isRendered: true).items
    #expect(items.map(\.mediaType) == ["image/jpeg"])
    settings.items = [.init(key: "artwork", value: .files([text.path]))]
    #expect(throws: MetadataError.self) { try MetadataMerge([], settings, isRendered: true) }
  }

  @Test func muxersGetTheirOwnNames() throws {
    let items = [
      MetadataItem(.title, "T"), MetadataItem(.artist, "A", "B"), MetadataItem(.gapless, "1"),
    ]
    let matroska = try #require(MuxerTags(items, for: .mkv))
    #expect(matroska.tags.map { $0.key + "=" + $0.value } == ["TITLE=T", "ARTIST=A; B"])
    #expect(matroska.outcomes.map(\.outcome) == [.exact, .truncated, .dropped])
    let wave = try #require(MuxerTags(items, for: .avi))
    #expect(wave.tags.map(\.key) == ["INAM", "IART"])
    #expect(MuxerTags(items, for: .m4a) == nil)
  }
}
