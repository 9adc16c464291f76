/// Checks what TagLib takes for granted about FLAC, Ogg, WAV and AIFF files.
package enum StructureCheck {
  static let maximumChunks = 10_000
  /// The largest content of a FLAC metadata block.
  package static let maximumBlock = (1 << 24) - 1

  /// Checks a file before TagLib sees it; writing asks for more than reading.
  ///
  /// - Returns: How many frames the ID3v2 tag of an MP3 file has.
  @discardableResult
  package static func check(
    _ reader: any ByteReader, _ container: TagContainer, forWriting: Bool
  ) throws(MetadataError) -> ID3Check.Summary? {
    switch container {
    case .mp3: return try ID3Check.file(reader)
    case .flac: try flac(reader, forWriting: forWriting)
    case .ogg, .opus: try OggCheck.check(reader)
    case .wav, .aiff: try chunks(reader)
    case .mp4, .m4a, .mov, .mkv, .mka, .webm, .avi: break
    }
    return nil
  }

  private static func flac(_ reader: any ByteReader, forWriting: Bool) throws(MetadataError) {
    var position = try ID3Check.tag(reader, at: 0)?.end ?? 0
    guard try reader.read(at: position, count: 4).elementsEqual("fLaC".utf8) else {
      throw MetadataError(.malformed, "the file has no 'fLaC' marker")
    }
    position += 4
    for _ in 0..<maximumChunks {
      let head = try reader.read(at: position, count: 4)
      let size = Int(head.number(at: 1, bytes: 3) ?? 0)
      guard reader.size - position - 4 >= Int64(size) else {
        throw MetadataError(.malformed, "a FLAC metadata block is larger than the file")
      }
      if forWriting, head[0] & 0x7F == 4 {
        try comments(reader.read(at: position + 4, count: size))
      }
      position += 4 + Int64(size)
      if head[0] & 0x80 != 0 { return }
    }
    throw MetadataError(.limit, "there are more than \(maximumChunks) FLAC metadata blocks")
  }

  /// A comment that runs over its block would be lost when it is written again.
  private static func comments(_ block: [UInt8]) throws(MetadataError) {
    func length(_ position: Int) -> Int? {
      block.u32(position).map { Int($0.byteSwapped) }
    }
    var position = 4 + (length(0) ?? 0)
    let count = length(position) ?? .max
    position += 4
    guard count <= block.count / 4 else {
      throw MetadataError(.malformed, "the FLAC comments claim more fields than they have room for")
    }
    for _ in 0..<count {
      guard let size = length(position), position + 4 + size <= block.count else {
        throw MetadataError(.malformed, "the FLAC comments run over the end of their block")
      }
      position += 4 + size
    }
  }

  /// The chunks, and the ID3 tag in one of them.
  private static func chunks(_ reader: any ByteReader) throws(MetadataError) {
    let file = try ChunkFile(reader)
    for tag in try file.contents(.id3) { _ = try ID3Check.tag(MemoryReader(tag), at: 0) }
  }
}

/// Checks the header pages of an Ogg file with one stream.
enum OggCheck {
  private static let maximumPages = 20_000

  static func check(_ reader: any ByteReader) throws(MetadataError) {
    var position: Int64 = 0
    var serial: UInt32?
    var packets = 0
    var wanted = 3
    for index in 0..<maximumPages {
      let page = try page(reader, at: position)
      if let serial, serial != page.serial {
        throw MetadataError(.unsupported, "the file has several streams")
      }
      if index == 0 {
        guard
          page.content.starts(with: [1] + Array("vorbis".utf8))
            || page.content.starts(with: "OpusHead".utf8)
        else { throw MetadataError(.unsupported, "the stream is neither Vorbis nor Opus") }
        wanted = page.content.starts(with: "OpusHead".utf8) ? 2 : 3
      }
      serial = page.serial
      packets += page.packets
      position += page.size
      if packets >= wanted { return try checkNext(reader, position, serial) }
    }
    throw MetadataError(.limit, "the headers take more than \(maximumPages) pages")
  }

  /// The page after the headers belongs to the same stream, too.
  private static func checkNext(
    _ reader: any ByteReader, _ position: Int64, _ serial: UInt32?
  ) throws(MetadataError) {
    guard reader.size - position >= 27 else { return }
    guard try page(reader, at: position).serial == serial else {
      throw MetadataError(.unsupported, "the file has several streams")
    }
  }

  private struct Page {
    var serial: UInt32
    var content: [UInt8]
    var packets: Int
    var size: Int64
  }

  private static func page(
    _ reader: any ByteReader, at position: Int64
  ) throws(MetadataError) -> Page {
    var head = try reader.read(at: position, count: 27)
    guard head.starts(with: "OggS".utf8) else {
      throw MetadataError(.malformed, "there is no Ogg page at byte \(position)")
    }
    let lacing = try reader.read(at: position + 27, count: Int(head[26]))
    let content = try reader.read(
      at: position + 27 + Int64(lacing.count), count: lacing.reduce(0) { $0 + Int($1) })
    let sum = head.u32(22)?.byteSwapped
    for index in 22..<26 { head[index] = 0 }
    var crc: UInt32 = 0
    for part in [head, lacing, content] { crc = update(crc, part) }
    guard crc == sum else {
      throw MetadataError(.malformed, "the Ogg page at byte \(position) has a wrong checksum")
    }
    return Page(
      serial: head.u32(14) ?? 0, content: content, packets: lacing.count { $0 < 255 },
      size: Int64(27 + lacing.count + content.count))
  }

  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index) << 24
    for _ in 0..<8 { value = value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1 }
    return value
  }

  private static func update(_ crc: UInt32, _ bytes: [UInt8]) -> UInt32 {
    bytes.reduce(crc) { $0 << 8 ^ table[Int(UInt8(truncatingIfNeeded: $0 >> 24) ^ $1)] }
  }
}
