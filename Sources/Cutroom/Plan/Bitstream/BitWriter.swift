/// Writes the bits of a NAL unit's payload.
struct BitWriter {
  private var bytes: [UInt8] = []
  /// Bits that the last byte still has room for.
  private var room = 0

  /// Adds one bit.
  mutating func add(_ bit: Bool) {
    if room == 0 {
      bytes.append(0)
      room = 8
    }
    room -= 1
    if bit { bytes[bytes.count - 1] |= 1 << UInt8(room) }
  }

  /// Adds the lowest `count` bits of a number.
  mutating func add(_ value: Int, bits count: Int) {
    for place in (0..<count).reversed() { add(value >> place & 1 == 1) }
  }

  /// Adds an unsigned Exp-Golomb number, `ue(v)`.
  mutating func addUnsigned(_ value: Int) {
    let width = Int.bitWidth - (value + 1).leadingZeroBitCount
    add(value + 1, bits: 2 * width - 1)
  }

  /// Adds the next `count` bits of `reader`.
  mutating func copy(_ count: Int, of reader: inout BitReader) {
    for _ in 0..<count { add(reader.flag()) }
  }

  /// The unit behind `header`: the bits, the one that ends a payload, and what keeps start codes
  /// from appearing within it.
  func unit(header: [UInt8]) -> [UInt8] {
    var ended = self
    ended.add(true)
    var unit = header
    var zeros = 0
    for byte in ended.bytes {
      if zeros >= 2, byte <= 3 {
        unit.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      unit.append(byte)
    }
    return unit
  }
}
