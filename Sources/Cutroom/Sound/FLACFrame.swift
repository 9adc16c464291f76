/// A frame of FLAC that gets another number.
enum FLACFrame {
  /// The frame as the one of that number, counted in samples or, of blocks of one size, in blocks;
  /// `nil` where the bytes are no frame.
  static func renumbered(_ frame: [UInt8], number: Int64, countsSamples: Bool) -> [UInt8]? {
    guard frame.count > 11, frame[0] == 0xFF, frame[1] & 0xFC == 0xF8, number >= 0 else {
      return nil
    }
    let length = numberLength(frame[4])
    let sizeBytes =
      switch frame[2] >> 4 {
      case 6: 1
      case 7: 2
      default: 0
      }
    let rateBytes =
      switch frame[2] & 15 {
      case 12: 1
      case 13, 14: 2
      default: 0
      }
    let check = 4 + length + sizeBytes + rateBytes
    guard length > 0, frame.count > check + 3 else { return nil }
    var result: [UInt8] = [0xFF, frame[1] & 0xFE | (countsSamples ? 1 : 0), frame[2], frame[3]]
    result.reserveCapacity(frame.count + 7)
    result += coded(number)
    result += frame[(4 + length)..<check]
    result.append(checkByte(result))
    result += frame[(check + 1)..<(frame.count - 2)]
    let sum = checkSum(result)
    return result + [UInt8(sum >> 8), UInt8(sum & 0xFF)]
  }

  /// The bytes of a number that begins with this one; 0 for none.
  private static func numberLength(_ first: UInt8) -> Int {
    guard first >= 0x80 else { return 1 }
    let length = (~first).leadingZeroBitCount
    return (2...7).contains(length) ? length : 0
  }

  /// A number as UTF-8 would write it, of up to 36 bits.
  static func coded(_ number: Int64) -> [UInt8] {
    guard number >= 0x80 else { return [UInt8(number)] }
    var rest: [UInt8] = []
    var value = number
    // The first of n bytes has room for 7 - n bits, of seven bytes for none.
    while value >= 1 << max(0, 6 - Int64(rest.count)) {
      rest.insert(0x80 | UInt8(value & 0x3F), at: 0)
      value >>= 6
    }
    let mark = UInt8(truncatingIfNeeded: 0xFF00 >> (rest.count + 1))
    return [mark | UInt8(value)] + rest
  }

  private static func checkByte(_ bytes: [UInt8]) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { value, _ in value & 0x80 != 0 ? value << 1 ^ 0x07 : value << 1 }
    }
  }

  private static let sums: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte) << 8) { value, _ in
      value & 0x8000 != 0 ? value << 1 ^ 0x8005 : value << 1
    }
  }

  private static func checkSum(_ bytes: [UInt8]) -> UInt16 {
    var sum: UInt16 = 0
    for byte in bytes { sum = sum << 8 ^ sums[Int(sum >> 8) ^ Int(byte)] }
    return sum
  }
}
