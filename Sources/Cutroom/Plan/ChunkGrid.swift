import CutroomModel

/// How rendered frames are divided into chunks, whatever the number of workers.
///
/// A chunk begins with a keyframe. It lasts some seconds, ends at a cut where one is near, and
/// otherwise on the encoder's own keyframe grid, so that dividing costs few extra keyframes. What
/// would be one chunk is halved where that gives two of two seconds or more. No chunk begins within
/// a clip whose filters remember pictures: it would be drawn from its start again.
struct ChunkGrid {
  /// The frames that a chunk of a long programme has where no cut is near.
  private let length: Int64
  /// The frames that each half of a short one has at least.
  private let least: Int64
  /// The pictures of a chunk at most where they keep their own times.
  static let longestStamped = 240

  init(rate: FrameRate, encoding: VideoEncoding, codec: Codec) {
    guard !codec.isUndivided else {
      (length, least) = (.max / 2, .max / 2)
      return
    }
    let second = max(1, Int64(clamping: rate.framesPerSecond.rounded))
    least = 2 * second
    let interval = Int64(max(1, encoding.keyframeInterval))
    let wanted = codec.isIntraOnly ? second : 6 * second
    // Whole groups of pictures; a long interval of the encoder alone makes a chunk.
    length =
      interval >= wanted
      ? min(interval, 10 * second) : interval * ((wanted + interval - 1) / interval)
  }

  /// The chunks of `frames` frames; `cuts` are frames at which segments begin, in order, and
  /// within `unbroken` none begins.
  func chunks(
    frames: Int64, cuts: [Int64], reasons: [String], rate: FrameRate,
    unbroken: [Range<Int64>] = []
  ) -> [Chunk] {
    let half = (frames + 1) / 2
    let length = half >= least ? min(length, half) : length
    var chunks: [Chunk] = []
    var first: Int64 = 0
    var next = 0
    while first < frames {
      var end = min(first + length, frames)
      // The last cut in the second half of the chunk.
      while next < cuts.count, cuts[next] <= first + length / 2 { next += 1 }
      var candidate = next
      while candidate < cuts.count, cuts[candidate] <= first + length { candidate += 1 }
      if candidate > next, end < frames { end = min(cuts[candidate - 1], frames) }
      end = min(boundary(near: end, after: first, unbroken, length), frames)
      // A short rest is not worth a chunk of its own.
      if frames - end < length / 4 { end = frames }
      chunks.append(
        Chunk(
          action: .render(reasons: reasons), start: rate.time(ofFrame: first),
          duration: rate.time(ofFrame: end - first), count: end - first))
      first = end
    }
    return chunks
  }

  /// The boundary nearest before `end`, but well after `first`, else the next one after it, that
  /// lies within none of `unbroken`.
  private func boundary(
    near end: Int64, after first: Int64, _ unbroken: [Range<Int64>], _ length: Int64
  ) -> Int64 {
    func breaking(_ frame: Int64) -> Range<Int64>? {
      unbroken.first { $0.lowerBound < frame && frame < $0.upperBound }
    }
    var earlier = end
    while let range = breaking(earlier) { earlier = range.lowerBound }
    if earlier - first >= max(1, length / 4) { return earlier }
    var later = end
    while let range = breaking(later) { later = range.upperBound }
    return later
  }
}
