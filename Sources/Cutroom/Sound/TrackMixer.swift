import CutroomMedia
import CutroomModel

/// The sound of one track, sample by sample in order.
///
/// Sources are open only around the time they sound.
final class TrackMixer {
  /// A part that sounds now.
  private final class Voice {
    let part: SoundPart
    let source: any SampleSource
    /// What to add to a position on the timeline to get one of the source.
    let offset: Int64
    var level: Level
    init(part: SoundPart, source: any SampleSource, offset: Int64) {
      self.part = part
      self.source = source
      self.offset = offset
      level = part.level
    }
  }

  /// What a mixer needs to know beside its track.
  struct Settings {
    var assets: [String: AssetInfo]
    /// The rate and layout of the mix.
    var rate: Int
    var layout: String
    var declick: Rational
    var damage: DamagePolicy
  }

  private let timeline: Timeline
  private let track: TimelineTrack
  private let settings: Settings
  private let sides: [Int]
  private let declick: Int64
  private let parts: [SoundPart]
  private let cuts: [Cut]
  private var upcoming = 0
  private var nextCut = 0
  private var voices: [Voice] = []
  /// Clips with filters that sound now, by their first segments; also the end of each.
  private var filtered: [Int: (source: FilteredSound, end: Int64)] = [:]

  init(timeline: Timeline, track: Int, settings: Settings, from start: Int64) {
    self.timeline = timeline
    self.track = timeline.tracks[track]
    self.settings = settings
    let rate = settings.rate
    sides = ChannelLayout.sides(of: settings.layout)
    declick = Int64(clamping: (settings.declick * Rational(rate)).rounded)
    parts = SoundPart.parts(of: self.track, rate: rate)
    let last = Int64(clamping: (timeline.duration * Rational(rate)).floor)
    cuts = Self.cuts(parts, last: last)
    while upcoming < parts.count, parts[upcoming].end <= start { upcoming += 1 }
    while nextCut < cuts.count, cuts[nextCut].sample <= start { nextCut += 1 }
  }

  /// The mixers of all audio tracks of a timeline.
  static func all(
    of timeline: Timeline, settings: Settings, from start: Int64
  ) -> [TrackMixer] {
    timeline.tracks.indices.filter { timeline.tracks[$0].kind == .audio }.map { index in
      TrackMixer(timeline: timeline, track: index, settings: settings, from: start)
    }
  }

  /// Adds the track's samples [position, position + mix.count) to `mix`; positions never fall.
  func add(to mix: PlanarAudio, at position: Int64) throws(CutroomError) {
    let end = position + Int64(mix.count)
    // A cut just ahead is looked at while the samples before it are made.
    while upcoming < parts.count, parts[upcoming].start < end + declick + 1 {
      voices.append(try voice(parts[upcoming]))
      upcoming += 1
    }
    if declick > 0 { try smoothCuts(upTo: end + declick) }
    for voice in voices { try add(voice, to: mix, at: position, end: end) }
    voices.removeAll { $0.part.end <= position }
    for (key, clip) in filtered where clip.end <= position { filtered[key] = nil }
  }

  private func add(
    _ voice: Voice, to mix: PlanarAudio, at position: Int64, end: Int64
  ) throws(CutroomError) {
    let part = voice.part
    let from = max(part.start, position)
    let to = min(part.end, end)
    guard from < to else { return }
    let count = Int(to - from)
    let window = try samples(voice, from: from, count: count)
    mix.add(
      window.sound, from: window.start, count: count, at: Int(from - position),
      level: voice.level, position: from, sides: sides)
    voice.source.discard(before: to + voice.offset - declick - 2)
  }

  // MARK: Opening

