import CutroomMedia
import CutroomModel

/// Filters as they would run, tried before an export begins.
struct FilterTrial: Hashable {
  /// What goes into the first filter.
  enum Input: Hashable {
    case picture(PixelSize)
    case sound(sampleRate: Int, channelLayout: String)
  }

  /// The first filter that cannot be made.
  struct Problem: Hashable {
    var index: Int
    var message: String
  }

  var filters: [FilterSetting]
  var input: Input

  /// The first filter that libavfilter does not make, or that makes what cannot be shown.
  func problem() -> Problem? {
    if problem(first: filters.count) == nil { return nil }
    for count in filters.indices {
      if let message = problem(first: count + 1) { return Problem(index: count, message: message) }
    }
    return nil
  }

  private func problem(first count: Int) -> String? {
    var graph = GraphDescription()
    var last: GraphDescription.NodeID
    switch input {
    case .picture(let size):
      guard let format = PixelFormat(name: "yuv420p") else { return nil }
      last = graph.input(
        GraphDescription.VideoInput(
          width: size.width, height: size.height, format: format, timeBase: TimeBase(1, 25),
          frameRate: (25, 1)))
    case .sound(let rate, let layout):
      last = graph.input(
        GraphDescription.AudioInput(format: AudioFormat(sampleRate: rate, channelLayout: layout)))
    }
    for filter in filters.prefix(count) {
      let node = graph.add(
        filter: filter.name, options: filter.options.map { ($0.name, $0.value) })
      graph.link(last, 0, node, 0)
      last = node
    }
    graph.output(last)
    do throws(LibAVError) {
      let made = try FilterGraph(graph)
      guard case .picture = input else { return nil }
      let (width, height) = (made.outputWidth, made.outputHeight)
      let limit = Placement.largestSide
      return (1...limit).contains(width) && (1...limit).contains(height)
        ? nil : "it makes a picture of \(width)×\(height) pixels, but each side may have \(limit)"
    } catch {
      return ([error.reason] + error.log.suffix(1)).joined(separator: ": ")
    }
  }
}
