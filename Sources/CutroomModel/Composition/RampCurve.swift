/// How a value goes from one end of a ramp to the other.
///
///     1 ┤      ┌   1 ┤    ╱   1 ┤    ╱   1 ┤  ╭──   1 ┤   ╭─
///       │      │     │  ╱       │   ╱      │ ╱        │  ╱
///     0 ┼──────┘   0 ┼╱       0 ┼──╯     0 ┼╱       0 ┼─╯
///         hold       linear     easeIn     easeOut    easeInOut
public enum RampCurve: String, Hashable, Sendable, CaseIterable {
  /// Stays at the start's value and jumps at the end.
  case hold
  /// In step with time.
  case linear
  /// Starts slowly: p².
  case easeIn
  /// Ends slowly: 2p − p².
  case easeOut
  /// Starts and ends slowly: 3p² − 2p³.
  case easeInOut

  /// The weight of the end's value at `progress` of the way, both from 0 to 1.
  ///
  /// Exact where 128 bits hold it. Where they do not, progress is taken at 2⁻³⁰, rounded down; so
  /// the weight is always a number.
  public func weight(at progress: Rational) -> Rational {
    guard progress.isValid, progress > .zero else { return .zero }
    guard progress < .one else { return .one }
    let exact = polynomial(progress)
    return exact.isValid ? exact : polynomial(progress.coarse)
  }

  private func polynomial(_ p: Rational) -> Rational {
    switch self {
    case .hold: .zero
    case .linear: p
    case .easeIn: p * p
    case .easeOut: (2 - p) * p
    case .easeInOut: p * p * (3 - 2 * p)
    }
  }
}

extension Rational {
  /// The value in units of 2⁻³⁰, rounded down; of a magnitude that fits 32 bits.
  var coarse: Rational {
    var (top, bottom) = (numerator, denominator)
    guard bottom != 0 else { return .zero }
    // Dividing both by two until the product fits costs less than the last of the thirty digits.
    while top.magnitude >= UInt128(1) << 94 {
      top >>= 1
      bottom >>= 1
    }
    guard bottom > 0 else { return .zero }
    return Rational((Rational(top, bottom) * Rational(Int64(1) << 30)).floor, Int64(1) << 30)
  }
}

/// A value that ramps can go through.
public protocol Interpolatable: Hashable, Sendable {
  /// The value at `weight` of the way to `end`, from 0 to 1.
  func interpolated(to end: Self, weight: Rational) -> Self
}

extension Rational: Interpolatable {
  /// The value at `weight` of the way to `end`, exact where 128 bits hold it.
  public func interpolated(to end: Rational, weight: Rational) -> Rational {
    if weight == .zero || self == end { return self }
    if weight == .one { return end }
    let exact = self + (end - self) * weight
    return exact.isValid ? exact : self + (end - self) * weight.coarse
  }
}

extension PictureTransform: Interpolatable {
  /// Each of the six numbers at `weight` of the way.
  public func interpolated(to end: PictureTransform, weight: Rational) -> PictureTransform {
    PictureTransform(
      a: a.interpolated(to: end.a, weight: weight), b: b.interpolated(to: end.b, weight: weight),
      c: c.interpolated(to: end.c, weight: weight), d: d.interpolated(to: end.d, weight: weight),
      tx: tx.interpolated(to: end.tx, weight: weight),
      ty: ty.interpolated(to: end.ty, weight: weight))
  }
}

/// How much is cut off at each edge of a picture, in its display pixels.
public struct CropInsets: Interpolatable {
  /// From the left.
  public var left: Rational
  /// From the top.
  public var top: Rational
  /// From the right.
  public var right: Rational
  /// From the bottom.
  public var bottom: Rational

  /// Creates insets.
  public init(left: Rational = 0, top: Rational = 0, right: Rational = 0, bottom: Rational = 0) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  /// Nothing is cut off.
  public static let none = CropInsets()

  /// Whether all are numbers of 0 or more.
  public var isValid: Bool {
    [left, top, right, bottom].allSatisfy { $0.isValid && $0 >= .zero }
  }

  /// Each edge at `weight` of the way.
  public func interpolated(to end: CropInsets, weight: Rational) -> CropInsets {
    CropInsets(
      left: left.interpolated(to: end.left, weight: weight),
      top: top.interpolated(to: end.top, weight: weight),
      right: right.interpolated(to: end.right, weight: weight),
      bottom: bottom.interpolated(to: end.bottom, weight: weight))
  }
}
