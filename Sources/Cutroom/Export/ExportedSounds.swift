import CutroomModel

/// The streams of sound of an export while it runs.
struct ExportedSounds {
  /// What is copied.
  private(set) var copied: [CopiedAudio] = []
  /// What is rendered.
  private(set) var rendered: [RenderedAudio] = []
  /// The mix, where it is rendered.
  var main: RenderedAudio?

  /// Adds a stream to the result, whose timeline is that of `plan`.
  mutating func add(
    _ audio: AudioPlan, of plan: ExportPlan, _ label: StreamLabel, to writer: PacketWriter,
    _ feeds: SharedFeeds, _ meter: ProgressMeter, _ damage: DamagePolicy
  ) throws(CutroomError) {
    if audio.isCopied {
      let stream = CopiedAudio(plan: plan, audio: audio, feeds: feeds, progress: meter)
      copied.append(stream)
      try writer.add(audio: audio, label: label, stream: stream)
    } else {
      let stream = RenderedAudio(plan: plan, audio: audio, progress: meter, damage: damage)
      rendered.append(stream)
      try writer.add(audio: audio, label: label, stream: stream)
    }
  }

  /// How far copied sound lies from its exact places, each said once.
  var offsets: [CopiedAudio.Offset] { copied.flatMap(\.offsets).uniqued() }

  /// The longest start of copied sound that no whole packet holds.
  var missing: Rational { copied.map(\.missingAtStart).max() ?? .zero }
}
