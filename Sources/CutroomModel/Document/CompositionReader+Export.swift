extension CompositionReader {
  mutating func readExport(_ node: Int) {
    guard let fields = fields(node, "the export", CompositionFormat.export) else { return }
    var export = ExportSettings()
    export.container = word(fields, "container")
    if let mode: ExportSettings.Mode = choice(fields, "mode") { export.mode = mode }
    if let cut: ExportSettings.Cut = choice(fields, "cut") { export.cut = cut }
    if let node = fields["range"] { export.range = range(node) }
    if let node = fields["video"] { export.video = videoExport(node) }
    if let node = fields["audio"] { export.audio = audioExport(node) }
    export.like = name(fields, "like")
    if let tracks: ExportSettings.Tracks = choice(fields, "tracks") { export.tracks = tracks }
    if let isOptimized = bool(fields, "optimizeForNetworkUse") {
      export.optimizesForNetworkUse = isOptimized
    }
    if let damaged: ExportSettings.Damage = choice(fields, "damaged") { export.damaged = damaged }
    _ = checkRules(fields)
    document.export = export
  }

  private mutating func range(_ node: Int) -> ExportRange? {
    guard let fields = fields(node, "the range", CompositionFormat.range) else { return nil }
    return ExportRange(in: time(fields, "in"), out: time(fields, "out"))
  }

  // MARK: Streams

  private mutating func videoExport(_ node: Int) -> StreamExport<VideoExport> {
    if tree.kind(node) == .false { return .none }
    var video = VideoExport()
    guard isSettings(node, "video"),
      let fields = fields(node, "the export's 'video'", CompositionFormat.video)
    else { return .settings(video) }
    video.codec = word(fields, "codec")
    video.encoder = name(fields, "encoder")
    video.crf = rational(fields, "crf")
    video.bitrate = bitrate(fields)
    if video.crf != nil, let key = fields.key("bitrate") {
      report(
        .shapeNoEffect, .warning, at: key,
        "'crf' sets the quality, so 'bitrate' is a ceiling for VP9 and has no effect on other "
          + "codecs; remove one of them", fix: "remove 'bitrate'")
    }
    video.preset = name(fields, "preset")
    video.keyframeInterval = time(fields, "keyframeInterval")
    video.pixelFormat = name(fields, "pixelFormat")
    video.options = options(fields)
    if video.codec == "copy" { warnBesideCopy(fields) }
    return .settings(video)
  }

  private mutating func audioExport(_ node: Int) -> StreamExport<AudioExport> {
    if tree.kind(node) == .false { return .none }
    var audio = AudioExport()
    guard isSettings(node, "audio"),
      let fields = fields(node, "the export's 'audio'", CompositionFormat.audio)
    else { return .settings(audio) }
    audio.codec = word(fields, "codec")
    audio.encoder = name(fields, "encoder")
    audio.bitrate = bitrate(fields)
    audio.options = options(fields)
    if audio.codec == "copy" { warnBesideCopy(fields) }
    return .settings(audio)
  }

  private mutating func isSettings(_ node: Int, _ name: String) -> Bool {
    guard tree.kind(node) != .object else { return true }
    mismatch(node, "the export's '\(name)'", "an object of settings, or false")
    return false
  }

  private mutating func warnBesideCopy(_ fields: Fields) {
    for member in fields.members where member.name != "codec" {
      warnWithoutEffect(fields, member.name, "the stream is copied")
    }
  }

  /// Bits per second: a number, or `"192k"` or `"6M"`.
  private mutating func bitrate(_ fields: Fields) -> Int? {
    guard let node = fields["bitrate"] else { return nil }
    guard tree.kind(node) == .number || tree.kind(node) == .string else {
      mismatch(node, "'bitrate'", "bits per second, such as 192000, \"192k\" or \"6M\"")
      return nil
    }
    guard
      let bits = BitRateText.parse(
        tree.kind(node) == .number ? tree.number(node) : tree.string(node))
    else {
      report(
        .shapeValue, at: node,
        "'bitrate' is \(written(node)), but must be bits per second from 1 to 2000000000, such as "
          + "192000, \"192k\" or \"6M\"")
      return nil
    }
    return bits
  }

  /// The encoder's options in FFmpeg's spelling.
  private mutating func options(_ fields: Fields) -> [CodecOption] {
    fields["options"].map { options($0, "'options'", "an object of the encoder's options") } ?? []
  }

  /// Options of an encoder or a filter, in FFmpeg's spelling.
  mutating func options(_ node: Int, _ subject: String, _ wanted: String) -> [CodecOption] {
    guard tree.kind(node) == .object else {
      mismatch(node, subject, wanted)
      return []
    }
    var options: [CodecOption] = []
    for member in tree.members(node) where !member.name.hasPrefix("x-") {
      switch tree.kind(member.value) {
      case .string: options.append(.init(name: member.name, value: tree.string(member.value)))
      case .number: options.append(.init(name: member.name, value: tree.number(member.value)))
      case .true: options.append(.init(name: member.name, value: "1"))
      case .false: options.append(.init(name: member.name, value: "0"))
      default:
        mismatch(
          member.value, "the option '\(Excerpt.of(member.name))'", "a text, a number, true or false"
        )
      }
    }
    return options
  }
}

/// Reads and writes bits per second.
enum BitRateText {
  /// `192000`, `"192k"` or `"6M"`, exactly; `nil` for anything else, and outside 1...2000000000.
  static func parse(_ text: String) -> Int? {
    guard text.utf8.count <= TimeText.lengthLimit else { return nil }
    let factor: Rational = text.hasSuffix("k") ? 1000 : text.hasSuffix("M") ? 1_000_000 : 1
    let digits = factor == .one ? text[...] : text.dropLast()
    guard case .value(let value) = DecimalText.parse(digits) else { return nil }
    let bits = value * factor
    guard bits.isInteger, bits >= 1, bits <= 2_000_000_000 else { return nil }
    return Int(exactly: bits.numerator)
  }
}
