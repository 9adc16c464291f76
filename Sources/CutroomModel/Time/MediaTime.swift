/// A time as containers and AVFoundation's `CMTime` keep it: a value over a timescale.
///
/// Besides numbers there are four special times: invalid, indefinite and both infinities. The
/// epoch tells apart equal times of different passes of a loop; a later epoch is always later.
/// Planning works with ``Rational``, which never rounds; this type keeps what was written and
/// says, in ``hasBeenRounded``, whether an operation had to round.
///
/// Two times are equal if they are the same time: 15/30 equals 30/60, and rounding marks do not
/// count. Many patterns of fields stand for each special time, so these are told by predicates.
public struct MediaTime: Sendable {
  /// What kind of time it is.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The bits, as `CMTimeFlags` has them.
    public let rawValue: UInt32

    /// Creates flags from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Without this flag nothing else counts.
    public static let valid = Flags(rawValue: 1)
    /// The value was rounded on its way.
    public static let hasBeenRounded = Flags(rawValue: 2)
    /// Later than every number.
    public static let positiveInfinity = Flags(rawValue: 4)
    /// Earlier than every number.
    public static let negativeInfinity = Flags(rawValue: 8)
    /// A time that is not known.
    public static let indefinite = Flags(rawValue: 16)
    /// The flags beside which value and timescale mean nothing.
    public static let impliedValue: Flags = [.positiveInfinity, .negativeInfinity, .indefinite]
  }

  /// The largest timescale that arithmetic chooses where the exact one does not fit: the
  /// documented rule.
  public static let arithmeticTimescaleLimit: Int32 = .max
  /// The limit that CoreMedia was observed to use instead of the documented one.
  public static let observedTimescaleLimit: Int32 = 1_000_000_000

  /// The number of units.
  public var value: Int64
  /// Units in a second.
  public var timescale: Int32
  /// What kind of time it is.
  public var flags: Flags
  /// The pass of a loop; 0 for durations.
  public var epoch: Int64

  /// Creates a time from its fields as they are.
  public init(value: Int64, timescale: Int32, flags: Flags, epoch: Int64) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// Creates `value / timescale` seconds; ``invalid`` unless the timescale is 1 or more.
  public init(value: Int64, timescale: Int32, epoch: Int64 = 0) {
    self =
      timescale > 0
      ? MediaTime(value: value, timescale: timescale, flags: .valid, epoch: epoch) : .invalid
  }

  /// 0 seconds.
  public static let zero = MediaTime(value: 0, timescale: 1)
  /// No time.
  public static let invalid = MediaTime(value: 0, timescale: 0, flags: [], epoch: 0)
  /// A time that is not known.
  public static let indefinite = special(.indefinite)
  /// Later than every number.
  public static let positiveInfinity = special(.positiveInfinity)
  /// Earlier than every number.
  public static let negativeInfinity = special(.negativeInfinity)

  private static func special(_ flag: Flags) -> MediaTime {
    MediaTime(value: 0, timescale: 0, flags: [.valid, flag], epoch: 0)
  }

  // MARK: Predicates

  /// Whether it is any time at all; infinities and indefinite ones are.
  public var isValid: Bool { flags.contains(.valid) }
  /// Whether it is later than every number.
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
  /// Whether it is earlier than every number.
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
  /// Whether it is a time that is not known.
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
  /// Whether it is a number of seconds; a timescale below 1 is none.
  public var isNumeric: Bool {
    isValid && flags.isDisjoint(with: .impliedValue) && timescale > 0
  }
  /// Whether it is a number that was rounded on its way.
  public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
}

// MARK: Conversion

extension MediaTime {
  /// The exact number of seconds; `nil` for special times.
  ///
  /// The epoch is not part of it.
  public var seconds: Rational? { isNumeric ? Rational(value, timescale) : nil }

  /// The time of exactly `seconds`; `nil` where value and timescale do not hold it.
  public init?(exactly seconds: Rational) {
    guard seconds.isValid, let value = Int64(exactly: seconds.numerator),
      let timescale = Int32(exactly: seconds.denominator)
    else { return nil }
    self.init(value: value, timescale: timescale)
  }

