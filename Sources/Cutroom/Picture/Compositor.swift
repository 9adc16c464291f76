import CutroomMedia
import CutroomModel

/// Draws the pictures of all tracks over each other.
///
/// A picture that covers the canvas alone bypasses the drawing. Otherwise one libavfilter graph
/// per arrangement: overlays bottom to top, and a blend where two pictures dissolve.
final class Compositor {
  /// A picture with its place, ready to be drawn.
  struct Layer {
    var shown: Shown
    var fit: PictureSettings.Fit
    var settings: PictureSettings
    var opacity: Rational
  }

  /// What one track shows.
  enum TrackPicture {
    case single(Layer)
    /// Both sides of a dissolve; a missing side shows what lies below. `weight` is the incoming
    /// side's.
    case dissolve(Layer?, Layer?, weight: Rational)
  }

  private let canvas: PixelSize
  private let color: TimelineColor
  private let outputFormat: PixelFormat
  private let background: ConstantPicture
  private var converters: [LayerConverter] = []
  private let backgroundConverter = LayerConverter()
  private var arrangement: Arrangement?
  private var graph: FilterGraph?
  private var count: Int64 = 0

  init(
    canvas: PixelSize, color: TimelineColor, background: Color, outputFormat: PixelFormat
  ) throws(CutroomError) {
    self.canvas = canvas
    self.color = color
    self.outputFormat = outputFormat
    do {
      self.background = ConstantPicture(
        frame: try Frame.solid(
          width: canvas.width, height: canvas.height, red: background.red,
          green: background.green, blue: background.blue, alpha: background.alpha),
        isOpaque: true)
    } catch {
      throw CutroomError(.internal, "render.memory", "\(error)")
    }
  }

  /// Draws one picture of the canvas; the result may be shared and is not to be changed.
  func compose(_ tracks: [TrackPicture]) throws(CutroomError) -> Frame {
    let placed = try tracks.map(place)
    let visible = withoutCovered(placed)
    if visible.count == 1, case .single(let only?) = visible[0], only.coversOpaquely(canvas) {
      return try convert(only, format: outputFormat.name, slot: 0)
    }
    let format = workingFormat(visible)
    return try draw(visible, format: format)
  }

  // MARK: Placing

  private struct Placed {
    var layer: Layer
    var placement: Placement
    var hasAlpha: Bool
    func coversOpaquely(_ canvas: PixelSize) -> Bool { !hasAlpha && placement.covers(canvas) }
  }

  private enum PlacedTrack {
    case single(Placed?)
    case dissolve(Placed?, Placed?, weight: Rational)
  }

  private func place(_ track: TrackPicture) throws(CutroomError) -> PlacedTrack {
    switch track {
    case .single(let layer): return .single(try place(layer))
    case .dissolve(let a, let b, let weight):
      return .dissolve(try place(a), try place(b), weight: weight)
    }
  }

  private func place(_ layer: Layer?) throws(CutroomError) -> Placed? {
    guard let layer, layer.opacity > .zero else { return nil }
    guard
      let placement = Placement.place(
        layer.shown.geometry.displaySize, fit: layer.fit, settings: layer.settings,
        canvas: canvas)
    else {
      throw CutroomError(
        .unsupported, "size.too-large",
        "a picture would be scaled beyond \(Placement.largestSide) pixels; reduce its scale")
    }
    guard !placement.isInvisible else { return nil }
    let hasAlpha =
      layer.opacity < .one
      || !layer.shown.isOpaque && layer.shown.frame.format?.hasAlpha ?? false
    return Placed(layer: layer, placement: placement, hasAlpha: hasAlpha)
  }

  /// Leaves out what an opaque picture that fills the canvas hides.
  private func withoutCovered(_ tracks: [PlacedTrack]) -> [PlacedTrack] {
    let drawn = tracks.filter {
      if case .single(nil) = $0 { false } else { true }
    }
    let covering = drawn.lastIndex {
      if case .single(let layer?) = $0 { layer.coversOpaquely(canvas) } else { false }
    }
    return Array(drawn[(covering ?? 0)...])
  }

