import CutroomMedia
import CutroomModel

/// Where packets of a file's sound begin, in samples of source time.
///
/// Where the container's ticks are coarser than samples, packets are taken to follow each other from
/// the track's start in steps of one length.
struct SampleGrid {
  /// Samples of a tick, and of tick 0.
  private let perTick: Rational
  private let origin: Rational
  /// The same where both are whole numbers, as in files that count samples.
  private let whole: (perTick: Int64, origin: Int64)?
  private let start: Int64
  /// Samples that a tick may be off.
  let tolerance: Int64

  init(_ track: AssetTrack, in asset: AssetInfo, rate: Int) {
    let rate = Rational(rate)
    perTick = track.timeBase * rate
    origin = asset.origin * rate
    whole =
      if perTick.denominator == 1, origin.denominator == 1,
        let perTick = Int64(exactly: perTick.numerator),
        let origin = Int64(exactly: origin.numerator)
      { (perTick, origin) } else { nil }
    start = (track.start * rate).nearestSample - Int64(track.stream?.initialPadding ?? 0)
    tolerance = perTick > 1 ? Int64(clamping: perTick.ceiling) + 1 : 0
  }

  /// The first sample of a packet of `length` samples with that timestamp.
  func sample(ofTick tick: Int64, length: Int64) -> Int64 {
    let position = nearest(tick)
    guard tolerance > 0, length > 2 * tolerance else { return position }
    let steps = Int64(clamping: Rational(position - start, length).rounded)
    let onGrid = start + steps * length
    return abs(onGrid - position) <= tolerance ? onGrid : position
  }

  private func nearest(_ tick: Int64) -> Int64 {
    guard let whole else { return (Rational(tick) * perTick - origin).nearestSample }
    return (Int128(tick) * Int128(whole.perTick) - Int128(whole.origin)).asSample
  }
}

extension Rational {
  /// The nearest whole number of samples.
  var nearestSample: Int64 { rounded.asSample }
}

extension Int128 {
  /// A number of samples within what sums of them may be: no sound lasts that long.
  fileprivate var asSample: Int64 { Int64(Swift.min(Swift.max(self, -1 << 60), 1 << 60)) }
}
