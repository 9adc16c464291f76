import CutroomMedia
import CutroomModel

extension Planner {
  mutating func planAudio(_ container: Container) -> AudioPlan? {
    guard case .settings(let wanted) = settings.audio else { return nil }
    let sounds = timeline.tracks.contains { track in
      track.kind == .audio
        && track.segments.contains { segment in
          segment.source.map(hasSound) ?? false && clipped(segment) != nil
        }
    }
    guard sounds else { return nil }
    guard !container.audioCodecs.isEmpty else {
      if wanted.codec != nil {
        error(
          .capabilityCodecContainer, "'\(container.name)' holds pictures only",
          at: "/export/audio", fix: "leave out \"audio\", or export to mp4")
      } else {
        warn(
          .capabilityContainer, "the sound is left out: '\(container.name)' holds pictures only",
          at: "/export")
      }
      return nil
    }
    switch planAudioCopy(container, wanted) {
    case .copied(let plan): return plan
    case .refused(let obstacles):
      guard isCopyDemanded(wanted.codec) else {
        let plan = planAudioRendering(
          container, wanted, reasons: obstacles.map(\.reason).uniqued())
        if let plan { noteEncoding(plan, obstacles) }
        return plan
      }
      report(obstacles, kind: "sound")
      return nil
    }
  }

  private mutating func planAudioRendering(
    _ container: Container, _ wanted: AudioExport, reasons: [String]
  ) -> AudioPlan? {
    let wanted = likened(wanted, container)
    guard
      let codec = codec(
        wanted.codec ?? keptCodec(container, wanted) ?? standardAudioCodec(container),
        encoder: wanted.encoder, .audio(container),
        in: container),
      let info = Encoder.info(encoder: codec.encoder)
    else { return nil }
    guard let layout = supportedLayout(codec, info) else { return nil }
    let channels = ChannelLayout.channels(of: layout)
    var encoding = AudioEncoding(
      encoder: codec.encoder, sampleRate: supportedRate(info), channelLayout: layout,
      sampleFormat: sampleFormat(codec, info), bitrate: wanted.bitrate,
      options: wanted.options)
    if encoding.sampleRate != timeline.sampleRate {
      note(
        .capabilityRate,
        "'\(codec.name)' has no \(timeline.sampleRate) Hz; the sound is made at "
          + "\(encoding.sampleRate) Hz", at: "/timeline/sampleRate")
    }
    if encoding.bitrate == nil, case .bitrate(let perChannel) = codec.quality {
      // Low rates have less to tell, and some encoders refuse more for them.
      let share = min(1, Rational(encoding.sampleRate, 44100))
      encoding.bitrate = Int(clamping: (Rational(perChannel * channels) * share).rounded)
    }
    do {
      let encoder = try Encoder(audio: encoding.settings())
      let samples = Int64(clamping: ((start + duration) * Rational(encoding.sampleRate)).floor)
      let first = Int64(clamping: (start * Rational(encoding.sampleRate)).floor)
      let chunk = Chunk(
        action: .render(reasons: reasons), start: 0, duration: duration, count: samples - first)
      return AudioPlan(
        codec: codec.name, encoding: encoding, chunks: [chunk], sampleCount: samples - first,
        packetSize: Int64(encoder.frameSize), language: language())
    } catch {
      let details = error.log.last.map { "; " + $0 } ?? ""
      self.error(
        .capabilityOption,
        "the encoder '\(codec.encoder)' does not take these settings: \(error.reason)\(details)",
        at: "/export/audio")
      return nil
    }
  }

  /// The language that all sounding tracks agree on.
  func language() -> String? {
    let languages = Set(
      timeline.tracks.filter { $0.kind == .audio && $0.duration > .zero }.map(\.language))
    return languages.count == 1 ? languages.first ?? nil : nil
  }

  /// Says that sound of files is encoded anew where its packets alone, and no wish of the author's,
  /// stand against copying it.
  private mutating func noteEncoding(_ plan: AudioPlan, _ obstacles: [CopyObstacle]) {
    let own: Set = [
      "sound.trim", "sound.priming", "sound.join", "codec.container", "signature.differs", "gap",
    ]
    guard settings.mode == .auto, let first = obstacles.first, !soundSources.isEmpty,
      obstacles.allSatisfy({ own.contains($0.reason) })
    else { return }
    note(
      .copySound, "the sound is encoded anew as '\(plan.codec)': \(first.message)",
      at: "/export/audio")
  }

