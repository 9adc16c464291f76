/// A grid of whole ticks, frames or samples, on which boundaries of time are rounded once each.
///
/// Neighbours share the rounded boundary, and lengths are its differences; so there is no gap and no
/// overlap, and lengths add up to the rounded total. Rounding lengths instead would lose time:
///
///     exact     |  1.6  |  1.6  |  1.6  |     total 4.8
///     lengths   |   2   |   2   |   2   |     6: wrong
///     boundaries 0      2      3       5      2 + 1 + 2 = 5
public struct BoundaryGrid: Hashable, Sendable {
  /// Ticks in a second.
  public let ticksPerSecond: Rational
  /// How a boundary between two ticks is moved to one of them.
  public let rounding: TimeRounding

  /// Creates a grid; `nil` unless the rate is a number above 0.
  ///
  /// Boundaries of pictures go to the nearest frame, so the rounding is to the nearest by default.
  public init?(ticksPerSecond: Rational, rounding: TimeRounding = .halfAwayFromZero) {
    guard ticksPerSecond.isValid, ticksPerSecond > .zero else { return nil }
    self.ticksPerSecond = ticksPerSecond
    self.rounding = rounding
  }

  /// The grid of frames: frame n begins at tick n.
  public init(_ rate: FrameRate, rounding: TimeRounding = .halfAwayFromZero) {
    self.ticksPerSecond = rate.framesPerSecond
    self.rounding = rounding
  }

  /// The grid of samples, whose boundaries are always rounded down.
  public static func samples(_ rate: Int32) -> BoundaryGrid? {
    BoundaryGrid(ticksPerSecond: Rational(rate), rounding: .down)
  }

  /// The tick that the boundary at `time` goes to; `nil` where it is no number or does not fit 64
  /// bits.
  public func tick(at time: Rational) -> Int64? {
    let exact = time * ticksPerSecond
    guard exact.isValid else { return nil }
    return Int64(exactly: rounding.round(exact, toFiner: false).value)
  }

  /// The time of a tick.
  public func time(ofTick tick: Int64) -> Rational { Rational(tick) / ticksPerSecond }

  /// Whether `time` is one of a tick.
  public func holds(_ time: Rational) -> Bool { (time * ticksPerSecond).isInteger }

  /// `time` moved to its tick.
  public func snapped(_ time: Rational) -> Rational {
    tick(at: time).map(self.time(ofTick:)) ?? .invalid
  }

  /// The ticks of a range; empty where both its ends go to the same tick.
  public func ticks(of range: Range<Rational>) -> Range<Int64>? {
    guard let start = tick(at: range.lowerBound), let end = tick(at: range.upperBound),
      start <= end
    else { return nil }
    return start..<end
  }

  /// The ticks of each segment of a track: contiguous from 0, each boundary rounded once.
  ///
  /// A segment shorter than a tick may have none. `nil` where a boundary does not fit 64 bits.
  public func ticks(of track: CompositionTrack) -> [Range<Int64>]? {
    var result: [Range<Int64>] = []
    result.reserveCapacity(track.segments.count)
    var start: Int64 = 0
    for segment in track.segments {
      guard let end = tick(at: segment.range.upperBound), end >= start else { return nil }
      result.append(start..<end)
      start = end
    }
    return result
  }
}

extension FrameRate {
  /// Whether every frame begins at a whole number of units of `1/timescale`.
  public func isExact(inTimescale timescale: Int32) -> Bool {
    timescale > 0 && (Rational(timescale) / framesPerSecond).isInteger
  }

  /// The smallest timescale in which every frame of all `rates` begins at a whole number of units.
  ///
  /// 1 for no rates; `nil` where 31 bits do not hold it.
  public static func commonTimescale(of rates: some Sequence<FrameRate>) -> Int32? {
    var scale = Rational.one
    for rate in rates {
      // The smallest multiple of a frame's denominator that the scale divides as well.
      let units = scale * rate.frameDuration
      scale = scale * Rational(units.denominator)
      guard scale.isValid, Int32(exactly: scale.numerator) != nil else { return nil }
    }
    return Int32(exactly: scale.numerator)
  }
}
