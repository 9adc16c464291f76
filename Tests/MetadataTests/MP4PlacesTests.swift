import CutroomMetadata
import Testing

/// Items in several `meta` boxes, and values of every type.
@Suite struct MP4PlacesTests {
  private typealias Build = BoxBuilder
  private static let title = MetadataIdentifier(.itsk, "©nam")

  private func items(_ bytes: [UInt8]) throws -> [MetadataItem] {
    try MP4File(MemoryReader(bytes)).items()
  }

  private func edited(
    _ bytes: [UInt8], _ operations: TagOperation..., container: TagContainer = .mp4
  ) throws -> [UInt8] {
    try MP4TagEditor(MP4File(MemoryReader(bytes)), container: container).plan(operations)
      .applied(to: bytes)
  }

  static let places: [(name: String, movie: [UInt8])] = [
    ("two in the user data", Build.box("udta", meta("A"), meta("B"))),
    ("two user data", Build.box("udta", meta("A")) + Build.box("udta", meta("B"))),
    ("in the movie, too", meta("A") + Build.box("udta", meta("B"))),
    ("in the movie alone", meta("A")),
    ("of another handler", Build.box("udta", other("A"))),
  ]

  private static func meta(_ text: String) -> [UInt8] {
    Build.itunes(Build.atom("©nam", text), Build.atom("©alb", "album " + text))
  }

  private static func other(_ text: String) -> [UInt8] {
    Build.box("meta", Build.number(0), Build.box("ilst", Build.atom("©nam", text)))
  }

  @Test(arguments: places) func aTitleThatIsSetStandsOnce(name: String, movie: [UInt8]) throws {
    let file = Build.file(movie)
    let others = try items(file).filter { $0.identifier != Self.title }
    let new = try edited(file, .set(Self.title, [MetadataItem(Self.title, "New")]))
    #expect(try items(new).filter { $0.identifier == Self.title }.map(\.values) == [["New"]])
    #expect(try items(new).filter { $0.identifier != Self.title } == others)
    #expect(try items(edited(new, .clear)).isEmpty)
  }

  @Test func keysInTheUserDataMoveWhereQuickTimeLooks() throws {
    let keyed = Build.keyed([("title", 1, Array("A".utf8)), ("other", 1, Array("B".utf8))])
    let file = Build.file(Build.box("udta", keyed), brand: "qt  ")
    let title = MetadataIdentifier(.mdta, "title")
    let change = TagOperation.set(title, [MetadataItem(title, "New")])
    let moved = try MP4File(MemoryReader(edited(file, change, container: .mov)))
    #expect(try moved.items().map(\.values) == [["New"], ["B"]])
    let bytes = try edited(file, change, container: .mov)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("keys".utf8)) })
    let data = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("udta".utf8)) })
    #expect(place > data + 4)
    #expect(Array(bytes[data - 4..<data]) == Build.number(8))
    // Other files keep them.
    let kept = try edited(file, change, container: .mp4)
    #expect(Array(kept[data - 4..<data]) != Build.number(8))
    #expect(try items(kept).map(\.values) == [["New"], ["B"]])
  }

  @Test(
    arguments: [
      (23, [0x41, 0xEF, 0xC2, 0x8F], "29.97"), (24, [0x3F, 0xF8, 0, 0, 0, 0, 0, 0], "1.5"),
      (70, [0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0], "1.0,-2.0"), (65, [0xFF], "-1"),
      (66, [0x80, 0], "-32768"), (67, [0, 0, 1, 0], "256"),
      (74, [0, 0, 0, 1, 0, 0, 0, 0], "4294967296"),
      (75, [0xFF], "255"), (76, [0xFF, 0xFF], "65535"),
      (77, [0xFF, 0xFF, 0xFF, 0xFF], "4294967295"),
      (22, [0xFF], "255"), (21, [0xFE], "-2"), (1, [0xC3, 0xBC], "ü"), (2, [0, 0xFC], "ü"),
      (15, [0x61], "a"),
    ] as [(Int, [UInt8], String)])
  func valuesOfEveryTypeAreReadAndWrittenAsTheyWere(
    type: Int, bytes: [UInt8], text: String
  ) throws {
    let file = Build.file(Build.keyed([("a.b", type, bytes), ("a.c", 1, [0x61])]))
    let item = try #require(try items(file).first)
    #expect(item.values == [text])
    #expect(item.dataType == UInt32(type))
    let removed = try edited(file, .set(item.identifier, []))
    let again = try edited(removed, .set(item.identifier, [item]))
    let read = try #require(try items(again).last)
    #expect(read.value == item.value)
    // UTF-16 becomes UTF-8, everything else keeps its type.
    #expect(read.dataType == (type == 2 ? 1 : UInt32(type)))
  }

  @Test func numbersThatAreNoneStayBytes() throws {
    let nan: [UInt8] = [0x7F, 0xC0, 0x12, 0x34]
    let large: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0]
    let file = Build.file(Build.keyed([("a", 23, nan), ("b", 78, large), ("c", 24, [1])]))
    #expect(try items(file).map(\.value) == [.data(nan), .data(large), .data([1])])
  }
}
