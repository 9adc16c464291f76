import CutroomMedia
import CutroomModel

/// The pictures of a clip after its filters, at any time.
///
/// Filters are given the clip's pictures as the timeline shows them, one for each of its frames,
/// with the time within the clip. Filters that remember pictures are given all of them from the
/// first one on, and as many ahead as they hold back: a picture depends on the clip alone, not on
/// where drawing began. Used by one thread.
final class ClipFilters {
  /// Gives the clip's picture at a time on the timeline.
  typealias Source = (Rational) throws(CutroomError) -> Shown?

  private let filters: [FilterSetting]
  private let run: FilterRun
  private let rate: FrameRate
  /// The time within the clip at the start of the first segment, and what it gains each second.
  private let origin: Rational
  private let slope: Rational
  private let firstStart: Rational
  private let isPure: Bool
  private let usesTime: Bool
  private let place: String

  private var chain: FilterChain?
  private var shape: FilterChain.Shape?
  private var lastInput: Frame?
  private var last: Shown?
  private var memory: Memory?

  init(_ run: FilterRun, in track: TimelineTrack, rate: FrameRate) {
    let first = track.segments[run.segments.lowerBound]
    filters = first.picture.filters
    self.run = run
    self.rate = rate
    origin = first.clipRange.lowerBound
    firstStart = first.start
    slope = (first.clipRange.upperBound - first.clipRange.lowerBound) / first.duration
    isPure = FilterTraits.isPure(filters)
    usesTime = FilterTraits.usesTime(filters)
    place = first.pointer + "/video/filters"
  }

  /// The picture at a time on the timeline; `source` gives those that go in.
  func picture(at time: Rational, from source: Source) throws(CutroomError) -> Shown? {
    isPure ? try alone(time, source) : try remembered(time, source)
  }

  private func clipTime(_ time: Rational) -> Rational { origin + (time - firstStart) * slope }

  // MARK: One picture at a time

  private func alone(_ time: Rational, _ source: Source) throws(CutroomError) -> Shown? {
    guard let shown = try source(time) else { return nil }
    if !usesTime, shown.frame === lastInput, let last { return last }
    let chain = try chain(for: shown, at: time)
    try chain.push(shown.frame, at: tick(clipTime(time)))
    guard let filtered = try chain.pull() else { throw gap(at: time) }
    (lastInput, last) = (shown.frame, filtered.shown)
    return filtered.shown
  }

  private func chain(for shown: Shown, at time: Rational) throws(CutroomError) -> FilterChain {
    let shape = try shape(of: shown, at: time)
    if let chain, shape == self.shape { return chain }
    let made = try FilterChain(shape)
    (chain, self.shape) = (made, shape)
    return made
  }

  private func shape(of shown: Shown, at time: Rational) throws(CutroomError) -> FilterChain.Shape {
    let frame = shown.frame
    guard let format = frame.format else {
      throw CutroomError(.media, "media.pixel-format", "a picture has no known pixel format")
    }
    let speed = rate.framesPerSecond
    let input = GraphDescription.VideoInput(
      width: frame.width, height: frame.height, format: format,
      timeBase: TimeBase(1, ticksPerSecond(at: time)),
      frameRate: (Int32(clamping: speed.numerator), Int32(clamping: speed.denominator)))
    return FilterChain.Shape(
      filters: filters, input: input, coded: CodedColor(frame), geometry: shown.geometry,
      isOpaque: shown.isOpaque)
  }

  // MARK: Times

  /// Ticks in which all frames' times are whole; of a microsecond where there are none.
  private func ticksPerSecond(at time: Rational) -> Int32 {
    let (a, b) = (clipTime(time).denominator, (rate.frameDuration * slope).denominator)
    let common = a / Self.greatestDivisor(a, b) * b
    return common <= 1_000_000_000 ? Int32(clamping: common) : 1_000_000
  }

