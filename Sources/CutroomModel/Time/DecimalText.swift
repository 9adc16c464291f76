/// Reads a decimal number exactly, without floating point.
enum DecimalText {
  /// What became of a text.
  enum Result: Hashable {
    case value(Rational)
    /// The text is no decimal number.
    case malformed
    /// Its numerator or denominator does not fit 64 bits.
    case overflow
  }

  /// Reads `-12.5e3`: an optional sign, digits with an optional point, an optional exponent.
  static func parse(_ text: Substring) -> Result {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let mantissa = rest.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    rest = rest[mantissa.endIndex...]
    guard var (digits, exponent) = significant(mantissa) else { return .malformed }
    if !rest.isEmpty {
      guard let written = parseExponent(rest.dropFirst()) else { return .malformed }
      exponent += written
    }
    while exponent < 0, digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    guard !digits.isEmpty else { return .value(.zero) }
    return value(digits, exponent: exponent, isNegative: isNegative)
  }

  /// The digits without leading zeros, and how many of them stand after the point, negated.
  private static func significant(_ text: Substring.UTF8View) -> (digits: [UInt8], exponent: Int)? {
    var digits: [UInt8] = []
    var (places, hasPoint, count) = (0, false, 0)
    for byte in text {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        count += 1
        places += hasPoint ? 1 : 0
        if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte & 15) }
      case UInt8(ascii: ".") where !hasPoint: hasPoint = true
      default: return nil
      }
    }
    return count > 0 ? (digits, -places) : nil
  }

  /// A whole number, held between -1,000,000 and 1,000,000, which is far beyond every time.
  private static func parseExponent(_ text: Substring.UTF8View) -> Int? {
    var rest = text
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard !rest.isEmpty else { return nil }
    var value = 0
    for byte in rest {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = min(value * 10 + Int(byte & 15), 1_000_000)
    }
    return isNegative ? -value : value
  }

  private static func value(_ digits: [UInt8], exponent: Int, isNegative: Bool) -> Result {
    // 38 digits are the most that 128 bits hold. A few longer spellings of negative powers of two
    // would still fit 64 bits when reduced; nobody writes those as times.
    guard digits.count <= 38, (-38...18).contains(exponent) else { return .overflow }
    var numerator: Int128 = 0
    for digit in digits {
      let (scaled, overflow) = numerator.multipliedReportingOverflow(by: 10)
      let (sum, overflowSum) = scaled.addingReportingOverflow(Int128(digit))
      guard !overflow, !overflowSum else { return .overflow }
      numerator = sum
    }
    var power: Int128 = 1
    for _ in 0..<abs(exponent) { power *= 10 }
    if isNegative { numerator = -numerator }
    let result = exponent < 0 ? Rational(numerator, power) : Rational(numerator) * Rational(power)
    return result.fitsInt64 ? .value(result) : .overflow
  }
}

extension Rational {
  /// Whether numerator and denominator both fit 64 bits.
  var fitsInt64: Bool {
    isValid && Int64(exactly: numerator) != nil && Int64(exactly: denominator) != nil
  }
}
