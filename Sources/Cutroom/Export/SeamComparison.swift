import CutroomMedia
import CutroomModel

/// Compares pictures of a result with those of its sources: copied ones are equal, re-encoded ones
/// alike.
struct SeamComparison {
  private let video: VideoPlan
  private let assets: [String: AssetInfo]
  /// The chunk that was compared last; pictures come in order.
  private var chunk = 0
  /// That chunk's first frame.
  private var first: Int64 = 0
  private let timing: FrameTiming
  private var reader: (path: String, stream: Int, reader: FrameReader)?
  /// How like re-encoded pictures are to the source's.
  private(set) var likeness = Likeness()

  /// How many pictures behind each joint are compared: what is wrong there, is wrong at once.
  private static let compared: Int64 = 12
  /// Pictures less alike than this are not the same, however coarsely they are coded.
  private static let leastLikeness = 16.0

  init(video: VideoPlan, assets: [String: AssetInfo]) {
    (self.video, self.assets, timing) = (video, assets, FrameTiming(video))
  }

  /// The likeness of several pictures.
  struct Likeness: Sendable {
    var sum = 0.0
    var count = 0
    /// The mean in decibels; `nil` where no picture was compared.
    var mean: Double? { count > 0 ? sum / Double(count) : nil }
  }

  /// Takes what was compared elsewhere into account.
  mutating func add(_ other: Likeness) {
    likeness.sum += other.sum
    likeness.count += other.count
  }

  /// What is wrong with the picture that the result shows as its frame of that number.
  mutating func fault(_ picture: Frame, frame: Int64) -> String? {
    guard let chunk = chunk(ofFrame: frame) else { return "there are more pictures than planned" }
    guard frame - first < Self.compared else { return nil }
    let time = timing.time(ofFrame: frame)
    let stretch: SourceStretch
    switch chunk.action {
    case .copy(let range):
      stretch = SourceStretch(
        path: range.path, streamIndex: range.streamIndex, start: range.sourceStart)
    case .render:
      // What is drawn has no picture to be compared with.
      guard let reencoded = chunk.reencoded else { return nil }
      stretch = reencoded
    }
    do {
      guard let original = try original(stretch, at: stretch.start + time - chunk.start) else {
        return "the source has no picture for \(time.secondsText)"
      }
      if chunk.isCopied {
        guard original.digest() == picture.digest() else {
          return "the picture at \(time.secondsText) is not the source's"
        }
        return nil
      }
      guard let decibels = picture.likeness(to: original), decibels > Self.leastLikeness else {
        return "the picture rendered at \(time.secondsText) is not like the source's"
      }
      add(Likeness(sum: min(decibels, 100), count: 1))
      return nil
    } catch {
      return error.message
    }
  }

  private mutating func chunk(ofFrame frame: Int64) -> Chunk? {
    if frame < first { (chunk, first) = (0, 0) }
    while chunk < video.chunks.count {
      if frame < first + video.chunks[chunk].count { return video.chunks[chunk] }
      first += video.chunks[chunk].count
      chunk += 1
    }
    return nil
  }

  private mutating func original(
    _ stretch: SourceStretch, at time: Rational
  ) throws(CutroomError) -> Frame? {
    if reader?.path != stretch.path || reader?.stream != stretch.streamIndex {
      guard let asset = assets[stretch.path],
        let track = asset.tracks.first(where: { $0.streamIndex == stretch.streamIndex })
      else { return nil }
      reader = (
        stretch.path, stretch.streamIndex,
        try FrameReader(
          asset: asset, track: track, threads: 1, damage: DamagePolicy(conceals: false))
      )
    }
    return try reader?.reader.picture(at: time)?.frame
  }
}
