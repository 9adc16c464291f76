import CutroomMedia
import CutroomModel

/// The sound of a source backwards: its sample i has the position -1 - i.
///
/// Read in blocks from the end to the start, so that memory is bounded.
final class ReversedSound: SoundDecoder {
  let sampleRate: Int
  let channelLayout: String
  let end: Int64? = nil
  private let reader: SampleReader
  private var position: Int64 = 0
  /// Ten seconds: files without a table of their packets are read from their start for each block.
  private var blockLength: Int64 { Int64(sampleRate) * 10 }

  init(_ decoder: any SoundDecoder) throws(CutroomError) {
    sampleRate = decoder.sampleRate
    channelLayout = decoder.channelLayout
    reader = try SampleReader(
      decoder, rate: decoder.sampleRate, layout: decoder.channelLayout)
  }

  func seek(to position: Int64) throws(CutroomError) { self.position = position }

  func next() throws(CutroomError) -> (position: Int64, sound: PlanarAudio)? {
    let upper = -position
    guard upper > 0 else { return nil }
    let lower = max(0, upper - blockLength)
    let count = Int(upper - lower)
    let window = try reader.samples(from: lower, count: count)
    let backwards = window.sound.reversed(window.start..<window.start + count)
    reader.discard(before: upper)
    defer { position += Int64(count) }
    return (position, backwards)
  }
}
