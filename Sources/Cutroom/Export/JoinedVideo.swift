import CutroomMedia
import CutroomModel

/// The packets of a picture that is copied in parts and rendered in others.
final class JoinedVideo: PacketStream {
  private let video: VideoPlan
  private let join: VideoJoin?
  private let copied: CopiedVideo
  private let rendered: RenderedVideo
  private let progress: ProgressMeter
  private var chunk = 0
  private var taken: Int64 = 0
  private var written: Int64 = 0

  init(
    plan: ExportPlan, video: VideoPlan, feeds: SharedFeeds, jobs: Int, progress: ProgressMeter,
    damage: DamagePolicy, readers: ReaderBudget
  ) {
    self.video = video
    self.progress = progress
    join = video.join
    var (copies, renders) = (video, video)
    copies.chunks = video.chunks.filter(\.isCopied)
    renders.chunks = video.chunks.filter { !$0.isCopied }
    copied = CopiedVideo(
      plan: plan, video: copies, feeds: feeds, progress: progress, reportsProgress: false)
    rendered = RenderedVideo(
      plan: plan, video: renders, jobs: min(jobs, Self.edgeJobs(renders)), progress: progress,
      damage: damage, readers: readers,
      reportsProgress: false)
  }

  /// How many edges may be encoded at once, so that large pictures do not take much memory: an
  /// encoder and its decoder hold some forty.
  private static func edgeJobs(_ video: VideoPlan) -> Int {
    guard video.chunks.allSatisfy({ $0.reencoded != nil }) else { return .max }
    let size = video.encoding.size
    return max(1, (128 << 20) / max(1, size.width * size.height * 60))
  }

  /// The source's, with the parameter sets of both.
  var parameters: CodecParameters {
    get throws(CutroomError) {
      let parameters = try copied.parameters
      guard let join else { return parameters }
      do { try parameters.setExtradata(join.settings) } catch {
        throw CutroomError(.internal, "internal", error.reason)
      }
      // Rendered pictures do not have the enhancement that it promises.
      if video.chunks.contains(where: { !$0.isCopied }) { parameters.forgetDolbyVision() }
      return parameters
    }
  }

  func next() throws(CutroomError) -> Packet? {
    while chunk < video.chunks.count, taken == video.chunks[chunk].count {
      chunk += 1
      taken = 0
    }
    guard chunk < video.chunks.count else { return nil }
    let packet = try video.chunks[chunk].isCopied ? copied.next() : rendered.next()
    guard let packet else {
      throw CutroomError(.internal, "internal", "a chunk has fewer pictures than was planned")
    }
    taken += 1
    written += 1
    try progress.report(frames: written)
    return packet
  }
}

extension Chunk {
  /// Whether its packets are a source's.
  package var isCopied: Bool {
    if case .copy = action { true } else { false }
  }
}

extension VideoPlan {
  /// Pictures that are written and never shown.
  var hiddenCount: Int64 {
    chunks.reduce(0) { sum, chunk in
      if case .copy(let range) = chunk.action { sum + range.hidden } else { sum }
    }
  }
}
