import CutroomMedia
import CutroomModel

/// Collects the peaks of sound that comes in order.
///
/// Keeps two numbers for each stretch and channel, whatever the length of the sound.
struct WaveformMeter {
  private var waveform: Waveform
  private let limit: Int
  private var position: Int64 = 0

  /// A meter of `count` samples in `peaks` stretches of equal length, or in stretches of `block`
  /// samples.
  init(
    sampleRate: Int, channelLayout: String, channels: Int, count: Int64, peaks: Int, block: Int?
  ) {
    let number = block.map { (count + Int64($0) - 1) / Int64($0) } ?? min(Int64(peaks), count)
    limit = Int(number)
    let silence = [Float](repeating: 0, count: limit)
    let stretch = block.map { Rational($0) } ?? Rational(count, max(1, number))
    waveform = Waveform(
      sampleRate: sampleRate, channelLayout: channelLayout, sampleCount: count, stretch: stretch,
      channels: Array(repeating: .init(minima: silence, maxima: silence), count: channels))
  }

  /// The number of samples that were added or skipped.
  var measured: Int64 { position }

  /// Leaves out samples up to `end`: they are silence.
  mutating func skip(to end: Int64) { position = max(position, end) }

  /// Adds the samples of `sound` from its sample `first` on; those past the end are left out.
  mutating func add(_ sound: PlanarAudio, from first: Int) {
    var place = first
    let end = min(sound.count, first + Int(max(0, waveform.sampleCount - position)))
    while place < end {
      let index = self.index(of: position)
      let next = start(of: index + 1)
      let count = min(end - place, Int(max(1, next - position)))
      let isFresh = position == start(of: index)
      for channel in waveform.channels.indices where channel < sound.channelCount {
        add(sound.extremes(channel, place..<place + count), channel, index, isFresh: isFresh)
      }
      place += count
      position += Int64(count)
    }
  }

  private mutating func add(
    _ part: (smallest: Float, largest: Float), _ channel: Int, _ index: Int, isFresh: Bool
  ) {
    let smallest = part.smallest.isFinite ? part.smallest : 0
    let largest = part.largest.isFinite ? part.largest : 0
    let old = waveform.channels[channel]
    waveform.channels[channel].minima[index] =
      isFresh ? smallest : min(old.minima[index], smallest)
    waveform.channels[channel].maxima[index] = isFresh ? largest : max(old.maxima[index], largest)
  }

  private func index(of position: Int64) -> Int {
    var index = Int(clamping: (Rational(position) / waveform.stretch).floor)
    // A stretch begins at a whole sample, which may be before its exact place.
    if start(of: index + 1) <= position { index += 1 }
    return min(index, limit - 1)
  }

  private func start(of index: Int) -> Int64 {
    Int64(clamping: (Rational(index) * waveform.stretch).floor)
  }

  /// What was collected.
  func finish() -> Waveform { waveform }
}
