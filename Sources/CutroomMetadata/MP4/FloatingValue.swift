/// Values of QuickTime metadata that are made of floating-point numbers, as texts.
///
/// A text is the shortest that gives the same bits again, so that a copied value stays exact.
enum FloatingValue {
  /// How many numbers a type holds, and how many bytes each has.
  private static let types: [UInt32: (count: Int, width: Int)] = [
    23: (1, 4), 24: (1, 8),
    // Points, sizes, rectangles and transforms of 32 bits.
    70: (2, 4), 71: (2, 4), 72: (4, 4), 79: (9, 8),
  ]

  static func isType(_ type: UInt32) -> Bool { types[type] != nil }

  /// `29.97`, or `1.0,2.0` for several numbers; `nil` if the bytes are of another length.
  static func text(_ payload: [UInt8], type: UInt32) -> String? {
    guard let (count, width) = types[type], payload.count == count * width else { return nil }
    let numbers = (0..<count).compactMap { index in
      payload.number(at: index * width, bytes: width).map { bits in
        width == 4
          ? Float(bitPattern: UInt32(truncatingIfNeeded: bits)).description
          : Double(bitPattern: bits).description
      }
    }
    let text = numbers.joined(separator: ",")
    // A number that is none has more than one form.
    return bytes(text, type: type) == payload ? text : nil
  }

  /// The bytes of a text of the type; `nil` if it is none.
  static func bytes(_ text: String, type: UInt32) -> [UInt8]? {
    guard let (count, width) = types[type] else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == count else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      if width == 4 {
        guard let number = Float(part) else { return nil }
        bytes.append(number.bitPattern, bytes: 4)
      } else {
        guard let number = Double(part) else { return nil }
        bytes.append(number.bitPattern, bytes: 8)
      }
    }
    return bytes
  }
}
