package import Foundation

/// Sound of a file as ffmpeg decodes it.
package struct DecodedSound {
  /// Samples a second.
  package var rate: Int
  /// Samples by channel, 1 for full scale.
  package var channels: [[Float]]
  /// Samples of a channel.
  package var count: Int { channels[0].count }

  /// Decodes an audio stream, by default the first; `filter` is applied.
  package init(_ url: URL, stream: Int = 0, filter: String? = nil) throws {
    let filters = filter.map { ["-af", $0] } ?? []
    let result = try Program.ffmpeg(
      ["-i", "file:" + url.path, "-map", "0:a:\(stream)"] + filters + [
        "-c:a", "pcm_s16le", "-map_metadata", "-1", "-f", "wav", "-fflags", "+bitexact", "-",
      ])
    let bytes = [UInt8](result.output)
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 + Int(bytes[place + $1]) << (8 * $1) }
    }
    // The canonical header, or the extensible one of many channels.
    let header = 20 + number(16, 4) + 8
    guard bytes.count >= header else { throw Program.Failure(description: "no sound: \(url)") }
    let width = number(22, 2)
    rate = number(24, 4)
    let count = (bytes.count - header) / (2 * width)
    channels = (0..<width).map { channel in
      (0..<count).map { index in
        let place = header + 2 * (index * width + channel)
        let bits = UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
        return Float(Int16(bitPattern: bits)) / 32768
      }
    }
  }

  /// The number of samples that decoding the first audio stream gives.
  package static func count(_ url: URL, channels: Int) throws -> Int {
    let result = try Program.ffmpeg(
      ["-i", "file:" + url.path, "-map", "0:a:0", "-c:a", "pcm_s16le", "-f", "s16le", "-"])
    return result.output.count / (2 * channels)
  }

  /// The multiple of 100 Hz that is strongest in the 0.2 seconds from `time` on; 0 for silence.
  package func tone(at time: Double, channel: Int = 0) -> Int {
    let from = Int(time * Double(rate))
    let part = Array(channels[channel][from..<min(from + rate / 5, count)])
    guard part.contains(where: { abs($0) > 0.01 }) else { return 0 }
    let strengths = (1...40).map { ($0 * 100, Self.strength(part, $0 * 100, rate)) }
    return strengths.max { $0.1 < $1.1 }?.0 ?? 0
  }

  /// The amplitude of a frequency in the 0.2 seconds from `time` on.
  package func amplitude(of frequency: Int, at time: Double, channel: Int = 0) -> Double {
    let from = Int(time * Double(rate))
    let part = Array(channels[channel][from..<min(from + rate / 5, count)])
    return Self.strength(part, frequency, rate)
  }

  private static func strength(_ part: [Float], _ frequency: Int, _ rate: Int) -> Double {
    // Goertzel's recurrence: one multiplication a sample.
    let angle = 2 * Double.pi * Double(frequency) / Double(rate)
    let factor = 2 * cos(angle)
    var (last, before) = (0.0, 0.0)
    for sample in part { (last, before) = (Double(sample) + factor * last - before, last) }
    let power = last * last + before * before - factor * last * before
    return 2 * max(0, power).squareRoot() / Double(part.count)
  }

  /// The largest magnitude in [from, to) seconds.
  package func peak(from: Double = 0, to: Double = .infinity, channel: Int = 0) -> Float {
    let last = to.isFinite ? min(count, Int(to * Double(rate))) : count
    let first = min(Int(from * Double(rate)), last)
    return channels[channel][first..<last].reduce(0) { max($0, abs($1)) }
  }

  /// The largest step between neighbouring samples in [from, to) samples.
  package func largestStep(_ from: Int, _ to: Int, channel: Int = 0) -> Float {
    let samples = channels[channel]
    return (max(1, from)..<min(to, count)).reduce(0) { max($0, abs(samples[$1] - samples[$1 - 1])) }
  }

  /// How alike two runs of samples are: 1 for equal but for their level, 0 for unrelated.
  package static func correlation(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Double {
    var (ab, aa, bb) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      ab += Double(x) * Double(y)
      aa += Double(x) * Double(x)
      bb += Double(y) * Double(y)
    }
    return aa > 0 && bb > 0 ? ab / (aa * bb).squareRoot() : aa == bb ? 1 : 0
  }
}
