import CutroomMedia
import CutroomModel

/// A clip's sound through filters of libavfilter, at the timeline's rate and layout.
///
/// Positions are those of the timeline. The filters always begin at the clip's first sample, so
/// that what they remember does not depend on where reading begins; what they give beyond the
/// clip's end is cut off, and what is missing there is silence. Used by one thread; positions
/// rise cheaply.
final class FilteredSound: BufferedSource {
  private let filters: [FilterSetting]
  private let clip: any SampleSource
  private let range: Range<Int64>
  /// The clip time of the first sample, in samples.
  private let clipTime: Int64
  private let format: AudioFormat
  private let pointer: String
  private var graph: FilterGraph?
  /// How many samples later than its input the filters' output comes, beyond what they say.
  private var delay: Int64 = 0
  private var input: Int64 = 0
  private var isDraining = false
  private var hasBegun = false
  private var converter: (layout: String, resampler: Resampler?)?
  /// Samples from `head` on.
  private(set) var ready: PlanarAudio
  var head: Int64
  /// Frames that the filters are given; their timestamps are in clip time.
  private static let step: Int64 = 1024

  /// Filters the samples `range` of `clip`, the first of which has the clip time `clipTime`.
  init(
    _ filters: [FilterSetting], of clip: any SampleSource, range: Range<Int64>, clipTime: Int64,
    rate: Int, layout: String, pointer: String
  ) {
    self.filters = filters
    self.clip = clip
    self.range = range
    self.clipTime = clipTime
    self.pointer = pointer
    format = AudioFormat(sampleRate: rate, channelLayout: layout, sampleFormat: "fltp")
    ready = PlanarAudio(channels: ChannelLayout.channels(of: layout), count: 0)
    head = range.lowerBound
  }

  /// The graph of `filters` on sound of a format; what it gives has the same rate and is `fltp`.
  static func graph(
    _ filters: [FilterSetting], _ format: AudioFormat
  ) throws(LibAVError) -> FilterGraph {
    var description = GraphDescription()
    var node = description.input(GraphDescription.AudioInput(format: format))
    for filter in filters {
      let next = description.add(
        filter: filter.name, options: filter.options.map { ($0.name, $0.value) })
      description.link(node, 0, next, 0)
      node = next
    }
    let last = description.add(
      filter: "aformat",
      options: [("sample_rates", "\(format.sampleRate)"), ("sample_fmts", "fltp")])
    description.link(node, 0, last, 0)
    description.output(last, 0)
    return try FilterGraph(description)
  }

  func prepare(for position: Int64) throws(CutroomError) {
    if graph == nil || position < head { try restart() }
  }

  private func restart() throws(CutroomError) {
    try located { () throws in
      graph = try Self.graph(filters, format)
      delay = try SoundFilterDelay.samples(filters, format)
    }
    ready = PlanarAudio(channels: ready.channelCount, count: 0)
    head = range.lowerBound
    input = range.lowerBound
    (isDraining, hasBegun, converter) = (false, false, nil)
  }

  private func located(_ body: () throws -> Void) throws(CutroomError) {
    do {
      try body()
    } catch let error as CutroomError {
      throw error
    } catch {
      let reason = (error as? LibAVError)?.reason ?? "\(error)"
      let names = filters.map { "'\($0.name)'" }.joined(separator: ", ")
      let message = "the sound's filters \(names) cannot be used: \(reason)"
      throw CutroomError(
        .input, "sound.filter", message,
        diagnostics: [Diagnostic(.error, "sound.filter", message, at: pointer + "/audio/filters")],
        details: (error as? LibAVError)?.log ?? [])
    }
  }

  func produce() throws(CutroomError) { try located(advance) }

  private func advance() throws {
    guard let graph else { return }
    while true {
      switch try graph.pull() {
      case .value(let frame):
        if !hasBegun { begin(frame.pts ?? 0, graph.outputTimeBase) }
        return try append(frame)
      case .ended: return ready.appendSilence(Int(Self.step))
      case .needsInput: try feed(graph)
      }
    }
  }

  /// Where a filter says that its first samples lie before the clip's, they are its run-up; where
  /// they lie later, there is silence before them.
  private func begin(_ pts: Int64, _ timeBase: TimeBase) {
    hasBegun = true
    let ticks = Rational(timeBase.numerator, timeBase.denominator)
    let place = (Rational(pts) * ticks * Rational(format.sampleRate)).rounded
    let late = Int64(clamping: place) - clipTime - delay
    if late > 0 {
      ready.appendSilence(Int(min(late, Int64(range.count))))
    } else {
      head += max(late, -Int64(format.sampleRate) * 60)
    }
  }

  private func append(_ frame: Frame) throws {
    let sound = try PlanarAudio.from(frame)
    let layout = frame.channelLayout
    if converter?.layout != layout {
      converter = (layout, try resampler(from: layout))
    }
    guard let resampler = converter?.resampler else { return ready.append(sound) }
    ready.append(try resampler.convert(frame))
  }

  private func resampler(from layout: String) throws -> Resampler? {
    guard layout != format.channelLayout else { return nil }
    return try Resampler(
      from: AudioFormat(
        sampleRate: format.sampleRate, channelLayout: layout, sampleFormat: "fltp"),
      to: format,
      matrix: DownmixMatrix.matrix(from: layout, to: format.channelLayout))
  }

  private func feed(_ graph: FilterGraph) throws {
    guard input < range.upperBound + delay else {
      if !isDraining { try graph.finish(input: 0) }
      isDraining = true
      return
    }
    let end = input < range.upperBound ? range.upperBound : range.upperBound + delay
    let count = Int(min(Self.step, end - input))
    // After the clip, silence presses out what a filter holds back.
    let window =
      input < range.upperBound
      ? try clip.samples(from: input, count: count)
      : SampleWindow(sound: PlanarAudio(channels: ready.channelCount, count: count), start: 0)
    let frame = try window.sound.frame(
      from: window.start, count: count, sampleRate: format.sampleRate,
      channelLayout: format.channelLayout, sampleFormat: format.sampleFormat)
    frame.pts = input - range.lowerBound + clipTime
    input += Int64(count)
    clip.discard(before: input)
    try graph.push(frame, input: 0)
  }
}
