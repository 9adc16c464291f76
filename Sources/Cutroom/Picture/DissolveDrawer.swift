import CutroomMedia
import CutroomModel

/// Mixes two pictures by a weight, with libavfilter's `blend`; its graph is kept while they have the
/// same size and format.
final class DissolveDrawer {
  private var input: GraphDescription.VideoInput?
  private var graph: FilterGraph?
  private var count: Int64 = 0
  private static let name = "dissolve"

  /// The picture of a cross-fade at the weight of its incoming side, 0...1; both sides have one size
  /// and format.
  func draw(_ from: Frame, _ to: Frame, weight: Rational) throws(LibAVError) -> Frame {
    let graph = try graph(for: from)
    let remaining = JSONValue.decimal(1 - weight.doubleValue, digits: 12).encoded()
    // Not `all_opacity`: a value of 1 leaves the planes as they were at the frame before.
    for plane in 0..<4 {
      try graph.command(node: Self.name, name: "c\(plane)_opacity", value: remaining)
    }
    defer { count += 1 }
    return try graph.picture(of: [from, to], at: count, action: "dissolve pictures")
  }

  private func graph(for frame: Frame) throws(LibAVError) -> FilterGraph {
    guard let format = frame.format else {
      throw LibAVError(
        code: 0, action: "dissolve pictures", reason: "a picture has no known format")
    }
    let input = GraphDescription.VideoInput(
      width: frame.width, height: frame.height, format: format,
      timeBase: TimeBase(numerator: 1, denominator: 1))
    if let graph, input == self.input { return graph }
    var description = GraphDescription(scalerFlags: GraphDescription.exactScaling)
    let blend = description.add(
      filter: "blend", options: [("all_mode", "normal"), ("all_opacity", "1")], name: Self.name)
    for pad in 0..<2 { description.link(description.input(input), 0, blend, pad) }
    description.output(blend, 0)
    let graph = try FilterGraph(description)
    (self.graph, self.input) = (graph, input)
    return graph
  }
}
