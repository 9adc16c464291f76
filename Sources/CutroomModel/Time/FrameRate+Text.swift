extension FrameRate {
  /// The decimal spellings that stand for n·1000/1001, with the n they mean.
  ///
  /// `23.976` and its like are roundings of a fraction that no decimal has; taken literally they
  /// would drift by frames within an hour.
  static let aliases: [(text: String, decimal: Rational, nominal: Int64)] = [
    ("23.976", Rational(23976, 1000), 24), ("23.98", Rational(2398, 100), 24),
    ("29.97", Rational(2997, 100), 30), ("47.952", Rational(47952, 1000), 48),
    ("59.94", Rational(5994, 100), 60), ("119.88", Rational(11988, 100), 120),
  ]

  /// Reads a whole number, a fraction such as `30000/1001`, or one of the aliases 23.976, 23.98,
  /// 29.97, 47.952, 59.94 and 119.88, as number or text.
  ///
  /// Throws a ``TimeTextError`` for anything else; another decimal names the nearest alias.
  public static func parse(_ text: String) throws(TimeTextError) -> FrameRate {
    let quoted = "'\(Excerpt.of(text))'"
    guard text.utf8.count <= TimeText.lengthLimit, let value = value(of: text) else {
      throw TimeTextError(
        .timeRate,
        "\(quoted) is not a frame rate; write a whole number such as 25, a fraction such as "
          + "\"30000/1001\", or an alias such as 29.97")
    }
    if !value.isFraction && !value.number.isInteger {
      guard let alias = aliases.first(where: { $0.decimal == value.number }),
        let rate = FrameRate(Rational(alias.nominal * 1000, 1001))
      else { throw undecided(value.number, quoted) }
      return rate
    }
    guard let rate = FrameRate(value.number) else {
      throw TimeTextError(
        .timeRate,
        "\(quoted) is not a frame rate that can be kept; write more than 0 and at most 1000000 "
          + "frames per second, with parts up to \(Int32.max)")
    }
    return rate
  }

  private static func value(of text: String) -> (number: Rational, isFraction: Bool)? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 1, case .value(let number) = DecimalText.parse(text[...]) {
      return (number, false)
    }
    guard parts.count == 2, let above = Int64(parts[0]), let below = Int64(parts[1]), below > 0
    else { return nil }
    return (Rational(above, below), true)
  }

  private static func undecided(_ number: Rational, _ quoted: String) -> TimeTextError {
    let nearest = aliases.min {
      ($0.decimal - number).magnitude < ($1.decimal - number).magnitude
    }
    let alias = nearest.map { "\($0.text) (\($0.nominal * 1000)/1001)" } ?? ""
    return TimeTextError(
      .timeRate,
      "\(quoted) is not a frame rate, for a decimal cannot say which one is meant; the nearest alias "
        + "is \(alias), and exactly this rate is written \"\(number)\"")
  }

  /// The text by which ``parse(_:)`` reads the same rate: `25` or `30000/1001`.
  public var text: String {
    framesPerSecond.isInteger ? "\(framesPerSecond.numerator)" : framesPerSecond.description
  }
}
