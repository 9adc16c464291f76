/// Plans decoding times from presentation times: strictly increasing, never after them.
///
/// Packet n decodes at the presentation time of the frame that is `depth` places earlier in
/// presentation order; the first `depth` packets decode before the first frame is shown. For a
/// constant rate the step is constant, also over joints.
struct DecodingTimes {
  private let depth: Int
  private let step: Int64
  private var pending: [Int64] = []
  private var count = 0
  private var first: Int64?
  private var last: Int64?

  /// `depth` is the reorder depth in frames, `step` the usual distance of frames in ticks.
  init(depth: Int, step: Int64) {
    self.depth = depth
    self.step = max(1, step)
  }

  /// The decoding time of the next packet in decoding order.
  ///
  /// `nil` when the packet comes more than `depth` places after its turn: then no strictly
  /// increasing time before its presentation exists.
  mutating func next(presentation: Int64) -> Int64? {
    let start = first ?? presentation
    first = start
    insert(presentation)
    defer { count += 1 }
    var time: Int64
    if count < depth {
      time = start - Int64(depth - count) * step
    } else {
      time = pending.removeFirst()
    }
    if let last, time <= last { time = last + 1 }
    guard time <= presentation else { return nil }
    last = time
    return time
  }

  private mutating func insert(_ value: Int64) {
    var index = pending.endIndex
    while index > pending.startIndex, pending[index - 1] > value { index -= 1 }
    pending.insert(value, at: index)
  }
}
