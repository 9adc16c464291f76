import CutroomModel

/// A value that keyframes lead, in samples: exact at every sample, not in steps.
struct Automation: Hashable {
  /// The way from one key to the next.
  private struct Ramp: Hashable {
    /// The whole part and the fraction of its start, in samples.
    var start: Int64
    var fraction: Double
    /// The first sample at or after its end.
    var end: Int64
    /// Samples from its start to its end.
    var length: Double
    var from: Double
    var to: Double
    var curve: KeyframeCurve
  }

  private var ramps: [Ramp] = []
  private let initial: Double

  /// The value of keys at ascending positions, in samples; before and after them it holds.
  init(_ keys: [(position: Rational, value: Double, curve: KeyframeCurve)]) {
    initial = keys.first?.value ?? 0
    for (before, key) in zip(keys, keys.dropFirst()) {
      let start = before.position.floor
      ramps.append(
        Ramp(
          start: Int64(clamping: start),
          fraction: (before.position - Rational(start)).doubleValue,
          end: Int64(clamping: key.position.ceiling),
          length: Self.distance(before.position, key.position), from: before.value,
          to: key.value, curve: key.curve))
    }
  }

  private static func distance(_ start: Rational, _ end: Rational) -> Double {
    let exact = end - start
    return exact.isValid ? exact.doubleValue : end.doubleValue - start.doubleValue
  }

  /// The value at a sample.
  func value(at sample: Int64) -> Double {
    var values = [Float](repeating: 0, count: 1)
    fill(&values, from: sample)
    return Double(values[0])
  }

  /// The value where it is the same for all of [from, to).
  func constant(_ from: Int64, _ to: Int64) -> Double? {
    let index = firstRamp(endingAfter: from)
    guard index < ramps.count else { return ramps.last?.to ?? initial }
    let ramp = ramps[index]
    if ramp.start >= to { return ramp.from }
    return ramp.from == ramp.to && ramp.end >= to ? ramp.from : nil
  }

  /// Writes the values of the samples from `from` on.
  func fill(_ values: inout [Float], from: Int64) {
    let end = from + Int64(values.count)
    var position = from
    var index = firstRamp(endingAfter: from)
    while position < end {
      guard index < ramps.count else {
        return hold(&values, Int(position - from)..<values.count, ramps.last?.to ?? initial)
      }
      let ramp = ramps[index]
      let begin = min(max(ramp.start, position), end)
      hold(&values, Int(position - from)..<Int(begin - from), ramp.from)
      let stop = min(max(ramp.end, begin), end)
      follow(ramp, &values, Int(begin - from)..<Int(stop - from), at: begin)
      position = stop
      index += 1
    }
  }

  private func hold(_ values: inout [Float], _ range: Range<Int>, _ value: Double) {
    for index in range { values[index] = Float(value) }
  }

  private func follow(
    _ ramp: Ramp, _ values: inout [Float], _ range: Range<Int>, at position: Int64
  ) {
    guard !range.isEmpty else { return }
    guard ramp.length > 0 else { return hold(&values, range, ramp.to) }
    let (one, two, three) = ramp.curve.coefficients
    let step = 1 / ramp.length
    let first = (Double(position - ramp.start) - ramp.fraction) * step
    let way = ramp.to - ramp.from
    for index in 0..<range.count {
      let progress = first + Double(index) * step
      let bounded = progress < 0 ? 0 : progress > 1 ? 1 : progress
      let weight = bounded * (one + bounded * (two + bounded * three))
      values[range.lowerBound + index] = Float(ramp.from + way * weight)
    }
  }

  private func firstRamp(endingAfter sample: Int64) -> Int {
    var (low, high) = (0, ramps.count)
    while low < high {
      let middle = (low + high) / 2
      if ramps[middle].end <= sample { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension KeyframeCurve {
  /// The factors of p, p² and p³ in the weight at progress p.
  fileprivate var coefficients: (Double, Double, Double) {
    switch self {
    case .hold: (0, 0, 0)
    case .linear: (1, 0, 0)
    case .easeIn: (0, 1, 0)
    case .easeOut: (2, -1, 0)
    case .easeInOut: (0, 3, -2)
    }
  }
}

extension Automation {
  /// The automation of a setting with keyframes; `nil` for one that does not change.
  init?<Value>(
    _ setting: Animated<Value>, position: (Rational) -> Rational, value: (Value) -> Double
  ) {
    guard case .keyframes(let keys) = setting, !keys.isEmpty else { return nil }
    self.init(
      keys.map { key in
        let seconds = if case .seconds(let time) = key.at { time } else { Rational.zero }
        return (position(seconds), value(key.value), key.curve)
      })
  }
}
