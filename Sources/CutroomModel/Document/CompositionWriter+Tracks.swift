extension CompositionWriter {
  static func track(_ track: DocumentTrack) -> JSONValue {
    var members = Members()
    members.add("id", track.id)
    members.add("kind", track.kind, unless: .av)
    members.add("name", track.name)
    members.add("language", track.language)
    if !track.isEnabled { members.add("enabled", .bool(false)) }
    if track.isDefault { members.add("default", .bool(true)) }
    if track.isForced { members.add("forced", .bool(true)) }
    members.add("gain", track.gain, unless: .unity) { $0.json }
    members.add("opacity", track.opacity, unless: 1) { .exact($0) }
    members.list.append(.init("clips", .array(track.items.map(item))))
    return .object(members.list)
  }

  private static func item(_ item: TrackItem) -> JSONValue {
    var members = Members()
    switch item {
    case .clip(let clip): return self.clip(clip)
    case .transition(let transition):
      members.add("transition", transition.name)
      members.add("duration", transition.duration)
      members.add("alignment", transition.alignment, unless: .center)
      if transition.isOverlapping { members.add("overlap", .bool(true)) }
      members.add("audio", transition.sound, unless: .equalPower)
    case .gap(let duration, let at):
      members.add("gap", duration)
      members.add("at", at)
    }
    return .object(members.list)
  }

  private static func clip(_ clip: Clip) -> JSONValue {
    var members = Members()
    members.add("source", clip.source)
    members.add("in", clip.in)
    members.add("out", clip.out)
    members.add("duration", clip.duration)
    members.add("at", clip.at)
    members.add("speed", clip.speed, unless: 1)
    members.add("fitDuration", clip.fitDuration)
    if clip.isReversed { members.add("reverse", .bool(true)) }
    members.add("freeze", clip.freeze)
    members.add("pitch", clip.pitch, unless: .keep)
    members.add("fill", clip.fill, unless: .error)
    members.add("video", clip.picture.map(picture) ?? .bool(false))
    members.add("audio", clip.sound.map(sound) ?? .bool(false))
    members.add("name", clip.name)
    if !clip.isEnabled { members.add("enabled", .bool(false)) }
    return .object(members.list)
  }

  private static func picture(_ picture: PictureSettings) -> JSONValue {
    var members = Members()
    members.add("fit", picture.fit?.rawValue)
    if let position = picture.position { members.add("position", position, unless: nil, point) }
    if picture.anchor != PictureSettings().anchor { members.add("anchor", point(picture.anchor)) }
    members.add("scale", picture.scale, unless: 1) { .exact($0) }
    members.add("rotation", picture.rotation, unless: 0) { .exact($0) }
    members.add("opacity", picture.opacity, unless: 1) { .exact($0) }
    members.add("crop", picture.crop, unless: PictureSettings.Crop.none, crop)
    members.add("blend", picture.blend, unless: .normal)
    members.add("filters", filters(picture.filters))
    members.add("deinterlace", picture.deinterlace?.rawValue)
    return .object(members.list)
  }

  private static func point(_ point: PictureSettings.Point) -> JSONValue {
    .array([.exact(point.x), .exact(point.y)])
  }

  private static func crop(_ crop: PictureSettings.Crop) -> JSONValue {
    var members = Members()
    members.add("left", crop.left, unless: 0)
    members.add("top", crop.top, unless: 0)
    members.add("right", crop.right, unless: 0)
    members.add("bottom", crop.bottom, unless: 0)
    return .object(members.list)
  }

  private static func filters(_ filters: [FilterSetting]) -> JSONValue {
    .array(filters.map { .object([.init($0.name, options($0.options))]) })
  }

  private static func sound(_ sound: SoundSettings) -> JSONValue {
    var members = Members()
    members.add("gain", sound.gain, unless: .unity) { $0.json }
    members.add("pan", sound.pan, unless: 0) { .exact($0) }
    members.add("fadeIn", sound.fadeIn)
    members.add("fadeOut", sound.fadeOut)
    members.add("curve", sound.curve, unless: .linear)
    members.add("filters", filters(sound.filters))
    members.add("channels", .object(sound.channels.map { .init($0.output, inputs($0.inputs)) }))
    return .object(members.list)
  }

  private static func inputs(_ inputs: [ChannelSetting.Input]) -> JSONValue {
    if inputs.count == 1, inputs[0].gain == .unity, !inputs[0].channel.isEmpty {
      return .string(inputs[0].channel)
    }
    return .object(inputs.map { .init($0.channel, $0.gain.json) })
  }

  // MARK: Edits

  static func edit(_ edit: DocumentEdit) -> JSONValue {
    var members = Members()
    members.add("op", edit.operation.name)
    members.add("track", edit.track)
    switch edit.operation {
    case .insert(let clip, let at):
      members.add("clip", self.clip(clip))
      members.add("at", at)
    case .insertEmpty(let range), .remove(let range): members.add("range", stretch(range))
    case .scale(let range, let duration):
      members.add("range", stretch(range))
      members.add("duration", duration)
    }
    return .object(members.list)
  }

  private static func stretch(_ range: EditRange) -> JSONValue {
    ["in": range.in.json, "out": range.out.json]
  }
}

extension CompositionWriter.Members {
  /// Adds a value or its keyframes, unless it is the default all the time.
  mutating func add<Value>(
    _ key: String, _ value: Animated<Value>, unless neutral: Value?,
    _ write: (Value) -> JSONValue
  ) {
    switch value {
    case .constant(let value): if value != neutral { list.append(.init(key, write(value))) }
    case .keyframes(let keys):
      let frames = keys.map { frame -> JSONValue in
        var members = Self()
        members.add("at", frame.at)
        members.list.append(.init("value", write(frame.value)))
        members.add("curve", frame.curve, unless: .linear)
        return .object(members.list)
      }
      list.append(.init(key, .object([.init("keyframes", .array(frames))])))
    }
  }
}
