/// How a value goes from one end of a ramp to the other.
///
///     1 ┤      ┌   1 ┤    ╱   1 ┤    ╱   1 ┤  ╭──   1 ┤   ╭─
///       │      │     │  ╱       │   ╱      │ ╱        │  ╱
///     0 ┼──────┘   0 ┼╱       0 ┼──╯     0 ┼╱       0 ┼─╯
///         hold       linear     easeIn     easeOut    easeInOut
///         0          p          p²         2p − p²    3p² − 2p³
extension KeyframeCurve {
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

extension PictureSettings.Point: Interpolatable {
  /// Each coordinate at `weight` of the way.
  public func interpolated(
    to end: PictureSettings.Point, weight: Rational
  ) -> PictureSettings.Point {
    PictureSettings.Point(
      x: x.interpolated(to: end.x, weight: weight), y: y.interpolated(to: end.y, weight: weight))
  }
}

extension PictureSettings.Crop: Interpolatable {
  /// Whether all are numbers of 0 or more.
  public var isValid: Bool {
    [left, top, right, bottom].allSatisfy { $0.isValid && $0 >= .zero }
  }

  /// Each edge at `weight` of the way.
  public func interpolated(
    to end: PictureSettings.Crop, weight: Rational
  ) -> PictureSettings.Crop {
    PictureSettings.Crop(
      left: left.interpolated(to: end.left, weight: weight),
      top: top.interpolated(to: end.top, weight: weight),
      right: right.interpolated(to: end.right, weight: weight),
      bottom: bottom.interpolated(to: end.bottom, weight: weight))
  }
}
