import CutroomMedia
import CutroomModel

/// Filters as they would run, tried before an export begins.
struct FilterTrial: Hashable {
  /// What goes into the first filter.
  enum Input: Hashable {
    case picture(PixelSize, format: String, isOpaque: Bool)
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
    do {
      switch input {
      case .picture(let size, let format, let isOpaque):
        guard let format = PixelFormat(name: format) else { return nil }
        let shape = FilterChain.Shape(
          filters: Array(filters.prefix(count)),
          input: GraphDescription.VideoInput(
            width: size.width, height: size.height, format: format, timeBase: TimeBase(1, 25),
            frameRate: (25, 1)),
          coded: CodedColor(matrix: "bt709", isFullRange: false),
          geometry: PictureGeometry(displaySize: size), isOpaque: isOpaque)
        return Self.complaint(about: try FilterChain.graph(shape))
      case .sound(let rate, let layout):
        let format = AudioFormat(sampleRate: rate, channelLayout: layout)
        _ = try FilterGraph(soundGraph(format, first: count))
        return nil
      }
    } catch let error as CutroomError {
      return error.message
    } catch let error as LibAVError {
      return ([error.reason] + error.log.suffix(1)).joined(separator: ": ")
    } catch {
      return "\(error)"
    }
  }

  private func soundGraph(_ format: AudioFormat, first count: Int) -> GraphDescription {
    var graph = GraphDescription()
    var last = graph.input(GraphDescription.AudioInput(format: format))
    for filter in filters.prefix(count) {
      let node = graph.add(
        filter: filter.name, options: filter.options.map { ($0.name, $0.value) })
      graph.link(last, 0, node, 0)
      last = node
    }
    graph.output(last)
    return graph
  }

  /// Why the pictures that come out cannot be shown.
  private static func complaint(about graph: FilterGraph) -> String? {
    let (width, height) = (graph.outputWidth, graph.outputHeight)
    let limit = Placement.largestSide
    guard (1...limit).contains(width), (1...limit).contains(height) else {
      return "it makes a picture of \(width)×\(height) pixels, but each side may have \(limit)"
    }
    guard let rate = graph.outputFrameRate,
      Int64(rate.0) != 25 * Int64(rate.1)
    else { return nil }
    return "it does not give one picture for each that it takes"
  }
}
