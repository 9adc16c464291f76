import CutroomMetadata
import Testing

/// Every offset in a file moves by as much as what it points at, and nothing else changes.
@Suite struct MP4OffsetTests {
  private typealias Build = BoxBuilder
  private static let title = MetadataIdentifier(.itsk, "©nam")
  private static let target = 5000

  private func edited(_ bytes: [UInt8], length: Int) throws -> [UInt8] {
    let item = MetadataItem(Self.title, String(repeating: "x", count: length))
    return try MP4TagEditor(MP4File(MemoryReader(bytes)), container: .mp4).plan([
      .set(Self.title, [item])
    ]).applied(to: bytes)
  }

  /// A table in `stbl`, or a box at the top level, with one offset; where that is, and its width.
  static let boxes: [(name: String, isTable: Bool, box: [UInt8], offset: Int, width: Int)] = {
    let zero = Build.number(0)
    let one = Build.number(1)
    let long = Build.number(target, 8)
    let short = Build.number(target)
    func locations(_ version: Int, base: [UInt8], _ extent: [UInt8], sizes: [UInt8]) -> [UInt8] {
      let wide = version == 2 ? 4 : 2
      let method: [UInt8] = version == 0 ? [] : [0, 0]
      let item = Build.number(7, wide) + method + Build.number(0, 2) + base
      let iloc = Build.box(
        "iloc", [UInt8(version), 0, 0, 0], sizes, Build.number(1, wide), item, Build.number(1, 2),
        extent)
      return Build.box("meta", zero, iloc)
    }
    return [
      ("stco", true, Build.box("stco", zero, one, short), 16, 4),
      ("co64", true, Build.box("co64", zero, one, long), 16, 8),
      ("saio", true, Build.box("saio", zero, one, short), 16, 4),
      ("saio of 64 bits", true, Build.box("saio", [1, 0, 0, 0], one, long), 16, 8),
      (
        "saio with a type", true, Build.box("saio", [0, 0, 0, 1], zero, zero, one, short), 24, 4
      ),
      (
        "tfhd", false,
        Build.box("moof", Build.box("traf", Build.box("tfhd", [0, 0, 0, 1], one, long))), 32, 8
      ),
      (
        "tfra", false,
        Build.box("mfra", Build.box("tfra", zero, one, zero, one, zero, short, [1, 1, 1])), 36, 4
      ),
      (
        "tfra of 64 bits", false,
        Build.box(
          "mfra",
          Build.box("tfra", [1, 0, 0, 0], one, zero, one, Build.number(0, 8), long, [1, 1, 1])),
        40, 8
      ),
      (
        "iloc", false, locations(0, base: [], short + Build.number(4), sizes: [0x44, 0]), 34, 4
      ),
      (
        "iloc with a base", false,
        locations(1, base: long, zero + Build.number(4), sizes: [0x44, 0x80]), 34, 8
      ),
      (
        "iloc of version 2", false,
        locations(2, base: [], long + Build.number(4), sizes: [0x84, 0]), 40, 8
      ),
    ]
  }()

  private static func file(_ isTable: Bool, _ box: [UInt8]) -> [UInt8] {
    let table = Build.box("stbl", isTable ? box : [])
    let track = Build.box("trak", Build.box("mdia", Build.box("minf", table)))
    let unknown =
      Build.box("wxyz", Build.number(target)) + Build.box("uuid", Array(repeating: 7, count: 20))
    let user = Build.box(
      "udta", Build.box("XMP_", Array("<x/>".utf8)), Build.box("tagc", Array("public.x".utf8)))
    return Build.box("ftyp", Array("mp42".utf8), Build.number(0))
      + Build.box("moov", track, unknown, user) + (isTable ? [] : box)
      + Build.box("mdat", [UInt8](repeating: 9, count: 6000))
  }

  @Test(arguments: boxes) func anOffsetMovesByTheGrowth(
    name: String, isTable: Bool, box: [UInt8], offset: Int, width: Int
  ) throws {
    let bytes = Self.file(isTable, box)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: box) }) + offset
    func value(_ bytes: [UInt8], _ place: Int) -> Int {
      bytes[place..<place + width].reduce(0) { $0 << 8 | Int($1) }
    }
    try #require(value(bytes, place) == Self.target)
    let new = try edited(bytes, length: 300)
    let growth = new.count - bytes.count
    #expect(growth > 300)
    // The table stands before what grows; boxes at the top level stand behind it.
    let moved = isTable ? place : place + growth
    #expect(value(new, moved) == Self.target + growth)
    // All else is where it was, or as much later; `moov` and `udta` alone change their size.
    let changed = zip(bytes[..<place], new).count { $0 != $1 }
    if isTable { #expect(changed <= 2) }
    for part in [Self.file(isTable, box).suffix(6000), Array("<x/>".utf8)[...]] {
      #expect(new.indices.contains { new[$0...].starts(with: part) })
    }
    let tail = new.count - (bytes.count - place - width)
    #expect(Array(new[tail...]).suffix(6000) == bytes.suffix(6000))
    #expect(try edited(new, length: 300) == new)
  }

  @Test(arguments: ["wxyz", "uuid", "XMP_", "tagc", "stbl", "mdat"])
  func whatIsNotUnderstoodStaysByteForByte(type: String) throws {
    let bytes = Self.file(true, Self.boxes[0].box)
    func box(_ bytes: [UInt8]) throws -> [UInt8] {
      let place =
        try #require(
          bytes.indices.first { bytes[$0...].starts(with: Array(type.utf8)) }) - 4
      let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      return Array(bytes[place..<place + size])
    }
    let old = try box(bytes)
    let new = try box(edited(bytes, length: 1000))
    if type == "stbl" { #expect(new.dropLast(4) == old.dropLast(4)) } else { #expect(new == old) }
  }

  @Test func tablesWithoutRoomForWideOffsetsAreRefused() throws {
    for (name, isTable, box, offset, width) in Self.boxes where width == 4 && name != "stco" {
      var bytes = Self.file(isTable, box)
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: box) }) + offset
      bytes.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0xF0])
      let error = #expect(throws: MetadataError.self, "\(name)") { try edited(bytes, length: 300) }
      #expect(error?.code == .unsupported, "\(name)")
    }
  }
}
