extension PictureFormat {
  /// What keeps bytes from being a cover, and what they are instead; `nil` for a good picture.
  package static func problem(of bytes: [UInt8]) -> String? {
    switch PictureFormat(sniffing: bytes) {
    case .jpeg, .png, .bmp: nil
    case .gif: "a GIF picture\(advice)"
    case .webp: "a WebP picture\(advice)"
    case nil: kind(of: bytes) + advice
    }
  }

  private static let advice = "; artwork is JPEG, PNG or BMP"

  private static let kinds: [(start: [UInt8], name: String)] = [
    (Array("OggS".utf8), "an Ogg file"), (Array("ID3".utf8), "an MP3 file"),
    (Array("fLaC".utf8), "a FLAC file"), (Array("RIFF".utf8), "a RIFF file"),
    (Array("%PDF".utf8), "a PDF document"), (Array("<svg".utf8), "an SVG picture"),
    (Array("<?xml".utf8), "an XML document"), ([0x1A, 0x45, 0xDF, 0xA3], "a Matroska file"),
    ([0x49, 0x49, 0x2A, 0], "a TIFF picture"), ([0x4D, 0x4D, 0, 0x2A], "a TIFF picture"),
    ([0xFF, 0x0A], "a JPEG XL picture"), ([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C], "a JPEG XL picture"),
    ([0, 0, 0, 0x0C, 0x6A, 0x50], "a JPEG 2000 picture"),
  ]

  private static func kind(of bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "empty" }
    if let kind = kinds.first(where: { bytes.starts(with: $0.start) }) { return kind.name }
    if bytes.dropFirst(4).starts(with: "ftyp".utf8) {
      let brand = FourCC(bytes.u32(8) ?? 0).text
      switch brand {
      case "avif", "avis": return "an AVIF picture"
      case "heic", "heix", "hevc", "mif1": return "a HEIF picture"
      default: return "an MP4 file"
      }
    }
    let isText = bytes.prefix(512).allSatisfy { $0 >= 0x20 || [9, 10, 13].contains($0) }
    return isText ? "a text" : "no picture that is known"
  }
}
