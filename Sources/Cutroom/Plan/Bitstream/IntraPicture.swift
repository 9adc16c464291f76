import CutroomMedia

/// Tells pictures that refer to no other from the headers of codecs without units of their own.
enum IntraPicture {
  /// The codecs whose packets tell.
  static let codecs: Set = ["h263", "flv1", "mpeg4", "mpeg1video", "mpeg2video", "theora"]

  /// Whether the first picture of a packet refers to no other.
  static func begins(_ bytes: RawSpan, codec: String) -> Bool {
    switch codec {
    case "h263": isH263(bytes)
    case "flv1": isSorenson(bytes)
    case "mpeg4": bits(bytes, after: 0xB6, from: 0, count: 2) == 0
    case "mpeg1video", "mpeg2video": bits(bytes, after: 0x00, from: 10, count: 3) == 1
    // The first bit says that it is a picture.
    default: bits(bytes, 0, 2) == 0
    }
  }

  /// Start code, number, five flags, format of the source, kind; or, in its place, more fields.
  private static func isH263(_ bytes: RawSpan) -> Bool {
    guard bits(bytes, 0, 22) == 0x20 else { return false }
    guard bits(bytes, 35, 3) == 7 else { return bits(bytes, 38, 1) == 0 }
    let isFull = bits(bytes, 38, 3) == 1
    return bits(bytes, isFull ? 59 : 41, 3) == 0
  }

  /// Start code, version, number, size, kind.
  private static func isSorenson(_ bytes: RawSpan) -> Bool {
    guard bits(bytes, 0, 17) == 1 else { return false }
    let size = bits(bytes, 30, 3)
    return bits(bytes, 33 + (size == 0 ? 16 : size == 1 ? 32 : 0), 2) == 0
  }

  /// Bits behind the first start code with a value; all ones where there is none.
  private static func bits(
    _ bytes: RawSpan, after code: UInt8, from first: Int, count: Int
  ) -> UInt32 {
    var index = 0
    while index + 3 < bytes.byteCount {
      if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1, bytes[index + 3] == code {
        return bits(bytes, (index + 4) * 8 + first, count)
      }
      index += 1
    }
    return .max
  }

  /// A number of `count` bits from bit `first` on; all ones where there are not as many.
  private static func bits(_ bytes: RawSpan, _ first: Int, _ count: Int) -> UInt32 {
    guard first + count <= bytes.byteCount * 8 else { return .max }
    return (first..<first + count).reduce(0) { value, bit in
      value << 1 | UInt32(bytes[bit / 8] >> (7 - bit % 8) & 1)
    }
  }
}
