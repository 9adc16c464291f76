/// A stretch of time in exact seconds: half open, as every range of time is.
extension Range<Rational> {
  /// Creates the stretch of `duration` seconds from `start`; `nil` where either is no number or the
  /// duration is negative.
  public init?(start: Rational, duration: Rational) {
    self.init(start: start, end: start + duration)
  }

  /// Creates the stretch from `start` up to `end`; `nil` where either is no number or the end is
  /// earlier.
  public init?(start: Rational, end: Rational) {
    guard start.isValid, end.isValid, start <= end else { return nil }
    self = start..<end
  }

  /// The length in seconds.
  public var duration: Rational { upperBound - lowerBound }

  /// Whether both ends are numbers.
  public var isNumeric: Bool { lowerBound.isValid && upperBound.isValid }

  /// The range with a 64-bit value over a 32-bit timescale at both ends; `nil` where these do not
  /// hold it exactly.
  public var timeRange: TimeRange? {
    guard isNumeric, let start = MediaTime(exactly: lowerBound),
      let length = MediaTime(exactly: duration)
    else { return nil }
    return TimeRange(start: start, duration: length)
  }

  /// As sentences name it: `2s to 5s`.
  var text: String { "\(lowerBound.secondsText) to \(upperBound.secondsText)" }
}

extension TimeRange {
  /// The exact seconds; `nil` unless start and duration are numbers of epoch 0 and the duration is
  /// not negative.
  public var seconds: Range<Rational>? {
    guard isValid, start.epoch == 0, let first = start.seconds, let length = duration.seconds
    else { return nil }
    return Range(start: first, duration: length)
  }
}

extension Rational {
  /// As sentences name a time: `2.5s`, or `1001/30000s` where nine decimals do not hold it.
  var secondsText: String { isValid ? decimalText + "s" : "no number" }
}
