/// An exact fraction of 128-bit integers, always reduced, with a positive denominator.
///
/// Planning and arithmetic use this type, so that no sum and no mapping rounds. A result that
/// does not fit 128 bits, or a division by zero, becomes ``invalid``, which every further
/// operation keeps; callers check ``isValid`` once at the end of a calculation.
public struct Rational: Hashable, Sendable {
  /// The numerator; carries the sign.
  public let numerator: Int128
  /// The denominator; positive, or 0 for ``invalid``.
  public let denominator: Int128

  /// Zero.
  public static let zero = Rational(0)
  /// One.
  public static let one = Rational(1)
  /// The result of an operation that has none: compares unequal to nothing but itself.
  public static let invalid = Rational(reduced: 0, 0)

  private init(reduced numerator: Int128, _ denominator: Int128) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates the whole number `value`.
  ///
  /// ``invalid`` for the smallest of 128 bits, which has no opposite.
  public init(_ value: some BinaryInteger) {
    let wide = Int128(value)
    self.init(reduced: wide == .min ? 0 : wide, wide == .min ? 0 : 1)
  }

  /// Creates `numerator / denominator`, reduced; ``invalid`` if the denominator is 0.
  public init(_ numerator: some BinaryInteger, _ denominator: some BinaryInteger) {
    self = Self.reducing(Int128(numerator), Int128(denominator))
  }

  private static func reducing(_ numerator: Int128, _ denominator: Int128) -> Rational {
    guard denominator != 0, numerator != .min, denominator != .min else { return .invalid }
    let divisor = greatestCommonDivisor(numerator, denominator)
    let sign: Int128 = denominator < 0 ? -1 : 1
    return Rational(reduced: sign * numerator / divisor, sign * denominator / divisor)
  }

  /// Whether the value is a number.
  public var isValid: Bool { denominator != 0 }
  /// Whether the value is a whole number.
  public var isInteger: Bool { denominator == 1 }
  /// The largest whole number that is not greater; 0 for ``invalid``.
  public var floor: Int128 {
    guard isValid else { return 0 }
    let quotient = numerator / denominator
    return numerator % denominator < 0 ? quotient - 1 : quotient
  }
  /// The smallest whole number that is not less; 0 for ``invalid``.
  public var ceiling: Int128 { isInteger ? numerator : floor + (isValid ? 1 : 0) }
  /// The nearest whole number, halves away from zero; 0 for ``invalid``.
  public var rounded: Int128 {
    guard isValid else { return 0 }
    let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
    // Twice the rest might not fit 128 bits with a sign.
    return rest.magnitude * 2 >= denominator.magnitude ? quotient + numerator.signum() : quotient
  }
  /// The nearest floating-point value, for printing and for estimates only.
  public var doubleValue: Double { Double(numerator) / Double(denominator) }
  /// The absolute value.
  public var magnitude: Rational { numerator < 0 ? -self : self }

  /// The sum; ``invalid`` on overflow of 128 bits.
  public static func + (a: Rational, b: Rational) -> Rational {
    guard a.isValid, b.isValid else { return .invalid }
    if a.denominator == b.denominator {
      let (sum, overflow) = a.numerator.addingReportingOverflow(b.numerator)
      return overflow ? .invalid : reducing(sum, a.denominator)
    }
    let divisor = greatestCommonDivisor(a.denominator, b.denominator)
    let (left, overflowLeft) = a.numerator.multipliedReportingOverflow(by: b.denominator / divisor)
    let (right, overflowRight) = b.numerator.multipliedReportingOverflow(
      by: a.denominator / divisor)
    let (sum, overflowSum) = left.addingReportingOverflow(right)
    let (bottom, overflowBottom) = (a.denominator / divisor).multipliedReportingOverflow(
      by: b.denominator)
    guard !overflowLeft, !overflowRight, !overflowSum, !overflowBottom else { return .invalid }
    return reducing(sum, bottom)
  }

  /// The negated value.
  public static prefix func - (a: Rational) -> Rational {
    Rational(reduced: -a.numerator, a.denominator)
  }