  /// The codec with loss that all sources have, where the container holds it too and it can be
  /// encoded.
  private func keptCodec(_ container: Container, _ wanted: AudioExport) -> String? {
    let names = Set(soundSources.map(\.codec))
    guard settings.mode == .auto, wanted.encoder == nil, names.count == 1, let name = names.first,
      container.audioCodecs.contains(name), let codec = Codec.named(name), !codec.isLosslessSound,
      let info = Encoder.info(encoder: codec.encoder), info.isAvailable
    else { return nil }
    let holdsLayout = heldLayout(codec, info) != nil
    return holdsLayout && supportedRate(info) == timeline.sampleRate ? name : nil
  }

  /// The codec for a timeline whose author names none: uncompressed sound keeps its depth.
  private func standardAudioCodec(_ container: Container) -> String {
    let standard = container.audioCodecs[0]
    guard standard == "pcm_s16le" else { return standard }
    let depths = soundSources.map { Self.depth($0) }
    if depths.contains(.float) { return "pcm_f32le" }
    return depths.contains(.deep) ? "pcm_s24le" : standard
  }

  /// How finely a source's samples are stored.
  private enum Depth {
    /// 16 bits, or coded with loss.
    case usual
    /// More than 16 bits.
    case deep
    case float
  }

  private static func depth(_ track: AssetTrack) -> Depth {
    if track.codec.hasPrefix("pcm_f") { return .float }
    let isDeep = ["pcm_s24", "pcm_s32"].contains { track.codec.hasPrefix($0) }
    let isLossless = ["flac", "alac"].contains(track.codec)
    let isWide = isLossless && (track.stream?.sampleFormat.hasPrefix("s32") ?? false)
    return isDeep || isWide ? .deep : .usual
  }

  /// The audio tracks of files that the timeline sounds.
  var soundSources: [AssetTrack] {
    let used = timeline.tracks.filter { $0.kind == .audio }.flatMap(\.segments).compactMap(\.source)
    return Set(used).sorted().compactMap { index in
      guard case .file(let path, _, let choice) = timeline.sources[index].content else {
        return nil
      }
      return assets[path]?.track(.audio, choice)
    }
  }

  /// The timeline's layout, or the one that names the same speakers differently.
  private mutating func supportedLayout(_ codec: Codec, _ info: EncoderInfo) -> String? {
    let wanted = timeline.channelLayout
    if let held = heldLayout(codec, info) {
      if held != wanted {
        note(
          .capabilitySound, "'\(codec.name)' stores \(wanted) as \(held)",
          at: "/timeline/channelLayout")
      }
      return held
    }
    let known = codec.channelLayouts ?? info.channelLayouts
    error(
      .capabilitySound,
      "'\(codec.name)' cannot hold the channel layout \(wanted); it holds "
        + known.joined(separator: ", "),
      at: document.timeline.channelLayout == nil ? "/timeline" : "/timeline/channelLayout",
      fix: "set timeline.channelLayout to \"stereo\"")
    return nil
  }

  /// The timeline's layout, or its twin, as far as the codec has one of them.
  private func heldLayout(_ codec: Codec, _ info: EncoderInfo) -> String? {
    let wanted = timeline.channelLayout
    let known = codec.channelLayouts ?? info.channelLayouts
    if known.isEmpty || known.contains(wanted) { return wanted }
    let twins = [
      "5.1": "5.1(side)", "5.1(side)": "5.1", "5.0": "5.0(side)", "5.0(side)": "5.0",
      "quad": "quad(side)", "quad(side)": "quad",
    ]
    return twins[wanted].flatMap { known.contains($0) ? $0 : nil }
  }

  private func supportedRate(_ info: EncoderInfo) -> Int {
    let wanted = timeline.sampleRate
    guard !info.sampleRates.isEmpty, !info.sampleRates.contains(wanted) else { return wanted }
    return info.sampleRates.filter { $0 >= wanted }.min() ?? info.sampleRates.max() ?? wanted
  }

  /// The encoder's sample format; FLAC and ALAC keep more than 16 bits where a source has them.
  private func sampleFormat(_ codec: Codec, _ info: EncoderInfo) -> String {
    let usable = codec.formats.filter {
      info.sampleFormats.isEmpty || info.sampleFormats.contains($0)
    }
    let isDeep = soundSources.contains { Self.depth($0) != .usual }
    let wanted = isDeep ? usable.last : usable.first
    return wanted ?? info.sampleFormats.first ?? codec.formats[0]
  }
}
