import CutroomModel

/// A clip's picture settings over the time of the clip.
struct PictureAnimation {
  private let settings: PictureSettings
  private let position: Animation<PictureSettings.Point>?
  private let scale: Animation<Rational>
  private let rotation: Animation<Rational>
  private let opacity: Animation<Rational>
  private let crop: Animation<PictureSettings.Crop>
  /// How the place changes.
  let motion: Placement.Motion

  /// Reads the keyframes of `settings`; times in frames count at `rate`.
  init(_ settings: PictureSettings, at rate: FrameRate) throws(RampError) {
    self.settings = settings
    position = if let keys = settings.position { try Animation(keys, at: rate) } else { nil }
    scale = try Animation(settings.scale, at: rate)
    rotation = try Animation(settings.rotation, at: rate)
    opacity = try Animation(settings.opacity, at: rate)
    crop = try Animation(settings.crop, at: rate)
    let isResizing = !scale.isConstant || !crop.isConstant
    motion = Placement.Motion(
      isMoving: isResizing || !rotation.isConstant || !(position?.isConstant ?? true),
      isResizing: isResizing)
  }

  /// The settings at a time of the clip: each is fixed.
  func settings(at time: Rational) -> PictureSettings {
    var fixed = settings
    fixed.position = position.map { .constant($0.value(at: time)) }
    fixed.scale = .constant(scale.value(at: time))
    fixed.rotation = .constant(rotation.value(at: time))
    fixed.opacity = .constant(opacity.value(at: time))
    fixed.crop = .constant(crop.value(at: time))
    return fixed
  }
}

extension TimelineSegment {
  /// The time of the clip that is shown at timeline time `time`.
  func clipTime(at time: Rational) -> Rational {
    clipRange.lowerBound + (time - start) * (clipRange.duration / duration)
  }
}

extension PictureSettings {
  /// What is wrong with a fixed crop of a picture of that size; most are found before, but not those
  /// of lettering, and of streams that become smaller.
  func cropProblem(of size: PixelSize) -> String? {
    guard let crop = crop.fixed, crop != .none,
      crop.left + crop.right >= Rational(size.width)
        || crop.top + crop.bottom >= Rational(size.height)
    else { return nil }
    return "the crop leaves nothing of \(size.width)×\(size.height) pixels"
  }
}
