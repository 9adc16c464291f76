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
    case .mp3:
      _ = try APECheck.hasTag(reader)
      return try ID3Check.file(reader)
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
