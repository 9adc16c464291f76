import CutroomMedia
import CutroomModel

/// Renders chunks of the picture: decode, draw, encode.
///
/// One per worker thread.
/// A chunk depends on the plan alone: each has an encoder of its own and begins with a keyframe.
final class ChunkRenderer {
  private let plan: ExportPlan
  private let video: VideoPlan
  private let renderer: TimelineRenderer
  private let settings: VideoEncoderSettings
  private let finisher: FrameFinisher
  private let damage: DamagePolicy
  private let decoderThreads: Int
  private var reader: (stretch: SourceStretch, reader: FrameReader)?

  init(
    plan: ExportPlan, video: VideoPlan, decoderThreads: Int, damage: DamagePolicy,
    readers: ReaderBudget
  ) throws(CutroomError) {
    self.plan = plan
    self.video = video
    (self.decoderThreads, self.damage) = (decoderThreads, damage)
    settings = try video.encoding.settings()
    renderer = try TimelineRenderer(
      timeline: plan.timeline, assets: plan.assets,
      outputFormat: FrameFinisher.drawnFormat(for: settings.format),
      decoderThreads: decoderThreads,
      damage: damage, readers: readers)
    finisher = FrameFinisher(
      canvas: plan.timeline.size, encoding: video.encoding, target: settings.format)
  }

  /// The packets of a chunk's frames, with presentation times in ticks.
  ///
  /// `onFrame` is called after each frame and throws to stop.
  func render(
    _ chunk: Chunk, onFrame: () throws(CutroomError) -> Void
  ) throws(CutroomError) -> [Packet] {
    var packets: [Packet] = []
    let encoder: Encoder
    do { encoder = try Encoder(video: settings) } catch {
      throw CutroomError(encoder: settings.encoder, error)
    }
    let rate = video.encoding.frameRate
    let (first, count) = (rate.frame(at: chunk.start), chunk.count)
    for index in first..<first + count {
      let drawn: Frame
      if let stretch = chunk.reencoded {
        let passed =
          chunk.ticks.map { Rational($0[Int(index - first)] - $0[0], video.ticksPerSecond) }
          ?? rate.time(ofFrame: index - first)
        drawn = try picture(stretch, at: stretch.start + passed)
      } else {
        drawn = try renderer.frame(at: plan.start + rate.time(ofFrame: index))
      }
      do {
        let finished = chunk.reencoded == nil ? try finisher.finish(drawn) : drawn
        let frame = try finished.reference()
        frame.pts = index
        frame.colorTags = settings.colorTags
        while !(try encoder.send(frame)) { try collect(encoder, &packets) }
        try collect(encoder, &packets)
      } catch {
        throw CutroomError(encoder: settings.encoder, error)
      }
      try onFrame()
    }
    do {
      _ = try encoder.send(nil)
      try collect(encoder, &packets)
    } catch {
      throw CutroomError(encoder: settings.encoder, error)
    }
    guard Int64(packets.count) == count else {
      throw CutroomError(
        .internal, "encode.frames",
        "the encoder '\(settings.encoder)' gave \(packets.count) packets for \(count) frames")
    }
    stamp(packets, chunk, first: first)
    guard let join = video.join else { return packets }
    return try JoinedPackets(join).joined(packets, of: encoder)
  }

  /// Gives packets of pictures that do not last equally long their own times.
  private func stamp(_ packets: [Packet], _ chunk: Chunk, first: Int64) {
    guard let ticks = chunk.ticks else { return }
    let end = Int64(
      clamping: ((chunk.start + chunk.duration) * Rational(video.ticksPerSecond)).rounded)
    for packet in packets {
      let index = Int((packet.pts ?? first) - first)
      packet.pts = ticks[index]
      packet.duration = max(1, (index + 1 < ticks.count ? ticks[index + 1] : end) - ticks[index])
    }
  }

  /// The picture that a source shows at a time, as it was decoded.
  private func picture(
    _ stretch: SourceStretch, at time: Rational
  ) throws(CutroomError) -> Frame {
    if reader?.stretch.path != stretch.path || reader?.stretch.streamIndex != stretch.streamIndex {
      guard let asset = plan.assets[stretch.path],
        let track = asset.tracks.first(where: { $0.streamIndex == stretch.streamIndex })
      else { throw CutroomError(.internal, "internal", "the source was not probed") }
      reader = (
        stretch,
        try FrameReader(
          asset: asset, track: track, threads: decoderThreads, damage: damage)
      )
    }
    guard let frame = try reader?.reader.picture(at: time)?.frame else {
      throw CutroomError(
        .media, "media.truncated",
        "'\(stretch.path)' has no picture at \(time.secondsText); repair it or shorten the clip")
    }
    guard frame.format == settings.format, frame.width == settings.width,
      frame.height == settings.height
    else {
      throw CutroomError(
        .media, "media.pixel-format",
        "the pictures of '\(stretch.path)' change their size or format at "
          + "\(time.secondsText); use mode render")
    }
    return frame
  }

  private func collect(_ encoder: Encoder, _ packets: inout [Packet]) throws(LibAVError) {
    let ticks = video.ticksPerFrame ?? 1
    while case .value(let packet) = try encoder.receive() {
      packet.pts = (packet.pts ?? 0) * ticks
      packet.duration = ticks
      packets.append(packet)
    }
  }
}