  private func voice(_ part: SoundPart) throws(CutroomError) -> Voice {
    guard !part.filters.isEmpty else {
      return Voice(part: part, source: try open(part), offset: part.offset)
    }
    // All parts of a clip that follow each other go through the same filters.
    var first = part.segment
    while first > 0, belongTogether(first - 1, first) { first -= 1 }
    if let clip = filtered[first] { return Voice(part: part, source: clip.source, offset: 0) }
    var last = first
    while last + 1 < track.segments.count, belongTogether(last, last + 1) { last += 1 }
    let own = parts.filter { $0.segment >= first && $0.segment <= last }
    let begin = own.first?.start ?? part.start
    let end = own.last?.end ?? part.end
    let segment = track.segments[own.first?.segment ?? part.segment]
    let clipStart = segment.time(ofClipTime: .zero) * Rational(settings.rate)
    let source = FilteredSound(
      part.filters,
      of: ClipSound(own, channels: sides.count) { [weak self] part throws(CutroomError) in
        guard let self else {
          throw CutroomError(.internal, "internal", "a mixer ended before its sound")
        }
        return try open(part)
      },
      range: begin..<end, clipTime: begin - Int64(clamping: clipStart.rounded),
      rate: settings.rate, layout: settings.layout, pointer: segment.pointer)
    filtered[first] = (source, end)
    return Voice(part: part, source: source, offset: 0)
  }

  private func belongTogether(_ a: Int, _ b: Int) -> Bool {
    let (a, b) = (track.segments[a], track.segments[b])
    return a.pointer == b.pointer && a.sound.filters == b.sound.filters
  }

  private func open(_ part: SoundPart) throws(CutroomError) -> any SampleSource {
    var source = try decoder(part.source)
    if part.play.isReversed { source = try ReversedSound(source) }
    let (rate, layout) = (settings.rate, settings.layout)
    guard part.play.keepsPitch else {
      return try SampleReader(
        source, rate: rate, layout: layout, speed: part.play.speed, channels: part.channels,
        names: timeline.channelLayout)
    }
    let segment = track.segments[part.segment]
    let begin = segment.sourceTime(at: Rational(part.start, Int64(rate)))
    let origin = ((part.play.isReversed ? -begin : begin) * Rational(rate)).rounded
    return TempoReader(
      try SampleReader(
        source, rate: rate, layout: layout, channels: part.channels,
        names: timeline.channelLayout), tempo: part.play.speed, rate: rate, layout: layout,
      start: part.start, origin: Int64(clamping: origin))
  }

  private func decoder(_ index: Int) throws(CutroomError) -> any SoundDecoder {
    let source = timeline.sources[index]
    switch source.content {
    case .file(let path, _, let choice):
      guard let asset = settings.assets[path] else {
        throw CutroomError(.internal, "internal", "the source '\(source.id)' was not probed")
      }
      guard let track = asset.track(.audio, choice) else { return Silence(settings) }
      return try FileSound(asset: asset, track: track, damage: settings.damage)
    case .generator(let generator): return try GeneratorSound(generator)
    case .color, .text: return Silence(settings)
    case .composition:
      guard let nested = source.timeline else {
        throw CutroomError(.internal, "internal", "the source '\(source.id)' was not resolved")
      }
      return CompositionSound(timeline: nested, settings: settings)
    }
  }

  /// Samples of a voice; what goes wrong is placed at its clip.
  private func samples(
    _ voice: Voice, from position: Int64, count: Int
  ) throws(CutroomError) -> SampleWindow {
    do {
      return try voice.source.samples(from: position + voice.offset, count: count)
    } catch {
      guard error.diagnostics.isEmpty else { throw error }
      var located = error
      let pointer = track.segments[voice.part.segment].pointer
      located.diagnostics = [
        Diagnostic(.error, error.stableCode, error.message, at: pointer)
      ]
      throw located
    }
  }

  // MARK: Hard cuts

  /// A place where one part ends or another begins without a transition.
  private struct Cut {
    var sample: Int64
    var ending: Int?
    var beginning: Int?
  }

  private static func cuts(_ parts: [SoundPart], last: Int64) -> [Cut] {
    var cuts: [Cut] = []
    for (index, part) in parts.enumerated() {
      if part.startsHard, part.start > 0 {
        if let previous = cuts.last, previous.sample == part.start, previous.beginning == nil {
          cuts[cuts.count - 1].beginning = index
        } else {
          cuts.append(Cut(sample: part.start, ending: nil, beginning: index))
        }
      }
      if part.endsHard, part.end < last {
        cuts.append(Cut(sample: part.end, ending: index, beginning: nil))
      }
    }
    return cuts
  }

