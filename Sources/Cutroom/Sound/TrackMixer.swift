import CutroomMedia
import CutroomModel

/// The sound of one track, sample by sample in order.
///
/// Sources are open only around the time they sound.
final class TrackMixer {
  private final class Voice {
    let part: SoundPart
    let reader: any SampleSource
    var fades: [Fade]
    init(part: SoundPart, reader: any SampleSource) {
      self.part = part
      self.reader = reader
      fades = part.fades
    }
  }

  private let timeline: Timeline
  private let track: TimelineTrack
  private let assets: [String: AssetInfo]
  private let rate: Int
  private let layout: String
  private let declick: Int64
  private let declickTime: Rational
  private let concealsDamage: Bool
  private let parts: [SoundPart]
  private let cuts: [Cut]
  private var upcoming = 0
  private var nextCut = 0
  private var voices: [Voice] = []

  init(
    timeline: Timeline, track: Int, assets: [String: AssetInfo], rate: Int, layout: String,
    declick: Rational, concealsDamage: Bool, from start: Int64
  ) {
    self.timeline = timeline
    self.track = timeline.tracks[track]
    self.assets = assets
    self.rate = rate
    self.layout = layout
    self.concealsDamage = concealsDamage
    declickTime = declick
    self.declick = Int64(clamping: (declick * Rational(rate)).rounded)
    parts = SoundPart.parts(of: self.track, rate: rate)
    let last = Int64(clamping: (timeline.duration * Rational(rate)).floor)
    cuts = Self.cuts(parts, last: last)
    while upcoming < parts.count, parts[upcoming].end <= start { upcoming += 1 }
    while nextCut < cuts.count, cuts[nextCut].sample <= start { nextCut += 1 }
  }

  /// Adds the track's samples [position, position + mix.count) to `mix`; positions never fall.
  func add(to mix: PlanarAudio, at position: Int64) throws(CutroomError) {
    let end = position + Int64(mix.count)
    // A cut just ahead is looked at while the samples before it are made.
    while upcoming < parts.count, parts[upcoming].start < end + declick + 1 {
      voices.append(try open(parts[upcoming]))
      upcoming += 1
    }
    if declick > 0 { try smoothCuts(upTo: end + declick) }
    for voice in voices { try add(voice, to: mix, at: position, end: end) }
    voices.removeAll { $0.part.end <= position }
  }

  private func add(
    _ voice: Voice, to mix: PlanarAudio, at position: Int64, end: Int64
  ) throws(CutroomError) {
    let part = voice.part
    let from = max(part.start, position)
    let to = min(part.end, end)
    guard from < to else { return }
    let count = Int(to - from)
    let sound = try located(voice) { () throws(CutroomError) in
      try voice.reader.samples(from: from + part.offset, count: count)
    }
    let place = Int(from - position)
    let active = voice.fades.filter { $0.touches(from, to) }
    if active.isEmpty {
      mix.add(sound, from: 0, count: count, at: place, gain: part.gain)
    } else {
      let gains = (0..<count).map { gain(voice, active, at: from + Int64($0)) }
      mix.add(sound, from: 0, count: count, at: place, gains: gains)
    }
    voice.reader.discard(before: to + part.offset - declick - 2)
  }

  private func open(_ part: SoundPart) throws(CutroomError) -> Voice {
    var source = try decoder(part.source)
    if part.play.isReversed { source = try ReversedSound(source) }
    guard part.play.keepsPitch else {
      let reader = try SampleReader(source, rate: rate, layout: layout, speed: part.play.speed)
      return Voice(part: part, reader: reader)
    }
    let segment = track.segments[part.segment]
    let begin = segment.sourceTime(at: Rational(part.start, Int64(rate)))
    let origin = ((part.play.isReversed ? -begin : begin) * Rational(rate)).rounded
    let reader = TempoReader(
      try SampleReader(source, rate: rate, layout: layout), tempo: part.play.speed, rate: rate,
      layout: layout, start: part.start, origin: Int64(clamping: origin))
    return Voice(part: part, reader: reader)
  }

  private func decoder(_ index: Int) throws(CutroomError) -> any SoundDecoder {
    let source = timeline.sources[index]
    switch source.content {
    case .file(let path, _, let choice):
      guard let asset = assets[path] else {
        throw CutroomError(.internal, "internal", "the source '\(source.id)' was not probed")
      }
      guard let track = asset.track(.audio, choice) else { return Silence(rate, layout) }
      return try FileSound(asset: asset, track: track, concealsDamage: concealsDamage)
    case .generator(let generator): return try GeneratorSound(generator)
    case .color, .text: return Silence(rate, layout)
    case .composition:
      guard let nested = source.timeline else {
        throw CutroomError(.internal, "internal", "the source '\(source.id)' was not resolved")
      }
      return CompositionSound(
        timeline: nested, assets: assets, declick: declickTime, concealsDamage: concealsDamage)
    }
  }

  private func located(
    _ voice: Voice, _ body: () throws(CutroomError) -> PlanarAudio
  ) throws(CutroomError) -> PlanarAudio {
    do {
      return try body()
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
      if let ending, let beginning, ending.source == beginning.source,
        ending.offset == beginning.offset, ending.gain == beginning.gain,
        ending.play == beginning.play, !ending.play.keepsPitch
      {
        continue
      }
      try smooth(ending: ending.flatMap(voice), beginning: beginning.flatMap(voice))
    }
  }

  private func voice(_ part: SoundPart) -> Voice? {
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
      ending.fades.append(
        Fade(start: end - Int64(before.count), end: end, isRising: false, curve: .linear))
    }
    if let beginning, let after {
      let start = beginning.part.start
      beginning.fades.append(
        Fade(start: start, end: start + Int64(after.count), isRising: true, curve: .linear))
    }
  }

  /// The samples of a voice as they would be heard without further fades.
  private func heard(
    _ voice: Voice, from: Int64, to: Int64
  ) throws(CutroomError) -> PlanarAudio {
    let count = Int(to - from)
    let sound = try located(voice) { () throws(CutroomError) in
      try voice.reader.samples(from: from + voice.part.offset, count: count)
    }
    let heard = PlanarAudio(channels: sound.channelCount, count: count)
    let gains = (0..<count).map { gain(voice, voice.fades, at: from + Int64($0)) }
    heard.add(sound, from: 0, count: count, at: 0, gains: gains)
    return heard
  }

  private func gain(_ voice: Voice, _ fades: [Fade], at sample: Int64) -> Float {
    fades.reduce(voice.part.gain) { $0 * $1.gain(at: sample) }
  }

  /// Whether the step over a cut is audible: more than -40 dB of full scale, and more than twice
  /// the largest step in the sound on either side.
  private func jumps(_ before: PlanarAudio?, _ after: PlanarAudio?) -> Bool {
    for channel in 0..<ChannelLayout.channels(of: layout) {
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

  init(_ rate: Int, _ layout: String) {
    sampleRate = rate
    channelLayout = layout
  }

  func seek(to position: Int64) throws(CutroomError) {}
  func next() throws(CutroomError) -> (position: Int64, sound: PlanarAudio)? { nil }
}
