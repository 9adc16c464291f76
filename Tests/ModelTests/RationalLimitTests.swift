import CutroomModel
import Testing

/// Fractions at the ends of 128 bits, where steps on the way may not fit though the result does.
struct RationalLimitTests {
  private static let max = Int128.max

  @Test func comparesFractionsWhoseProductsDoNotFit() {
    // The whole part of a third, rounded down, times three is below the smallest number.
    let low = Rational(-Self.max, 3)
    let other = Rational(-Self.max + 1, 3)
    let lower = Rational(-Self.max, Int128(2))
    #expect(low < other || low == other)
    #expect(lower < low && !(low < lower) && lower != low)
    for (a, b) in [
      (Rational(-Self.max, 5), Rational(-Self.max + 7, 7)),
      (Rational(-Self.max, 3), Rational(-Self.max + 3, 4)),
      (Rational(-Self.max, Self.max - 1), Rational(-Self.max + 2, Self.max - 1)),
      (Rational(Self.max - 2, Self.max - 1), Rational(Self.max, Self.max - 1)),
      (Rational(-Self.max, 3), Rational(Self.max, 3)),
    ] {
      #expect(a < b && !(b < a) && a != b, "\(a), \(b)")
      #expect(-b < -a && min(a, b) == a && Swift.max(a, b) == b, "\(a), \(b)")
    }
  }

  @Test func roundsAlsoTheLargest() {
    #expect(Rational(Self.max, 2).rounded == Self.max / 2 + 1)
    #expect(Rational(-Self.max, 2).rounded == -(Self.max / 2) - 1)
    #expect(Rational(Self.max, 3).rounded == Self.max / 3)
    #expect(Rational(Self.max, Self.max - 1).rounded == 1)
    #expect(Rational(1, Self.max).rounded == 0 && Rational.invalid.rounded == 0)
    for (top, value) in [(5, 3), (-5, -3), (3, 2), (-3, -2), (1, 1), (-1, -1), (4, 2)] {
      #expect(Rational(top, 2).rounded == Int128(value), "\(top)/2")
    }
    #expect(Rational(4, 3).rounded == 1 && Rational(-4, 3).rounded == -1)
    #expect(Rational(5, 3).rounded == 2 && Rational(-5, 3).rounded == -2)
  }

  @Test func theSmallestHasNoOpposite() {
    #expect(!Rational(Int128.min).isValid && !Rational(Int128.min, 3).isValid)
    #expect(!(-Rational(Int128.min)).isValid)
    #expect(!(Rational(-Self.max) - 1).isValid && (Rational(-Self.max + 1) - 1).isValid)
  }
}
