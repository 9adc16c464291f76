extension CompositionWriter {
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

  package static func export(_ export: ExportSettings) -> JSONValue {
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
    members.add("like", export.like)
    members.add("tracks", export.tracks, unless: .keep)
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

  /// Options as the numbers that they are spelt as, else as texts.
  static func options(_ options: [CodecOption]) -> JSONValue {
    .object(
      options.map { option in
        let isNumber = JSONNumber.isSpelling(option.value)
        return .init(option.name, isNumber ? .number(option.value) : .string(option.value))
      })
  }
}

/// The spelling of numbers in JSON.
enum JSONNumber {
  /// Whether a text is a number as JSON spells it.
  static func isSpelling(_ text: String) -> Bool {
    guard text.utf8.count <= 32 else { return false }
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    func digits() -> Int {
      let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    let hasLeadingZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0, !hasLeadingZero || whole == 1 else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