  /// Pictures are drawn in the output's own sampling where every edge lies on even pixels, else
  /// without subsampling.
  private func workingFormat(_ tracks: [PlacedTrack]) -> String {
    let is420 = outputFormat.log2ChromaHeight == 1 && outputFormat.log2ChromaWidth == 1
    if outputFormat.bitDepth > 8 {
      return is420 ? "yuv420p10le" : "yuv422p10le"
    }
    let allEven = tracks.allSatisfy { track in
      let layers: [Placed?] =
        switch track {
        case .single(let layer): [layer]
        case .dissolve(let a, let b, _): [a, b]
        }
      return layers.allSatisfy { $0?.placement.isEven(on: canvas) ?? true }
    }
    return is420 && allEven ? "yuv420p" : "yuv444p"
  }

  // MARK: Converting and drawing

  private func convert(_ placed: Placed, format: String, slot: Int) throws(CutroomError) -> Frame {
    while converters.count <= slot { converters.append(LayerConverter()) }
    let frame = placed.layer.shown.frame
    guard let pixelFormat = frame.format else {
      throw CutroomError(.media, "media.pixel-format", "a picture has no known pixel format")
    }
    let shape = LayerConverter.Shape(
      input: GraphDescription.VideoInput(
        width: frame.width, height: frame.height, format: pixelFormat,
        timeBase: TimeBase(numerator: 1, denominator: 1)),
      coded: CodedColor(frame), rotation: placed.layer.shown.geometry.rotation,
      isFlipped: placed.layer.shown.geometry.isFlipped, placement: placed.placement,
      format: format, color: color, opacity: placed.layer.opacity)
    return try converters[slot].convert(placed.layer.shown, to: shape)
  }

  private func draw(_ tracks: [PlacedTrack], format: String) throws(CutroomError) -> Frame {
    var inputs: [Frame] = []
    var weights: [Rational] = []
    var steps: [Arrangement.Step] = []
    func piece(_ placed: Placed?) throws(CutroomError) -> Arrangement.Piece? {
      guard let placed else { return nil }
      let layerFormat = placed.hasAlpha ? format.replacing("yuv", with: "yuva") : format
      inputs.append(try convert(placed, format: layerFormat, slot: inputs.count + 1))
      return Arrangement.Piece(
        x: placed.placement.x, y: placed.placement.y, size: placed.placement.visible,
        format: layerFormat, input: inputs.count)
    }
    var upper = tracks[...]
    var base: Frame?
    if case .single(let lowest?) = tracks.first, lowest.coversOpaquely(canvas) {
      base = try convert(lowest, format: format, slot: 0)
      upper = tracks.dropFirst()
    }
    for track in upper {
      switch track {
      case .single(let placed):
        if let piece = try piece(placed) { steps.append(.overlay(piece)) }
      case .dissolve(let a, let b, let weight):
        steps.append(.dissolve(try piece(a), try piece(b)))
        weights.append(weight)
      }
    }
    let lowest = if let base { base } else { try backgroundFrame(format) }
    let arrangement = Arrangement(
      canvas: canvas, format: format, color: color, output: outputFormat, steps: steps)
    do {
      return try run(arrangement, [lowest] + inputs, weights)
    } catch {
      throw CutroomError(
        .internal, "render.compose", "pictures cannot be drawn: \(error.reason)",
        details: error.log)
    }
  }

  private func backgroundFrame(_ format: String) throws(CutroomError) -> Frame {
    guard let shown = try background.picture(at: 0), let pixels = shown.frame.format,
      let placement = Placement.place(
        canvas, fit: .none, settings: PictureSettings(), canvas: canvas)
    else { throw CutroomError(.internal, "internal", "there is no background") }
    let input = GraphDescription.VideoInput(
      width: canvas.width, height: canvas.height, format: pixels,
      timeBase: TimeBase(numerator: 1, denominator: 1))
    let shape = LayerConverter.Shape(
      input: input, coded: CodedColor(shown.frame), rotation: 0, isFlipped: false,
      placement: placement, format: format, color: color, opacity: .one)
    return try backgroundConverter.convert(shown, to: shape)
  }

  private func run(
    _ arrangement: Arrangement, _ inputs: [Frame], _ weights: [Rational]
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
