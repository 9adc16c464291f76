import CutroomMedia
import CutroomModel

/// Brings a source's pictures to the canvas's size, orientation and pixel format.
///
/// One libavfilter graph per shape of picture, kept while the shape is in use; a picture that
/// comes again is not converted again.
final class LayerConverter {
  /// Everything that a conversion depends on but the pixels.
  struct Shape: Hashable {
    var input: GraphDescription.VideoInput
    var coded: CodedColor
    var rotation: Int
    var isFlipped: Bool
    var conversion: PictureConversion
    var format: String
    var color: TimelineColor
  }

  private var shape: Shape?
  private var graph: FilterGraph?
  /// The picture that was converted last: kept, so that no other one can be taken for it.
  private var lastInput: Frame?
  private var last: Frame?
  private var count: Int64 = 0

  /// Converts a picture; the result may be shared and is not to be changed.
  ///
  /// - Throws: ``CutroomError`` when libavfilter refuses the picture.
  func convert(_ shown: Shown, to shape: Shape) throws(CutroomError) -> Frame {
    if shape == self.shape, shown.frame === lastInput, let last { return last }
    do {
      let converted = try run(shown.frame, shape)
      (self.shape, lastInput, last) = (shape, shown.frame, converted)
      return converted
    } catch {
      throw CutroomError(
        .internal, "render.convert", "a picture cannot be converted: \(error.reason)",
        details: error.log)
    }
  }

  private func run(_ frame: Frame, _ shape: Shape) throws(LibAVError) -> Frame {
    if shape.isIdentity {
      graph = nil
      return frame
    }
    if graph == nil || shape != self.shape { graph = try FilterGraph(shape.description) }
    guard let graph else { return frame }
    defer { count += 1 }
    return try graph.picture(of: [frame], at: count, action: "convert a picture")
  }
}

extension LayerConverter.Shape {
  /// Whether the picture already is what is wanted.
  var isIdentity: Bool {
    rotation == 0 && !isFlipped
      && conversion
        == PictureConversion(scaled: PixelSize(width: input.width, height: input.height))
      && input.format.name == format && !coded.isFullRange
      && (coded.matrix == color.scaleMatrix || input.format.isRGB)
  }

  /// The chain: stand upright, cut, scale with colour conversion, turn, cut.
  var description: GraphDescription {
    var chain = Chain(input)
    if isFlipped { chain.append("hflip") }
    chain.turn(quarters: rotation / 90)
    if let part = conversion.part { chain.crop(part) }
    chain.append(
      "scale",
      [
        ("w", String(conversion.scaled.width)), ("h", String(conversion.scaled.height)),
        ("flags", GraphDescription.exactScaling),
        ("in_color_matrix", coded.matrix), ("out_color_matrix", color.scaleMatrix),
        ("in_range", coded.isFullRange ? "full" : "limited"),
        ("out_range", format.hasPrefix("yuvj") ? "full" : "limited"),
      ])
    chain.turn(quarters: conversion.quarters)
    chain.append("format", [("pix_fmts", format)])
    if let window = conversion.window { chain.crop(window) }
    chain.append("setsar", [("sar", "1")])
    return chain.finished
  }
}

/// Filters one after the other.
private struct Chain {
  private var graph = GraphDescription(scalerFlags: GraphDescription.exactScaling)
  private var last: GraphDescription.NodeID

  init(_ input: GraphDescription.VideoInput) { last = graph.input(input) }

  mutating func append(_ filter: String, _ options: [(String, String)] = []) {
    let next = graph.add(filter: filter, options: options)
    graph.link(last, 0, next, 0)
    last = next
  }

  mutating func turn(quarters: Int) {
    switch quarters {
    case 1: append("transpose", [("dir", "clock")])
    case 2:
      append("hflip")
      append("vflip")
    case 3: append("transpose", [("dir", "cclock")])
    default: break
    }
  }

  mutating func crop(_ part: PixelRect) {
    append(
      "crop",
      [
        ("w", String(part.width)), ("h", String(part.height)), ("x", String(part.x)),
        ("y", String(part.y)), ("exact", "1"),
      ])
  }

  var finished: GraphDescription {
    var graph = graph
    graph.output(last, 0)
    return graph
  }
}

extension GraphDescription {
  /// Scaling whose result does not depend on the processor.
  static let exactScaling = "bicubic+accurate_rnd+full_chroma_int+bitexact"
}
