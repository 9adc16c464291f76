import CutroomMedia
import CutroomModel

/// What lies over what on the canvas: everything that a drawing graph depends on but the pixels.
///
/// Input 0 of the graph is what all is drawn on, the size of the canvas.
struct Arrangement: Hashable {
  /// A picture in its place.
  struct Piece: Hashable {
    var x: Int
    var y: Int
    var size: PixelSize
    var format: String
    /// The graph's input that brings it.
    var input: Int
  }

  /// One thing that is drawn on what is there already.
  enum Step: Hashable {
    case overlay(Piece)
    /// Both sides of a dissolve; a missing side shows what is there.
    case dissolve(Piece?, Piece?)
  }

  var canvas: PixelSize
  /// The pixel format that is drawn in.
  var format: String
  var color: TimelineColor
  var output: PixelFormat
  var steps: [Step]

  /// The pictures in their places, from the lowest on.
  var pieces: [Piece] {
    steps.flatMap { step -> [Piece] in
      switch step {
      case .overlay(let piece): [piece]
      case .dissolve(let a, let b): [a, b].compactMap(\.self)
      }
    }
  }

  /// The same with every picture at the top left: what a graph is built for.
  ///
  /// The places of pictures may change while it runs.
  var withoutPlaces: Arrangement {
    func moved(_ piece: Piece) -> Piece {
      var piece = piece
      (piece.x, piece.y) = (0, 0)
      return piece
    }
    var result = self
    result.steps = steps.map { step in
      switch step {
      case .overlay(let piece): .overlay(moved(piece))
      case .dissolve(let a, let b): .dissolve(a.map(moved), b.map(moved))
      }
    }
    return result
  }

  /// The name of the node that lays input `input` over what is there.
  static func placeName(_ input: Int) -> String { "place\(input)" }

  /// The name of the node that blends dissolve number `index`.
  static func blendName(_ index: Int) -> String { "blend\(index)" }

  /// The graph that draws it.
  var description: GraphDescription {
    var builder = ArrangementGraph(self)
    builder.draw()
    return builder.graph
  }
}

/// Builds the graph of an arrangement step by step.
private struct ArrangementGraph {
  var graph = GraphDescription(scalerFlags: GraphDescription.exactScaling)
  private let arrangement: Arrangement
  private var inputs: [GraphDescription.NodeID] = []
  private var blends = 0

  init(_ arrangement: Arrangement) {
    self.arrangement = arrangement
    addInput(arrangement.canvas, arrangement.format)
    for step in arrangement.steps {
      switch step {
      case .overlay(let piece): addInput(piece.size, piece.format)
      case .dissolve(let a, let b):
        for piece in [a, b].compactMap(\.self) { addInput(piece.size, piece.format) }
      }
    }
  }

  private mutating func addInput(_ size: PixelSize, _ format: String) {
    guard let pixelFormat = PixelFormat(name: format) else { return }
    inputs.append(
      graph.input(
        GraphDescription.VideoInput(
          width: size.width, height: size.height, format: pixelFormat,
          timeBase: TimeBase(numerator: 1, denominator: 1))))
  }

  mutating func draw() {
    var base = inputs[0]
    for step in arrangement.steps {
      switch step {
      case .overlay(let piece): base = overlay(piece, on: base, pad: 0)
      case .dissolve(let a, let b): base = dissolve(a, b, on: base)
      }
    }
    if arrangement.format != arrangement.output.name { base = convert(base) }
    graph.output(base, 0)
  }

  private mutating func overlay(
    _ piece: Arrangement.Piece, on node: GraphDescription.NodeID, pad: Int
  ) -> GraphDescription.NodeID {
    let formats = [
      "yuv420p": "yuv420", "yuv444p": "yuv444", "yuv420p10le": "yuv420p10",
      "yuv422p10le": "yuv422p10",
    ]
    let overlay = graph.add(
      filter: "overlay",
      options: [
        ("x", String(piece.x)), ("y", String(piece.y)),
        ("format", formats[arrangement.format] ?? "auto"), ("eval", "init"),
      ], name: Arrangement.placeName(piece.input))
    graph.link(node, pad, overlay, 0)
    graph.link(inputs[piece.input], 0, overlay, 1)
    return overlay
  }

  private mutating func dissolve(
    _ a: Arrangement.Piece?, _ b: Arrangement.Piece?, on base: GraphDescription.NodeID
  ) -> GraphDescription.NodeID {
    let blend = graph.add(
      filter: "blend", options: [("all_mode", "normal"), ("all_opacity", "1")],
      name: Arrangement.blendName(blends))
    blends += 1
    // A picture that covers everything needs nothing below it.
    let sides = [a, b].map { piece in
      piece.flatMap { $0.size == arrangement.canvas && $0.format == arrangement.format ? $0 : nil }
    }
    var below = base
    let isShared = sides.allSatisfy { $0 == nil }
    if !sides.contains(nil) {
      graph.link(base, 0, graph.add(filter: "nullsink"), 0)
    } else if isShared {
      below = graph.add(filter: "split", options: [("outputs", "2")])
      graph.link(base, 0, below, 0)
    }
    for (pad, piece) in [a, b].enumerated() {
      let from = isShared ? pad : 0
      if let whole = sides[pad] {
        graph.link(inputs[whole.input], 0, blend, pad)
      } else if let piece {
        graph.link(overlay(piece, on: below, pad: from), 0, blend, pad)
      } else {
        graph.link(below, from, blend, pad)
      }
    }
    return blend
  }

  private mutating func convert(_ node: GraphDescription.NodeID) -> GraphDescription.NodeID {
    let output = arrangement.output.name
    let matrix = arrangement.color.scaleMatrix
    let scale = graph.add(
      filter: "scale",
      options: [
        ("flags", GraphDescription.exactScaling), ("in_color_matrix", matrix),
        ("out_color_matrix", matrix), ("in_range", "limited"),
        ("out_range", output.hasPrefix("yuvj") ? "full" : "limited"),
      ])
    graph.link(node, 0, scale, 0)
    let format = graph.add(filter: "format", options: [("pix_fmts", output)])
    graph.link(scale, 0, format, 0)
    return format
  }
}
