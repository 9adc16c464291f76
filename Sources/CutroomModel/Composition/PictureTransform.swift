/// An affine map of a picture onto the canvas, exact: x right, y down.
///
///     x' = a·x + c·y + tx
///     y' = b·x + d·y + ty
public struct PictureTransform: Hashable, Sendable {
  /// How far x' goes with x.
  public var a: Rational
  /// How far y' goes with x.
  public var b: Rational
  /// How far x' goes with y.
  public var c: Rational
  /// How far y' goes with y.
  public var d: Rational
  /// How far all moves to the right.
  public var tx: Rational
  /// How far all moves down.
  public var ty: Rational

  /// Creates a map from its six numbers.
  public init(a: Rational, b: Rational, c: Rational, d: Rational, tx: Rational, ty: Rational) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// Whether all six are numbers.
  public var isValid: Bool { [a, b, c, d, tx, ty].allSatisfy(\.isValid) }

  /// Leaves everything where it is.
  public static let identity = PictureTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// Moves by (x, y).
  public static func translation(x: Rational, y: Rational) -> PictureTransform {
    PictureTransform(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
  }

  /// Stretches about the origin.
  public static func scale(x: Rational, y: Rational) -> PictureTransform {
    PictureTransform(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
  }

  /// Turns clockwise about the origin by quarters of a turn, which are exact.
  public static func quarterTurns(_ count: Int) -> PictureTransform {
    switch count & 3 {
    case 1: PictureTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
    case 2: PictureTransform(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
    case 3: PictureTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 0)
    default: .identity
    }
  }

  /// First this map, then `next`.
  public func followed(by next: PictureTransform) -> PictureTransform {
    PictureTransform(
      a: next.a * a + next.c * b, b: next.b * a + next.d * b, c: next.a * c + next.c * d,
      d: next.b * c + next.d * d, tx: next.a * tx + next.c * ty + next.tx,
      ty: next.b * tx + next.d * ty + next.ty)
  }

  /// Where a point goes.
  public func apply(x: Rational, y: Rational) -> (x: Rational, y: Rational) {
    (a * x + c * y + tx, b * x + d * y + ty)
  }
}
