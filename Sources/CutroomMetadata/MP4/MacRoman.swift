/// The text encoding of QuickTime user data with a Macintosh language code.
enum MacRoman {
  private static let upper = Array(
    """
    ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
    ¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ
    """.unicodeScalars)

  static func decode(_ bytes: some Sequence<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let index = Int(byte) - 128
      text.append(
        index < 0 ? Unicode.Scalar(byte) : index < upper.count ? upper[index] : "\u{FFFD}")
    }
    return String(text)
  }
}

/// UTF-16 in big-endian order unless a byte order mark says otherwise.
func decodingUTF16(_ bytes: some Collection<UInt8>) -> String {
  var units: [UInt16] = []
  units.reserveCapacity(bytes.count / 2)
  var high: UInt8?
  for byte in bytes {
    if let first = high {
      units.append(UInt16(first) << 8 | UInt16(byte))
      high = nil
    } else {
      high = byte
    }
  }
  if units.first == 0xFFFE { units = units.map(\.byteSwapped) }
  if units.first == 0xFEFF { units.removeFirst() }
  return String(decoding: units, as: UTF16.self)
}

/// UTF-8, or `nil` if the bytes are something else.
func strictUTF8(_ bytes: some Collection<UInt8>) -> String? {
  String(validating: bytes, as: UTF8.self)
}
