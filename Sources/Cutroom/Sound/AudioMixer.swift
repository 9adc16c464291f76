import CutroomMedia
import CutroomModel

/// The sum of all sound of a timeline, sample by sample from the start of the export.
///
/// A plain sum in 32-bit float; peaks are treated as the composition says. Used by one thread.
final class AudioMixer {
  /// What is done to the sum.
  struct Treatment {
    /// What happens to peaks; `nil` leaves them.
    var policy: SoundPolicy.Peak?
    /// A factor on all of it.
    var gain: Float = 1
    /// The magnitude that no peak exceeds, also between samples; `nil` for full scale at samples.
    var truePeak: Float?

    init(_ policy: SoundPolicy.Peak?, gain: Float = 1, truePeak: Float? = nil) {
      self.policy = policy
      self.gain = gain
      self.truePeak = truePeak
    }

    /// The sum as it is.
    static let none = Treatment(nil)
  }

  /// The largest magnitude before the peak policy, 1 for full scale.
  private(set) var peak: Float = 0
  /// Samples of silence that ``frame(_:silence:sampleFormat:)`` gives after the last one.
  var tail = 0
  /// Measures what is given, where that is wanted.
  var meter: ProgramMeter?
  let sampleRate: Int
  let channelLayout: String
  private let treatment: Treatment
  private let channels: Int
  private let tracks: [TrackMixer]
  private let start: Int64
  private let count: Int64
  private var made: Int64 = 0
  private var limiter: PeakLimiter
  private var ready: PlanarAudio

  /// Mixes `plan`'s timeline from its start, at the rate and layout of its sound.
  convenience init(
    plan: ExportPlan, audio: AudioPlan, damage: DamagePolicy, treatment: Treatment? = nil
  ) {
    let rate = audio.encoding.sampleRate
    self.init(
      timeline: plan.timeline, document: plan.document, assets: plan.assets, sampleRate: rate,
      channelLayout: audio.encoding.channelLayout,
      start: Int64(clamping: (plan.start * Rational(rate)).floor), count: audio.sampleCount,
      damage: damage, treatment: treatment)
  }

  /// Mixes `count` samples of a timeline from the sample `start` on; by default peaks are treated as
  /// the document says.
  init(
    timeline: Timeline, document: CompositionDocument, assets: [String: AssetInfo],
    sampleRate: Int, channelLayout: String, start: Int64, count: Int64, damage: DamagePolicy,
    treatment: Treatment? = nil
  ) {
    self.sampleRate = sampleRate
    self.channelLayout = channelLayout
    self.start = start
    self.count = count
    channels = ChannelLayout.channels(of: channelLayout)
    self.treatment = treatment ?? Treatment(document.sound.peak)
    let declick =
      document.sound.declick.map { $0.seconds(at: timeline.frameRate) } ?? Rational(2, 1000)
    tracks = TrackMixer.all(
      of: timeline,
      settings: TrackMixer.Settings(
        assets: assets, rate: sampleRate, layout: channelLayout, declick: declick,
        damage: damage), from: start)
    limiter = PeakLimiter(
      channels: channels, sampleRate: sampleRate, truePeak: self.treatment.truePeak)
    ready = PlanarAudio(channels: channels, count: 0)
  }

  /// The next samples, at most `limit`; empty at the end.
  ///
  /// - Throws: ``CutroomError`` when a source does not decode, or when the mix exceeds full scale
  ///   and the composition asks for an error.
  func next(_ limit: Int) throws(CutroomError) -> PlanarAudio {
    while ready.count < limit, made < count { try mixBlock() }
    let result = PlanarAudio(channels: channels, count: 0)
    let length = min(limit, ready.count)
    result.append(ready, 0..<length)
    ready.removeFirst(length)
    return result
  }

  /// The next `size` samples as a frame, fewer at the end; `nil` after it.
  ///
  /// Of these, the first `silence` ones are silent.
  ///
  /// - Throws: ``CutroomError`` as ``next(_:)``.
  func frame(
    _ size: Int, silence: Int = 0, sampleFormat: String
  ) throws(CutroomError) -> Frame? {
    if silence > 0 {
      let quiet = PlanarAudio(channels: channels, count: silence)
      quiet.append(ready)
      ready = quiet
    }
    while ready.count < size, made < count { try mixBlock() }
    if made >= count, tail > 0 {
      ready.appendSilence(tail)
      tail = 0
    }
    let length = min(size, ready.count)
    guard length > 0 else { return nil }
    do {
      let frame = try ready.frame(
        from: 0, count: length, sampleRate: sampleRate, channelLayout: channelLayout,
        sampleFormat: sampleFormat)
      ready.removeFirst(length)
      return frame
    } catch {
      throw CutroomError(
        .internal, "internal", "a frame of sound cannot be made: \(error.reason)")
    }
  }

  private func finish(_ block: PlanarAudio) {
    meter?.add(block)
    ready.append(block)
  }

  private func mixBlock() throws(CutroomError) {
    let length = Int(min(8192, count - made))
    let mix = PlanarAudio(channels: channels, count: length)
    for track in tracks { try track.add(to: mix, at: start + made) }
    let position = made
    made += Int64(length)
    if treatment.gain != 1 { mix.apply(gain: treatment.gain) }
    let peak = mix.peak()
    self.peak = max(self.peak, peak)
    switch treatment.policy {
    case nil: finish(mix)
    case .clip:
      mix.clip(to: treatment.truePeak ?? 1)
      finish(mix)
    case .limit:
      finish(limiter.process(mix, isLast: made == count))
    case .error:
      guard peak <= 1 else {
        throw CutroomError(
          .input, "sound.peak",
          "the mix exceeds full scale after \(Rational(position, Int64(sampleRate)).secondsText); "
            + "lower the gains, or set \"audio\": {\"peak\": \"limit\"}",
          diagnostics: [
            Diagnostic(.error, "sound.peak", "the mix exceeds full scale here", at: "/audio/peak")
          ])
      }
      finish(mix)
    }
  }
}
