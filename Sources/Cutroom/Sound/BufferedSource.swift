import CutroomMedia
import CutroomModel

/// A source of samples that makes them in order, a run at a time, into a buffer.
protocol BufferedSource: SampleSource {
  /// Samples from ``head`` on.
  var ready: PlanarAudio { get }
  /// The position of the first sample of ``ready``.
  var head: Int64 { get set }
  /// Begins anew where `position` cannot be reached by going on.
  func prepare(for position: Int64) throws(CutroomError)
  /// Makes some more samples ready.
  func produce() throws(CutroomError)
}

extension BufferedSource {
  func samples(from position: Int64, count: Int) throws(CutroomError) -> SampleWindow {
    try prepare(for: position)
    while head + Int64(ready.count) < position + Int64(count) {
      try produce()
      // What lies before the wanted range is not kept.
      if head + Int64(ready.count) < position { discard(before: head + Int64(ready.count)) }
    }
    return SampleWindow(sound: ready, start: Int(position - head))
  }

  func discard(before position: Int64) {
    let count = min(max(0, position - head), Int64(ready.count))
    ready.removeFirst(Int(count))
    head += count
  }
}
