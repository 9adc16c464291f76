/// A stretch of time in which a value goes from one to another.
public struct Ramp<Value: Interpolatable>: Hashable, Sendable {
  /// When it goes; empty where the value is set at a time.
  public let range: Range<Rational>
  /// The value at the start.
  public let from: Value
  /// The value at the end, and after it.
  public let to: Value
  /// How it goes.
  public let curve: KeyframeCurve

  /// Creates a ramp.
  public init(over range: Range<Rational>, from: Value, to: Value, curve: KeyframeCurve = .linear) {
    self.range = range
    self.from = from
    self.to = to
    self.curve = curve
  }

  /// The value at `time`: before the ramp that of its start, after it that of its end.
  public func value(at time: Rational) -> Value {
    guard time < range.upperBound else { return to }
    guard time > range.lowerBound else { return from }
    var progress = (time - range.lowerBound) / range.duration
    if !progress.isValid {
      let start = range.lowerBound.coarse
      progress = (time.coarse - start) / (range.upperBound.coarse - start)
    }
    return from.interpolated(to: to, weight: curve.weight(at: progress))
  }
}

/// A value over time: set at times, and led by ramps.
///
///     1.0 ┤───┐             ╭─────────     before the first: the initial value
///     0.8 ┤   └────────┐  ╱                between: what was last
///     0.2 ┤            └╱                  after a ramp: its end's value
///         └───┬────────┬────┬─────────
///             set      ramp
///
/// Ramps of one value never overlap. Values are exact; see ``KeyframeCurve/weight(at:)``.
public struct Animation<Value: Interpolatable>: Hashable, Sendable {
  /// The value before anything else says one.
  public let initial: Value
  /// All ramps in order of time; a set value is one of an empty range.
  public private(set) var ramps: [Ramp<Value>] = []

  /// Creates a value that is always the same.
  public init(_ initial: Value) { self.initial = initial }

  /// Whether it is the same at all times.
  public var isConstant: Bool { ramps.allSatisfy { $0.from == initial && $0.to == initial } }

  /// Whether it is the same at all times of `range`.
  public func isConstant(over range: Range<Rational>) -> Bool {
    let value = value(at: range.lowerBound)
    return ramps.allSatisfy { ramp in
      if ramp.range.lowerBound >= range.upperBound { return true }
      if ramp.range.upperBound <= range.lowerBound { return true }
      return ramp.from == value && ramp.to == value
    }
  }

  /// Sets the value from `time` until the next set value or ramp.
  ///
  /// A value set at the same time before is replaced. Throws ``RampError/overlap(_:with:)`` where a
  /// ramp goes on at that time.
  public mutating func set(_ value: Value, at time: Rational) throws(RampError) {
    guard time.isValid else { throw .invalidTime(time..<time) }
    try insert(Ramp(over: time..<time, from: value, to: value))
  }

  /// Leads the value over a range.
  ///
  /// A value set at the range's start is replaced. Throws ``RampError/overlap(_:with:)`` where
  /// another ramp, or a set value, lies in it, and ``RampError/invalidTime(_:)``.
  public mutating func ramp(
    from: Value, to: Value, over range: Range<Rational>, curve: KeyframeCurve = .linear
  ) throws(RampError) {
    guard range.isNumeric, !range.isEmpty else { throw .invalidTime(range) }
    try insert(Ramp(over: range, from: from, to: to, curve: curve))
  }

  private mutating func insert(_ ramp: Ramp<Value>) throws(RampError) {
    let start = ramp.range.lowerBound
    let place = firstIndex(startingAfter: start)
    var replaced = place..<place
    if place > 0 {
      let before = ramps[place - 1].range
      if before.isEmpty && before.lowerBound == start {
        replaced = (place - 1)..<place
      } else if before.upperBound > start {
        throw .overlap(ramp.range, with: before)
      }
    }
    if place < ramps.count, ramps[place].range.lowerBound < ramp.range.upperBound {
      throw .overlap(ramp.range, with: ramps[place].range)
    }
    ramps.replaceSubrange(replaced, with: [ramp])
  }

  /// The value at `time`.
  public func value(at time: Rational) -> Value {
    let index = firstIndex(startingAfter: time)
    return index == 0 ? initial : ramps[index - 1].value(at: time)
  }

  /// The ramp or the set value that `time` lies in, else the first one after it.
  ///
  /// A set value lasts until the next one; the last one, without end. `nil` after the last ramp.
  public func ramp(at time: Rational) -> Ramp<Value>? {
    let index = firstIndex(startingAfter: time)
    if index > 0, ramps[index - 1].range.isEmpty || ramps[index - 1].range.contains(time) {
      return ramps[index - 1]
    }
    return index < ramps.count ? ramps[index] : nil
  }

  private func firstIndex(startingAfter time: Rational) -> Int {
    var (low, high) = (0, ramps.count)
    while low < high {
      let middle = (low + high) / 2
      if ramps[middle].range.lowerBound > time { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Animation {
  /// Creates the value that keyframes of a document lead, at the timeline's `rate`.
  ///
  /// Before the first key and after the last one the value holds. Throws
  /// ``RampError/invalidTime(_:)`` unless there is a key, and each key is later than the one before.
  public init(_ animated: Animated<Value>, at rate: FrameRate) throws(RampError) {
    if let value = animated.fixed {
      self.init(value)
      return
    }
    let keys = animated.keyframes
    guard let first = keys.first else { throw .invalidTime(0..<0) }
    self.init(first.value)
    var (time, value) = (first.at.seconds(at: rate), first.value)
    for key in keys.dropFirst() {
      let next = key.at.seconds(at: rate)
      guard time.isValid, next.isValid, time < next else {
        throw .invalidTime(time..<max(time, next))
      }
      try ramp(from: value, to: key.value, over: time..<next, curve: key.curve)
      (time, value) = (next, key.value)
    }
  }
}

/// Why a value was not set, or a ramp refused; nothing is changed then.
public enum RampError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another ramp of the same value goes on at that time.
  case overlap(Range<Rational>, with: Range<Rational>)
  /// A time that is no number, or a range without length.
  case invalidTime(Range<Rational>)
  /// A value outside its bounds.
  case value(String)

  /// The stable code.
  public var code: DiagnosticCode {
    switch self {
    case .overlap: .rampOverlap
    case .invalidTime: .timeInvalid
    case .value: .rampValue
    }
  }

  /// One sentence with the actual and the allowed values.
  public var description: String {
    switch self {
    case .overlap(let range, let other):
      "a ramp from \(range.text) overlaps the one from \(other.text)"
    case .invalidTime(let range): "a ramp from \(range.text) has no length"
    case .value(let text): text
    }
  }
}
