extension CompositionWriter {
  // MARK: Tracks

  static func track(_ track: DocumentTrack) -> JSONValue {
    var members = Members()
    members.add("id", track.id)
    members.add("kind", track.kind, unless: .av)
    members.add("name", track.name)
    members.add("language", track.language)
    if !track.isEnabled { members.add("enabled", .bool(false)) }
    if track.gain != .unity { members.add("gain", track.gain.json) }
    members.add("opacity", track.opacity, unless: 1)
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
    members.add("name", clip.name)
    if !clip.isEnabled { members.add("enabled", .bool(false)) }
    members.add("video", clip.picture.map(picture) ?? .bool(false))
    members.add("audio", clip.sound.map(sound) ?? .bool(false))
    return .object(members.list)
  }

  private static func picture(_ picture: PictureSettings) -> JSONValue {
    var members = Members()
    members.add("fit", picture.fit?.rawValue)
    members.add("position", picture.position.map { .array([.exact($0.x), .exact($0.y)]) })
    members.add("scale", picture.scale, unless: 1)
    members.add("opacity", picture.opacity, unless: 1)
    return .object(members.list)
  }

  private static func sound(_ sound: SoundSettings) -> JSONValue {
    var members = Members()
    if sound.gain != .unity { members.add("gain", sound.gain.json) }
    members.add("fadeIn", sound.fadeIn)
    members.add("fadeOut", sound.fadeOut)
    members.add("curve", sound.curve, unless: .linear)
    return .object(members.list)
  }

  // MARK: Metadata

  static func metadata(_ metadata: MetadataSettings) -> JSONValue {
    var members = Members()
    switch metadata.inherit {
    case .all: break
    case .none: members.add("inherit", "none")
    case .sharing: members.add("inherit", "sharing")
    case .from(let source): members.add("inherit", ["from": .string(source)])
    }
    switch metadata.dates {
    case .keep: break
    case .shift: members.add("dates", "shift")
    case .drop: members.add("dates", "drop")
    case .set(let date): members.add("dates", date)
    }
    members.add("items", .object(metadata.items.map { .init($0.key, value($0.value)) }))
    members.add("remove", .array(metadata.remove.map { .string($0) }))
    return .object(members.list)
  }

  private static func value(_ value: MetadataSettings.Value) -> JSONValue {
    let values: [JSONValue] =
      switch value {
      case .texts(let texts): texts.map { .string($0) }
      case .files(let files): files.map { ["file": .string($0)] }
      }
    return values.count == 1 ? values[0] : .array(values)
  }

  // MARK: Export

  static func export(_ export: ExportSettings) -> JSONValue {
    var members = Members()
    members.add("container", export.container)
    members.add("mode", export.mode, unless: .auto)
    members.add("cut", export.cut, unless: .exact)
    if let range = export.range {
      var ends = Members()
      ends.add("in", range.in)
      ends.add("out", range.out)
      members.list.append(.init("range", .object(ends.list)))
    }
    members.add("video", stream(export.video, video))
    members.add("audio", stream(export.audio, audio))
    if !export.optimizesForNetworkUse { members.add("optimizeForNetworkUse", .bool(false)) }
    members.add("damaged", export.damaged, unless: .error)
    return .object(members.list)
  }

  private static func stream<Settings>(
    _ stream: StreamExport<Settings>, _ write: (Settings) -> JSONValue
  ) -> JSONValue {
    switch stream {
    case .none: .bool(false)
    case .settings(let settings): write(settings)
    }
  }

  private static func video(_ video: VideoExport) -> JSONValue {
    var members = Members()
    members.add("codec", video.codec)
    members.add("encoder", video.encoder)
    members.add("crf", video.crf.map { .exact($0) })
    members.add("preset", video.preset)
    members.add("bitrate", video.bitrate)
    members.add("keyframeInterval", video.keyframeInterval)
    members.add("pixelFormat", video.pixelFormat)
    members.add("options", options(video.options))
    return .object(members.list)
  }

  private static func audio(_ audio: AudioExport) -> JSONValue {
    var members = Members()
    members.add("codec", audio.codec)
    members.add("encoder", audio.encoder)
    members.add("bitrate", audio.bitrate)
    members.add("options", options(audio.options))
    return .object(members.list)
  }

  private static func options(_ options: [CodecOption]) -> JSONValue {
    .object(options.map { .init($0.name, .string($0.value)) })
  }
}
