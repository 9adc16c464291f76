extension CompositionReader {
  private static let exportKeys = [
    "container", "mode", "cut", "range", "video", "audio", "optimizeForNetworkUse", "damaged",
  ]

  mutating func readExport(_ node: Int) {
    guard let fields = fields(node, "the export", Self.exportKeys) else { return }
    var export = ExportSettings()
    export.container = supported(fields, "container", ExportName.containers, "the container")
    if let mode: ExportSettings.Mode = choice(fields, "mode") { export.mode = mode }
    refuse(fields, "cut") { reader, _ in
      let cut: ExportSettings.Cut? = reader.choice(fields, "cut")
      return cut == nil || cut == .exact
    }
    if let node = fields["range"] { export.range = range(node) }
    if let node = fields["video"] { export.video = videoExport(node) }
    if let node = fields["audio"] { export.audio = audioExport(node) }
    if let isOptimized = bool(fields, "optimizeForNetworkUse") {
      export.optimizesForNetworkUse = isOptimized
    }
    refuse(fields, "damaged") { reader, _ in
      let damage: ExportSettings.Damage? = reader.choice(fields, "damaged")
      return damage != .conceal
    }
    if export.video == .none, export.audio == .none, let node = fields["audio"] {
      report(
        .shapeExclusiveKeys, at: node,
        "\"video\" and \"audio\" are both false, so nothing would be exported; remove one of them")
    }
    document.export = export
  }

  private mutating func range(_ node: Int) -> ExportRange? {
    guard let fields = fields(node, "the range", ["in", "out"]) else { return nil }
    return ExportRange(in: time(fields, "in"), out: time(fields, "out"))
  }

  /// A name of which this version does only some.
  private mutating func supported(
    _ fields: Fields, _ name: String, _ names: ExportName.List, _ what: String
  ) -> String? {
    guard let node = fields[name] else { return nil }
    guard let value = word(fields, name, of: names.supported + names.planned) else { return nil }
    guard !names.planned.contains(value) else {
      refuse(node, "\(what) \"\(value)\"")
      return nil
    }
    return value
  }

  // MARK: Streams

  private static let videoKeys = [
    "codec", "encoder", "crf", "preset", "bitrate", "keyframeInterval", "pixelFormat", "options",
  ]

  private mutating func videoExport(_ node: Int) -> StreamExport<VideoExport> {
    if tree.kind(node) == .false { return .none }
    var video = VideoExport()
    guard isSettings(node, "video"),
      let fields = fields(node, "the export's 'video'", Self.videoKeys)
    else { return .settings(video) }
    video.codec = supported(fields, "codec", ExportName.videoCodecs, "the codec")
    video.encoder = name(fields, "encoder")
    video.crf = rational(fields, "crf", in: 0...63)
    video.bitrate = bitrate(fields)
    if video.crf != nil, let key = fields.key("bitrate") {
      report(
        .shapeNoEffect, .warning, at: key,
        "'crf' sets the quality, so 'bitrate' is a ceiling for VP9 and has no effect on other "
          + "codecs; remove one of them", fix: "remove 'bitrate'")
    }
    video.preset = name(fields, "preset")
    if let node = fields["keyframeInterval"], let time = time(node, "keyframeInterval") {
      let isZero = time == .seconds(.zero) || time == .frames(0, rate: nil)
      if isZero {
        report(.shapeValue, at: node, "'keyframeInterval' is \(written(node)), but must be above 0")
      }
      video.keyframeInterval = time
    }
    video.pixelFormat = name(fields, "pixelFormat")
    video.options = options(fields)
    if video.codec == "copy" { warnBesideCopy(fields) }
    return .settings(video)
  }

  private mutating func audioExport(_ node: Int) -> StreamExport<AudioExport> {
    if tree.kind(node) == .false { return .none }
    var audio = AudioExport()
    guard isSettings(node, "audio"),
      let fields = fields(
        node, "the export's 'audio'", ["codec", "encoder", "bitrate", "options"])
    else { return .settings(audio) }
    audio.codec = supported(fields, "codec", ExportName.audioCodecs, "the codec")
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
    guard let node = fields["options"] else { return [] }
    guard tree.kind(node) == .object else {
      mismatch(node, "'options'", "an object of the encoder's options")
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

/// The names that exports use.
enum ExportName {
  /// Those that this version does, and those it does not do yet.
  struct List {
    var supported: [String]
    var planned: [String]
  }

  static let containers = List(
    supported: ["mp4", "mov", "m4a", "mkv", "webm", "mp3", "flac", "wav", "ogg", "opus"],
    planned: ["m4v", "mka", "aiff", "caf", "avi", "mpegts", "mxf", "gif", "apng", "nut"])
  static let videoCodecs = List(
    supported: [
      "h264", "hevc", "av1", "vp8", "vp9", "mpeg2video", "mpeg4", "prores", "dnxhd", "ffv1",
      "mjpeg", "png", "qtrle", "copy",
    ],
    planned: ["gif"])
  static let audioCodecs = List(
    supported: [
      "aac", "alac", "mp3", "opus", "vorbis", "flac", "ac3", "eac3", "pcm", "pcm_s16le",
      "pcm_s24le", "pcm_f32le", "copy",
    ],
    planned: [])
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
