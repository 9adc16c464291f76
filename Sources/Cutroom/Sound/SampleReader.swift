import CutroomMedia
import CutroomModel

/// Gives samples by their position; used by one thread, and positions rise cheaply.
protocol SampleSource: AnyObject {
  /// The samples [position, position + count), as they lie in a buffer until the next call; stays
  /// able to give them again until ``discard(before:)``.
  ///
  /// - Throws: ``CutroomError`` with code `media` when the source does not decode.
  func samples(from position: Int64, count: Int) throws(CutroomError) -> SampleWindow
  /// Forgets samples before `position`.
  func discard(before position: Int64)
}

/// Samples within a buffer that belongs to somebody else.
struct SampleWindow {
  var sound: PlanarAudio
  /// Where the first of them lies.
  var start: Int
}

/// Gives exactly the samples asked for, at the timeline's rate and layout.
///
/// Position p is source time p · speed / rate: at another speed than 1 the pitch shifts with it.
/// Outside the source there is silence. Resampling starts on
/// a position that both rates share, so that a sample does not depend on where reading began.
/// Used by one thread; positions rise cheaply.
final class SampleReader: BufferedSource {
  private let decoder: any SoundDecoder
  private let rate: Int
  private let layout: String
  private let channels: Int
  private let isAtOwnSpeed: Bool
  private let inputUnit: Int64
  private let outputUnit: Int64
  private let matrix: [[Double]]?
  private var resampler: Resampler?
  /// Converted samples from `head` on.
  private(set) var ready: PlanarAudio
  var head: Int64 = 0
  /// The next position of the decoder's rate that the resampler expects.
  private var inputPosition: Int64 = 0
  private var pending: (position: Int64, sound: PlanarAudio)?
  private var hasEnded = false
  private var isPositioned = false

  /// Reads `decoder` at `rate` samples a second in `layout`.
  ///
  /// What `channels` say of single channels replaces what the layouts say; they know the channels
  /// of the result by those of the layout `names`.
  init(
    _ decoder: any SoundDecoder, rate: Int, layout: String, speed: Rational = 1,
    channels settings: [ChannelSetting] = [], names: String? = nil
  ) throws(CutroomError) {
    self.decoder = decoder
    self.rate = rate
    self.layout = layout
    channels = ChannelLayout.channels(of: layout)
    let ratio = Rational(decoder.sampleRate) * speed / Rational(rate)
    (inputUnit, outputUnit) = Self.units(ratio)
    // The resampler counts in any two rates of the same quotient.
    isAtOwnSpeed = speed == .one
    matrix = DownmixMatrix.matrix(
      from: decoder.channelLayout, to: layout, channels: settings, names: names)
    ready = PlanarAudio(channels: channels, count: 0)
  }

  /// Samples of the decoder for samples of the result, small enough for the resampler.
  private static func units(_ ratio: Rational) -> (input: Int64, output: Int64) {
    let limit: Int128 = 1 << 24
    var (input, output) = (ratio.numerator, ratio.denominator)
    if input > limit || output > limit {
      // Within a ten-millionth: less than a sample in a minute and a half.
      let largest = max(input, output)
      input = max(1, input * limit / largest)
      output = max(1, output * limit / largest)
    }
    return (Int64(clamping: input), Int64(clamping: output))
  }

  private var isResampling: Bool { inputUnit != outputUnit }
  private var isConverting: Bool {
    isResampling || matrix != nil || decoder.channelLayout != layout
  }

  func prepare(for position: Int64) throws(CutroomError) {
    let buffered = head + Int64(ready.count)
    if !isPositioned || position < head || position > buffered + Int64(rate) * 4 {
      try seek(to: position)
    }
  }

  private func seek(to position: Int64) throws(CutroomError) {
    let ratio = Rational(inputUnit, outputUnit)
    let exact = Rational(position) * ratio
    let length = isAtOwnSpeed ? 1 : max(1, inputUnit / outputUnit)
    let runUp: Int64 = isResampling ? 512 * length : 0
    let wanted = Int64(clamping: exact.floor) - runUp
    if inputUnit <= 1 << 16 {
      let units = Int64(clamping: Rational(wanted, inputUnit).floor)
      inputPosition = units * inputUnit
      head = units * outputUnit
    } else {
      // Positions that both rates share lie too far apart: off by less than a sample instead.
      head = Int64(clamping: (Rational(wanted) / ratio).floor)
      inputPosition = Int64(clamping: (Rational(head) * ratio).rounded)
    }
    ready = PlanarAudio(channels: channels, count: 0)
    pending = nil
    hasEnded = false
    isPositioned = true
    do {
      resampler = isConverting ? try makeResampler() : nil
    } catch {
      throw CutroomError(
        .unsupported, "sound.convert",
        "sound cannot be converted from \(decoder.sampleRate) Hz \(decoder.channelLayout) to "
          + "\(rate) Hz \(layout): \(error.reason)", details: error.log)
    }
    try decoder.seek(to: inputPosition)
  }

  /// The two rates that the resampler is given.
  private var resamplingRates: (input: Int, output: Int) {
    isAtOwnSpeed ? (decoder.sampleRate, rate) : (Int(inputUnit), Int(outputUnit))
  }

  private func makeResampler() throws(LibAVError) -> Resampler {
    try Resampler(
      from: AudioFormat(
        sampleRate: resamplingRates.input, channelLayout: decoder.channelLayout,
        sampleFormat: "fltp"),
      to: AudioFormat(
        sampleRate: resamplingRates.output, channelLayout: layout, sampleFormat: "fltp"),
      matrix: matrix)
  }

  /// Makes some more samples ready: decoded sound, or silence in gaps and after the end.
  func produce() throws(CutroomError) {
    if pending == nil && !hasEnded {
      if let end = decoder.end, inputPosition >= end {
        hasEnded = true
      } else {
        pending = try decoder.next()
        hasEnded = pending == nil
      }
    }
    guard let (position, sound) = pending else { return try silence(4096) }
    if position > inputPosition {
      return try silence(Int(min(position - inputPosition, 65536)))
    }
    pending = nil
    let skipped = Int(min(inputPosition - position, Int64(sound.count)))
    var last = sound.count
    if let end = decoder.end { last = Int(min(Int64(last), max(0, end - position))) }
    guard skipped < last else { return }
    try feed(sound, skipped..<last)
  }

  private func silence(_ count: Int) throws(CutroomError) {
    let silence = PlanarAudio(
      channels: ChannelLayout.channels(of: decoder.channelLayout), count: count)
    try feed(silence, 0..<count)
  }

  private func feed(_ sound: PlanarAudio, _ range: Range<Int>) throws(CutroomError) {
    inputPosition += Int64(range.count)
    guard let resampler else {
      ready.append(sound, range)
      return
    }
    do {
      let frame = try sound.frame(
        from: range.lowerBound, count: range.count, sampleRate: resamplingRates.input,
        channelLayout: decoder.channelLayout, sampleFormat: "fltp")
      let converted = try resampler.convert(frame)
      ready.append(converted, 0..<converted.count)
    } catch {
      throw CutroomError(
        .internal, "sound.convert", "sound cannot be converted: \(error.reason)",
        details: error.log)
    }
  }
}
