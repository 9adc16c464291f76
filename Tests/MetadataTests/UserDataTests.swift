import CutroomMetadata
import Testing

/// User data of QuickTime and of 3GPP, in files made for each case.
@Suite struct UserDataTests {
  private typealias Build = BoxBuilder

  private func items(_ bytes: [UInt8]) throws -> [MetadataItem] {
    try MP4File(MemoryReader(bytes)).items()
  }

  private func edited(
    _ bytes: [UInt8], _ operations: TagOperation..., container: TagContainer = .mov
  ) throws -> [UInt8] {
    try MP4TagEditor(MP4File(MemoryReader(bytes)), container: container).plan(operations)
      .applied(to: bytes)
  }

  private func set(
    _ space: KeySpace, _ key: String, _ values: String..., language: String? = nil
  ) -> TagOperation {
    let identifier = MetadataIdentifier(space, key)
    var item = MetadataItem(identifier, .texts(values))
    item.extraAttributes["language"] = language
    return .set(identifier, [item])
  }

  /// The bytes are what Python's codecs make of the texts.
  @Test(
    arguments: [
      (0, "eng", [0x8C, 0x6C, 0x62, 0x75, 0x6D], "ålbum"),
      (32, "rus", [0x8C, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0], "Москва"),
      (14, "ell", [0xC6, 0xE9, 0xF4, 0xEC, 0xEF, 0xF7], "Τιτλος"),
      (25, "pol", [0x90, 0x88, 0xB8], "źął"), (17, "tur", [0xDC, 0xDF, 0xDB], "İşğ"),
      (15, "isl", [0xDE, 0xDD, 0xE0], "Þðý"), (18, "hrv", [0xC8, 0xE6, 0xB9, 0xBE], "Čćšž"),
      (37, "ron", [0xBE, 0xBF, 0xDF], "ășț"), (0x15C7, "eng", [0xC3, 0xBC], "ü"),
      (0x55C4, nil, [0xFE, 0xFF, 0x30, 0x42], "あ"),
    ] as [(Int, String?, [UInt8], String)])
  func macintoshTextsAreReadInTheEncodingOfTheirLanguage(
    code: Int, language: String?, bytes: [UInt8], text: String
  ) throws {
    let file = Build.file(Build.box("udta", Build.international("©nam", (code, bytes))))
    let item = try #require(try items(file).first)
    #expect(item.values == [text])
    #expect(item.extraAttributes["language"] == language)
    // The same text in the same language is the same bytes again, but for UTF-16.
    let again = try edited(file, set(.udta, "©nam", text))
    #expect(again == file || code == 0x55C4)
  }

  @Test func textsOfUnknownEncodingsStayBytes() throws {
    let japanese: [UInt8] = [0x93, 0xFA, 0x96, 0x7B]
    let file = Build.file(
      Build.box(
        "udta", Build.international("©nam", (11, japanese)),
        Build.international("©cmt", (0, Array("c".utf8)))))
    let item = try #require(try items(file).first)
    #expect(item.value == .data(japanese))
    #expect(item.extraAttributes["language"] == "jpn")
    let new = try edited(file, set(.udta, "©cmt", "new"))
    #expect(try items(new).first == item)
  }

  @Test func aTextThatItsEncodingLacksBecomesUTF8OfTheSameLanguage() throws {
    let file = Build.file(Build.box("udta", Build.international("©nam", (1, Array("a".utf8)))))
    let item = try #require(try items(edited(file, set(.udta, "©nam", "日本"))).first)
    #expect(item.values == ["日本"])
    #expect(item.extraAttributes["language"] == "fra")
  }

  @Test func severalLanguagesStandInOneBox() throws {
    let file = Build.file(
      Build.box(
        "udta",
        Build.international("©nam", (0, Array("One".utf8)), (0x1A41, Array("Un".utf8)))))
    let old = try items(file)
    #expect(old.map(\.values) == [["One"], ["Un"]])
    #expect(old.map { $0.extraAttributes["language"] } == ["eng", "fra"])
    let name = MetadataIdentifier(.udta, "©nam")
    #expect(try edited(file, .set(name, old)) == file)
  }

  @Test func textsOf3GPPAreWrittenAndReadBack() throws {
    let empty = Build.file(Build.box("udta"))
    let values: [(String, [String])] = [
      ("titl", ["Tïtle"]), ("auth", ["A"]), ("perf", ["P"]), ("gnre", ["G"]), ("dscp", ["D"]),
      ("albm", ["Al"]), ("cprt", ["C"]), ("yrrc", ["2023"]), ("date", ["2021-01-02T17:42:05Z"]),
      ("kywd", ["one", "twö"]), ("loci", ["+48.8577+002.2950/"]),
    ]
    var bytes = empty
    for (key, texts) in values {
      let identifier = MetadataIdentifier(.uiso, key)
      bytes = try edited(bytes, .set(identifier, [MetadataItem(identifier, .texts(texts))]))
    }
    #expect(try items(bytes).map(\.values) == values.map(\.1))
    #expect(try items(bytes).map(\.identifier.key) == values.map(\.0))
    var removed = bytes
    for (key, _) in values { removed = try edited(removed, .set(.init(.uiso, key), [])) }
    // The boxes are gone; what they took is free.
    #expect(removed.starts(with: empty.prefix(32)))
  }

  /// Longitude first, in 16.16: 2.295 and 48.8577 degrees.
  @Test func aPlaceHasItsLongitudeFirst() throws {
    let bytes = try edited(
      Build.file(Build.box("udta")), set(.uiso, "loci", "+48.8577+002.2950/"))
    let place: [UInt8] = [0x00, 0x02, 0x4B, 0x85, 0x00, 0x30, 0xDB, 0x92]
    #expect(bytes.indices.contains { bytes[$0...].starts(with: place) })
  }

  @Test func whatBelongsToATextStays() throws {
    let album = Build.box(
      "albm", Build.number(0), Build.number(0x15C7, 2), Array("Old".utf8), [0, 7])
    let rating = Build.box(
      "rtng", Build.number(0), Array("ABCDxyz ".utf8), Build.number(0x15C7, 2),
      Array("PG".utf8), [0])
    let place = Build.box(
      "loci", Build.number(0), Build.number(0x15C7, 2), Array("Paris".utf8), [0, 1],
      Build.number(0), Build.number(0), Build.number(0), Array("earth".utf8), [0],
      Array("note".utf8), [0])
    let file = Build.file(Build.box("udta", album, rating, place))
    let new = try edited(
      file, set(.uiso, "albm", "New"), set(.uiso, "rtng", "18"),
      set(.uiso, "loci", "+01.0000+002.0000/"))
    #expect(
      try items(new).map(\.values) == [["New"], ["18"], ["+01.0000+002.0000/"]])
    for part in [Array("New\0\u{7}".utf8), Array("ABCDxyz ".utf8), Array("Paris\0\u{1}".utf8)] {
      #expect(new.indices.contains { new[$0...].starts(with: part) })
    }
    #expect(new.indices.contains { new[$0...].starts(with: Array("earth\0note\0".utf8)) })
  }

  @Test func twoBoxesOfOneKeyBecomeOne() throws {
    let text = Build.international("©nam", (0x55C4, Array("old".utf8)))
    let file = Build.file(Build.box("udta", text, text), Build.box("udta", text))
    #expect(try items(file).count == 3)
    let new = try edited(file, set(.udta, "©nam", "new"))
    #expect(try items(new).map(\.values) == [["new"]])
  }
}
