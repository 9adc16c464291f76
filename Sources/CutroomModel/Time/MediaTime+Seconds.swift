/// Times from floating-point seconds, for values that come from elsewhere: no time is kept so.
extension MediaTime {
  /// The time of `seconds` in units of `1/preferredTimescale`, rounded towards zero, as
  /// `CMTimeMakeWithSeconds` has it.
  ///
  /// ``invalid`` for a timescale below 1, and for no number, which CoreMedia makes 0. Infinite
  /// seconds are an infinity. Where the value does not fit, the timescale is halved; then it is an
  /// infinity. The rounding mark is set if the time in seconds is not `seconds` again.
  ///
  /// To round otherwise, use ``init(_:timescale:rounding:)``.
  public init(seconds: Double, preferredTimescale: Int32) {
    guard preferredTimescale > 0, !seconds.isNaN else {
      self = .invalid
      return
    }
    guard seconds.magnitude < 0x1p63, let exact = Rational(floating: seconds) else {
      self = seconds < 0 ? .negativeInfinity : .positiveInfinity
      return
    }
    var timescale = preferredTimescale
    var value = Self.whole(exact, timescale)
    while Int64(exactly: value) == nil, timescale > 1 {
      timescale /= 2
      value = Self.whole(exact, timescale)
    }
    let isExact = Double(value) / Double(timescale) == seconds
    self.init(wide: value, timescale: timescale, isExact: isExact, epoch: 0)
  }

  private static func whole(_ seconds: Rational, _ timescale: Int32) -> Int128 {
    TimeRounding.towardZero.round(seconds * Rational(timescale), toFiner: false).value
  }

  /// The nearest floating-point number of seconds, for printing and for other interfaces: no number
  /// for invalid and indefinite times, infinite for infinities, as `CMTimeGetSeconds` has it.
  public var approximateSeconds: Double {
    if isPositiveInfinity { return .infinity }
    if isNegativeInfinity { return -.infinity }
    return isNumeric ? Double(value) / Double(timescale) : .nan
  }

  /// The product with a floating-point number, taken as the fraction that it is.
  ///
  /// The timescale is doubled to at least 65536 before, and halved where the value overflows. An
  /// infinity times 0, and anything times no number, is ``invalid``.
  public func scaled(by factor: Double) -> MediaTime {
    guard !factor.isNaN, isValid else { return .invalid }
    if isIndefinite { return .indefinite }
    let isNegative = (factor < 0) != (isNumeric ? value < 0 : isNegativeInfinity)
    guard isNumeric, factor.isFinite else {
      let isNothing = factor == 0 || (isNumeric && value == 0)
      return isNothing ? .invalid : isNegative ? .negativeInfinity : .positiveInfinity
    }
    guard let fraction = Rational(floating: factor) else {
      return value == 0 ? self : isNegative ? .negativeInfinity : .positiveInfinity
    }
    var scale = timescale
    while scale < 65536 { scale *= 2 }
    return MediaTime(
      halving: Rational(value, timescale) * fraction, timescale: scale,
      isExact: !hasBeenRounded, epoch: epoch)
  }
}

extension Rational {
  /// The fraction that a floating-point number is; magnitudes below 2⁻⁴⁰ are cut off behind the
  /// 92nd binary place.
  ///
  /// `nil` from 2⁶³ on, and for what is no number.
  init?(floating number: Double) {
    guard number.magnitude < 0x1p63 else { return nil }
    let bits = max(0, min(92, 52 - Int(number == 0 ? 0 : number.exponent)))
    // Scaling by a power of two is exact; what is left has no fraction but below 2⁻⁹².
    let scaled = Double(sign: .plus, exponent: bits, significand: number)
    self.init(Int128(scaled.rounded(.towardZero)), Int128(1) << Int128(bits))
  }
}
