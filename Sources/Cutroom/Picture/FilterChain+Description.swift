import CutroomMedia
import CutroomModel

extension FilterChain.Shape {
  /// The graph: upright pictures, then the filters, with conversions where `layout` has them.
  func description(_ layout: FilterChain.Layout) -> GraphDescription {
    var builder = FilterChainGraph(self)
    builder.straighten()
    for (index, filter) in filters.enumerated() { builder.add(filter, index, layout) }
    return builder.finished
  }
}

/// Builds the graph of a chain step by step.
private struct FilterChainGraph {
  private let shape: FilterChain.Shape
  private var graph = GraphDescription(scalerFlags: GraphDescription.exactScaling)
  private var node: GraphDescription.NodeID

  init(_ shape: FilterChain.Shape) {
    self.shape = shape
    node = graph.input(shape.input)
  }

  var finished: GraphDescription {
    var finished = graph
    finished.output(node, 0)
    return finished
  }

  private mutating func append(
    _ filter: String, _ options: [(String, String)] = [], name: String? = nil
  ) {
    let next = graph.add(filter: filter, options: options, name: name)
    graph.link(node, 0, next, 0)
    node = next
  }

  /// Turns, brings to square pixels and limited range, and says the matrix.
  mutating func straighten() {
    let (input, geometry) = (shape.input, shape.geometry)
    if geometry.isFlipped { append("hflip") }
    switch geometry.rotation {
    case 90: append("transpose", [("dir", "clock")])
    case 180:
      append("hflip")
      append("vflip")
    case 270: append("transpose", [("dir", "cclock")])
    default: break
    }
    let isTurned = geometry.rotation == 90 || geometry.rotation == 270
    let size =
      isTurned
      ? PixelSize(width: input.height, height: input.width)
      : PixelSize(width: input.width, height: input.height)
    let isSquare = size == geometry.displaySize
    let isYUV = !input.format.isRGB && !input.format.hasPalette
    if !isSquare || isYUV && shape.coded.isFullRange {
      let matrix = [
        ("in_color_matrix", shape.coded.matrix), ("out_color_matrix", shape.coded.matrix),
      ]
      let range = [
        ("in_range", shape.coded.isFullRange ? "full" : "limited"), ("out_range", "limited"),
      ]
      append(
        "scale",
        [
          ("w", String(geometry.displaySize.width)), ("h", String(geometry.displaySize.height)),
          ("flags", GraphDescription.exactScaling),
        ] + (isYUV ? matrix + range : []))
    }
    if input.format.hasPalette {
      append("format", [("pix_fmts", "rgba")])
    } else if isYUV {
      append("format", [("pix_fmts", input.format.name.replacing("yuvj", with: "yuv"))])
      append("setparams", [("colorspace", shape.coded.tag), ("range", "tv")])
    } else if shape.isOpaque, input.format.name == "rgba" {
      append("format", [("pix_fmts", "rgb24")])
    }
    append("setsar", [("sar", "1")])
  }

  mutating func add(_ filter: FilterSetting, _ index: Int, _ layout: FilterChain.Layout) {
    var alpha: GraphDescription.NodeID?
    if layout.isWithoutAlpha.contains(index) {
      append("split", [("outputs", "2")])
      let extract = graph.add(filter: "alphaextract")
      graph.link(node, 1, extract, 0)
      alpha = extract
    }
    if let format = layout.formats[index] { convert(to: format) }
    append(filter.name, FilterTraits.options(of: filter), name: FilterChain.node(index))
    guard let alpha else { return }
    let merge = graph.add(filter: "alphamerge")
    graph.link(node, 0, merge, 0)
    graph.link(alpha, 0, merge, 1)
    node = merge
  }

  private mutating func convert(to format: PixelFormat) {
    let matrix = shape.coded.matrix
    append(
      "scale",
      [
        ("flags", GraphDescription.exactScaling), ("in_color_matrix", matrix),
        ("out_color_matrix", matrix), ("out_range", format.isRGB ? "full" : "limited"),
      ])
    append("format", [("pix_fmts", format.name)])
    if !format.isRGB { append("setparams", [("colorspace", shape.coded.tag), ("range", "tv")]) }
  }
}

extension CodedColor {
  /// FFmpeg's name of the matrix as a tag.
  var tag: String { matrix == "bt2020" ? "bt2020nc" : matrix }
}