  /// The difference; ``invalid`` on overflow of 128 bits.
  public static func - (a: Rational, b: Rational) -> Rational { a + -b }

  /// The product; ``invalid`` on overflow of 128 bits.
  public static func * (a: Rational, b: Rational) -> Rational {
    guard a.isValid, b.isValid else { return .invalid }
    let left = greatestCommonDivisor(a.numerator, b.denominator)
    let right = greatestCommonDivisor(b.numerator, a.denominator)
    let (top, overflowTop) = (a.numerator / left).multipliedReportingOverflow(
      by: b.numerator / right)
    let (bottom, overflowBottom) = (a.denominator / right).multipliedReportingOverflow(
      by: b.denominator / left)
    return overflowTop || overflowBottom ? .invalid : reducing(top, bottom)
  }

  /// The quotient; ``invalid`` on overflow of 128 bits or when `b` is zero.
  public static func / (a: Rational, b: Rational) -> Rational {
    a * reducing(b.denominator, b.numerator)
  }

  /// Adds in place.
  public static func += (a: inout Rational, b: Rational) { a = a + b }
  /// Subtracts in place.
  public static func -= (a: inout Rational, b: Rational) { a = a - b }
}

extension Rational: Comparable {
  /// The exact order of numbers; ``invalid`` sorts after every number.
  public static func < (a: Rational, b: Rational) -> Bool {
    guard a.isValid, b.isValid else { return a.isValid && !b.isValid }
    if a.denominator == b.denominator { return a.numerator < b.numerator }
    let (left, overflowLeft) = a.numerator.multipliedReportingOverflow(by: b.denominator)
    let (right, overflowRight) = b.numerator.multipliedReportingOverflow(by: a.denominator)
    if !overflowLeft && !overflowRight { return left < right }
    return lessByContinuedFraction(a, b)
  }

  /// What is left behind the whole part, in units of the denominator.
  private var rest: Int128 {
    let rest = numerator % denominator
    return rest < 0 ? rest + denominator : rest
  }

  /// Compares whole parts, then the inverted fractions, when cross-multiplying would overflow.
  private static func lessByContinuedFraction(_ a: Rational, _ b: Rational) -> Bool {
    var (a, b, swapped) = (a, b, false)
    while true {
      let (wholeA, wholeB) = (a.floor, b.floor)
      if wholeA != wholeB { return swapped ? wholeB < wholeA : wholeA < wholeB }
      // The whole part times the denominator might not fit where the value is negative.
      let (restA, restB) = (a.rest, b.rest)
      if restA == 0 || restB == 0 {
        let isLess = restA == 0 && restB != 0
        let isGreater = restB == 0 && restA != 0
        return swapped ? isGreater : isLess
      }
      (a, b, swapped) = (
        Rational(reduced: a.denominator, restA), Rational(reduced: b.denominator, restB), !swapped
      )
    }
  }
}

extension Rational: CustomStringConvertible {
  /// `numerator/denominator`, as every time in JSON output is written.
  public var description: String { "\(numerator)/\(denominator)" }
}

/// The greatest common divisor of two magnitudes; 1 when both are 0.
public func greatestCommonDivisor(_ a: Int128, _ b: Int128) -> Int128 {
  // Most values fit 64 bits, where division is several times faster.
  if let small = Int64(exactly: a), let other = Int64(exactly: b), small != .min, other != .min {
    var (x, y) = (abs(small), abs(other))
    while y != 0 { (x, y) = (y, x % y) }
    return x == 0 ? 1 : Int128(x)
  }
  var (x, y) = (a.magnitude, b.magnitude)
  while y != 0 { (x, y) = (y, x % y) }
  return x == 0 ? 1 : Int128(x)
}

/// The least common multiple of two positive numbers; `nil` where 128 bits do not hold it.
public func leastCommonMultiple(_ a: Int128, _ b: Int128) -> Int128? {
  guard a > 0, b > 0 else { return nil }
  let (product, overflow) = (a / greatestCommonDivisor(a, b)).multipliedReportingOverflow(by: b)
  return overflow ? nil : product
}

extension Rational: ExpressibleByIntegerLiteral {
  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self.init(value) }
}
