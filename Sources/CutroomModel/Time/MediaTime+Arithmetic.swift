extension MediaTime {
  // MARK: Sums

  /// The sum, exact where a timescale of at most `limit` holds it.
  ///
  /// Either invalid gives ``invalid``; an infinity wins over indefinite and numbers; opposite
  /// infinities give ``invalid``; indefinite wins over numbers. Numbers of two epochs other than 0
  /// have no sum; of two equal ones the sum has epoch 0; else it has the one that is not 0.
  /// The timescale is the least common multiple, or `limit` where that is exceeded; it is halved
  /// where the value overflows, and if that is not enough the sum is an infinity.
  public func adding(
    _ other: MediaTime, limit: Int32 = Self.arithmeticTimescaleLimit
  ) -> MediaTime {
    sum(other, sign: 1, limit: limit)
  }

  /// The difference, by the rules of ``adding(_:limit:)``.
  public func subtracting(
    _ other: MediaTime, limit: Int32 = Self.arithmeticTimescaleLimit
  ) -> MediaTime {
    sum(other, sign: -1, limit: limit)
  }

  private func sum(_ other: MediaTime, sign: Int128, limit: Int32) -> MediaTime {
    guard isValid, other.isValid else { return .invalid }
    let (left, right) = (infinity, Int128(other.infinity) * sign)
    if left != 0 || right != 0 {
      guard left == 0 || right == 0 || Int128(left) == right else { return .invalid }
      return Int128(left) + right > 0 ? .positiveInfinity : .negativeInfinity
    }
    if isIndefinite || other.isIndefinite { return .indefinite }
    guard isNumeric, other.isNumeric, epoch == 0 || other.epoch == 0 || epoch == other.epoch else {
      return .invalid
    }
    return numericSum(other, sign: sign, limit: max(limit, 1))
  }

  private func numericSum(_ other: MediaTime, sign: Int128, limit: Int32) -> MediaTime {
    let (scale, otherScale) = (Int128(timescale), Int128(other.timescale))
    let common = scale / greatestCommonDivisor(scale, otherScale) * otherScale
    let timescale = scale == otherScale ? scale : min(common, Int128(limit))
    // Beyond the limit each operand is rounded by itself, as is documented.
    let (left, isLeftExact) = units(of: timescale)
    let (right, isRightExact) = other.units(of: timescale)
    let isExact = isLeftExact && isRightExact && !hasBeenRounded && !other.hasBeenRounded
    return MediaTime(
      halving: Rational(left + sign * right, timescale), timescale: Int32(clamping: timescale),
      isExact: isExact, epoch: epoch == other.epoch ? 0 : epoch + other.epoch)
  }

  private func units(of timescale: Int128) -> (value: Int128, isExact: Bool) {
    let exact = Rational(Int128(value) * timescale, self.timescale)
    return TimeRounding.halfAwayFromZero.round(exact, toFiner: true)
  }

  /// -1, 0 or 1.
  private var infinity: Int { isPositiveInfinity ? 1 : isNegativeInfinity ? -1 : 0 }

  /// The sum by the documented rule, see ``adding(_:limit:)``.
  public static func + (a: MediaTime, b: MediaTime) -> MediaTime { a.adding(b) }
  /// The difference by the documented rule, see ``subtracting(_:limit:)``.
  public static func - (a: MediaTime, b: MediaTime) -> MediaTime { a.subtracting(b) }
  /// The time as far before 0 as this is after it; infinities change places.
  public static prefix func - (a: MediaTime) -> MediaTime {
    var zero = MediaTime(value: 0, timescale: max(a.timescale, 1))
    zero.epoch = a.isNumeric ? a.epoch : 0
    var result = zero - a
    if a.isNumeric, result.isNumeric { result.epoch = a.epoch }
    return result
  }

  // MARK: Products

  /// The product with a whole number, in the same timescale unless it overflows.
  ///
  /// Overflow halves the timescale, and gives an infinity at last. An infinity times 0 is
  /// ``invalid``; indefinite stays indefinite.
  public func multiplied(by factor: Int32) -> MediaTime {
    guard isNumeric else { return special(times: Int64(factor)) }
    return MediaTime(
      halving: Rational(Int128(value) * Int128(factor), timescale), timescale: timescale,
      isExact: !hasBeenRounded, epoch: epoch)
  }

  /// The product with `numerator / denominator`; 1/2 times 2/3 is 2/6, not reduced.
  ///
  /// Reduced where the timescale would not fit, and rounded only where that is not enough. A
  /// denominator of 0 gives an infinity, or ``invalid`` where time or numerator is 0.
  public func multiplied(by numerator: Int32, over denominator: Int32) -> MediaTime {
    guard isValid else { return .invalid }
    let sign: Int64 = denominator < 0 ? -1 : 1
    guard isNumeric else {
      return denominator == 0 && numerator == 0 ? .invalid : special(times: Int64(numerator) * sign)
    }
    let top = Int128(value) * Int128(numerator) * Int128(sign)
    guard denominator != 0 else {
      return top == 0 ? .invalid : top < 0 ? .negativeInfinity : .positiveInfinity
    }
    let bottom = Int128(timescale) * Int128(denominator) * Int128(sign)
    if let timescale = Int32(exactly: bottom), Int64(exactly: top) != nil {
      return MediaTime(wide: top, timescale: timescale, isExact: !hasBeenRounded, epoch: epoch)
    }
    var result = MediaTime(nearest: Rational(top, bottom), epoch: epoch)
    if hasBeenRounded, result.isNumeric { result.flags.insert(.hasBeenRounded) }
    return result
  }

  /// A special time times a number of which only the sign matters.
  private func special(times factor: Int64) -> MediaTime {
    if !isValid { return .invalid }
    if isIndefinite { return .indefinite }
    let product = Int64(infinity) * factor.signum()
    return product == 0 ? .invalid : product > 0 ? .positiveInfinity : .negativeInfinity
  }

  /// The distance from 0.
  public var magnitude: MediaTime {
    if isNegativeInfinity { return .positiveInfinity }
    return isNumeric && value < 0 ? -self : self
  }
}

