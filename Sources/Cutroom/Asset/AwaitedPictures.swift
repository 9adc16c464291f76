/// The packets whose pictures a decoder still owes.
struct AwaitedPictures {
  /// Whether they are kept: where each packet is a picture that must come.
  private let isKept: Bool
  /// How often a picture did not come from anywhere.
  private var misses = 0
  private var ticks: [Int64] = []
  /// No decoder holds more pictures back.
  private static let limit = 64
  /// Looking for a picture takes long.
  private static let patience = 3

  init(isKept: Bool) { self.isKept = isKept }

  /// A packet was sent.
  mutating func sent(_ tick: Int64) {
    guard isKept, misses < Self.patience else { return }
    if ticks.count == Self.limit { ticks.removeFirst() }
    ticks.append(tick)
  }

  /// A picture came.
  mutating func came(_ tick: Int64) { ticks.removeAll { $0 == tick } }

  /// Whether the picture of a packet between two that are past did not come.
  func lacks(after tick: Int64, upTo target: Int64) -> Bool {
    ticks.contains { $0 > tick && $0 <= target }
  }

  /// Reading goes on elsewhere.
  mutating func begin() { ticks.removeAll(keepingCapacity: true) }

  /// Pictures up to that tick are not missed any more.
  mutating func pass(_ tick: Int64) { ticks.removeAll { $0 <= tick } }

  /// A picture up to that tick does not come from anywhere; after three of them no more are awaited.
  mutating func miss(_ tick: Int64) {
    misses += 1
    pass(tick)
  }
}
