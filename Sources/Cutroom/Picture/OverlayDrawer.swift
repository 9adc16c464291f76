import CutroomMedia
import CutroomModel

/// Lays pictures over a canvas, by libavfilter's `overlay` where something shows through.
///
/// Only the part of the canvas below a picture is drawn, so that a small picture costs little on a
/// large canvas. The graph is kept while pictures have the same size and format.
final class OverlayDrawer {
  /// Everything that the graph depends on but the pixels.
  fileprivate struct Shape: Hashable {
    var size: PixelSize
    var format: PixelFormat
    var upper: PixelFormat
  }

  private var shape: Shape?
  private var graph: FilterGraph?
  private var count: Int64 = 0
  private let parts = FramePool()

  /// The canvas with a picture whose top left lies at (x, y), on whole chroma samples.
  ///
  /// Draws on the canvas itself where nobody shares it; others get `copies`' memory.
  func lay(
    _ upper: Frame, x: Int, y: Int, on canvas: Frame, copies: FramePool
  ) throws(LibAVError) -> Frame {
    var upper = upper
    if upper.format != canvas.format {
      let isWhole = x == 0 && y == 0 && (upper.width, upper.height) == (canvas.width, canvas.height)
      let below =
        isWhole
        ? canvas
        : try parts.copy(of: canvas, part: (x, y, upper.width, upper.height))
      let drawn = try draw(upper, on: below)
      if isWhole { return drawn }
      upper = drawn
    }
    let own = canvas.isWritable ? canvas : try copies.copy(of: canvas)
    try own.lay(upper, x: x, y: y)
    return own
  }

  private func draw(_ upper: Frame, on below: Frame) throws(LibAVError) -> Frame {
    guard let format = below.format, let upperFormat = upper.format else {
      throw LibAVError(code: 0, action: "draw pictures", reason: "a picture has no known format")
    }
    let shape = Shape(
      size: PixelSize(width: below.width, height: below.height), format: format,
      upper: upperFormat)
    if graph == nil || shape != self.shape { graph = try FilterGraph(shape.description) }
    self.shape = shape
    guard let graph else { return below }
    defer { count += 1 }
    return try graph.picture(of: [below, upper], at: count, action: "draw pictures")
  }
}

extension OverlayDrawer.Shape {
  fileprivate var description: GraphDescription {
    let formats = [
      "yuv420p": "yuv420", "yuv444p": "yuv444", "yuv420p10le": "yuv420p10",
      "yuv422p10le": "yuv422p10",
    ]
    var graph = GraphDescription(scalerFlags: GraphDescription.exactScaling)
    let overlay = graph.add(
      filter: "overlay", options: [("format", formats[format.name] ?? "auto"), ("eval", "init")])
    for (pad, pixels) in [format, upper].enumerated() {
      let input = graph.input(
        GraphDescription.VideoInput(
          width: size.width, height: size.height, format: pixels,
          timeBase: TimeBase(numerator: 1, denominator: 1)))
      graph.link(input, 0, overlay, pad)
    }
    graph.output(overlay, 0)
    return graph
  }
}
