import CutroomModel

/// Whether frames last equally long, and how long.
struct FrameGrid {
  /// The exact average of frames per second.
  var average: Rational?
  /// The rate of the frames, exact where it is constant.
  var rate: FrameRate?
  var isVariable = false
  /// Whether timestamps lie on the grid only within a tick.
  var isRounded = false

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
        (rate, isRounded) = (fit.rate, true)
      }
      average = rate?.framesPerSecond
      return
    }
    if let fit = Self.fit(times, tick, stated, measured) {
      (rate, isRounded) = (fit.rate, fit.error > .zero)
      average = stated ?? fit.rate.framesPerSecond
      return
    }
    isVariable = true
    if stated == nil || !Self.isNear(stated ?? .zero, measured) { average = measured }
    rate = average.map { Resolver.nearestUsualRate(to: $0) }
  }

  private static func isNear(_ a: Rational, _ b: Rational) -> Bool {
    (a - b).magnitude * 4 < b
  }

  /// The usual or stated rate whose frames all start within a tick of `times`.
  private static func fit(
    _ times: [Int64], _ tick: Rational, _ stated: Rational?, _ measured: Rational
  ) -> (rate: FrameRate, error: Rational)? {
    var best: (rate: FrameRate, error: Rational)?
    let candidates = (stated.flatMap { FrameRate($0) }.map { [$0] } ?? []) + Resolver.usualRates
    for rate in candidates where isNear(rate.framesPerSecond, measured) {
      let step = rate.frameDuration / tick
      // A frame of few ticks fits any rate.
      guard step >= 6 || (step == .one && rate.framesPerSecond == stated) else { continue }
      guard let error = Self.error(of: step, times) else { continue }
      if best.map({ error < $0.error }) ?? true { best = (rate, error) }
    }
    return best
  }

  /// The largest distance of `times` from multiples of `step`; `nil` where it is over a tick, or
  /// where more than one frame in ten is missing.
  private static func error(of step: Rational, _ times: [Int64]) -> Rational? {
    var worst = Rational.zero
    var frame = Int128(-1)
    for time in times {
      let offset = Rational(time) - Rational(times[0])
      let nearest = (offset / step).rounded
      worst = max(worst, (offset - Rational(nearest) * step).magnitude)
      guard worst <= .one, nearest > frame else { return nil }
      frame = nearest
    }
    return Int128(times.count) * 10 >= (frame + 1) * 9 ? worst : nil
  }
}
