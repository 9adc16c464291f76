/// The NAL units of a packet or of a codec's settings, in either of their two forms.
enum NALUnits {
  /// The units between start codes.
  static func separatedByStartCodes(_ bytes: [UInt8]) -> [[UInt8]] {
    var units: [[UInt8]] = []
    var start: Int?
    var index = 0
    while index + 2 < bytes.count {
      guard bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 else {
        index += 1
        continue
      }
      if let start { units.append(trimmed(bytes[start..<index])) }
      index += 3
      start = index
    }
    if let start { units.append(trimmed(bytes[min(start, bytes.count)...])) }
    return units.filter { !$0.isEmpty }
  }

  /// A unit without the zeros before the next start code.
  private static func trimmed(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    var end = unit.endIndex
    while end > unit.startIndex, unit[end - 1] == 0 { end -= 1 }
    return Array(unit[unit.startIndex..<end])
  }

  /// The units behind lengths of `lengthSize` bytes; `nil` where a length goes past the end.
  static func prefixed(_ bytes: [UInt8], lengthSize: Int) -> [[UInt8]]? {
    var units: [[UInt8]] = []
    var index = 0
    while index < bytes.count {
      guard let length = number(bytes, index, lengthSize),
        length <= bytes.count - index - lengthSize
      else { return nil }
      index += lengthSize
      if length > 0 { units.append(Array(bytes[index..<index + length])) }
      index += length
    }
    return units
  }

  /// Units in the form of a stream: behind lengths, or behind start codes where there is no size
  /// of a length; `nil` where a unit is too long for its length.
  static func joined(_ units: [[UInt8]], lengthSize: Int?) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(units.reduce(0) { $0 + $1.count + 4 })
    for unit in units {
      if let lengthSize {
        guard unit.count < 1 << (8 * lengthSize) else { return nil }
        for byte in (0..<lengthSize).reversed() {
          bytes.append(UInt8(truncatingIfNeeded: unit.count >> (8 * byte)))
        }
      } else {
        bytes += [0, 0, 0, 1]
      }
      bytes += unit
    }
    return bytes
  }

  /// A number of `size` bytes, most significant first; `nil` past the end.
  static func number(_ bytes: [UInt8], _ index: Int, _ size: Int) -> Int? {
    guard index >= 0, size <= bytes.count - index else { return nil }
    return bytes[index..<index + size].reduce(0) { $0 << 8 | Int($1) }
  }
}
