import CutroomModel

/// Whether frames last equally long, and how long.
struct FrameGrid {
  /// The exact average of frames per second.
  var average: Rational?
  /// The rate of the frames, exact where it is constant.
  var rate: FrameRate?
  var isVariable = false
  /// Whether timestamps lie on the grid only within what they were rounded to.
  var isRounded = false
  /// The ticks from one possible timestamp to the next: 1, or a millisecond where times were rounded
  /// to those first.
  var grain = Rational.one
  /// How far the timestamps lie from the grid, in grains.
  var offsets: ClosedRange<Rational> = .zero ... .zero

  /// Examines ascending presentation or decoding `times` in ticks of `tick` seconds; `stated` is
  /// the rate that the container states.
  init(times: [Int64], tick: Rational, stated: Rational?) {
    average = stated
    guard times.count > 1, let first = times.first, let last = times.last, last > first else {
      rate = stated.flatMap { FrameRate($0) }
      return
    }
    let span = Rational(last) - Rational(first)
    let measured = Rational(times.count - 1) / (span * tick)
    // Ascending times of a broken file may lie further apart than a number can say.
    let delta = times[1] &- times[0]
    let isConstant = zip(times, times.dropFirst()).allSatisfy { $1 &- $0 == delta }
    if isConstant {
      rate = FrameRate(Rational(1) / (Rational(delta) * tick))
      // Ticks too coarse for the rate give equal steps in a short run, and a wrong rate.
      if delta < 200, let fit = Self.fit(times, tick, stated, measured), fit.rate != rate {
        take(fit, isRounded: true)
      }
      average = rate?.framesPerSecond
      return
    }
    if let fit = Self.fit(times, tick, stated, measured) {
      take(fit, isRounded: fit.error > .zero)
      average = stated ?? fit.rate.framesPerSecond
      return
    }
    isVariable = true
    if stated == nil || !Self.isNear(stated ?? .zero, measured) { average = measured }
    rate = average.map { Resolver.nearestUsualRate(to: $0) }
  }

  private mutating func take(_ fit: Fit, isRounded: Bool) {
    (rate, grain, offsets) = (fit.rate, fit.grain, fit.offsets)
    self.isRounded = isRounded
  }

  private static func isNear(_ a: Rational, _ b: Rational) -> Bool {
    (a - b).magnitude * 4 < b
  }

  /// The usual or stated rate whose frames all start within a tick of `times`, or within a
  /// millisecond where all of them are whole milliseconds apart.
  private static func fit(
    _ times: [Int64], _ tick: Rational, _ stated: Rational?, _ measured: Rational
  ) -> Fit? {
    if let fit = fit(times, .one, tick, stated, measured) { return fit }
    let millisecond = Rational(1, 1000) / tick
    guard millisecond > .one,
      times.allSatisfy({ time in
        let offset = Rational(time) - Rational(times[0])
        let nearest = Rational((offset / millisecond).rounded) * millisecond
        return (offset - nearest).magnitude <= .one
      })
    else { return nil }
    return fit(times, millisecond, tick, stated, measured)
  }

  /// As above, for timestamps that lie `grain` ticks apart.
  ///
  /// A stated average that is no usual rate counts only where it is exact, or where none else fits:
  /// 2700000/90089 is what a file says whose frames of 30000/1001 do not all last 3003 ticks.
  private static func fit(
    _ times: [Int64], _ grain: Rational, _ tick: Rational, _ stated: Rational?,
    _ measured: Rational
  ) -> Fit? {
    var best: Fit?
    let candidates = (stated.flatMap { FrameRate($0) }.map { [$0] } ?? []) + Resolver.usualRates
    for rate in candidates where isNear(rate.framesPerSecond, measured) {
      let step = rate.frameDuration / tick / grain
      // A frame of few grains fits any rate.
      guard step >= 6 || (step == .one && rate.framesPerSecond == stated) else { continue }
      guard let offsets = Self.offsets(of: step, times, grain) else { continue }
      let fit = Fit(
        rate: rate, grain: grain, offsets: offsets, isUsual: Resolver.usualRates.contains(rate))
      if best.map({ fit.isBetter(than: $0) }) ?? true { best = fit }
    }
    return best
  }

  /// A rate, and how far timestamps lie from it in grains.
  private struct Fit {
    var rate: FrameRate
    var grain: Rational
    var offsets: ClosedRange<Rational>
    var isUsual: Bool
    var error: Rational { max(offsets.lowerBound.magnitude, offsets.upperBound.magnitude) }

    func isBetter(than other: Fit) -> Bool {
      let (trusted, rival) = (isUsual || error == .zero, other.isUsual || other.error == .zero)
      return trusted == rival ? error < other.error : trusted
    }
  }

  /// The least and the largest distance of `times` from multiples of `step`, all in grains; `nil`
  /// where one is over a grain, or where more than one frame in ten is missing.
  private static func offsets(
    of step: Rational, _ times: [Int64], _ grain: Rational
  ) -> ClosedRange<Rational>? {
    var (least, most) = (Rational.zero, Rational.zero)
    var frame = Int128(-1)
    for time in times {
      let offset = (Rational(time) - Rational(times[0])) / grain
      let nearest = (offset / step).rounded
      let distance = offset - Rational(nearest) * step
      (least, most) = (min(least, distance), max(most, distance))
      guard distance.magnitude <= .one, nearest > frame else { return nil }
      frame = nearest
    }
    return Int128(times.count) * 10 >= (frame + 1) * 9 ? least...most : nil
  }
}
