import CutroomMedia
import CutroomModel

/// The files that copied pictures and copied sound read together.
///
/// Where both copy the same stretches of the same files, each file is read once for both.
final class SharedFeeds {
  private let video: [Chunk]
  private let audio: [Chunk]
  private let isShared: Bool
  private let runUp: Rational
  private var feeds: [Int: PacketFeed] = [:]
  /// Files that were opened for their parameters: at most the first of each kind.
  private var examined: [String: Demuxer] = [:]

  /// `runUp` is how much sound before a stretch is copied with it.
  init(plan: ExportPlan, runUp: Rational = Rational(1, 2)) {
    video = plan.video?.isCopied == true ? plan.video?.chunks ?? [] : []
    audio = plan.audio?.isCopied == true ? plan.audio?.chunks ?? [] : []
    self.runUp = runUp
    isShared =
      !video.isEmpty && video.count == audio.count
      && zip(video, audio).allSatisfy { video, audio in
        guard case .copy(let a) = video.action, case .copy(let b) = audio.action else {
          return false
        }
        return a.path == b.path && a.sourceStart == b.sourceStart
      }
  }

  /// What a muxer must know of the stream that a range copies.
  func parameters(of range: CopiedRange) throws(CutroomError) -> CodecParameters {
    do {
      let demuxer =
        if let open = examined[range.path] { open } else { try Demuxer(path: range.path) }
      examined[range.path] = demuxer
      return try demuxer.parameters(of: range.streamIndex)
    } catch {
      throw CutroomError(reading: range.path, error)
    }
  }

  /// The packets of a chunk's stream, at `tick` or earlier.
  func feed(
    chunk: Int, _ range: CopiedRange, tick: Int64, asset: AssetInfo?
  ) throws(LibAVError) -> PacketFeed {
    guard isShared, case .copy(let picture) = video[chunk].action,
      case .copy(let sound) = audio[chunk].action,
      let track = asset?.tracks.first(where: { $0.streamIndex == picture.streamIndex })
    else {
      return try PacketFeed(
        path: range.path, streams: [range.streamIndex], stream: range.streamIndex, tick: tick)
    }
    // Each of the two asks once for each chunk.
    if let feed = feeds.removeValue(forKey: chunk) { return feed }
    let ahead = Int64(clamping: (runUp / track.timeBase).ceiling)
    let feed = try PacketFeed(
      path: range.path, streams: [picture.streamIndex, sound.streamIndex],
      stream: picture.streamIndex, tick: picture.firstPTS - ahead)
    feeds[chunk] = feed
    return feed
  }
}
