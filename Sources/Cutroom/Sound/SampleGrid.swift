import CutroomMedia
import CutroomModel

/// Where packets of a file's sound begin, in samples of source time.
///
/// Where the container's ticks are coarser than samples, packets are taken to follow each other from
/// the track's start in steps of one length.
struct SampleGrid {
  private let track: AssetTrack
  private let origin: Rational
  private let rate: Rational
  private let start: Int64
  /// Samples that a tick may be off.
  let tolerance: Int64

  init(_ track: AssetTrack, in asset: AssetInfo, rate: Int) {
    self.track = track
    self.rate = Rational(rate)
    origin = asset.origin
    start =
      Int64(clamping: (track.start * self.rate).rounded)
      - Int64(track.stream?.initialPadding ?? 0)
    let perTick = track.timeBase * self.rate
    tolerance = perTick > 1 ? Int64(clamping: perTick.ceiling) + 1 : 0
  }

  /// The first sample of a packet of `length` samples with that timestamp.
  func sample(ofTick tick: Int64, length: Int64) -> Int64 {
    let exact = track.time(ofTick: tick, origin: origin) * rate
    // No sound lasts that long; sums of these do not overflow.
    let position = min(max(Int64(clamping: exact.rounded), -1 << 60), 1 << 60)
    guard tolerance > 0, length > 2 * tolerance else { return position }
    let steps = Int64(clamping: Rational(position - start, length).rounded)
    let onGrid = start + steps * length
    return abs(onGrid - position) <= tolerance ? onGrid : position
  }
}
