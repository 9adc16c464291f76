import Glibc

/// Finds the peaks of the sound that samples stand for, also between them.
///
/// Three points are computed between each two samples, by a windowed sinc of 24 taps.
package final class TruePeakMeter {
  /// Samples before a point, and after it, that it is computed from.
  private static let before = 11
  private static let after = 12
  private static let taps = before + 1 + after

  private let coefficients: [[Float]]
  /// No point exceeds the largest sample around it by more than this factor.
  private let bound: Float
  private let pending: PlanarAudio
  /// The largest magnitude so far.
  package private(set) var highest: Float = 0

  /// A meter for so many channels.
  package init(channels: Int) {
    coefficients = (1...3).map { Self.coefficients(phase: Double($0) / 4) }
    bound = coefficients.map { $0.reduce(0) { $0 + abs($1) } }.max() ?? 1
    pending = PlanarAudio(channels: channels, count: Self.before)
  }

  package var channelCount: Int { pending.channelCount }

  private static func coefficients(phase: Double) -> [Float] {
    let values = (0..<taps).map { tap in
      let distance = phase - Double(tap - before)
      let sinc = sin(.pi * distance) / (.pi * distance)
      // Blackman's window over the taps.
      let place = .pi * distance / (Double(taps) / 2)
      return sinc * (0.42 + 0.5 * cos(place) + 0.08 * cos(2 * place))
    }
    let sum = values.reduce(0, +)
    return values.map { Float($0 / sum) }
  }

  /// Takes more sound in; gives, for each sample whose surroundings are known, the largest magnitude
  /// from it up to the next one.
  ///
  /// With `isLast`, silence follows. Where nothing can exceed `floor`, the result is 0 for each.
  package func peaks(_ sound: PlanarAudio, isLast: Bool, above floor: Float) -> [Float] {
    pending.append(sound)
    if isLast { pending.appendSilence(Self.after) }
    let count = max(0, pending.count - Self.before - Self.after)
    var peaks = [Float](repeating: 0, count: count)
    if pending.peak() * bound > floor {
      for channel in 0..<pending.channelCount { find(channel, &peaks) }
    }
    pending.removeFirst(count)
    return peaks
  }

  /// Takes more sound in, for ``highest`` alone.
  package func add(_ sound: PlanarAudio, isLast: Bool) {
    highest = max(highest, peaks(sound, isLast: isLast, above: highest).max() ?? 0)
  }

  private func find(_ channel: Int, _ peaks: inout [Float]) {
    let source = unsafe pending.samples(channel)
    let whole = peaks.count - peaks.count % 8
    unsafe peaks.withUnsafeMutableBufferPointer { peaks in
      for index in stride(from: 0, to: whole, by: 8) {
        let middle = unsafe Self.load(source + (index + Self.before))
        var largest = Self.magnitude(middle)
        for phase in coefficients {
          var sum = SIMD8<Float>(repeating: 0)
          for tap in 0..<Self.taps {
            unsafe sum += Self.load(source + (index + tap)) * phase[tap]
          }
          let size = Self.magnitude(sum)
          largest.replace(with: size, where: size .> largest)
        }
        for lane in 0..<8 { unsafe peaks[index + lane] = max(peaks[index + lane], largest[lane]) }
      }
      for index in whole..<peaks.count {
        var largest = unsafe abs(source[index + Self.before])
        for phase in coefficients {
          var sum: Float = 0
          for tap in 0..<Self.taps { unsafe sum += source[index + tap] * phase[tap] }
          largest = max(largest, abs(sum))
        }
        unsafe peaks[index] = max(peaks[index], largest)
      }
    }
  }

  @inline(__always)
  private static func load(_ pointer: UnsafeMutablePointer<Float>) -> SIMD8<Float> {
    unsafe UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<Float>.self)
  }

  @inline(__always)
  private static func magnitude(_ values: SIMD8<Float>) -> SIMD8<Float> {
    values.replacing(with: -values, where: values .< 0)
  }
}