  /// Adds short fades at hard cuts up to `limit` where the sound really jumps.
  private func smoothCuts(upTo limit: Int64) throws(CutroomError) {
    while nextCut < cuts.count, cuts[nextCut].sample <= limit {
      let cut = cuts[nextCut]
      nextCut += 1
      let ending = cut.ending.map { parts[$0] }
      let beginning = cut.beginning.map { parts[$0] }
      if let ending, let beginning, isContinued(ending, beginning) { continue }
      try smooth(ending: ending.flatMap(current), beginning: beginning.flatMap(current))
    }
  }

  /// Whether the source goes on over a cut as if there were none.
  private func isContinued(_ ending: SoundPart, _ beginning: SoundPart) -> Bool {
    guard ending.source == beginning.source, ending.offset == beginning.offset,
      ending.play == beginning.play, !ending.play.keepsPitch,
      ending.channels == beginning.channels
    else { return false }
    guard
      ending.filters.isEmpty && beginning.filters.isEmpty
        || belongTogether(ending.segment, beginning.segment)
    else { return false }
    let before = ending.level.sides(at: ending.end - 1)
    let after = beginning.level.sides(at: beginning.start)
    return zip(before, after).allSatisfy { abs($0 - $1) <= 0.001 * max($0, $1) + 0.0001 }
  }

  private func current(_ part: SoundPart) -> Voice? {
    voices.first { $0.part.segment == part.segment }
  }

  private func smooth(ending: Voice?, beginning: Voice?) throws(CutroomError) {
    let before = try ending.map { voice throws(CutroomError) in
      try heard(voice, from: max(voice.part.end - declick, voice.part.start), to: voice.part.end)
    }
    let after = try beginning.map { voice throws(CutroomError) in
      try heard(voice, from: voice.part.start, to: min(voice.part.start + declick, voice.part.end))
    }
    guard jumps(before, after) else { return }
    if let ending, let before {
      let end = ending.part.end
      ending.level.fades.append(
        Fade(start: end - Int64(before.count), end: end, isRising: false, curve: .linear))
    }
    if let beginning, let after {
      let start = beginning.part.start
      beginning.level.fades.append(
        Fade(start: start, end: start + Int64(after.count), isRising: true, curve: .linear))
    }
  }

  /// The samples of a voice as they would be heard without further fades.
  private func heard(
    _ voice: Voice, from: Int64, to: Int64
  ) throws(CutroomError) -> PlanarAudio {
    let count = Int(to - from)
    let window = try samples(voice, from: from, count: count)
    let heard = PlanarAudio(channels: sides.count, count: count)
    heard.add(
      window.sound, from: window.start, count: count, at: 0, level: voice.level, position: from,
      sides: sides)
    return heard
  }

  /// Whether the step over a cut is audible: more than -40 dB of full scale, and more than twice
  /// the largest step in the sound on either side.
  private func jumps(_ before: PlanarAudio?, _ after: PlanarAudio?) -> Bool {
    for channel in sides.indices {
      let last = before.map { $0.count > 0 ? $0[channel, $0.count - 1] : 0 } ?? 0
      let first = after.map { $0.count > 0 ? $0[channel, 0] : 0 } ?? 0
      let usual = max(largestStep(before, channel), largestStep(after, channel))
      if abs(first - last) > max(0.01, 2 * usual) { return true }
    }
    return false
  }

  private func largestStep(_ sound: PlanarAudio?, _ channel: Int) -> Float {
    guard let sound, sound.count > 1 else { return 0 }
    var step: Float = 0
    for index in 1..<sound.count {
      step = max(step, abs(sound[channel, index] - sound[channel, index - 1]))
    }
    return step
  }
}

/// A source without sound.
private final class Silence: SoundDecoder {
  let sampleRate: Int
  let channelLayout: String
  let end: Int64? = 0

  init(_ settings: TrackMixer.Settings) {
    sampleRate = settings.rate
    channelLayout = settings.layout
  }

  func seek(to position: Int64) throws(CutroomError) {}
  func next() throws(CutroomError) -> (position: Int64, sound: PlanarAudio)? { nil }
}
