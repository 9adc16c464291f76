/// How one track is drawn while an instruction lasts.
///
/// In this order: crop, transform, opacity, and then over the layers below. Times are those of the
/// composition.
public struct LayerInstruction: Hashable, Sendable {
  /// The track.
  public var track: TrackID
  /// From 0, invisible, to 1.
  public private(set) var opacity = Animation(Rational.one)
  /// How the picture lies on the canvas.
  public private(set) var transform: Animation<PictureTransform>
  /// What is cut off before.
  public private(set) var crop = Animation(PictureSettings.Crop.none)

  /// Creates an instruction that draws a track as it is.
  public init(track: TrackID, transform: PictureTransform = .identity) {
    self.track = track
    self.transform = Animation(transform)
  }

  /// Sets the opacity from `time` on; 0 to 1.
  public mutating func setOpacity(_ value: Rational, at time: Rational) throws(RampError) {
    try Self.check(value)
    try opacity.set(value, at: time)
  }

  /// Leads the opacity over a range; 0 to 1.
  public mutating func setOpacityRamp(
    from: Rational, to: Rational, over range: Range<Rational>, curve: KeyframeCurve = .linear
  ) throws(RampError) {
    try Self.check(from)
    try Self.check(to)
    try opacity.ramp(from: from, to: to, over: range, curve: curve)
  }

  /// Sets the transform from `time` on.
  public mutating func setTransform(
    _ value: PictureTransform, at time: Rational
  ) throws(RampError) {
    try Self.check(value)
    try transform.set(value, at: time)
  }

  /// Leads the transform over a range, each of its numbers by itself.
  public mutating func setTransformRamp(
    from: PictureTransform, to: PictureTransform, over range: Range<Rational>,
    curve: KeyframeCurve = .linear
  ) throws(RampError) {
    try Self.check(from)
    try Self.check(to)
    try transform.ramp(from: from, to: to, over: range, curve: curve)
  }

  /// Sets the crop from `time` on.
  public mutating func setCrop(_ value: PictureSettings.Crop, at time: Rational) throws(RampError) {
    try Self.check(value)
    try crop.set(value, at: time)
  }

  /// Leads the crop over a range, each edge by itself.
  public mutating func setCropRamp(
    from: PictureSettings.Crop, to: PictureSettings.Crop, over range: Range<Rational>,
    curve: KeyframeCurve = .linear
  ) throws(RampError) {
    try Self.check(from)
    try Self.check(to)
    try crop.ramp(from: from, to: to, over: range, curve: curve)
  }

  /// The layer as it is drawn at `time`.
  public func state(at time: Rational) -> LayerState {
    LayerState(
      track: track, opacity: opacity.value(at: time), transform: transform.value(at: time),
      crop: crop.value(at: time))
  }

  /// Whether anything changes within `range`.
  public func changes(within range: Range<Rational>) -> Bool {
    !opacity.isConstant(over: range) || !transform.isConstant(over: range)
      || !crop.isConstant(over: range)
  }

  private static func check(_ opacity: Rational) throws(RampError) {
    guard opacity.isValid, opacity >= .zero, opacity <= .one else {
      throw .value("an opacity is \(opacity.decimalText), but must be from 0 to 1")
    }
  }

  private static func check(_ transform: PictureTransform) throws(RampError) {
    guard transform.isValid else { throw .value("a transform has a part that is no number") }
  }

  private static func check(_ crop: PictureSettings.Crop) throws(RampError) {
    guard crop.isValid else {
      throw .value("a crop has an edge that is not a number of 0 or more")
    }
  }
}

/// A layer at one time.
public struct LayerState: Hashable, Sendable {
  /// The track.
  public var track: TrackID
  /// From 0, invisible, to 1.
  public var opacity: Rational
  /// How the picture lies on the canvas.
  public var transform: PictureTransform
  /// What is cut off before.
  public var crop: PictureSettings.Crop
}
