import CutroomMedia
import CutroomModel

/// Brings a drawn canvas to what the encoder takes: its size, and a palette of its own where the
/// codec has palettes.
///
/// Each frame is finished by itself, so that chunks may begin anywhere. Used by one thread.
final class FrameFinisher {
  private let canvas: PixelSize
  private let encoding: VideoEncoding
  private let target: PixelFormat
  private var graph: FilterGraph?
  private var count: Int64 = 0

  init(canvas: PixelSize, encoding: VideoEncoding, target: PixelFormat) {
    (self.canvas, self.encoding, self.target) = (canvas, encoding, target)
  }

  /// The format to draw in for an encoder that takes `target`.
  static func drawnFormat(for target: PixelFormat) -> PixelFormat {
    target.name == "pal8" ? PixelFormat(name: "rgb24") ?? target : target
  }

  private var isIdentity: Bool { canvas == encoding.size && target.name != "pal8" }

  /// The frame for the encoder; the same one where nothing is to be done.
  func finish(_ drawn: Frame) throws(LibAVError) -> Frame {
    if isIdentity { return drawn }
    if graph == nil { graph = try makeGraph(drawn) }
    guard let graph else { return drawn }
    defer { count += 1 }
    return try graph.picture(of: [drawn], at: count, action: "finish a picture")
  }

  private func makeGraph(_ drawn: Frame) throws(LibAVError) -> FilterGraph {
    let format = Self.drawnFormat(for: target)
    var graph = GraphDescription(scalerFlags: GraphDescription.exactScaling)
    var node = graph.input(
      GraphDescription.VideoInput(
        width: drawn.width, height: drawn.height, format: format,
        timeBase: TimeBase(numerator: 1, denominator: 1)))
    if canvas != encoding.size {
      let range = format.isRGB || format.name.hasPrefix("yuvj") ? "full" : "limited"
      let scale = graph.add(
        filter: "scale",
        options: [
          ("w", String(encoding.size.width)), ("h", String(encoding.size.height)),
          ("flags", GraphDescription.exactScaling), ("in_range", range), ("out_range", range),
        ])
      graph.link(node, 0, scale, 0)
      let same = graph.add(filter: "format", options: [("pix_fmts", format.name)])
      graph.link(scale, 0, same, 0)
      node = same
    }
    if target.name == "pal8" { node = addPalette(to: &graph, node) }
    graph.output(node, 0)
    return try FilterGraph(graph)
  }

  /// The best 256 colours of each picture, in an order pattern that does not flicker.
  private func addPalette(
    to graph: inout GraphDescription, _ node: GraphDescription.NodeID
  ) -> GraphDescription.NodeID {
    let split = graph.add(filter: "split", options: [("outputs", "2")])
    let make = graph.add(
      filter: "palettegen", options: [("stats_mode", "single"), ("reserve_transparent", "0")])
    let use = graph.add(
      filter: "paletteuse",
      options: [("new", "1"), ("dither", "bayer"), ("bayer_scale", "4")])
    graph.link(node, 0, split, 0)
    graph.link(split, 0, use, 0)
    graph.link(split, 1, make, 0)
    graph.link(make, 0, use, 1)
    return use
  }
}
