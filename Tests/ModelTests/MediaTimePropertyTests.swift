import CutroomModel
import Testing

/// Arithmetic of times against whole numbers of 128 bits, which are worked out here by themselves.
///
/// A hundred thousand random cases; a million with `CUTROOM_THOROUGH=1` in the environment, as the
/// checks of a change run them.
struct MediaTimePropertyTests {
  private static let count = Dice.isThorough ? 1_000_000 : 100_000
  private static let scales: [Int32] = [
    1, 7, 24, 25, 30, 600, 1001, 24000, 30000, 44100, 48000, 90000, 705_600_000, .max - 1, .max,
  ]

  private static func time(_ dice: inout Dice) -> MediaTime {
    let bits = dice.next()
    // Values of up to 55 bits: the products below fit 128.
    let value = Int64(bitPattern: bits) >> Int64(9 + dice.next() % 48)
    let scale = bits & 1 == 0 ? scales[Int(dice.next() % 15)] : Int32(dice.next() % 999_999) + 1
    return MediaTime(value: value, timescale: scale)
  }

  /// Counts what fails, and says the first.
  private struct Tally {
    var failures = 0
    var first = ""

    mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
      guard !holds else { return }
      failures += 1
      if failures == 1 { first = what() }
    }
  }

  @Test func sumsAreExactOrSayThatTheyAreNot() {
    var (dice, tally) = (Dice(41), Tally())
    for _ in 0..<Self.count {
      let (a, b) = (Self.time(&dice), Self.time(&dice))
      let (sum, swapped) = (a + b, b + a)
      let bottom = Int128(a.timescale) * Int128(b.timescale)
      let top = Int128(a.value) * Int128(b.timescale) + Int128(b.value) * Int128(a.timescale)
      let difference = Int128(sum.value) * bottom - top * Int128(sum.timescale)
      tally.expect(sum.isNumeric && sum.epoch == 0, "\(a) + \(b)")
      tally.expect(swapped.value == sum.value && swapped.timescale == sum.timescale, "\(b) + \(a)")
      if sum.hasBeenRounded {
        tally.expect(2 * difference.magnitude <= 3 * bottom.magnitude, "\(a) + \(b) = \(sum)")
      } else {
        tally.expect(difference == 0, "\(a) + \(b) = \(sum)")
        let back = sum - b
        tally.expect(back.hasBeenRounded || back == a, "\(a) + \(b) - \(b) = \(back)")
      }
    }
    #expect(tally.failures == 0, "\(tally.first), seed \(dice.seed)")
  }

  @Test func theOrderIsThatOfFractions() {
    var (dice, tally) = (Dice(42), Tally())
    for _ in 0..<Self.count {
      let (a, b) = (Self.time(&dice), Self.time(&dice))
      let left = Int128(a.value) * Int128(b.timescale)
      let right = Int128(b.value) * Int128(a.timescale)
      tally.expect((a < b) == (left < right) && (a == b) == (left == right), "\(a), \(b)")
      tally.expect(max(a, b) == (left < right ? b : a), "\(a), \(b)")
      let factor = Int32(dice.next() % 20) + 1
      guard a.timescale < 100_000_000 else { continue }
      let same = MediaTime(
        value: a.value * Int64(factor), timescale: a.timescale * factor)
      tally.expect(same == a && same.hashValue == a.hashValue, "\(a), \(same)")
    }
    #expect(tally.failures == 0, "\(tally.first), seed \(dice.seed)")
  }

  @Test func rescalingRoundsAsAsked() {
    var (dice, tally) = (Dice(43), Tally())
    for index in 0..<Self.count {
      let time = Self.time(&dice)
      let scale = Self.scales[Int(dice.next() % 15)]
      let rounding = TimeRounding.allCases[index % 6]
      let result = time.rescaled(to: scale, rounding: rounding)
      let expected = Self.rounded(time, scale, rounding)
      guard let narrow = Int64(exactly: expected.value) else {
        tally.expect(
          time.value < 0 ? result.isNegativeInfinity : result.isPositiveInfinity,
          "\(time) to \(scale), \(rounding)")
        continue
      }
      tally.expect(
        result.value == narrow && result.timescale == scale
          && result.hasBeenRounded != expected.isExact, "\(time) to \(scale), \(rounding)")
    }
    #expect(tally.failures == 0, "\(tally.first), seed \(dice.seed)")
  }

  /// What rescaling gives, from quotient and remainder.
  private static func rounded(
    _ time: MediaTime, _ scale: Int32, _ rounding: TimeRounding
  ) -> (value: Int128, isExact: Bool) {
    let bottom = Int128(time.timescale)
    let (quotient, rest) = (Int128(time.value) * Int128(scale))
      .quotientAndRemainder(dividingBy: bottom)
    if rest == 0 { return (quotient, true) }
    let away = quotient + rest.signum()
    let value =
      switch rounding {
      case .halfAwayFromZero: 2 * rest.magnitude >= bottom.magnitude ? away : quotient
      case .towardZero: quotient
      case .awayFromZero: away
      case .quickTime:
        if scale > time.timescale { away } else { quotient == 0 && rest < 0 ? -1 : quotient }
      case .up: rest > 0 ? away : quotient
      case .down: rest < 0 ? away : quotient
      }
    return (value, false)
  }

  @Test func productsAreExactOrSayThatTheyAreNot() {
    var (dice, tally) = (Dice(44), Tally())
    for _ in 0..<Self.count {
      let time = Self.time(&dice)
      let top = Int32(truncatingIfNeeded: dice.next()) >> Int32(dice.next() % 31)
      let bottom = Int32(dice.next() % 100_000) + 1
      let product = time.multiplied(by: top, over: bottom)
      let exact = Int128(time.value) * Int128(top)
      guard product.isNumeric else {
        tally.expect(
          exact.magnitude / Int128(bottom).magnitude > 1 << 62, "\(time)·\(top)/\(bottom)")
        continue
      }
      // value/timescale = exact/(timescale·bottom): whole parts first, as products may not fit.
      let divisor = Int128(time.timescale) * Int128(bottom)
      let (whole, rest) = exact.quotientAndRemainder(dividingBy: divisor)
      let (units, part) = Int128(product.value)
        .quotientAndRemainder(dividingBy: Int128(product.timescale))
      let difference =
        (units - whole) * Int128(product.timescale) * divisor + part * divisor
        - rest * Int128(product.timescale)
      tally.expect(
        product.hasBeenRounded
          ? 2 * difference.magnitude <= divisor.magnitude : difference == 0,
        "\(time)·\(top)/\(bottom) = \(product)")
    }
    #expect(tally.failures == 0, "\(tally.first), seed \(dice.seed)")
  }
}
