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

  /// Examines ascending presentation or decoding `times` in ticks of `tick` seconds.
  ///
  /// - Parameter stated: The rate that the container states.
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
      if let fit = Self.fit(times, tick, stated, measured), fit != rate, delta < 200 {
        (rate, isRounded) = (fit, true)
      }
      average = rate?.framesPerSecond
      return
    }
    if let fit = Self.fit(times, tick, stated, measured) {
      (rate, isRounded) = (fit, true)
      average = stated ?? fit.framesPerSecond
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
  ) -> FrameRate? {
    var best: (rate: FrameRate, error: Rational)?
    let candidates = (stated.flatMap { FrameRate($0) }.map { [$0] } ?? []) + Resolver.usualRates
    for rate in candidates where isNear(rate.framesPerSecond, measured) {
      let step = rate.frameDuration / tick
      // A frame of few ticks fits any rate.
      guard step >= 4 else { continue }
      var worst = Rational.zero
      for (index, time) in times.enumerated() {
        let error = (Rational(time) - Rational(times[0]) - Rational(index) * step).magnitude
        worst = max(worst, error)
        if worst > .one { break }
      }
      guard worst <= .one else { continue }
      if best.map({ worst < $0.error }) ?? true { best = (rate, worst) }
    }
    return best?.rate
  }
}
