import CutroomModel
import CutroomMedia
import Foundation

extension Engine {
  /// Carries out a plan: writes the result under a temporary name, verifies and tags it, and gives
  /// it its name.
  ///
  /// - Parameters:
  ///   - plan: What to do.
  ///   - overwrite: Whether an existing file may be replaced.
  ///   - jobs: How many chunks are rendered at once; `nil` for one per processor core. The bytes
  ///     of the result do not depend on it.
  ///   - memory: Bytes of decoded pictures that open sources may hold beyond those that are being
  ///     shown; what encoders hold is not counted.
  ///   - refusesMetadataLoss: Whether an item of metadata that does not arrive whole is an error.
  ///   - cancellation: Checked at every packet.
  ///   - progress: Called from several threads, at most twenty times a second.
  /// - Returns: What was made.
  /// - Throws: ``CutroomError``; then there is no file under the output's name that was not there
  ///   before, and no temporary file.
  public static func export(
    _ plan: ExportPlan, overwrite: Bool = false, jobs: Int? = nil, memory: Int = 512 << 20,
    refusesMetadataLoss: Bool = false, cancellation: Cancellation = Cancellation(),
    progress: @escaping @Sendable (ExportProgress) -> Void = { _ in }
  ) throws(CutroomError) -> ExportReport {
    var session = ExportSession(
      plan: plan, overwrite: overwrite, jobs: jobs, memory: memory, cancellation: cancellation,
      progress: progress)
    session.refusesMetadataLoss = refusesMetadataLoss
    return try session.runVerified()
  }
}

/// One export from the first packet to the final name.
struct ExportSession {
  private let plan: ExportPlan
  private let overwrite: Bool
  fileprivate(set) var refusesMetadataLoss = false
  private let jobs: Int
  private let meter: ProgressMeter
  private let damage: DamagePolicy
  private let readers: ReaderBudget

  init(
    plan: ExportPlan, overwrite: Bool, jobs: Int?, memory: Int, cancellation: Cancellation,
    progress: @escaping @Sendable (ExportProgress) -> Void
  ) {
    self.plan = plan
    damage = DamagePolicy(plan.document)
    readers = ReaderBudget(bytes: max(0, min(memory, 1 << 40)))
    self.overwrite = overwrite
    self.jobs = max(1, min(jobs ?? FileSystem.availableCores, 256))
    meter = ProgressMeter(
      total: plan.video?.frameCount
        ?? plan.audio.map {
          $0.isCopied ? $0.sampleCount : $0.sampleCount * SoundPump.passes(plan)
        }
        ?? 1,
      stage: plan.isRendering ? "render" : "copy", cancellation: cancellation, handler: progress)
  }

  private init(_ other: ExportSession, plan: ExportPlan) {
    self.plan = plan
    (overwrite, jobs, meter) = (other.overwrite, other.jobs, other.meter)
    (damage, readers) = (other.damage, other.readers)
    refusesMetadataLoss = other.refusesMetadataLoss
  }

  /// What a first attempt may end in.
  private enum Attempt {
    case done(ExportReport)
    /// Copied chunks that do not decode beside rendered ones, and why.
    case seams([Int: String])
  }

  /// Copies and renders; where a joint does not decode, once again with its copy rendered.
  func runVerified() throws(CutroomError) -> ExportReport {
    let began = Date()
    let watchdog = Watchdog(meter.monitor, report: meter.stalled)
    defer { watchdog.stop() }
    let failures: [Int: String]
    switch try run(since: began) {
    case .done(let report): return report
    case .seams(let found): failures = found
    }
    switch try ExportSession(self, plan: plan.rendering(failures)).run(since: began) {
    case .done(let report): return report
    case .seams(let failures):
      let reason = failures.min { $0.key < $1.key }?.value ?? "unknown"
      throw CutroomError(
        .internal, "output.verification",
        "copied and rendered pictures do not decode together (\(reason)); use mode render")
    }
  }

