import CutroomMedia
import CutroomModel

/// How much later than its input the output of filters comes.
///
/// Most filters answer at once, or state their delay in timestamps. Some do neither: of those, a
/// single click tells it.
enum SoundFilterDelay {
  /// The filters that hold sound back without saying so.
  private static let silent: Set = [
    "superequalizer", "afftdn", "alimiter", "firequalizer", "afftfilt", "anlmdn",
    "dialoguenhance", "surround", "apsyclip",
  ]
  private static let step = 1024
  private static let steps = 48
  /// The sample at which the click is.
  private static let click = 16 * step

  /// The samples that all of `filters` hold back.
  static func samples(_ filters: [FilterSetting], _ format: AudioFormat) throws -> Int64 {
    var total: Int64 = 0
    for filter in filters where silent.contains(filter.name) {
      total += try measured(filter, format)
    }
    return total
  }

  private static func measured(_ filter: FilterSetting, _ format: AudioFormat) throws -> Int64 {
    let graph = try FilteredSound.graph([filter], format)
    var place: (size: Float, position: Int64) = (0, Int64(click))
    var position: Int64?
    for number in 0...steps {
      if number < steps { try graph.push(try frame(number, format), input: 0) }
      if number == steps { try graph.finish(input: 0) }
      while case .value(let frame) = try graph.pull() {
        let sound = try PlanarAudio.from(frame)
        let first = position ?? start(frame.pts, graph.outputTimeBase, format.sampleRate)
        for index in 0..<sound.count where abs(sound[0, index]) > place.size {
          place = (abs(sound[0, index]), first + Int64(index))
        }
        position = first + Int64(sound.count)
      }
    }
    return max(0, place.position - Int64(click))
  }

  private static func start(_ pts: Int64?, _ timeBase: TimeBase, _ rate: Int) -> Int64 {
    let ticks = Rational(timeBase.numerator, timeBase.denominator)
    return Int64(clamping: (Rational(pts ?? 0) * ticks * Rational(rate)).rounded)
  }

  private static func frame(_ number: Int, _ format: AudioFormat) throws -> Frame {
    let sound = PlanarAudio(
      channels: ChannelLayout.channels(of: format.channelLayout), count: step)
    if number * step == click {
      for channel in 0..<sound.channelCount { sound[channel, 0] = 0.5 }
    }
    let frame = try sound.frame(
      from: 0, count: step, sampleRate: format.sampleRate,
      channelLayout: format.channelLayout, sampleFormat: format.sampleFormat)
    frame.pts = Int64(number * step)
    return frame
  }
}
