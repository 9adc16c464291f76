/// A setting that is the same all the time, or changes by keyframes.
public enum Animated<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The same all the time.
  case constant(Value)
  /// Values at times, at least one; before the first and after the last the value holds.
  ///
  /// A clip's keyframes count from its start on the timeline, a track's from the timeline's start.
  case keyframes([Keyframe<Value>])

  /// The value of a setting that does not change.
  public var fixed: Value? { if case .constant(let value) = self { value } else { nil } }

  /// The keyframes of a setting that changes; empty for one that does not.
  public var keyframes: [Keyframe<Value>] {
    if case .keyframes(let keys) = self { keys } else { [] }
  }
}

extension Animated: ExpressibleByIntegerLiteral where Value == Rational {
  /// A whole number that does not change.
  public init(integerLiteral value: Int) { self = .constant(Rational(value)) }
}

/// A value at a time.
public struct Keyframe<Value: Hashable & Sendable>: Hashable, Sendable {
  /// When it is reached.
  public var at: TimeExpression
  /// What is reached.
  public var value: Value
  /// The way to it from the key before.
  public var curve: KeyframeCurve

  /// Creates a key.
  public init(at: TimeExpression, value: Value, curve: KeyframeCurve = .linear) {
    self.at = at
    self.value = value
    self.curve = curve
  }
}

/// The way from one keyframe to the next one, which names it.
public enum KeyframeCurve: String, Hashable, Sendable, CaseIterable {
  /// The value before holds until the key is reached.
  case hold
  /// Evenly.
  case linear
  /// Slowly at first.
  case easeIn
  /// Slowly at last.
  case easeOut
  /// Slowly at both ends.
  case easeInOut
}