  private func run(since began: Date) throws(CutroomError) -> Attempt {
    if !overwrite, FileStatus(path: plan.output) != nil { throw .exists(plan.output) }
    meter.begin()
    if plan.container.isFolder { return try runFolder(began) }
    let metadata = try ExportMetadata(plan: plan, refusesLoss: refusesMetadataLoss)
    var file = OutputFile(target: plan.output)
    let writer = try PacketWriter(plan: plan, temporary: file.temporary)
    let feeds = SharedFeeds(plan: plan)
    if let video = plan.video {
      let stream: any PacketStream =
        if video.isCopied {
          CopiedVideo(plan: plan, video: video, feeds: feeds, progress: meter)
        } else if video.join != nil {
          JoinedVideo(
            plan: plan, video: video, feeds: feeds, jobs: jobs, progress: meter, damage: damage,
            readers: readers)
        } else {
          RenderedVideo(
            plan: plan, video: video, jobs: jobs, progress: meter, damage: damage,
            readers: readers)
        }
      try writer.add(video: video, stream: stream)
    }
    let sounds = try addSounds(to: writer, feeds)
    for subtitles in plan.furtherSubtitles {
      try writer.add(subtitles: subtitles, stream: WrittenSubtitles(subtitles))
    }
    for data in plan.furtherData {
      try writer.add(
        data: data,
        stream: CopiedData(
          plan: plan, data: data, feeds: feeds, cancellation: meter.cancellation))
    }
    let written = try writer.run(
      chapters: metadata.chaptersForMuxer, metadata: metadata.forMuxer,
      attachments: metadata.attachments + plan.fontAttachments)
    meter.finishing()
    try meter.cancellation.check()
    var weakness: [Diagnostic] = []
    if let video = plan.video, video.join != nil {
      var verifier = SeamVerifier(
        video: video, assets: plan.assets, cancellation: meter.cancellation)
      let failures = try verifier.failures(in: file.temporary, jobs: jobs)
      guard failures.isEmpty else { return .seams(failures) }
      weakness = self.weakness(of: verifier.edgeLikeness)
    }
    let outcomes = try metadata.write(to: file.temporary)
    try OutputVerifier(plan: plan, written: written).verify(file.temporary)
    try meter.cancellation.check()
    try file.commit(overwrite: overwrite)
    meter.end()
    let report = ExportReport(
      plan: plan, output: plan.output, metadata: outcomes.outcomes,
      warnings: warnings(outcomes.warnings + weakness, sounds),
      seconds: Date().timeIntervalSince(began),
      peakDecibels: sounds.main.flatMap { decibels($0.outcome.peak) },
      loudness: sounds.main?.outcome.loudness,
      written: written, offsets: sounds.offsets, concealed: damage.concealed)
    return .done(report)
  }

  /// Adds the streams of sound.
  private func addSounds(
    to writer: PacketWriter, _ feeds: SharedFeeds
  ) throws(CutroomError) -> ExportedSounds {
    var sounds = ExportedSounds()
    if let audio = plan.audio {
      var label = plan.label(.audio)
      label.language = audio.language ?? label.language
      label.dispositions.insert(.isDefault)
      try sounds.add(audio, of: plan, label, to: writer, feeds, meter, damage)
      sounds.main = sounds.rendered.first
    }
    for (stream, audio) in plan.furtherSounds {
      let plan = plan.playing(stream)
      try sounds.add(audio, of: plan, plan.label(.audio), to: writer, feeds, meter, damage)
    }
    return sounds
  }

  /// A warning where edges look less like the source than they should; a quality that the author
  /// asked for is enough.
  private func weakness(of likeness: Double?) -> [Diagnostic] {
    guard let likeness, likeness < 38, case .settings(let wanted) = plan.document.export.video,
      wanted.crf == nil
    else { return [] }
    return [
      Diagnostic(
        .warning, "copy.edge-quality",
        "the pictures rendered beside copied ones are only "
          + JSONValue.decimal(likeness, digits: 1).encoded()
          + " dB like the source's; give a lower crf for more", at: "/export/video")
    ]
  }

