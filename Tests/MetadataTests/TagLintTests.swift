import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

@Suite struct TagLintTests {
  static let values: [(key: String, value: String, code: String?)] = [
    ("itsk/©day", "2023-10-25 08:09:10 +0000", "lint.date"),
    ("vorb/DATE", "25.10.2023", "lint.date"),
    ("mdta/com.apple.quicktime.location.ISO6709", "北京办公室", "lint.location"),
    ("itsk/©nam", "", "lint.empty"), ("riff/INAM", "Ünï", "lint.encoding"),
    ("itsk/©day", "2023-10-25", nil), ("id3/TYER", "2023", nil),
    ("udta/©xyz", "+48.8+002.2/", nil),
    ("itsk/©nam", "T", nil), ("riff/INAM", "T", nil),
    ("matroska/RECORDING_LOCATION", "Paris", nil),
  ]

  @Test(arguments: values)
  func aValueThatReadersDoNotUnderstandIsFound(key: String, value: String, code: String?) throws {
    let item = MetadataItem(try MetadataIdentifier(parsing: key), value)
    let warnings = TagLint.findings([item]).filter { $0.severity == .warning }
    #expect(warnings.map(\.code) == [code].compactMap { $0 })
    #expect(warnings.allSatisfy { $0.message.contains(item.identifier.description) })
  }

  @Test func twoNamesOfAKeyMustAgree() throws {
    let frame = MetadataItem(try MetadataIdentifier(parsing: "id3/TIT2"), "New")
    let field = MetadataItem(try MetadataIdentifier(parsing: "riff/INAM"), "Old")
    #expect(TagLint.findings([frame, field]).map(\.code) == ["lint.conflict"])
    #expect(TagLint.findings([frame, frame]).map(\.code) == ["lint.duplicate"])
    #expect(TagLint.findings([frame]).isEmpty)
  }

  @Test func artworkIsWhatItIsCalled() throws {
    let png: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 0, count: 20)
    var item = MetadataItem(MetadataIdentifier(.itsk, "covr"), .data(png), dataType: 13)
    #expect(TagLint.findings([item]).map(\.code) == ["lint.artwork"])
    item.dataType = 14
    #expect(TagLint.findings([item]).isEmpty)
    item.value = .data(Array("GIF89a".utf8))
    #expect(TagLint.findings([item]).map(\.code) == ["lint.artwork"])
  }

  @Test func whatTellsAboutPersonsIsANote() throws {
    let item = MetadataItem(try MetadataIdentifier(parsing: "location"), "+48.8+002.2/")
    let findings = TagLint.findings([item])
    #expect(findings.map(\.code) == ["lint.privacy"])
    #expect(findings.map(\.severity) == [.note])
  }

  @Test(
    .enabled(if: SharedMedia.isThere, SharedMedia.note),
    arguments: [
      ("hostile/id32-moov-meta.mp4", ["lint.id3"]), ("real/quodlibet-no-tags.m4a", []),
      ("fixtures/full.flac", ["lint.privacy"]),
    ])
  func filesAreChecked(name: String, codes: [String]) throws {
    let found = try Engine.lintTags(path: SharedMedia.url(name).path).map(\.code)
    #expect(Set(found) == Set(codes))
  }
}
