import CutroomModel

/// The streams of sound of an export while it runs.
struct ExportedSounds {
  /// What is copied.
  private(set) var copied: [any CopiedSound] = []
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
      let stream: any CopiedSound =
        switch audio.cut {
        case .samples, .blocks:
          try CutAudio(plan: plan, audio: audio, feeds: feeds, progress: meter)
        case .hidden, .packets:
          CopiedAudio(plan: plan, audio: audio, feeds: feeds, progress: meter)
        }
      copied.append(stream)
      try writer.add(audio: audio, label: label, stream: stream)
    } else {
      let stream = RenderedAudio(plan: plan, audio: audio, progress: meter, damage: damage)
      rendered.append(stream)
      try writer.add(audio: audio, label: label, stream: stream)
    }
  }

  /// How far copied sound lies from its exact places, each said once.
  var offsets: [SoundOffset] { copied.flatMap(\.offsets).uniqued() }

  /// The longest start of copied sound that no whole packet holds.
  var missing: Rational { copied.map(\.missingAtStart).max() ?? .zero }

  /// Whether the first packet of copied sound decodes without the one before it.
  var lacksLead: Bool { copied.contains(where: \.lacksLead) }
}
