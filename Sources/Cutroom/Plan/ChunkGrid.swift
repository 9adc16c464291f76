import CutroomModel

/// How rendered frames are divided into chunks, whatever the number of workers.
///
/// A chunk begins with a keyframe. It lasts some seconds, ends at a cut where one is near, and
/// otherwise on the encoder's own keyframe grid, so that dividing costs few extra keyframes.
struct ChunkGrid {
  /// The frames that a chunk has where no cut is near.
  let length: Int64

  init(rate: FrameRate, encoding: VideoEncoding, isIntraOnly: Bool) {
    let second = max(1, Int64(clamping: rate.framesPerSecond.rounded))
    let interval = Int64(max(1, encoding.keyframeInterval))
    let wanted = isIntraOnly ? second : 6 * second
    // Whole groups of pictures; a long interval of the encoder alone makes a chunk.
    length =
      interval >= wanted
      ? min(interval, 10 * second) : interval * ((wanted + interval - 1) / interval)
  }

  /// The chunks of `frames` frames; `cuts` are frames at which segments begin, in order.
  func chunks(frames: Int64, cuts: [Int64], reasons: [String], rate: FrameRate) -> [Chunk] {
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
}
