import CutroomMedia

/// Keeps samples within full scale without flattening their tops.
///
/// Looks ahead by a window: the gain falls in time before a peak beyond full scale and rises
/// slowly after it. Sound that stays within full scale passes bit for bit.
struct PeakLimiter {
  /// -0.1 dBFS: what peaks beyond full scale are brought to.
  private static let margin: Float = 0.98855309

  private let window: Int
  private let release: Float
  private let channels: Int
  /// What peaks may not exceed, and what those that do are brought to.
  private let threshold: Float
  private let ceiling: Float
  /// Finds peaks between samples, where those count.
  private let meter: TruePeakMeter?
  /// The need of the last sample looked at, whose peak may lie after it.
  private var lastNeed: Float = 1
  /// Samples that wait for their gain, and the gain that each one needs by itself.
  private var waiting: PlanarAudio
  private var needed: [Float] = []
  private var recovering: Float = 1
  /// The last `window` recovered gains, whose mean is applied.
  private var recent: RunningMean
  private var isIdle = true
  private var hasBegun = false

  /// Looks ahead 5 ms and recovers within about 100 ms; with `truePeak`, no peak exceeds that, also
  /// between samples.
  init(channels: Int, sampleRate: Int, truePeak: Float? = nil) {
    window = max(1, sampleRate / 200)
    release = 1 / Float(max(1, sampleRate / 10))
    self.channels = channels
    threshold = truePeak ?? 1
    ceiling = threshold * Self.margin
    meter = truePeak == nil ? nil : TruePeakMeter(channels: channels)
    waiting = PlanarAudio(channels: channels, count: 0)
    recent = RunningMean(window, of: 1)
  }

  /// Takes samples and gives those whose gain is known; with `isLast` all that are left.
  mutating func process(_ sound: PlanarAudio, isLast: Bool) -> PlanarAudio {
    waiting.append(sound, 0..<sound.count)
    look(at: sound, isLast: isLast)
    let count = isLast ? waiting.count : max(0, needed.count - window)
    let result = PlanarAudio(channels: channels, count: 0)
    result.append(waiting, 0..<count)
    if count > 0, !hasBegun { begin() }
    if !isIdle { result.apply(envelope: envelope(count), at: 0) }
    waiting.removeFirst(count)
    needed.removeFirst(count)
    return result
  }

  /// Notes the gains that samples need by themselves.
  private mutating func look(at sound: PlanarAudio, isLast: Bool) {
    if let meter {
      let peaks = meter.peaks(sound, isLast: isLast, above: threshold)
      for peak in peaks {
        let need = peak > threshold ? ceiling / peak : 1
        if need < 1 { isIdle = false }
        // A peak between two samples is lowered by lowering both.
        needed.append(min(need, lastNeed))
        lastNeed = need
      }
    } else if sound.peak() <= threshold {
      needed.append(contentsOf: repeatElement(1, count: sound.count))
    } else {
      isIdle = false
      needed.append(contentsOf: (0..<sound.count).map { neededGain(sound, $0) })
    }
  }

  /// What is loud from the very first sample on has nothing before it in which to lower the gain:
  /// the lowered gain holds from the start.
  private mutating func begin() {
    hasBegun = true
    recovering = needed.prefix(window + 1).min() ?? 1
    recent = RunningMean(window, of: recovering)
  }

  private func neededGain(_ sound: PlanarAudio, _ index: Int) -> Float {
    var peak: Float = 0
    for channel in 0..<channels { peak = max(peak, abs(sound[channel, index])) }
    return peak > threshold ? ceiling / peak : 1
  }

  /// The gains of the next `count` samples: the least that the window ahead needs, recovering
  /// slowly, smoothed by a mean over the window, which never exceeds what a sample needs.
  private mutating func envelope(_ count: Int) -> [Float] {
    var gains: [Float] = []
    gains.reserveCapacity(count)
    var ahead: [Int] = []
    var head = 0
    var next = 0
    for index in 0..<count {
      while next < needed.count, next <= index + window {
        while ahead.count > head, needed[ahead[ahead.count - 1]] >= needed[next] {
          ahead.removeLast()
        }
        ahead.append(next)
        next += 1
      }
      while ahead[head] < index { head += 1 }
      recovering = min(needed[ahead[head]], recovering + release)
      recent.append(recovering)
      gains.append(min(recent.mean, needed[index]))
    }
    if recent.least >= 1, needed.allSatisfy({ $0 >= 1 }) {
      isIdle = true
      recovering = 1
    }
    return gains
  }
}

/// The mean of the last values, in constant time.
private struct RunningMean {
  private var values: [Float]
  private var next = 0
  private var sum: Double

  init(_ count: Int, of value: Float) {
    values = [Float](repeating: value, count: count)
    sum = Double(value) * Double(count)
  }

  var mean: Float { Float(sum / Double(values.count)) }
  var least: Float { values.min() ?? 1 }

  mutating func append(_ value: Float) {
    // Sums of floats of this size are exact in a double: nothing drifts.
    sum += Double(value) - Double(values[next])
    values[next] = value
    next = next + 1 < values.count ? next + 1 : 0
  }
}
