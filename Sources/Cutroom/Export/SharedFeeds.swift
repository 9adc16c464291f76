import CutroomMedia
import CutroomModel

/// The files that copied streams read together.
///
/// Where several copy the same stretch of the same file, it is read once for all of them.
final class SharedFeeds {
  /// A stretch of a file that streams begin to copy at one time of the result.
  private struct Place: Hashable {
    var path: String
    var sourceStart: Rational
    var start: Rational
  }

  /// The streams that copy from one place.
  private struct Group {
    var streams: Set<Int> = []
    /// What is copied of the picture.
    var picture: CopiedRange?
    /// The streams that have not asked yet.
    var waiting: Set<Int> = []
    var feed: PacketFeed?
  }

  private var groups: [Place: Group] = [:]
  private let runUp: Rational
  private let files = OpenFiles()
  /// Files that were opened for their parameters, at most the first of each stream, until they are
  /// read.
  private var examined: [String: Demuxer] = [:]

  /// `runUp` is how much sound before a stretch is copied with it.
  init(plan: ExportPlan, runUp: Rational = Rational(1, 2)) {
    self.runUp = runUp
    if let video = plan.video, video.isCopied { add(video.chunks, isPicture: true) }
    for audio in plan.sounds where audio.isCopied { add(audio.chunks, isPicture: false) }
    for data in plan.furtherData { add(data.chunks, isPicture: false) }
  }

  private func add(_ chunks: [Chunk], isPicture: Bool) {
    for chunk in chunks {
      guard case .copy(let range) = chunk.action else { continue }
      let place = Place(path: range.path, sourceStart: range.sourceStart, start: chunk.start)
      groups[place, default: Group()].streams.insert(range.streamIndex)
      groups[place]?.waiting.insert(range.streamIndex)
      if isPicture { groups[place]?.picture = range }
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
  ///
  /// Each stream asks once for each of its chunks.
  func feed(
    _ chunk: Chunk, _ range: CopiedRange, tick: Int64, asset: AssetInfo?
  ) throws(LibAVError) -> PacketFeed {
    let place = Place(path: range.path, sourceStart: range.sourceStart, start: chunk.start)
    let entry = groups[place]?.picture ?? range
    guard var group = groups[place], group.streams.count > 1,
      group.waiting.remove(range.streamIndex) != nil,
      let track = asset?.tracks.first(where: { $0.streamIndex == entry.streamIndex })
    else {
      return try open(range.path, [range.streamIndex], stream: range.streamIndex, tick: tick)
    }
    let ahead = Int64(clamping: (runUp / track.timeBase).ceiling)
    let feed =
      if let open = group.feed {
        open
      } else {
        try open(
          range.path, group.streams, stream: entry.streamIndex,
          tick: (group.picture?.firstPTS ?? tick) - ahead)
      }
    group.feed = feed
    groups[place] = group.waiting.isEmpty ? nil : group
    return feed
  }

  private func open(
    _ path: String, _ streams: Set<Int>, stream: Int, tick: Int64
  ) throws(LibAVError) -> PacketFeed {
    if let file = examined.removeValue(forKey: path) { files.give(file, isAtStart: true) }
    return try PacketFeed(path: path, streams: streams, stream: stream, tick: tick, in: files)
  }
}
