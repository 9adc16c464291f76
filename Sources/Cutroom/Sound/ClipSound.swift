import CutroomMedia
import CutroomModel

/// The sound of parts of one clip that follow each other, without their levels.
///
/// Positions are those of the timeline; between the parts there is silence. Used by one thread;
/// positions rise cheaply.
final class ClipSound: SampleSource {
  private let parts: [SoundPart]
  private let channels: Int
  private let open: (SoundPart) throws(CutroomError) -> any SampleSource
  private var readers: [Int: any SampleSource] = [:]

  /// The parts in order, none of which overlap; `open` gives a part's own source.
  init(
    _ parts: [SoundPart], channels: Int,
    open: @escaping (SoundPart) throws(CutroomError) -> any SampleSource
  ) {
    self.parts = parts
    self.channels = channels
    self.open = open
  }

  func samples(from position: Int64, count: Int) throws(CutroomError) -> SampleWindow {
    let end = position + Int64(count)
    let sound = PlanarAudio(channels: channels, count: count)
    for (index, part) in parts.enumerated() {
      let from = max(part.start, position)
      let to = min(part.end, end)
      guard from < to else { continue }
      let reader: any SampleSource
      if let open = readers[index] { reader = open } else { reader = try open(part) }
      readers[index] = reader
      let window = try reader.samples(from: from + part.offset, count: Int(to - from))
      sound.add(
        window.sound, from: window.start, count: Int(to - from), at: Int(from - position))
    }
    return SampleWindow(sound: sound, start: 0)
  }

  func discard(before position: Int64) {
    for (index, reader) in readers {
      if parts[index].end <= position {
        readers[index] = nil
      } else {
        reader.discard(before: position + parts[index].offset)
      }
    }
  }
}
