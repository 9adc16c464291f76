/// Writes compositions as strict JSON: keys in one fixed order, without what is the default.
///
/// What is written reads back as the same value.
public struct CompositionWriter {
  /// The JSON of a composition.
  public static func json(_ document: CompositionDocument) -> JSONValue {
    var members = Members()
    members.add("format", .string(CompositionReader.format))
    members.add("name", document.name)
    members.add("timeline", timeline(document.timeline))
    members.add("sources", .object(document.sources.map { .init($0.id, source($0.source)) }))
    members.list.append(.init("tracks", .array(document.tracks.map(track))))
    members.add("edits", .array(document.edits.map(edit)))
    switch document.chapters {
    case .keep: break
    case .clips: members.add("chapters", .string("clips"))
    case .list(let marks): members.list.append(.init("chapters", .array(marks.map(chapter))))
    }
    members.add("audio", sound(document.sound))
    members.add("metadata", metadata(document.metadata))
    members.add("export", export(document.export))
    return .object(members.list)
  }

  /// The text of a composition file, two spaces a level, with a new line at its end.
  public static func text(_ document: CompositionDocument) -> String {
    json(document).encoded(pretty: true) + "\n"
  }

  /// The members of an object in the making; what is absent or empty is left out.
  struct Members {
    var list: [JSONValue.Member] = []

    mutating func add(_ key: String, _ value: JSONValue?) {
      guard let value, value != .object([]), value != .array([]) else { return }
      list.append(.init(key, value))
    }

    mutating func add(_ key: String, _ value: String?) { add(key, value.map { .string($0) }) }

    mutating func add(_ key: String, _ value: Int?) {
      add(key, value.map { .integer(Int64($0)) })
    }

    mutating func add(_ key: String, _ value: TimeExpression?) { add(key, value?.json) }

    /// Adds a number unless it is the default.
    mutating func add(_ key: String, _ value: Rational, unless neutral: Rational) {
      if value != neutral { add(key, .exact(value)) }
    }

    /// Adds a word unless it is the default.
    mutating func add<Value: RawRepresentable<String> & Equatable>(
      _ key: String, _ value: Value, unless neutral: Value
    ) {
      if value != neutral { add(key, value.rawValue) }
    }
  }

  // MARK: Timeline, chapters and sound

  private static func timeline(_ timeline: TimelineSettings) -> JSONValue {
    var members = Members()
    members.add("frameRate", timeline.frameRate.map(rate))
    members.add("size", timeline.size.map(size))
    if timeline.background != .black {
      members.add("background", timeline.background.hexadecimal)
    }
    members.add("color", timeline.color?.rawValue)
    members.add("sampleRate", timeline.sampleRate)
    members.add("channelLayout", timeline.channelLayout)
    members.add("startTimecode", timeline.startTimecode?.text)
    return .object(members.list)
  }

  private static func rate(_ rate: FrameRate) -> JSONValue {
    let value = rate.framesPerSecond
    return value.isInteger ? .exact(value) : .string(rate.text)
  }

  private static func size(_ size: PixelSize) -> JSONValue {
    .array([.integer(Int64(size.width)), .integer(Int64(size.height))])
  }

  private static func chapter(_ mark: ChapterMark) -> JSONValue {
    ["at": mark.at.json, "title": .string(mark.title)]
  }

  private static func sound(_ sound: SoundPolicy) -> JSONValue {
    var members = Members()
    members.add("declick", sound.declick)
    members.add("peak", sound.peak, unless: .limit)
    if let loudness = sound.loudness {
      var target = Members()
      target.add("integrated", .exact(loudness.integrated))
      target.add("truePeak", loudness.truePeak.map { .exact($0) })
      members.add("loudness", .object(target.list))
    }
    return .object(members.list)
  }

  // MARK: Sources

  private static func source(_ source: SourceDescription) -> JSONValue {
    switch source {
    case .file(let path, nil, nil): return .string(path)
    case .file(let path, let video, let audio):
      var members = Members()
      members.add("path", path)
      members.add("video", video.map(stream))
      members.add("audio", audio.map(stream))
      return .object(members.list)
    case .color(let color): return ["color": .string(color.hexadecimal)]
    case .generator(let generator):
      var members = Members()
      members.add("generator", generator.filter)
      members.add("size", generator.size.map(size))
      members.add("frameRate", generator.frameRate.map(rate))
      members.add("duration", generator.duration)
      return .object(members.list)
    case .text(let text): return self.text(text)
    case .composition(let path): return ["composition": .string(path)]
    }
  }

  private static func stream(_ choice: StreamChoice) -> JSONValue {
    switch choice {
    case .index(let index): .integer(Int64(index))
    case .language(let language): .string(language)
    }
  }

  private static func text(_ source: TextSource) -> JSONValue {
    let neutral = TextSource(text: "")
    var members = Members()
    members.list.append(.init("text", .string(source.text)))
    if source.font != neutral.font { members.add("font", source.font) }
    members.add("size", source.size, unless: neutral.size)
    if source.color != neutral.color { members.add("color", source.color.hexadecimal) }
    members.add("align", source.align, unless: neutral.align)
    members.add("box", source.box?.hexadecimal)
    members.add("outline", source.outline?.hexadecimal)
    members.add("outlineWidth", source.outlineWidth.map { .exact($0) })
    return .object(members.list)
  }
}