// MARK: - Order

extension MediaTime: Comparable {
  /// Whether it is the same time: the same special one, or the same number in the same epoch.
  public static func == (a: MediaTime, b: MediaTime) -> Bool {
    guard a.rank == b.rank else { return false }
    guard a.isNumeric else { return true }
    return a.epoch == b.epoch && crossed(a, b) == crossed(b, a)
  }

  /// The order −∞, numbers by epoch and value, indefinite, +∞, invalid.
  public static func < (a: MediaTime, b: MediaTime) -> Bool {
    guard a.rank == b.rank, a.isNumeric else { return a.rank < b.rank }
    return a.epoch == b.epoch ? crossed(a, b) < crossed(b, a) : a.epoch < b.epoch
  }

  private static func crossed(_ a: MediaTime, _ b: MediaTime) -> Int128 {
    Int128(a.value) * Int128(b.timescale)
  }

  private var rank: Int {
    if !isValid { return 4 }
    if isPositiveInfinity { return 3 }
    if isNegativeInfinity { return 0 }
    if isIndefinite { return 2 }
    return isNumeric ? 1 : 4
  }
}

extension MediaTime: Hashable {
  /// Equal times hash alike, in whatever timescale.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    guard isNumeric else { return }
    hasher.combine(Rational(value, timescale))
    hasher.combine(epoch)
  }
}

extension MediaTime: CustomStringConvertible {
  /// `value/timescale`, or the name of the special time.
  public var description: String {
    if isPositiveInfinity { return "+infinity" }
    if isNegativeInfinity { return "-infinity" }
    if isIndefinite { return "indefinite" }
    guard isNumeric else { return "invalid" }
    return "\(value)/\(timescale)" + (epoch == 0 ? "" : " in epoch \(epoch)")
  }
}