  private static func greatestDivisor(_ a: Int128, _ b: Int128) -> Int128 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return max(1, a)
  }

  private func tick(_ clipTime: Rational) -> Int64 {
    let base = shape?.input.timeBase ?? TimeBase(1, 1)
    return Int64(clamping: (clipTime * Rational(Int64(base.denominator))).rounded)
  }

  // MARK: With memory

  /// What has gone in and come out so far.
  private struct Memory {
    /// The timeline time of frame 0.
    var start: Rational
    /// The number of frames that the clip is shown for.
    var count: Int
    var next = 0
    var hasEnded = false
    /// The frames that went in, by their ticks.
    var fed: [Int64: Int] = [:]
    /// The frames at which nothing was shown.
    var holes: Set<Int> = []
    /// What has come out and may still be asked for, in order.
    var outputs: [(frame: Int, shown: Shown)] = []
    var lastOut = -1
  }

  private func remembered(_ time: Rational, _ source: Source) throws(CutroomError) -> Shown? {
    let frame = Int(clamping: ((time - run.start) * rate.framesPerSecond).floor)
    let start = time - Rational(Int64(frame)) * rate.frameDuration
    if memory?.start != start || frame < memory?.outputs.first?.frame ?? 0 {
      let count = ((run.end - start) * rate.framesPerSecond).ceiling
      memory = Memory(start: start, count: max(Int(clamping: count), frame + 1))
      (chain, shape) = (nil, nil)
    }
    while memory?.hasEnded == false, memory?.lastOut ?? 0 < frame,
      memory?.holes.contains(frame) == false
    {
      try feed(source)
    }
    guard var memory, !memory.holes.contains(frame) else { return nil }
    // Pictures that were passed are not asked for again.
    while memory.outputs.count > 1, memory.outputs[1].frame <= frame {
      memory.outputs.removeFirst()
    }
    self.memory = memory
    guard let first = memory.outputs.first else { throw gap(at: time) }
    // A filter may need pictures before it gives the first one, and may keep the last ones.
    let isAtEnds = first.frame >= frame || memory.hasEnded && memory.outputs.count == 1
    guard isAtEnds else { throw gap(at: time) }
    return first.shown
  }

  private func feed(_ source: Source) throws(CutroomError) {
    guard let frame = memory?.next, let count = memory?.count, let start = memory?.start else {
      return
    }
    guard frame < count else {
      try end()
      memory?.hasEnded = true
      return
    }
    memory?.next += 1
    let time = start + Rational(Int64(frame)) * rate.frameDuration
    guard let shown = try source(time) else {
      memory?.holes.insert(frame)
      return
    }
    if try shape != shape(of: shown, at: time) { try end() }
    let chain = try chain(for: shown, at: time)
    let tick = tick(clipTime(time))
    memory?.fed[tick] = frame
    try chain.push(shown.frame, at: tick)
    try collect(chain)
  }

  /// Takes what a chain still holds back.
  private func end() throws(CutroomError) {
    guard let chain else { return }
    try chain.finish()
    try collect(chain)
    self.chain = nil
    memory?.fed = [:]
  }

  private func collect(_ chain: FilterChain) throws(CutroomError) {
    let base = Rational(Int64(shape?.input.timeBase.denominator ?? 1))
    while let output = try chain.pull() {
      let tick = output.time.map { Int64(clamping: ($0 * base).rounded) }
      guard let frame = tick.flatMap({ memory?.fed.removeValue(forKey: $0) }),
        frame > memory?.lastOut ?? -1
      else { throw retimed() }
      memory?.lastOut = frame
      memory?.outputs.append((frame, output.shown))
    }
  }

  // MARK: Errors

  private var names: String { filters.map { "'\($0.name)'" }.joined(separator: ", ") }

  private func gap(at time: Rational) -> CutroomError {
    refusal("the filters \(names) give no picture at \(clipTime(time).secondsText) of the clip")
  }

  private func retimed() -> CutroomError {
    refusal("the filters \(names) give pictures at other times than they are given")
  }

  private func refusal(_ message: String) -> CutroomError {
    let text = message + "; a filter has to give one picture for each"
    var error = CutroomError(.unsupported, DiagnosticCode.capabilityFilter.rawValue, text)
    error.diagnostics = [Diagnostic(.error, error.stableCode, text, at: place)]
    return error
  }
}
