import CLibAV

extension FilterGraph {
  /// A conversion of pictures that libav has put before a filter, as the filter does not take what
  /// comes.
  package struct Conversion: Hashable, Sendable {
    /// The name of the node that follows.
    package var node: String
    package var from: PixelFormat
    package var to: PixelFormat
  }

  /// The conversions of pixel formats that libav has added, in no particular order.
  package var conversions: [Conversion] {
    var found: [Conversion] = []
    for index in 0..<Int(unsafe graph.pointee.nb_filters) {
      guard let context = unsafe graph.pointee.filters[index],
        unsafe (text(context.pointee.name) ?? "").hasPrefix("auto_scale"),
        unsafe context.pointee.nb_inputs == 1 && context.pointee.nb_outputs == 1,
        let input = unsafe context.pointee.inputs[0],
        let output = unsafe context.pointee.outputs[0], let next = unsafe output.pointee.dst,
        let from = unsafe PixelFormat(raw: input.pointee.format),
        let to = unsafe PixelFormat(raw: output.pointee.format), from != to
      else { continue }
      unsafe found.append(Conversion(node: text(next.pointee.name) ?? "", from: from, to: to))
    }
    return found
  }
}
