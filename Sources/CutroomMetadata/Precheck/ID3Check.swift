/// Checks the structure of ID3v2 tags before TagLib parses them.
package enum ID3Check {
  static let maximumSize = 256 << 20
  static let maximumFrames = 10_000
  static let maximumNesting = 4

  /// What a tag holds.
  package struct Summary: Hashable, Sendable {
    /// The major version.
    package var version: Int
    /// How many frames with content the tag has at its top level.
    package var frames: Int
    /// Where the tag ends.
    package var end: Int64
  }

  /// Checks the tag of an MP3 file; `nil` if there is none.
  package static func file(_ reader: any ByteReader) throws(MetadataError) -> Summary? {
    let first = try tag(reader, at: 0)
    // TagLib also looks for a tag behind junk and behind another tag.
    let start = first?.end ?? 0
    let window = try reader.read(at: start, count: Int(min(reader.size - start, 1 << 16)))
    for index in window.indices.dropLast(10) where window[index] == 0x49 {
      guard window[index...].starts(with: "ID3".utf8) else { continue }
      _ = try tag(reader, at: start + Int64(index))
    }
    return first
  }

  /// Checks the tag at `offset`.
  package static func tag(
    _ reader: any ByteReader, at offset: Int64
  ) throws(MetadataError) -> Summary? {
    guard reader.size - offset >= 10 else { return nil }
    let head = try reader.read(at: offset, count: 10)
    guard head.starts(with: "ID3".utf8), head[3] < 0xFF, head[6...9].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = syncsafe(head, 6)
    let rest = reader.size - offset - 10
    guard size <= maximumSize, Int64(size) <= rest else {
      throw MetadataError(
        .malformed, "the ID3 tag claims \(size) bytes, but only \(rest) are left in the file")
    }
    var body = try reader.read(at: offset + 10, count: size)
    let version = Int(head[3])
    if head[5] & 0x80 != 0, version < 4 { body = resynchronised(body) }
    let start = head[5] & 0x40 != 0 ? extendedHeader(body, version) : 0
    let footer: Int64 = version == 4 && head[5] & 0x10 != 0 ? 10 : 0
    return Summary(
      version: version, frames: try frames(body, from: start, version),
      end: offset + 10 + Int64(size) + footer)
  }

  /// The tag of version 2.3 at the front of a file without its extended header, which TagLib takes
  /// for one of version 2.4, and then finds no frame; `nil` for all other files.
  ///
  /// The size stays: zeros at the end make up for it.
  package static func withoutExtendedHeader(
    _ reader: any ByteReader
  ) throws(MetadataError) -> [UInt8]? {
    guard try tag(reader, at: 0) != nil else { return nil }
    var head = try reader.read(at: 0, count: 10)
    guard head[3] == 3, head[5] & 0x40 != 0 else { return nil }
    let body = try reader.read(at: 10, count: syncsafe(head, 6))
    let count = extendedHeader(body, 3)
    // Where bytes are put in between, the header must have none of them.
    guard count <= min(body.count, 16), head[5] & 0x80 == 0 || !body.prefix(count).contains(0xFF)
    else { return nil }
    head[5] &= ~0x40
    return head + body.dropFirst(count) + [UInt8](repeating: 0, count: count)
  }

  static func syncsafe(_ bytes: [UInt8], _ offset: Int) -> Int {
    guard offset + 4 <= bytes.count else { return 0 }
    return bytes[offset..<offset + 4].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
  }

  private static func resynchronised(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var previous: UInt8 = 0
    for byte in bytes {
      if previous != 0xFF || byte != 0 { result.append(byte) }
      previous = byte
    }
    return result
  }

  private static func extendedHeader(_ body: [UInt8], _ version: Int) -> Int {
    version == 4 ? syncsafe(body, 0) : Int(body.u32(0) ?? 0) + 4
  }

  private static func frames(
    _ body: [UInt8], from start: Int, _ version: Int
  ) throws(MetadataError) -> Int {
    let header = version < 3 ? 6 : 10
    var position = start
    var count = 0
    var total = 0
    while position + header <= body.count, isFrame(body, position, version) {
      let size = size(of: body, position, version)
      guard size >= 0, position + header + size <= body.count else { break }
      total += 1
      guard total <= maximumFrames else {
        throw MetadataError(.limit, "the ID3 tag has more than \(maximumFrames) frames")
      }
      if size > 0 { count += 1 }
      let content = body[position + header..<position + header + size]
      if version >= 3, isChapter(body, position) { try checkNesting(content) }
      position += header + size
    }
    return count
  }

  private static func isFrame(_ body: [UInt8], _ position: Int, _ version: Int) -> Bool {
    let length = version < 3 ? 3 : 4
    guard position + length <= body.count else { return false }
    return body[position..<position + length].enumerated().allSatisfy { index, byte in
      // iTunes writes three letters and a NUL into version 2.3.
      (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || (index == 3 && byte == 0)
    }
  }

  /// Version 2.4 counts in seven bits; iTunes wrote eight, which shows where the next frame is.
  private static func size(of body: [UInt8], _ position: Int, _ version: Int) -> Int {
    if version < 3 { return Int(body.number(at: position + 3, bytes: 3) ?? 0) }
    let plain = Int(body.u32(position + 4) ?? 0)
    guard version == 4 else { return plain }
    let size = syncsafe(body, position + 4)
    if size > 127, !isFrame(body, position + 10 + size, 4), isFrame(body, position + 10 + plain, 4)
    {
      return plain
    }
    return size
  }

  private static func isChapter(_ body: [UInt8], _ position: Int) -> Bool {
    let id = body[position..<position + 4]
    return id.elementsEqual("CHAP".utf8) || id.elementsEqual("CTOC".utf8)
  }

  /// TagLib follows chapters within chapters by recursion; no sound file has many.
  private static func checkNesting(_ content: ArraySlice<UInt8>) throws(MetadataError) {
    let bytes = Array(content)
    var found = 0
    for index in bytes.indices.dropLast(4) where bytes[index] == 0x43 {
      // An id is followed by a size, whose first byte is small; a text goes on with a letter.
      guard isChapter(bytes, index), bytes[index + 4] < 0x20 else { continue }
      found += 1
      guard found <= maximumNesting else {
        throw MetadataError(.limit, "chapters are nested deeper than \(maximumNesting)")
      }
    }
  }
}
