/// A four-character code.
package struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let value: UInt32

  package init(_ value: UInt32) { self.value = value }

  /// The code of the first four Latin-1 characters of `text`; missing ones are spaces.
  package init(_ text: String) {
    var value: UInt32 = 0
    var count = 0
    for scalar in text.unicodeScalars where count < 4 {
      value = value << 8 | (scalar.value < 256 ? scalar.value : 0x3F)
      count += 1
    }
    while count < 4 {
      value = value << 8 | 0x20
      count += 1
    }
    self.value = value
  }

  package init(stringLiteral text: String) { self.init(text) }

  /// The four Latin-1 characters.
  package var text: String {
    var scalars = String.UnicodeScalarView()
    for shift in [24, 16, 8, 0] as [UInt32] {
      scalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: value >> shift)))
    }
    return String(scalars)
  }

  package var description: String { text }
}
