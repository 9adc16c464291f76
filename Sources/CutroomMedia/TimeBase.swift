import CLibAV

/// The seconds of one tick of a stream's clock, as a fraction.
package struct TimeBase: Hashable, Sendable, CustomStringConvertible {
  package var numerator: Int32
  package var denominator: Int32

  package init(_ numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  package init(numerator: Int32, denominator: Int32) {
    self.init(numerator, denominator)
  }

  init(_ rational: AVRational) {
    self.init(rational.num, rational.den)
  }

  var rational: AVRational { AVRational(num: numerator, den: denominator) }

  package var description: String { "\(numerator)/\(denominator)" }

  /// Whether both parts are above zero.
  package var isValid: Bool { numerator > 0 && denominator > 0 }
}

extension AVRational {
  /// Both parts, or `nil` where the fraction stands for "unknown".
  var known: (Int32, Int32)? { num == 0 || den == 0 ? nil : (num, den) }
}
