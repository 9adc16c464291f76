extension TagContainer {
  /// Finds the container by the first bytes; the path's extension only tells twins apart.
  package init?(
    sniffing reader: any ByteReader, pathExtension: String
  ) throws(MetadataError) {
    let head = try reader.read(at: 0, count: Int(min(reader.size, 64)))
    let named = TagContainer(name: pathExtension)
    func has(_ text: String, at offset: Int) -> Bool {
      head.count >= offset + text.utf8.count && head.dropFirst(offset).starts(with: text.utf8)
    }
    if has("fLaC", at: 0) {
      self = .flac
    } else if has("ID3", at: 0) {
      let end = Int64(10 + ID3Check.syncsafe(head, 6))
      let next = end + 4 <= reader.size ? try reader.read(at: end, count: 4) : []
      self = next.elementsEqual("fLaC".utf8) ? .flac : .mp3
    } else if has("OggS", at: 0) {
      self = has("OpusHead", at: 28) ? .opus : .ogg
    } else if has("RIFF", at: 0) && has("WAVE", at: 8) || has("RF64", at: 0) || has("BW64", at: 0) {
      self = .wav
    } else if has("RIFF", at: 0) && has("AVI ", at: 8) {
      self = .avi
    } else if has("FORM", at: 0) && (has("AIFF", at: 8) || has("AIFC", at: 8)) {
      self = .aiff
    } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      self = named == .webm || named == .mka ? named ?? .mkv : .mkv
    } else if ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].contains(where: {
      has($0, at: 4)
    }) {
      self = try Self.mp4(head, named)
    } else if head.count >= 2, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 {
      self = .mp3
    } else if named == .mp3 {
      self = .mp3
    } else {
      return nil
    }
  }

  private static func mp4(
    _ head: [UInt8], _ named: TagContainer?
  ) throws(MetadataError) -> TagContainer {
    let isTyped = head.dropFirst(4).starts(with: "ftyp".utf8)
    let brand = isTyped ? FourCC(head.u32(8) ?? 0).text : "qt  "
    if brand == "qt  " || named == .mov { return .mov }
    if ["M4A ", "M4B ", "M4P "].contains(brand) { return .m4a }
    return named == .m4a ? .m4a : .mp4
  }
}
