import CutroomMedia
import CutroomModel

extension Resolver {
  /// A setting with the times of its keyframes in seconds, and in order.
  mutating func timed<Value>(
    _ setting: Animated<Value>, at pointer: String
  ) -> Animated<Value> {
    guard case .keyframes(var keys) = setting else { return setting }
    var last: Rational?
    for index in keys.indices {
      let place = "\(pointer)/keyframes/\(index)/at"
      guard let time = length(keys[index].at, at: place) else { continue }
      if let last, time <= last {
        findings.add(
          .time, .error, .timeKeyframeOrder,
          "the keyframe is at \(time.inSeconds), but the one before it at \(last.inSeconds); "
            + "keyframes stand in the order of time", at: place)
      }
      last = time
      keys[index].at = .seconds(time)
    }
    return .keyframes(keys)
  }

  /// Checks every value that a setting has.
  private mutating func checkValues<Value>(
    _ setting: Animated<Value>, at pointer: String, _ problem: (Value) -> String?
  ) {
    if let value = setting.fixed {
      if let problem = problem(value) {
        findings.add(.time, .error, .shapeValue, problem, at: pointer)
      }
      return
    }
    for (index, key) in setting.keyframes.enumerated() {
      guard let problem = problem(key.value) else { continue }
      findings.add(
        .time, .error, .shapeValue, problem, at: "\(pointer)/keyframes/\(index)/value")
    }
  }

  /// Checks the bounds of an opacity.
  mutating func checkOpacity(_ opacity: Animated<Rational>, at pointer: String) {
    checkValues(opacity, at: pointer) { opacity in
      opacity < .zero || opacity > .one
        ? "the opacity is \(JSONValue.decimal(opacity.doubleValue).encoded()), but must be 0 to 1"
        : nil
    }
  }

  /// Stands in for the size of a picture that has none of its own.
  private static let trialSize = PixelSize(width: 1920, height: 1080)

  /// Checks a clip's picture settings, and whether they have an effect; the result has the times of
  /// keyframes in seconds.
  mutating func checkPicture(
    _ clip: Clip, _ kind: DocumentTrack.Kind, _ source: ResolvedSource, _ pointer: String
  ) -> PictureSettings {
    guard var picture = clip.picture else { return PictureSettings() }
    if picture == PictureSettings() { return picture }
    let place = pointer + "/video"
    checkOpacity(picture.opacity, at: place + "/opacity")
    checkValues(picture.scale, at: place + "/scale") { scale in
      scale <= .zero || scale > 1000
        ? "the scale is \(JSONValue.decimal(scale.doubleValue).encoded()), but must be more "
          + "than 0 and at most 1000" : nil
    }
    if let position = picture.position {
      checkValues(position, at: place + "/position") { position in
        let bound = Rational(1_000_000)
        return position.x.magnitude > bound || position.y.magnitude > bound
          ? "the position lies more than 1000000 pixels from the canvas" : nil
      }
    }
    // What is left after filters is known when they are drawn.
    if let size = source.size, picture.filters.isEmpty {
      checkValues(picture.crop, at: place + "/crop") { crop in
        crop.left + crop.right >= Rational(size.width)
          || crop.top + crop.bottom >= Rational(size.height)
          ? "the crop leaves nothing of \(size.width)×\(size.height) pixels" : nil
      }
    }
    let input = FilterTrial.Input.picture(
      source.size ?? Self.trialSize, format: source.pixelFormat ?? "yuv420p",
      isOpaque: source.isOpaque)
    picture.filters = checkFilters(picture.filters, input, at: place + "/filters")
    if picture.deinterlace ?? .never != .never, !isMovingFile(source) {
      findings.add(
        .media, .warning, .shapeNoEffect,
        "'deinterlace' has no effect: '\(source.id)' is no file of moving pictures",
        at: place + "/deinterlace")
    }
    let isWithoutPicture = kind == .audio || (source.picture == nil && !source.isFailed)
    if isWithoutPicture {
      findings.add(
        .media, .warning, .shapeNoEffect,
        kind == .audio
          ? "picture settings have no effect on an audio track"
          : "picture settings have no effect: '\(source.id)' has no picture", at: place)
    }
    picture.position = picture.position.map { timed($0, at: place + "/position") }
    picture.scale = timed(picture.scale, at: place + "/scale")
    picture.rotation = timed(picture.rotation, at: place + "/rotation")
    picture.opacity = timed(picture.opacity, at: place + "/opacity")
    picture.crop = timed(picture.crop, at: place + "/crop")
    return picture
  }

  private func isMovingFile(_ source: ResolvedSource) -> Bool {
    guard case .file = contents[source.index] else { return false }
    return source.isFailed || source.picture.map { !$0.isConstant } ?? true
  }

  /// Checks a clip's sound settings, and gives `placed` what they resolve to.
  mutating func checkSound(
    _ clip: Clip, _ kind: DocumentTrack.Kind, _ placed: inout PlacedClip
  ) {
    guard let sound = clip.sound else { return }
    let pointer = placed.pointer + "/audio"
    let source = sources[placed.source]
    let isSilent = kind == .video || kind == .subtitle || (source.sound == nil && !source.isFailed)
    if isSilent {
      if sound != SoundSettings() {
        findings.add(
          .media, .warning, .shapeNoEffect,
          kind != .audio && kind != .av
            ? "sound settings have no effect on a \(kind) track"
            : "sound settings have no effect: '\(source.id)' has no sound", at: pointer)
      }
      return
    }
    var resolved = ResolvedSound(gain: timed(sound.gain, at: pointer + "/gain"))
    resolved.pan = timed(sound.pan, at: pointer + "/pan")
    checkValues(sound.pan, at: pointer + "/pan") { pan in
      pan.magnitude > .one
        ? "the pan is \(JSONValue.decimal(pan.doubleValue).encoded()), but must be -1 to 1" : nil
    }
    (resolved.curve, resolved.pitch) = (sound.curve, clip.pitch)
    resolved.channels = sound.channels
    let input = FilterTrial.Input.sound(sampleRate: sampleRate, channelLayout: channelLayout)
    resolved.filters = checkFilters(sound.filters, input, at: pointer + "/filters")
    checkPanning(sound, at: pointer + "/pan")
    checkChannels(sound.channels, of: source, at: pointer + "/channels")
    if let expression = sound.fadeIn {
      resolved.fadeIn = length(expression, at: pointer + "/fadeIn") ?? .zero
    }
    if let expression = sound.fadeOut {
      resolved.fadeOut = length(expression, at: pointer + "/fadeOut") ?? .zero
    }
    placed.sound = resolved
    let fades = resolved.fadeIn + resolved.fadeOut
    guard fades > placed.duration else { return }
    let key = resolved.fadeIn > placed.duration || sound.fadeOut == nil ? "/fadeIn" : "/fadeOut"
    findings.add(
      .time, .error, .fadeTooLong,
      (sound.fadeIn != nil && sound.fadeOut != nil
        ? "the fades last \(fades.inSeconds) together" : "the fade lasts \(fades.inSeconds)")
        + ", but the clip only \(placed.duration.inSeconds)",
      at: pointer + key)
  }
}
