import CutroomMedia
import CutroomModel

/// The packets of copied pictures, in the plan's ticks.
final class CopiedVideo: PacketStream {
  private let video: VideoPlan
  private let progress: ProgressMeter
  private var chunk = 0
  private let feeds: SharedFeeds
  private let plan: ExportPlan
  private let assets: [String: AssetInfo]
  private var feed: PacketFeed?
  private var range: CopiedRange?
  private var hasBegun = false
  private var copied: Int64 = 0
  private var copiedOfChunk: Int64 = 0
  private let reportsProgress: Bool

  /// `reportsProgress` is false where the packets are a part of the picture's.
  init(
    plan: ExportPlan, video: VideoPlan, feeds: SharedFeeds, progress: ProgressMeter,
    reportsProgress: Bool = true
  ) {
    self.reportsProgress = reportsProgress
    self.video = video
    self.feeds = feeds
    self.plan = plan
    assets = plan.assets
    self.progress = progress
  }

  var parameters: CodecParameters {
    get throws(CutroomError) {
      guard case .copy(let range)? = video.chunks.first?.action else {
        throw CutroomError(.internal, "internal", "there is nothing to copy")
      }
      return try feeds.parameters(of: range)
    }
  }

  func next() throws(CutroomError) -> Packet? {
    while true {
      if feed == nil {
        guard chunk < video.chunks.count else { return nil }
        try openChunk()
      }
      if let packet = try readChunk() {
        copied += 1
        copiedOfChunk += 1
        try checkCount(isEnd: false)
        if reportsProgress { try progress.report(frames: copied) }
        return packet
      }
      try checkCount(isEnd: true)
      feed = nil
      chunk += 1
    }
  }

  private func openChunk() throws(CutroomError) {
    guard case .copy(let range) = video.chunks[chunk].action else {
      throw CutroomError(.internal, "internal", "a rendered chunk among copied ones")
    }
    do {
      feed = try feeds.feed(
        video.chunks[chunk], range, tick: range.firstPTS, asset: assets[range.path])
    } catch {
      throw CutroomError(reading: range.path, error)
    }
    self.range = range
    hasBegun = false
    copiedOfChunk = 0
  }

  /// A file may hold other packets than its table said when planning.
  private func checkCount(isEnd: Bool) throws(CutroomError) {
    let planned = video.chunks[chunk].count + (range?.hidden ?? 0)
    guard isEnd ? copiedOfChunk != planned : copiedOfChunk > planned else { return }
    throw CutroomError(
      .media, "media.changed",
      "'\(range?.path ?? "")' holds other pictures than its table says: \(copiedOfChunk) instead of "
        + "\(planned); use mode render")
  }

  /// The packet; the first one of a range that breaks its link is marked as beginning anew.
  ///
  /// What a container calls a keyframe and is none, the result does not call so.
  private func marked(_ packet: Packet, _ range: CopiedRange) throws(LibAVError) -> Packet {
    let isBroken = range.breaksLink && copiedOfChunk == 0
    guard packet.isKeyframe || isBroken else { return packet }
    let stream = assets[range.path]?.tracks.first { $0.streamIndex == range.streamIndex }?.stream
    packet.isKeyframe = BitstreamCheck.isIntra(packet, stream)
    guard isBroken else { return packet }
    return try packet.replacing(BitstreamCheck.brokenLink(packet.bytes, stream))
  }

  private func readChunk() throws(CutroomError) -> Packet? {
    guard let feed, let range else { return nil }
    do {
      while let packet = try feed.next(range.streamIndex) {
        guard let pts = packet.pts else { continue }
        if !hasBegun {
          guard pts == range.firstPTS else { continue }
          hasBegun = true
          packet.isKeyframe = true
        }
        if let end = range.endPTS, pts >= end {
          // What is presented later may still precede in decoding order, but is not needed.
          if let dts = packet.dts, dts >= end { return nil }
          continue
        }
        // Leading pictures of an open group belong before the cut.
        if pts < range.firstPTS || packet.isDiscard { continue }
        if let grid = range.grid {
          packet.pts = grid.planTick(of: pts)
          packet.duration = grid.step
        } else {
          packet.pts = pts * range.tickFactor + range.tickOffset
          packet.duration *= range.tickFactor
        }
        packet.dts = nil
        return try marked(packet, range)
      }
    } catch {
      throw CutroomError(reading: range.path, error)
    }
    let missing = video.chunks[chunk].count + range.hidden - copiedOfChunk
    if missing > 0 {
      throw plan.located(
        CutroomError(
          .media, "media.truncated",
          "'\(range.path)' ends early: \(missing) of the pictures that its index names are not there; "
            + "repair it, shorten the clip, or set export.damaged to \"conceal\""), .video,
        at: video.chunks[chunk].start)
    }
    return nil
  }
}
