import CutroomModel

/// When the frames of a result are presented, by their numbers.
struct FrameTiming {
  private let rate: FrameRate
  private let ticksPerSecond: Int64
  /// The ticks of all frames where they do not last equally long.
  private let ticks: [Int64]

  init(_ video: VideoPlan) {
    rate = video.encoding.frameRate
    ticksPerSecond = video.ticksPerSecond
    ticks = video.chunks.flatMap { $0.ticks ?? [] }
  }

  /// The time of a frame; one behind the last where there are no more.
  func time(ofFrame frame: Int64) -> Rational {
    guard let last = ticks.last else { return rate.time(ofFrame: frame) }
    return Rational(Int(frame) < ticks.count ? ticks[Int(max(0, frame))] : last + 1, ticksPerSecond)
  }

  /// The frame that is presented nearest to a time.
  func frame(nearest time: Rational) -> Int64 {
    guard !ticks.isEmpty else { return Int64(clamping: (time * rate.framesPerSecond).rounded) }
    let tick = Int64(clamping: (time * Rational(ticksPerSecond)).rounded)
    var (low, high) = (0, ticks.count)
    while low < high {
      let middle = (low + high) / 2
      if ticks[middle] < tick { low = middle + 1 } else { high = middle }
    }
    let isBefore = low > 0 && (low == ticks.count || tick - ticks[low - 1] <= ticks[low] - tick)
    return Int64(isBefore ? low - 1 : low)
  }
}
