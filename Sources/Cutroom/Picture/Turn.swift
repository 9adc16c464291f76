import CutroomModel

/// A turn clockwise, by an angle in degrees.
struct Turn: Hashable {
  /// From 0 up to 360, which is not part of it.
  let degrees: Rational
  let sine: Rational
  let cosine: Rational

  /// A turn by any number of degrees.
  init(degrees: Rational) {
    let turns = Rational((degrees / 360).floor)
    let rest = degrees - 360 * turns
    self.degrees = rest.isValid ? rest : .zero
    let quarters = Int((self.degrees / 90).floor)
    let (sine, cosine) = Self.sineAndCosine(below90: self.degrees - Rational(90 * quarters))
    switch quarters {
    case 1: (self.sine, self.cosine) = (cosine, -sine)
    case 2: (self.sine, self.cosine) = (-sine, -cosine)
    case 3: (self.sine, self.cosine) = (-cosine, sine)
    default: (self.sine, self.cosine) = (sine, cosine)
    }
  }

  /// How many quarters of a turn it is; `nil` for none exactly.
  var quarters: Int? { (degrees / 90).isInteger ? Int((degrees / 90).floor) : nil }

  /// π/180 in units of 2⁻⁶⁰.
  private static let radian: Int128 = 20_122_276_272_436_452

  /// By their series in whole numbers, so that they are the same on every processor.
  private static func sineAndCosine(below90 degrees: Rational) -> (Rational, Rational) {
    if degrees == .zero { return (.zero, .one) }
    let bits: Int128 = 50
    let angle = ((degrees.snapped * Rational(Int128(1) << bits)).floor * radian) >> 60
    var sums: [Int128] = [Int128(1) << bits, 0]
    var term: Int128 = Int128(1) << bits
    var number: Int128 = 1
    while term != 0 {
      term = ((term * angle) >> bits) / number
      sums[Int(number & 1)] += number & 2 == 0 ? term : -term
      number += 1
    }
    let unit = Int128(1) << 40
    return (
      Rational((sums[1] + 512) >> 10, unit), Rational((sums[0] + 512) >> 10, unit)
    )
  }
}

extension Rational {
  /// The value, or where it is no multiple of a short fraction the nearest one of 2⁻²⁴: an
  /// animated place, exact far beyond what can be seen, with which further sums fit 128 bits.
  var snapped: Rational {
    guard denominator > 1 << 24 else { return self }
    var (top, bottom) = (numerator, denominator)
    while top.magnitude >= UInt128(1) << 100 {
      top >>= 1
      bottom >>= 1
    }
    guard bottom > 0 else { return .invalid }
    return Rational((Rational(top, bottom) * Rational(1 << 24)).rounded, 1 << 24)
  }

  /// The value in units of 2⁻³², rounded down.
  var fixedPoint: Int64 { Int64(clamping: (snapped * Rational(Int128(1) << 32)).floor) }
}
