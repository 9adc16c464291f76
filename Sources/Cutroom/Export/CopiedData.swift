import CutroomMedia
import CutroomModel

/// The packets of a data track, each at the time to which the mapping takes it.
///
/// A packet that begins before its stretch begins with it, and lasts as long as it reaches in: that
/// an edit list hides the rest is not understood by all who read data.
final class CopiedData: PacketStream {
  private let plan: ExportPlan
  private let data: DataPlan
  private let feeds: SharedFeeds
  private let cancellation: Cancellation
  private var chunk = 0
  private var feed: PacketFeed?
  private var last = Int64.min

  init(plan: ExportPlan, data: DataPlan, feeds: SharedFeeds, cancellation: Cancellation) {
    self.plan = plan
    self.data = data
    self.feeds = feeds
    self.cancellation = cancellation
  }

  var parameters: CodecParameters {
    get throws(CutroomError) {
      guard case .copy(let range)? = data.chunks.first?.action else {
        throw CutroomError(.internal, "internal", "there is no data to copy")
      }
      return try feeds.parameters(of: range)
    }
  }

  func next() throws(CutroomError) -> Packet? {
    while chunk < data.chunks.count {
      guard case .copy(let range) = data.chunks[chunk].action, let asset = plan.assets[range.path]
      else { throw CutroomError(.internal, "internal", "the copied data was not probed") }
      try cancellation.check()
      do throws(LibAVError) {
        if feed == nil {
          feed = try feeds.feed(data.chunks[chunk], range, tick: range.firstPTS, asset: asset)
        }
        while let packet = try feed?.next(range.streamIndex) {
          guard let tick = packet.pts ?? packet.dts else { continue }
          if let end = range.endPTS, tick >= end { break }
          if place(packet, tick, range, asset) { return packet }
        }
      } catch {
        throw CutroomError(reading: range.path, error)
      }
      feed = nil
      chunk += 1
    }
    return nil
  }

  /// Gives a packet its time; `false` where nothing of it lies in the stretch.
  private func place(
    _ packet: Packet, _ tick: Int64, _ range: CopiedRange, _ asset: AssetInfo
  ) -> Bool {
    guard let track = asset.tracks.first(where: { $0.streamIndex == range.streamIndex }) else {
      return false
    }
    let stretch = data.chunks[chunk]
    func mapped(_ tick: Int64) -> Rational {
      (Rational(tick) * track.timeBase - asset.origin - range.sourceStart) / range.speed
        + stretch.start
    }
    let end = stretch.start + stretch.duration
    let from = max(mapped(tick), stretch.start)
    let (after, isBeyond) = tick.addingReportingOverflow(max(0, packet.duration))
    let to = min(mapped(isBeyond ? .max : after), end)
    guard from < end, to > from || mapped(tick) >= stretch.start else { return false }
    let scale = Rational(data.ticksPerSecond)
    let place = max(Int64(clamping: (from * scale).rounded), last == .min ? .min : last + 1)
    packet.pts = place
    packet.dts = nil
    packet.duration = max(1, Int64(clamping: (to * scale).rounded) - place)
    last = place
    return true
  }
}
