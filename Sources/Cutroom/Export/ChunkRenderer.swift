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

  init(
    plan: ExportPlan, video: VideoPlan, decoderThreads: Int, damage: DamagePolicy
  ) throws(CutroomError) {
    self.plan = plan
    self.video = video
    settings = try video.encoding.settings()
    renderer = try TimelineRenderer(
      timeline: plan.timeline, assets: plan.assets,
      outputFormat: FrameFinisher.drawnFormat(for: settings.format),
      decoderThreads: decoderThreads,
      damage: damage)
    finisher = FrameFinisher(
      canvas: plan.timeline.size, encoding: video.encoding, target: settings.format)
  }

  /// The packets of the frames [first, first + count), with presentation times in ticks.
  ///
  /// `onFrame` is called after each frame and throws to stop.
  func render(
    first: Int64, count: Int64, onFrame: () throws(CutroomError) -> Void
  ) throws(CutroomError) -> [Packet] {
    var packets: [Packet] = []
    let encoder: Encoder
    do { encoder = try Encoder(video: settings) } catch {
      throw CutroomError(encoder: settings.encoder, error)
    }
    let rate = video.encoding.frameRate
    for index in first..<first + count {
      let drawn = try renderer.frame(at: plan.start + rate.time(ofFrame: index))
      do {
        let frame = try finisher.finish(drawn).reference()
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
    return packets
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
