import Glibc

/// Measures the loudness of a program by ITU-R BS.1770-4 and EBU R 128.
///
/// Sound is weighted by frequency, its power taken over 400 ms at every 100 ms, and the mean taken of
/// what lies above -70 LUFS and not more than 10 LU below the mean of that. A number for every 100 ms
/// is kept, nothing else.
package final class LoudnessMeter {
  /// A filter of second order; its state is its two delayed sums.
  private struct Biquad {
    var b0, b1, b2, a1, a2: Double
    var z1 = 0.0
    var z2 = 0.0

    @inline(__always)
    mutating func next(_ input: Double) -> Double {
      let output = b0 * input + z1
      z1 = b1 * input - a1 * output + z2
      z2 = b2 * input - a2 * output
      return output
    }

    /// What has faded out far below hearing would be slow to compute with.
    mutating func settle() {
      if abs(z1) < 1e-30 { z1 = 0 }
      if abs(z2) < 1e-30 { z2 = 0 }
    }
  }

  private let weights: [Double]
  private let step: Int
  private var shelves: [Biquad]
  private var highPasses: [Biquad]
  /// The weighted sum of squares of the running 100 ms, and how many samples are in it.
  private var sum = 0.0
  private var filled = 0
  /// The mean power of each 100 ms.
  private var powers: [Double] = []

  /// A meter of sound in a layout; channels behind and beside count 1.41, low frequencies not at all.
  package init(sampleRate: Int, channelLayout: String, channels: Int) {
    let names = ChannelLayout.channelNames(channelLayout)
    weights = (0..<channels).map { channel in
      let name = channel < names.count ? names[channel] : ""
      if name.hasPrefix("LFE") { return 0 }
      return ["B", "S", "TB"].contains(where: name.hasPrefix) ? 1.41 : 1
    }
    step = max(1, sampleRate / 10)
    let rate = Double(sampleRate)
    shelves = Array(repeating: Self.shelf(rate), count: channels)
    highPasses = Array(repeating: Self.highPass(rate), count: channels)
  }

  /// The effect of the head: high frequencies are louder.
  private static func shelf(_ rate: Double) -> Biquad {
    let k = tan(.pi * 1681.974450955533 / rate)
    let q = 0.7071752369554196
    let high = pow(10, 3.999843853973347 / 20)
    let band = pow(high, 0.4996667741545416)
    let scale = 1 + k / q + k * k
    return Biquad(
      b0: (high + band * k / q + k * k) / scale, b1: 2 * (k * k - high) / scale,
      b2: (high - band * k / q + k * k) / scale, a1: 2 * (k * k - 1) / scale,
      a2: (1 - k / q + k * k) / scale)
  }

  /// The ear's deafness to low frequencies.
  private static func highPass(_ rate: Double) -> Biquad {
    let k = tan(.pi * 38.13547087602444 / rate)
    let q = 0.5003270373238773
    let scale = 1 + k / q + k * k
    return Biquad(
      b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / scale, a2: (1 - k / q + k * k) / scale)
  }

  /// Takes more of the program in.
  package func add(_ sound: PlanarAudio) {
    precondition(sound.channelCount == weights.count, "as many channels as the meter has")
    var position = 0
    while position < sound.count {
      let count = min(step - filled, sound.count - position)
      for channel in weights.indices where weights[channel] > 0 {
        sum += weights[channel] * power(of: sound, channel, position, count)
      }
      filled += count
      position += count
      if filled == step {
        powers.append(sum / Double(step))
        (sum, filled) = (0, 0)
      }
    }
  }

  private func power(
    of sound: PlanarAudio, _ channel: Int, _ from: Int, _ count: Int
  ) -> Double {
    let source = unsafe sound.samples(channel) + from
    var (shelf, highPass) = (shelves[channel], highPasses[channel])
    var sum = 0.0
    for index in 0..<count {
      let value = unsafe highPass.next(shelf.next(Double(source[index])))
      sum += value * value
    }
    shelf.settle()
    highPass.settle()
    (shelves[channel], highPasses[channel]) = (shelf, highPass)
    return sum
  }

  /// Whether the program so far is as long as one measurement takes.
  package var isLongEnough: Bool { powers.count >= 4 }

  /// The loudness in LUFS; `nil` where nothing lies above -70 LUFS, or not 400 ms are there.
  package var integrated: Double? {
    guard isLongEnough else { return nil }
    let blocks: [Double] = (3..<powers.count).map { last -> Double in
      powers[(last - 3)...last].reduce(0, +) / 4
    }
    guard let first = Self.mean(blocks, above: Self.power(-70)) else { return nil }
    let gate = max(Self.power(-70), first / 10)
    return Self.mean(blocks, above: gate).map { -0.691 + 10 * log10($0) }
  }

  private static func power(_ loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }

  private static func mean(_ blocks: [Double], above gate: Double) -> Double? {
    var (sum, count) = (0.0, 0)
    for block in blocks where block >= gate && block > 0 {
      sum += block
      count += 1
    }
    return count > 0 ? sum / Double(count) : nil
  }
}