  /// The time of `seconds` in units of `1/timescale`, rounded as asked.
  ///
  /// ``invalid`` for an invalid number or a timescale below 1; an infinity on overflow.
  public init(_ seconds: Rational, timescale: Int32, rounding: TimeRounding = .halfAwayFromZero) {
    guard seconds.isValid, timescale > 0 else {
      self = .invalid
      return
    }
    let scaled = seconds * Rational(timescale)
    guard scaled.isValid else {
      self = seconds < .zero ? .negativeInfinity : .positiveInfinity
      return
    }
    let isFiner = Int128(timescale) > seconds.denominator
    let (value, isExact) = rounding.round(scaled, toFiner: isFiner)
    self.init(wide: value, timescale: timescale, isExact: isExact, epoch: 0)
  }

  /// The time of `seconds`, rounded only if its timescale would exceed `limit` or its value 64 bits.
  public init(
    nearest seconds: Rational, limit: Int32 = Self.arithmeticTimescaleLimit, epoch: Int64 = 0
  ) {
    guard seconds.isValid else {
      self = .invalid
      return
    }
    let timescale = Int32(exactly: min(seconds.denominator, Int128(max(limit, 1)))) ?? 1
    self.init(halving: seconds, timescale: timescale, isExact: true, epoch: epoch)
  }

  /// `seconds` in `timescale`, which is halved until the value fits; then an infinity.
  init(halving seconds: Rational, timescale: Int32, isExact: Bool, epoch: Int64) {
    var timescale = timescale
    while true {
      let scaled = seconds * Rational(timescale)
      let (value, isScaledExactly) = TimeRounding.halfAwayFromZero.round(scaled, toFiner: true)
      if scaled.isValid, Int64(exactly: value) != nil || timescale == 1 {
        self.init(
          wide: value, timescale: timescale, isExact: isExact && isScaledExactly, epoch: epoch)
        return
      }
      guard timescale > 1 else {
        self = .invalid
        return
      }
      timescale /= 2
    }
  }

  /// A value of 128 bits; an infinity if it does not fit 64.
  init(wide value: Int128, timescale: Int32, isExact: Bool, epoch: Int64) {
    guard let narrow = Int64(exactly: value) else {
      self = value < 0 ? .negativeInfinity : .positiveInfinity
      return
    }
    self.init(
      value: narrow, timescale: timescale, flags: isExact ? .valid : [.valid, .hasBeenRounded],
      epoch: epoch)
  }

  /// The same time in units of `1/timescale`, rounded as asked.
  ///
  /// Special times stay what they are. The rounding mark is set if the result is not exact, and
  /// kept if it was set. ``invalid`` for a timescale below 1; an infinity on overflow.
  public func rescaled(
    to timescale: Int32, rounding: TimeRounding = .halfAwayFromZero
  ) -> MediaTime {
    guard isNumeric, timescale != self.timescale else { return self }
    guard timescale > 0 else { return .invalid }
    let product = Int128(value) * Int128(timescale)
    let exact = Rational(product, self.timescale)
    let (result, isExact) = rounding.round(exact, toFiner: timescale > self.timescale)
    return MediaTime(
      wide: result, timescale: timescale, isExact: isExact && !hasBeenRounded, epoch: epoch)
  }
}

/// How a time between two units is moved to one of them.
///
/// The raw values are those of `CMTimeRoundingMethod`.
public enum TimeRounding: Int, Hashable, Sendable, CaseIterable {
  /// To the nearest, halves away from zero.
  case halfAwayFromZero = 1
  /// Towards zero.
  case towardZero = 2
  /// Away from zero.
  case awayFromZero = 3
  /// As QuickTime does: towards zero into larger units, away from zero into smaller ones; a
  /// negative time never becomes 0.
  case quickTime = 4
  /// To the later one.
  case up = 5
  /// To the earlier one.
  case down = 6

  /// The whole number for `exact`, and whether it is the same.
  ///
  /// `toFiner` says whether the units become smaller, which only QuickTime's rule asks.
  func round(_ exact: Rational, toFiner isFiner: Bool) -> (value: Int128, isExact: Bool) {
    guard !exact.isInteger else { return (exact.numerator, true) }
    let (below, above) = (exact.floor, exact.ceiling)
    let isNegative = exact < .zero
    let (inner, outer) = isNegative ? (above, below) : (below, above)
    switch self {
    case .halfAwayFromZero: return (exact.rounded, false)
    case .towardZero: return (inner, false)
    case .awayFromZero: return (outer, false)
    case .quickTime: return (isFiner ? outer : isNegative && inner == 0 ? -1 : inner, false)
    case .up: return (above, false)
    case .down: return (below, false)
    }
  }
}
