extension [UInt8] {
  /// The big-endian number in the bytes from `offset`; `nil` past the end.
  func number(at offset: Int, bytes count: Int) -> UInt64? {
    guard offset >= 0, count >= 0, count <= 8, offset <= self.count - count else { return nil }
    var value: UInt64 = 0
    for index in offset..<offset + count { value = value << 8 | UInt64(self[index]) }
    return value
  }

  func u16(_ offset: Int) -> Int? { number(at: offset, bytes: 2).map { Int($0) } }

  func u32(_ offset: Int) -> UInt32? {
    number(at: offset, bytes: 4).map { UInt32(truncatingIfNeeded: $0) }
  }

  mutating func append(_ value: some FixedWidthInteger, bytes count: Int) {
    for index in (0..<count).reversed() {
      append(UInt8(truncatingIfNeeded: value >> (8 * index)))
    }
  }

  mutating func put(_ value: UInt64, at offset: Int, bytes count: Int) {
    for index in 0..<count {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - index)))
    }
  }

  /// A box with a 32-bit size around these bytes.
  func boxed(_ type: FourCC) -> [UInt8] {
    var box: [UInt8] = []
    box.reserveCapacity(count + 8)
    box.append(UInt32(clamping: count + 8), bytes: 4)
    box.append(type.value, bytes: 4)
    box += self
    return box
  }
}

/// A `free` box of `size` bytes, at least 8.
func freeBox(size: Int) -> [UInt8] {
  [UInt8](repeating: 0, count: Swift.max(0, size - 8)).boxed("free")
}
