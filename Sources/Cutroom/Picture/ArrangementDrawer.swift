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
    if arrangement != self.arrangement || graph == nil {
      graph = try FilterGraph(arrangement.description)
      self.arrangement = arrangement
    }
    guard let graph else { return inputs[0] }
    for (index, weight) in weights.enumerated() {
      let remaining = JSONValue.decimal(1 - weight.doubleValue, digits: 12).encoded()
      // Not `all_opacity`: a value of 1 leaves the planes as they were at the frame before.
      for plane in 0..<4 {
        try graph.command(
          node: Arrangement.blendName(index), name: "c\(plane)_opacity", value: remaining)
      }
    }
    for (index, frame) in inputs.enumerated() {
      let input = try frame.reference()
      input.pts = count
      try graph.push(input, input: index)
    }
    count += 1
    guard case .value(let output) = try graph.pull() else {
      throw LibAVError(code: 0, action: "draw pictures", reason: "no picture came out")
    }
    return output
  }
}
