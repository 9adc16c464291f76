import CutroomMedia
import CutroomModel

/// Draws one kind of transition of libavfilter's `xfade`, each picture from its weight alone.
///
/// The filter takes the way it has gone from the time since its first pictures. So it is shown a
/// first pair at time 0, and then each pair at its weight on a scale of a second: no picture
/// depends on those before it, in whatever order they come.
final class TransitionDrawer {
  /// Everything that its graph depends on but the pixels.
  struct Shape: Hashable {
    /// The name of `xfade`.
    var name: String
    var canvas: PixelSize
    /// The pixel format of both sides, and of the result.
    var format: String
  }

  private let shape: Shape
  private let graph: FilterGraph
  private var isPrimed = false
  /// The ticks of a second, on which weights are told.
  private static let scale: Int32 = 1_000_000

  init(_ shape: Shape) throws(LibAVError) {
    self.shape = shape
    graph = try FilterGraph(try shape.description(timeBase: TimeBase(1, Self.scale)))
  }

  /// Whether it draws pictures of that shape.
  func draws(_ shape: Shape) -> Bool { self.shape == shape }

  /// The picture of a transition at the weight of its incoming side, 0...1.
  func draw(_ from: Frame, _ to: Frame, weight: Rational) throws(LibAVError) -> Frame {
    if !isPrimed {
      _ = try draw(from, to, tick: 0)
      isPrimed = true
    }
    return try draw(
      from, to, tick: Int64(clamping: (weight * Rational(Int64(Self.scale))).rounded))
  }

  private func draw(_ from: Frame, _ to: Frame, tick: Int64) throws(LibAVError) -> Frame {
    try graph.picture(of: [from, to], at: tick, action: "draw a transition")
  }
}

extension TransitionDrawer.Shape {
  /// The format in which `xfade` works: it knows no subsampled chroma.
  private var whole: String {
    PixelFormat(name: format)?.bitDepth ?? 8 > 8 ? "yuv444p10le" : "yuv444p"
  }

  /// Whether what `xfade` shows around a picture is black of full range.
  private var hasSurround: Bool { ["circlecrop", "rectcrop"].contains(name) }

  fileprivate func description(timeBase: TimeBase) throws(LibAVError) -> GraphDescription {
    guard let pixelFormat = PixelFormat(name: format) else {
      throw LibAVError(
        code: 0, action: "draw a transition", reason: "there is no pixel format '\(format)'")
    }
    var graph = GraphDescription(scalerFlags: GraphDescription.exactScaling)
    func append(_ filter: String, _ options: [(String, String)], _ node: inout Node) {
      let next = graph.add(filter: filter, options: options)
      graph.link(node, 0, next, 0)
      node = next
    }
    let cross = graph.add(
      filter: "xfade", options: [("transition", name), ("duration", "1"), ("offset", "0")])
    for pad in 0..<2 {
      var node = graph.input(
        GraphDescription.VideoInput(
          width: canvas.width, height: canvas.height, format: pixelFormat, timeBase: timeBase,
          frameRate: (25, 1)))
      if format != whole { append("format", [("pix_fmts", whole)], &node) }
      if hasSurround { append("lutyuv", shift(-1), &node) }
      graph.link(node, 0, cross, pad)
    }
    var node = cross
    if hasSurround { append("lutyuv", shift(1), &node) }
    if format != whole { append("format", [("pix_fmts", format)], &node) }
    graph.output(node, 0)
    return graph
  }

  private typealias Node = GraphDescription.NodeID

  /// Moves black to where `xfade` has it, which is 0 and one below the middle, or back.
  private func shift(_ sign: Int) -> [(String, String)] {
    let black = whole == "yuv444p" ? 16 : 64
    let luma = "val\(sign < 0 ? "-" : "+")\(black)"
    let chroma = "val\(sign < 0 ? "-" : "+")1"
    return [("y", luma), ("u", chroma), ("v", chroma)]
  }
}
