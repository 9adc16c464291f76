/// The escape sequences of JSON strings.
enum JSONEscapes {
  /// What a backslash sequence means.
  enum Sequence: Equatable {
    case scalar(Unicode.Scalar, length: Int)
    /// Half of a pair of surrogates.
    case loneSurrogate(length: Int)
    /// No sequence that JSON has.
    case unknown
  }

  /// Reads the sequence whose backslash is the first byte.
  static func read(_ bytes: ArraySlice<UInt8>) -> Sequence {
    let letter = bytes.dropFirst().first ?? 0
    if letter == UInt8(ascii: "u") { return unicode(bytes) }
    guard let scalar = simple(letter) else { return .unknown }
    return .scalar(scalar, length: 2)
  }

  private static func simple(_ letter: UInt8) -> Unicode.Scalar? {
    switch letter {
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "t"): "\t"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"):
      Unicode.Scalar(letter)
    default: nil
    }
  }

  private static func unicode(_ bytes: ArraySlice<UInt8>) -> Sequence {
    guard let first = codeUnit(bytes) else { return .unknown }
    if let scalar = Unicode.Scalar(first) { return .scalar(scalar, length: 6) }
    // A high surrogate needs a low one right after it; a low one alone has no meaning.
    guard first < 0xDC00, let second = codeUnit(bytes.dropFirst(6)),
      (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar((first - 0xD800) << 10 + (second - 0xDC00) + 0x10000)
    else { return .loneSurrogate(length: 6) }
    return .scalar(scalar, length: 12)
  }

  /// The four hexadecimal digits of `\uXXXX`.
  private static func codeUnit(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    guard bytes.count >= 6, bytes.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
      return nil
    }
    var value: UInt32 = 0
    for byte in bytes.dropFirst(2).prefix(4) {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 + UInt32(digit)
    }
    return value
  }

  /// The characters of a string's inside; wrong sequences, reported before, become U+FFFD.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      guard bytes[index] == UInt8(ascii: "\\") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      switch read(bytes[index...]) {
      case .scalar(let scalar, let length):
        result.append(contentsOf: String(Character(scalar)).utf8)
        index += length
      case .loneSurrogate(let length):
        result.append(contentsOf: "\u{FFFD}".utf8)
        index += length
      case .unknown: index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
