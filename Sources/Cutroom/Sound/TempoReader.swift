import CutroomMedia
import CutroomModel

/// Sound at another speed in its own pitch.
///
/// Position `start` is the reader's position `origin`; from there on it goes `tempo` times as fast.
/// How windows of the sound are fitted to each other depends on where it begins, so it always begins
/// there. Used by one thread; positions rise cheaply.
final class TempoReader: BufferedSource {
  private let reader: SampleReader
  private let tempo: Rational
  private let format: AudioFormat
  private let start: Int64
  private let origin: Int64
  private var graph: FilterGraph?
  private var inputPosition: Int64 = 0
  /// Samples from `head` on.
  private(set) var ready: PlanarAudio
  var head: Int64

  init(
    _ reader: SampleReader, tempo: Rational, rate: Int, layout: String, start: Int64,
    origin: Int64
  ) {
    self.reader = reader
    self.tempo = tempo
    self.start = start
    self.origin = origin
    format = AudioFormat(sampleRate: rate, channelLayout: layout, sampleFormat: "fltp")
    ready = PlanarAudio(channels: ChannelLayout.channels(of: layout), count: 0)
    head = start
  }

  func prepare(for position: Int64) throws(CutroomError) {
    if graph == nil || position < head { try restart() }
  }

  private func restart() throws(CutroomError) {
    var description = GraphDescription()
    var node = description.input(GraphDescription.AudioInput(format: format))
    for factor in Self.factors(of: tempo) {
      let next = description.add(
        filter: "atempo",
        options: [("tempo", JSONValue.decimal(factor.doubleValue, digits: 15).encoded())])
      description.link(node, 0, next, 0)
      node = next
    }
    description.output(node, 0)
    do {
      graph = try FilterGraph(description)
    } catch {
      throw CutroomError(
        .unsupported, "sound.tempo",
        "sound cannot be played \(tempo) times as fast in its own pitch: \(error.reason)",
        details: error.log)
    }
    ready = PlanarAudio(channels: ready.channelCount, count: 0)
    head = start
    inputPosition = origin
  }

  /// Factors from 1/2 to 2, within which the filter loses nothing, whose product is `tempo`.
  private static func factors(of tempo: Rational) -> [Rational] {
    var factors: [Rational] = []
    var rest = tempo
    while rest > 2 {
      factors.append(2)
      rest = rest / 2
    }
    while rest < Rational(1, 2) {
      factors.append(Rational(1, 2))
      rest = rest * 2
    }
    if rest != .one || factors.isEmpty { factors.append(rest) }
    return factors
  }

  func produce() throws(CutroomError) {
    guard let graph else { return }
    do {
      while true {
        switch try graph.pull() {
        case .value(let frame):
          ready.append(try PlanarAudio.from(frame))
          return
        case .ended: return ready.appendSilence(4096)
        case .needsInput:
          let window = try reader.samples(from: inputPosition, count: 4096)
          let frame = try window.sound.frame(
            from: window.start, count: 4096, sampleRate: format.sampleRate,
            channelLayout: format.channelLayout, sampleFormat: format.sampleFormat)
          reader.discard(before: inputPosition + 4096)
          frame.pts = inputPosition - origin
          inputPosition += 4096
          try graph.push(frame, input: 0)
        }
      }
    } catch let error as CutroomError {
      throw error
    } catch let error as LibAVError {
      throw CutroomError(
        .internal, "sound.tempo", "sound cannot be stretched: \(error.reason)",
        details: error.log)
    } catch {
      throw CutroomError(.internal, "internal", "\(error)")
    }
  }
}
