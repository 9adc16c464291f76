/// Checks the header pages of an Ogg file with one stream.
package enum OggCheck {
  private static let maximumPages = 20_000

  static func check(_ reader: any ByteReader) throws(MetadataError) {
    var position: Int64 = 0
    var serial: UInt32?
    var packets = 0
    var wanted = 3
    for index in 0..<maximumPages {
      let page = try OggPage(reader, at: position)
      if let serial, serial != page.serial {
        throw MetadataError(.unsupported, "the file has several streams")
      }
      if index == 0 {
        guard let count = headers(page.content) else {
          throw MetadataError(.unsupported, "the stream is neither Vorbis nor Opus nor FLAC")
        }
        wanted = count
      }
      serial = page.serial
      packets += page.packets
      position += page.size
      if packets >= wanted { return try checkNext(reader, position, serial) }
    }
    throw MetadataError(.limit, "the headers take more than \(maximumPages) pages")
  }

  /// How many header packets a stream has that begins with this one; `nil` for unknown codecs.
  private static func headers(_ first: [UInt8]) -> Int? {
    if first.starts(with: [1] + Array("vorbis".utf8)) { return 3 }
    if first.starts(with: "OpusHead".utf8) { return 2 }
    guard isFLAC(first) else { return nil }
    // How many follow; 0 where the writer did not know, but the comments are always there.
    return 1 + max(1, first.u16(7) ?? 1)
  }

  private static func isFLAC(_ packet: [UInt8]) -> Bool {
    packet.starts(with: [0x7F] + Array("FLAC".utf8))
  }

  /// The page after the headers belongs to the same stream, too.
  private static func checkNext(
    _ reader: any ByteReader, _ position: Int64, _ serial: UInt32?
  ) throws(MetadataError) {
    guard reader.size - position >= 27 else { return }
    guard try OggPage(reader, at: position).serial == serial else {
      throw MetadataError(.unsupported, "the file has several streams")
    }
  }

  // MARK: - FLAC

  private static let lastBlock: UInt8 = 0x80

  /// Whether the comments of a FLAC stream are its last metadata block; `nil` for other codecs.
  ///
  /// - Throws: ``MetadataError`` if the comments are not where the mapping of FLAC wants them.
  package static func hasLastComments(_ reader: any ByteReader) throws(MetadataError) -> Bool? {
    try comments(reader).map { $0.page.content[0] & lastBlock != 0 }
  }

  /// The page that says of the comments of a FLAC stream that they are the last metadata block,
  /// which TagLib forgets; decoders would take sound for metadata.
  package static func markingLastComments(
    _ reader: any ByteReader
  ) throws(MetadataError) -> MP4EditPlan.Patch? {
    guard let found = try comments(reader) else { return nil }
    var page = found.page
    page.content[0] |= lastBlock
    return MP4EditPlan.Patch(offset: found.offset, bytes: page.encoded)
  }

  /// The page where the comments of a FLAC stream begin, and where it lies.
  private static func comments(
    _ reader: any ByteReader
  ) throws(MetadataError) -> (page: OggPage, offset: Int64)? {
    let first = try OggPage(reader, at: 0)
    guard isFLAC(first.content) else { return nil }
    let page = try OggPage(reader, at: first.size)
    guard first.packets == 1, let type = page.content.first, type & ~lastBlock == 4 else {
      throw MetadataError(.unsupported, "the comments of the FLAC stream are not its second packet")
    }
    return (page, first.size)
  }
}

/// A page of an Ogg file.
struct OggPage {
  private var head: [UInt8]
  private let lacing: [UInt8]
  var content: [UInt8]

  /// - Throws: ``MetadataError`` if there is none, or if its checksum is wrong.
  init(_ reader: any ByteReader, at position: Int64) throws(MetadataError) {
    head = try reader.read(at: position, count: 27)
    guard head.starts(with: "OggS".utf8) else {
      throw MetadataError(.malformed, "there is no Ogg page at byte \(position)")
    }
    lacing = try reader.read(at: position + 27, count: Int(head[26]))
    content = try reader.read(
      at: position + 27 + Int64(lacing.count), count: lacing.reduce(0) { $0 + Int($1) })
    let sum = head.u32(22)
    for index in 22..<26 { head[index] = 0 }
    guard checksum.byteSwapped == sum else {
      throw MetadataError(.malformed, "the Ogg page at byte \(position) has a wrong checksum")
    }
  }

  var serial: UInt32 { head.u32(14) ?? 0 }

  /// How many packets end in it.
  var packets: Int { lacing.count { $0 < 255 } }

  var size: Int64 { Int64(27 + lacing.count + content.count) }

  /// The page as it is written.
  var encoded: [UInt8] {
    var bytes = head + lacing + content
    bytes.put(UInt64(checksum.byteSwapped), at: 22, bytes: 4)
    return bytes
  }

  private var checksum: UInt32 {
    [head, lacing, content].joined().reduce(0) {
      $0 << 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: $0 >> 24) ^ $1)]
    }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index) << 24
    for _ in 0..<8 { value = value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1 }
    return value
  }
}
