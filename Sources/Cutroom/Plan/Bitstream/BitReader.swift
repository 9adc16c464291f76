/// Reads the bits of a NAL unit's payload, never beyond its end.
struct BitReader {
  private let bytes: [UInt8]
  /// The next bit.
  private var position = 0
  /// Whether more was asked for than there is; what was read since then is zeros.
  private(set) var isExhausted = false

  /// Reads `unit` after its header of `header` bytes, without its emulation prevention bytes.
  init(unit: [UInt8], header: Int) {
    var payload: [UInt8] = []
    payload.reserveCapacity(unit.count)
    var zeros = 0
    for byte in unit.dropFirst(header) {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      payload.append(byte)
    }
    bytes = payload
  }

  /// One bit.
  mutating func flag() -> Bool {
    guard position < bytes.count * 8 else {
      isExhausted = true
      return false
    }
    defer { position += 1 }
    return bytes[position / 8] >> (7 - position % 8) & 1 == 1
  }

  /// A number of up to 32 bits.
  mutating func bits(_ count: Int) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count { value = value << 1 | (flag() ? 1 : 0) }
    return value
  }

  /// The bits before the one that ends the payload that were not read yet.
  var remaining: Int {
    guard let last = bytes.lastIndex(where: { $0 != 0 }) else { return 0 }
    return max(0, last * 8 + 7 - bytes[last].trailingZeroBitCount - position)
  }

  /// Passes over bits.
  mutating func skip(_ count: Int) {
    position += count
    if position > bytes.count * 8 { isExhausted = true }
  }

  /// An unsigned Exp-Golomb number, `ue(v)`.
  mutating func unsigned() -> Int {
    var zeros = 0
    while !flag() {
      zeros += 1
      guard zeros <= 32, !isExhausted else {
        isExhausted = true
        return 0
      }
    }
    return Int((UInt64(1) << UInt64(zeros)) - 1 + (zeros == 0 ? 0 : UInt64(bits(zeros))))
  }

  /// A signed Exp-Golomb number, `se(v)`.
  mutating func signed() -> Int {
    let value = unsigned()
    return value % 2 == 0 ? -(value / 2) : (value + 1) / 2
  }
}
