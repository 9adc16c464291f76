import CutroomMedia
import CutroomModel

/// The sound of a libavfilter source.
final class GeneratorSound: SoundDecoder {
  private(set) var sampleRate = 48000
  private(set) var channelLayout = "mono"
  let end: Int64? = nil
  private let source: GeneratorSource
  private var graph: FilterGraph
  private var position: Int64 = 0
  private var pending: PlanarAudio?

  /// - Throws: ``CutroomError`` with code `input` when libavfilter refuses the source.
  init(_ source: GeneratorSource) throws(CutroomError) {
    self.source = source
    graph = try Self.open(source)
    if let first = try pull() {
      pending = first.sound
      sampleRate = first.rate
      channelLayout = first.layout
    }
  }

  private static func open(_ source: GeneratorSource) throws(CutroomError) -> FilterGraph {
    do {
      return try FilterGraph.source(source.filter, kind: .audio)
    } catch {
      throw CutroomError(
        .input, "media.generator",
        "the generator '\(source.filter)' cannot be made: \(error.reason)", details: error.log)
    }
  }

  private func pull() throws(CutroomError) -> (sound: PlanarAudio, rate: Int, layout: String)? {
    do {
      guard case .value(let frame) = try graph.pull() else { return nil }
      return (try PlanarAudio.from(frame), frame.sampleRate, frame.channelLayout)
    } catch {
      throw CutroomError(
        .media, "media.generator", "the generator '\(source.filter)' failed: \(error.reason)",
        details: error.log)
    }
  }

  func seek(to position: Int64) throws(CutroomError) {
    guard position < self.position else { return }
    graph = try Self.open(source)
    (self.position, pending) = (0, nil)
  }

  func next() throws(CutroomError) -> (position: Int64, sound: PlanarAudio)? {
    let sound: PlanarAudio
    if let pending {
      sound = pending
    } else {
      guard let pulled = try pull() else { return nil }
      sound = pulled.sound
    }
    pending = nil
    defer { position += Int64(sound.count) }
    return (position, sound)
  }
}
