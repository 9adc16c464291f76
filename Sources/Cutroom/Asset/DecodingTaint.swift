/// Which pictures are not to be shown because they, or pictures that they refer to, did not decode.
///
/// Everything that is decoded from a damaged packet up to the next keyframe is suspect: decoders
/// invent what is missing.
struct DecodingTaint {
  private var recent: [(tick: Int64, isKeyframe: Bool)] = []
  private var ticks: Set<Int64> = []
  private var isTainted = false
  /// More packets than any codec holds back before it gives a picture.
  private static let memory = 128

  /// A packet went to the decoder, in decoding order.
  mutating func sent(_ tick: Int64, isKeyframe: Bool, failed: Bool) {
    if isKeyframe { isTainted = false }
    if failed { isTainted = true }
    if isTainted { ticks.insert(tick) }
    recent.append((tick, isKeyframe))
    if recent.count > Self.memory { recent.removeFirst() }
  }

  /// Whether a picture that came out is not to be shown.
  mutating func isUnusable(_ tick: Int64, isCorrupt: Bool) -> Bool {
    if isCorrupt { spread(from: tick) }
    return ticks.contains(tick)
  }

  /// Taints a picture and all that were sent after it, up to the next keyframe.
  private mutating func spread(from tick: Int64) {
    ticks.insert(tick)
    guard let index = recent.lastIndex(where: { $0.tick == tick }) else {
      isTainted = true
      return
    }
    for packet in recent[(index + 1)...] {
      if packet.isKeyframe { return }
      ticks.insert(packet.tick)
    }
    isTainted = true
  }

  /// The first tainted picture between two ticks.
  func first(after low: Int64, before high: Int64) -> Int64? {
    ticks.lazy.filter { low < $0 && $0 < high }.min()
  }

  /// Pictures up to that one are shown: what came before it is no longer asked for.
  mutating func forget(through tick: Int64) {
    if !ticks.isEmpty { ticks = ticks.filter { $0 > tick } }
  }
}
