import CutroomModel

extension Resolver {
  /// Checks the bounds of an opacity.
  mutating func checkOpacity(_ opacity: Animated<Rational>, at pointer: String) {
    guard let opacity = opacity.fixed, opacity < .zero || opacity > .one else { return }
    findings.add(
      .time, .error, .shapeValue,
      "the opacity is \(JSONValue.decimal(opacity.doubleValue).encoded()), but must be 0 to 1",
      at: pointer)
  }

  /// Checks a clip's picture settings, and whether they have an effect.
  mutating func checkPicture(
    _ clip: Clip, _ kind: DocumentTrack.Kind, _ source: ResolvedSource, _ pointer: String
  ) {
    guard let picture = clip.picture else { return }
    checkOpacity(picture.opacity, at: pointer + "/video/opacity")
    if let scale = picture.scale.fixed, scale <= .zero || scale > 1000 {
      findings.add(
        .time, .error, .shapeValue,
        "the scale is \(JSONValue.decimal(scale.doubleValue).encoded()), but must be more "
          + "than 0 and at most 1000", at: pointer + "/video/scale")
    }
    if let position = picture.position?.fixed {
      let bound = Rational(1_000_000)
      if position.x.magnitude > bound || position.y.magnitude > bound {
        findings.add(
          .time, .error, .shapeValue,
          "the position lies more than 1000000 pixels from the canvas",
          at: pointer + "/video/position")
      }
    }
    let isWithoutPicture = kind == .audio || (source.picture == nil && !source.isFailed)
    if isWithoutPicture, picture != PictureSettings() {
      findings.add(
        .media, .warning, .shapeNoEffect,
        kind == .audio
          ? "picture settings have no effect on an audio track"
          : "picture settings have no effect: '\(source.id)' has no picture",
        at: pointer + "/video")
    }
  }

  /// Checks a clip's sound settings, and gives `placed` the lengths of its fades.
  mutating func checkSound(
    _ clip: Clip, _ kind: DocumentTrack.Kind, _ placed: inout PlacedClip
  ) {
    guard let sound = clip.sound else { return }
    let pointer = placed.pointer + "/audio"
    let source = sources[placed.source]
    let isSilent = kind == .video || (source.sound == nil && !source.isFailed)
    if isSilent {
      if sound != SoundSettings() {
        findings.add(
          .media, .warning, .shapeNoEffect,
          kind == .video
            ? "sound settings have no effect on a video track"
            : "sound settings have no effect: '\(source.id)' has no sound", at: pointer)
      }
      return
    }
    if let expression = sound.fadeIn {
      placed.fadeIn = length(expression, at: pointer + "/fadeIn") ?? .zero
    }
    if let expression = sound.fadeOut {
      placed.fadeOut = length(expression, at: pointer + "/fadeOut") ?? .zero
    }
    let fades = placed.fadeIn + placed.fadeOut
    guard fades > placed.duration else { return }
    let key = placed.fadeIn > placed.duration || sound.fadeOut == nil ? "/fadeIn" : "/fadeOut"
    findings.add(
      .time, .error, .fadeTooLong,
      (sound.fadeIn != nil && sound.fadeOut != nil
        ? "the fades last \(fades.inSeconds) together" : "the fade lasts \(fades.inSeconds)")
        + ", but the clip only \(placed.duration.inSeconds)",
      at: pointer + key)
  }
}
