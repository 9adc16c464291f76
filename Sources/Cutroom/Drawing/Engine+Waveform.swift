import CutroomMedia
public import CutroomModel

/// How a waveform is measured and drawn.
public struct WaveformSettings: Hashable, Sendable {
  /// The number of stretches, and of a picture's pixels from left to right.
  public var width = 1200
  /// A picture's pixels from top to bottom; 120 for each channel where it is `nil`.
  public var height: Int?
  /// The samples of a stretch instead of their number; not for pictures.
  public var block: Int?

  /// The most stretches of a waveform.
  public static let countLimit = 1_000_000
  /// The largest side of a picture.
  public static let sideLimit = 16_384

  /// The settings above.
  public init() {}
}

/// What was measured and written.
public struct WaveformReport: Sendable {
  /// The peaks.
  public var waveform: Waveform
  /// The file.
  public var output: String

  /// The report as `cutroom waveform --json` prints it.
  public var jsonValue: JSONValue {
    .object(
      [.init("ok", true), .init("output", .string(output))] + waveform.summary
        + [.init("peak", .decimal(Double(waveform.peak), digits: 5))])
  }

  /// The report for people.
  public var text: String {
    "\(output): \(waveform.duration.secondsText), \(waveform.sampleRate) Hz, "
      + "\(waveform.channelLayout), \(waveform.count) peaks"
  }
}

extension Engine {
  /// Measures the sound of a media file or a composition, and writes a picture of it or its peaks.
  ///
  /// The ending of `output` says which: `.png` or `.json`. Sound is read once, in order, and not
  /// kept.
  public static func waveform(
    of input: MediaInput, output: String, settings: WaveformSettings = WaveformSettings(),
    overwrite: Bool = false, cancellation: Cancellation = Cancellation()
  ) throws(CutroomError) -> WaveformReport {
    let ending = DrawingFile.ending(of: output)
    guard ["png", "json"].contains(ending) else {
      throw DrawingFile.unknownEnding(output, ["png", "json"])
    }
    let file = try DrawingFile(output, overwrite: overwrite, inputs: input.inputs)
    try check(settings, isPicture: ending == "png")
    let waveform = try waveform(of: input, settings: settings, cancellation: cancellation)
    if ending == "json" {
      try file.write(waveform.jsonValue.encoded(pretty: true) + "\n")
    } else {
      let height = settings.height ?? min(120 * waveform.channels.count, 1200)
      try file.write(try waveform.picture(width: settings.width, height: height).png())
    }
    return WaveformReport(waveform: waveform, output: output)
  }

  /// Measures the sound of a media file or a composition.
  public static func waveform(
    of input: MediaInput, settings: WaveformSettings = WaveformSettings(),
    cancellation: Cancellation = Cancellation()
  ) throws(CutroomError) -> Waveform {
    switch input {
    case .file(let path): try fileWaveform(path, settings, cancellation)
    case .composition(let checked): try mixWaveform(checked, settings, cancellation)
    }
  }

  private static func check(
    _ settings: WaveformSettings, isPicture: Bool
  ) throws(CutroomError) {
    let side = 1...(isPicture ? WaveformSettings.sideLimit : WaveformSettings.countLimit)
    guard side.contains(settings.width), side.contains(settings.height ?? 1) else {
      throw CutroomError(
        .input, DiagnosticCode.sizeLimit.rawValue,
        "a waveform is 1 to \(side.upperBound) \(isPicture ? "pixels" : "peaks") long")
    }
    guard !isPicture || settings.width * (settings.height ?? 1) <= Scene.areaLimit else {
      throw CutroomError(
        .input, DiagnosticCode.sizeLimit.rawValue,
        "a picture has at most \(Scene.areaLimit) pixels")
    }
    guard settings.block == nil || !isPicture else {
      throw CutroomError(
        .input, DiagnosticCode.shapeNoEffect.rawValue,
        "a picture has a column for each pixel; the samples of a block are for JSON")
    }
  }

  private static func meter(
    _ settings: WaveformSettings, rate: Int, layout: String, channels: Int, count: Int64
  ) throws(CutroomError) -> WaveformMeter {
    if let block = settings.block, count / Int64(max(1, block)) >= WaveformSettings.countLimit {
      throw CutroomError(
        .input, DiagnosticCode.sizeLimit.rawValue,
        "blocks of \(block) samples would be more than \(WaveformSettings.countLimit); use larger")
    }
    return WaveformMeter(
      sampleRate: rate, channelLayout: layout, channels: channels, count: max(0, count),
      peaks: settings.width, block: settings.block)
  }

  private static func fileWaveform(
    _ path: String, _ settings: WaveformSettings, _ cancellation: Cancellation
  ) throws(CutroomError) -> Waveform {
    let asset: AssetInfo
    do throws(AssetError) { asset = try AssetInfo.open(path) } catch {
      throw error.operationError
    }
    guard let track = asset.track(.audio) else { throw noSound(path) }
    let sound = try FileSound(asset: asset, track: track, damage: DamagePolicy(conceals: false))
    var meter = try meter(
      settings, rate: sound.sampleRate, layout: sound.channelLayout,
      channels: ChannelLayout.channels(of: sound.channelLayout), count: sound.end ?? 0)
    try sound.seek(to: 0)
    while let (position, part) = try sound.next() {
      try cancellation.check()
      meter.skip(to: position)
      let first = Int(min(meter.measured - position, Int64(part.count)))
      meter.add(part, from: first)
    }
    return meter.finish()
  }

  private static func mixWaveform(
    _ checked: CheckedComposition, _ settings: WaveformSettings, _ cancellation: Cancellation
  ) throws(CutroomError) -> Waveform {
    let timeline = try checked.requireTimeline()
    guard let document = checked.document, timeline.tracks.contains(where: { $0.kind == .audio })
    else { throw noSound(checked.path) }
    let rate = timeline.sampleRate
    let count = Int64(clamping: (timeline.duration * Rational(rate)).floor)
    let mixer = AudioMixer(
      timeline: timeline, document: document, assets: checked.assets, sampleRate: rate,
      channelLayout: timeline.channelLayout, start: 0, count: count,
      damage: DamagePolicy(document))
    var meter = try meter(
      settings, rate: rate, layout: timeline.channelLayout,
      channels: ChannelLayout.channels(of: timeline.channelLayout), count: count)
    while true {
      try cancellation.check()
      let part = try mixer.next(16384)
      guard part.count > 0 else { return meter.finish() }
      meter.add(part, from: 0)
    }
  }

  private static func noSound(_ path: String) -> CutroomError {
    CutroomError(.media, DiagnosticCode.mediaNoStream.rawValue, "'\(path)' has no sound")
  }
}
