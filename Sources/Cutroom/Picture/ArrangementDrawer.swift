import CutroomMedia
import CutroomModel

/// Draws an arrangement; its graph is kept while arrangements are equal.
final class ArrangementDrawer {
  private var arrangement: Arrangement?
  private var graph: FilterGraph?
  private var count: Int64 = 0

  /// Draws `inputs`, the first of which is what all is drawn on; the result may be shared.
  ///
  /// `weights` are those of the incoming sides of the dissolves, in order.
  func draw(
    _ arrangement: Arrangement, _ inputs: [Frame], weights: [Rational]
  ) throws(LibAVError) -> Frame {
    let graph = try graph(for: arrangement)
    for (index, weight) in weights.enumerated() {
      let remaining = JSONValue.decimal(1 - weight.doubleValue, digits: 12).encoded()
      // Not `all_opacity`: a value of 1 leaves the planes as they were at the frame before.
      for plane in 0..<4 {
        try graph.command(
          node: Arrangement.blendName(index), name: "c\(plane)_opacity", value: remaining)
      }
    }
    defer { count += 1 }
    return try graph.picture(of: inputs, at: count, action: "draw pictures")
  }

  private func graph(for arrangement: Arrangement) throws(LibAVError) -> FilterGraph {
    if let graph, let known = self.arrangement, known.withoutPlaces == arrangement.withoutPlaces {
      // A picture that moves is told so: another graph would cost more.
      for (piece, old) in zip(arrangement.pieces, known.pieces) where piece != old {
        for (name, value) in [("x", piece.x), ("y", piece.y)] {
          try graph.command(
            node: Arrangement.placeName(piece.input), name: name, value: String(value))
        }
      }
      self.arrangement = arrangement
      return graph
    }
    let graph = try FilterGraph(arrangement.description)
    (self.graph, self.arrangement) = (graph, arrangement)
    return graph
  }
}
