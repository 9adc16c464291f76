import CutroomMedia
import CutroomModel

/// Makes whole pictures of interlaced ones, one for each.
///
/// A picture depends on itself and the two beside it alone. Wraps libavfilter's `bwdif`.
final class Deinterlacer {
  private var graph: FilterGraph?
  private var shape: GraphDescription.VideoInput?
  private var lastTick: Int64?

  /// The picture `shown` without interlacing; the ones beside it are those of the file.
  func deinterlace(
    _ shown: FrameReader.Picture, before: FrameReader.Picture?, after: FrameReader.Picture?
  ) throws(LibAVError) -> Frame {
    guard let shape = Self.shape(of: shown.frame) else { return shown.frame }
    let (before, after) = (before.alike(shape), after.alike(shape))
    let isNext = graph != nil && lastTick == shown.tick && shape == self.shape
    if !isNext {
      graph = try FilterGraph(Self.description(shape))
      self.shape = shape
      if let before { _ = try push(before) }
      if let frame = try push(shown)[shown.tick] { return frame }
    }
    var outputs: [Int64: Frame] = [:]
    if let after {
      outputs = try push(after)
    } else {
      try graph?.finish(input: 0)
      outputs = try pull()
      graph = nil
    }
    guard let frame = outputs[shown.tick] else {
      throw LibAVError(code: 0, action: "deinterlace a picture", reason: "no picture came out")
    }
    return frame
  }

  private func push(_ picture: FrameReader.Picture) throws(LibAVError) -> [Int64: Frame] {
    let input = try picture.frame.reference()
    input.pts = picture.tick
    try graph?.push(input, input: 0)
    lastTick = picture.tick
    return try pull()
  }

  /// What has come out, by its tick.
  private func pull() throws(LibAVError) -> [Int64: Frame] {
    guard let graph else { return [:] }
    // The filter counts in halves of ticks.
    let scale = Int64(graph.outputTimeBase.denominator)
    var outputs: [Int64: Frame] = [:]
    while case .value(let frame) = try graph.pull() {
      if let pts = frame.pts { outputs[pts / max(1, scale)] = frame }
    }
    return outputs
  }

  private static func shape(of frame: Frame) -> GraphDescription.VideoInput? {
    frame.format.map { format in
      GraphDescription.VideoInput(
        width: frame.width, height: frame.height, format: format, timeBase: TimeBase(1, 1),
        frameRate: (25, 1))
    }
  }

  private static func description(_ shape: GraphDescription.VideoInput) -> GraphDescription {
    var graph = GraphDescription(scalerFlags: GraphDescription.exactScaling)
    let input = graph.input(shape)
    let filter = graph.add(
      filter: "bwdif", options: [("mode", "send_frame"), ("parity", "auto"), ("deint", "all")])
    graph.link(input, 0, filter, 0)
    graph.output(filter, 0)
    return graph
  }
}

extension FrameReader.Picture? {
  /// Itself, where it looks like `shape`: a stream may change on the way.
  fileprivate func alike(_ shape: GraphDescription.VideoInput) -> FrameReader.Picture? {
    flatMap { picture in
      let frame = picture.frame
      return frame.width == shape.width && frame.height == shape.height
        && frame.format == shape.format ? picture : nil
    }
  }
}
