import CutroomModel

/// The canvas with every default made explicit.
struct TimelineDefaults {
  var size: PixelSize
  var color: TimelineColor
  var sampleRate: Int
  var channelLayout: String
}

extension Resolver {
  /// The rates that recordings and programs usually have.
  static let usualRates: [FrameRate] = [
    (10, 1), (12, 1), (15, 1), (24000, 1001), (24, 1), (25, 1), (30000, 1001), (30, 1), (48, 1),
    (50, 1), (60000, 1001), (60, 1), (100, 1), (120000, 1001), (120, 1), (240, 1),
  ].compactMap { FrameRate(Rational($0.0, $0.1)) }

  /// The usual rate nearest to `average`; of two equally near ones the lower.
  static func nearestUsualRate(to average: Rational) -> FrameRate {
    var best = defaultRate
    var distance: Rational?
    for candidate in usualRates {
      let difference = (candidate.framesPerSecond - average).magnitude
      if let nearest = distance, nearest <= difference { continue }
      (best, distance) = (candidate, difference)
    }
    return best
  }

  private struct Use {
    var source: ResolvedSource
    var pointer: String
    /// Whether filters may bring its pictures to another range of brightness.
    var isConverted = false
  }

  /// The clips of enabled tracks that show a picture, or that sound, in the file's order; then those
  /// that edits insert.
  private func uses(_ kind: TimelineTrack.Kind) -> [Use] {
    var uses: [Use] = []
    if let like = document.export.like,
      let use = use(of: Clip(source: like), kind, at: "/export/like")
    {
      uses.append(use)
    }
    for (trackIndex, track) in document.tracks.enumerated() where track.isEnabled {
      guard track.kind == .av || track.kind.rawValue == kind.rawValue else { continue }
      for (itemIndex, item) in track.items.enumerated() {
        guard case .clip(let clip) = item else { continue }
        let pointer = "/tracks/\(trackIndex)/clips/\(itemIndex)/source"
        if let use = use(of: clip, kind, at: pointer) { uses.append(use) }
      }
    }
    for (index, edit) in document.edits.enumerated() {
      guard case .insert(let clip, _) = edit.operation else { continue }
      if let use = use(of: clip, kind, at: "/edits/\(index)/clip/source") { uses.append(use) }
    }
    return uses
  }

  private func use(of clip: Clip, _ kind: TimelineTrack.Kind, at pointer: String) -> Use? {
    guard clip.isEnabled, let index = sourceIndices[clip.source] else { return nil }
    let isWanted =
      kind == .video
      ? clip.picture != nil && sources[index].picture != nil
      : clip.sound != nil && sources[index].sound != nil
    guard isWanted || sources[index].isFailed else { return nil }
    let isConverted = clip.picture?.filters.contains { Self.converting.contains($0.name) }
    return Use(source: sources[index], pointer: pointer, isConverted: isConverted ?? false)
  }

  /// Works out the canvas, sets ``rate``, and checks that its colours go together.
  mutating func defaults() -> TimelineDefaults {
    let pictures = uses(.video)
    let sounds = uses(.audio)
    settleRate(pictures)
    measureGenerators()
    let settings = document.timeline
    let sized = pictures.first { $0.source.size != nil }
    let colored = pictures.first { $0.source.color != nil }
    checkColors(pictures)
    let sounding = sounds.first { $0.source.sampleRate != nil }
    let laidOut = sounds.first { $0.source.channelLayout != nil }
    return TimelineDefaults(
      size: settings.size ?? sized?.source.size ?? PixelSize(width: 1920, height: 1080),
      color: settings.color ?? colored?.source.color ?? .bt709,
      sampleRate: settings.sampleRate ?? sounding?.source.sampleRate ?? 48000,
      channelLayout: settings.channelLayout ?? laidOut?.source.channelLayout ?? "stereo")
  }

  private mutating func settleRate(_ pictures: [Use]) {
    if isFlawed("/timeline/frameRate") {
      isRateGuessed = true
      return
    }
    if let stated = document.timeline.frameRate {
      rate = stated
      return
    }
    guard let first = pictures.first(where: { $0.source.frameRate != nil || $0.source.isFailed })
    else { return }
    guard let taken = first.source.frameRate, !first.source.isFailed else {
      isRateGuessed = true
      return
    }
    guard let average = first.source.variableRate else {
      rate = taken
      return
    }
    rate = Self.nearestUsualRate(to: average)
    findings.add(
      .media, .note, .mediaVariableRate,
      "'\(first.source.id)' has a variable frame rate, on average "
        + "\(JSONValue.decimal(average.doubleValue).encoded()); the timeline takes \(rate)",
      at: first.pointer, fix: "set \"frameRate\" in \"timeline\"")
  }

  /// Filters that can bring pictures from one range of brightness to another.
  private static let converting: Set = [
    "tonemap", "zscale", "colorspace", "lut1d", "lut3d", "curves",
  ]

  private mutating func checkColors(_ pictures: [Use]) {
    guard !isFlawed("/timeline/color") else { return }
    if let stated = document.timeline.color { return warnAboutColors(pictures, stated) }
    let colored = pictures.filter { $0.source.color != nil && !$0.isConverted }
    guard let first = colored.first,
      let other = colored.first(where: { $0.source.color?.range != first.source.color?.range })
    else { return }
    let names = [first, other].map { use in
      "'\(use.source.id)' is \(use.source.color?.range ?? "")"
    }
    findings.add(
      .capability, .error, .colorMixedHDR,
      names.joined(separator: ", but ") + "; one of them would have to be converted",
      at: other.pointer, fix: "set \"color\" in \"timeline\"",
      related: [Diagnostic.Related(message: "the first picture", pointer: first.pointer)])
  }

  /// Says which sources come onto a canvas of another dynamic range, as the composition asks.
  private mutating func warnAboutColors(_ pictures: [Use], _ stated: TimelineColor) {
    var seen: Set<Int> = []
    for use in pictures where !use.isConverted {
      // A still has no luminance of its own to be kept.
      guard let color = use.source.color, color.range != stated.range,
        use.source.picture?.isConstant == false, seen.insert(use.source.index).inserted
      else { continue }
      findings.add(
        .capability, .warning, .colorMixedHDR,
        "'\(use.source.id)' is \(color.range), but the timeline is \(stated.range) "
          + "(\"\(stated.rawValue)\"): its pictures are taken over without mapping their tones",
        at: use.pointer,
        fix: "convert them with \"filters\" of the clip, such as zscale and tonemap")
    }
  }
}

extension TimelineColor {
  /// The dynamic range in words.
  fileprivate var range: String {
    switch self {
    case .bt2020HLG: "HDR (HLG)"
    case .bt2020PQ: "HDR (PQ)"
    case .bt709, .bt601NTSC, .bt601PAL: "SDR"
    }
  }
}