  /// Pictures in files of their own.
  private func runFolder(_ began: Date) throws(CutroomError) -> Attempt {
    guard let video = plan.video else {
      throw CutroomError(.internal, "internal", "a folder of pictures has no picture")
    }
    var folder = try PictureFolder(plan: plan)
    let stream = RenderedVideo(
      plan: plan, video: video, jobs: jobs, progress: meter, damage: damage, readers: readers)
    try folder.write(video, stream, target: plan.output)
    meter.finishing()
    try folder.verify(video)
    try meter.cancellation.check()
    try folder.commit(overwrite: overwrite)
    meter.end()
    let report = ExportReport(
      plan: plan, output: plan.output, metadata: [],
      warnings: plan.diagnostics.filter { $0.severity >= .warning } + concealments,
      seconds: Date().timeIntervalSince(began), peakDecibels: nil, loudness: nil,
      written: [folder.written], offsets: [], concealed: damage.concealed)
    return .done(report)
  }

  /// A warning for every stretch that did not decode.
  private var concealments: [Diagnostic] {
    damage.concealed.map { stretch in
      Diagnostic(
        .warning, "media.concealed",
        "'\(stretch.path)' does not decode from \(stretch.start.secondsText) to "
          + "\(stretch.end.secondsText): "
          + (stretch.kind == "video" ? "the picture before is held" : "silence is heard"),
        at: "/export/damaged")
    }
  }

  private func decibels(_ peak: Float) -> Double? {
    peak > 0 ? 20 * log10(Double(peak)) : nil
  }

  private func warnings(_ metadata: [Diagnostic], _ sounds: ExportedSounds) -> [Diagnostic] {
    var warnings = plan.diagnostics.filter { $0.severity >= .warning } + metadata + concealments
    for sound in sounds.rendered {
      if let warning = sound.outcome.warning { warnings.append(warning) }
      if let warning = peakWarning(sound, isMain: sound === sounds.main) {
        warnings.append(warning)
      }
    }
    if sounds.missing > Rational(1, 1000) {
      warnings.append(
        Diagnostic(
          .warning, "sound.missing-start",
          "the first \(sounds.missing.secondsText) of the copied sound are missing, because its "
            + "packets cannot be cut; use mode render to have them", at: ""))
    }
    if sounds.lacksLead {
      warnings.append(
        Diagnostic(
          .warning, "sound.run-up",
          "the first packet of the copied sound fades in: '\(plan.container.name)' cannot hide the "
            + "one before it, which decoding it needs; choose mp4 or mkv to have it whole", at: ""))
    }
    return warnings + SoundOffset.warnings(sounds.offsets)
  }

  private func peakWarning(_ sound: RenderedAudio, isMain: Bool) -> Diagnostic? {
    let peak = sound.outcome.peak
    guard peak > 1, plan.document.sound.peak != .error, plan.document.sound.loudness == nil else {
      return nil
    }
    let level = JSONValue.decimal(decibels(peak) ?? 0, digits: 2).encoded()
    let treatment = plan.document.sound.peak == .limit ? "limited" : "clipped"
    return Diagnostic(
      .warning, "sound.peak",
      "\(isMain ? "the sound" : "a further track") peaks at +\(level) dBFS and was \(treatment) "
        + "there; lower the gains to avoid it, also where none is set: sound coded with loss can decode "
        + "louder than it was", at: "/audio/peak")
  }
}

extension ExportPlan {
  /// Whether anything is decoded and encoded.
  var isRendering: Bool {
    !(video?.isCopied ?? true) || !sounds.allSatisfy(\.isCopied)
  }
}

extension VideoPlan {
  /// Whether all packets are a source's.
  var isCopied: Bool { encoding.encoder == "copy" }
}

extension AudioPlan {
  /// Whether all packets are a source's.
  var isCopied: Bool { encoding.encoder == "copy" }
}
