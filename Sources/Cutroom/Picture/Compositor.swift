import CutroomMedia
import CutroomModel

/// Draws the pictures of all tracks over each other.
///
/// A picture that covers the canvas alone bypasses the drawing. Otherwise one libavfilter graph
/// per arrangement: overlays bottom to top, and a blend where two pictures dissolve. Other
/// transitions have a graph of their own, whose result is what the tracks above are drawn on.
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
    /// Both sides of a transition; a missing side shows what lies below. `weight` is the incoming
    /// side's, 0..<1.
    case transition(Layer?, Layer?, TransitionEffect, weight: Rational)
  }

  private let canvas: PixelSize
  private let color: TimelineColor
  private let outputFormat: PixelFormat
  private let background: ConstantPicture
  private var converters: [LayerConverter] = []
  private let backgroundConverter = LayerConverter()
  private var drawers: [ArrangementDrawer] = []
  private var transitions: [TransitionDrawer] = []
  private var dips: [Color: ConstantPicture] = [:]

  init(
    canvas: PixelSize, color: TimelineColor, background: Color, outputFormat: PixelFormat
  ) throws(CutroomError) {
    self.canvas = canvas
    self.color = color
    self.outputFormat = outputFormat
    self.background = try Self.solid(canvas, background)
  }

  private static func solid(
    _ canvas: PixelSize, _ color: Color
  ) throws(CutroomError) -> ConstantPicture {
    do {
      return ConstantPicture(
        frame: try Frame.solid(
          width: canvas.width, height: canvas.height, red: color.red, green: color.green,
          blue: color.blue, alpha: color.alpha),
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
    /// Both sides of a cross-fade, or of a transition of `xfade`.
    case transition(Placed?, Placed?, xfade: String?, weight: Rational)

    /// Whether nothing shows through.
    func coversOpaquely(_ canvas: PixelSize) -> Bool {
      switch self {
      case .single(let layer): layer?.coversOpaquely(canvas) ?? false
      case .transition(let a, let b, _, _):
        (a?.coversOpaquely(canvas) ?? false) && (b?.coversOpaquely(canvas) ?? false)
      }
    }
  }

  private func place(_ track: TrackPicture) throws(CutroomError) -> PlacedTrack {
    switch track {
    case .single(let layer): return .single(try place(layer))
    case .transition(let from, _, _, let weight) where weight <= .zero:
      return .single(try place(from))
    case .transition(let from, let to, .blend, let weight):
      return .transition(try place(from), try place(to), xfade: nil, weight: weight)
    case .transition(let from, let to, .xfade(let name), let weight):
      return .transition(try place(from), try place(to), xfade: name, weight: weight)
    case .transition(let from, let to, .dip(let color), let weight):
      let middle = try dip(color)
      return weight * 2 < .one
        ? try place(.transition(from, middle, .blend, weight: weight * 2))
        : try place(.transition(middle, to, .blend, weight: weight * 2 - .one))
    }
  }

  /// The canvas in the colour of a dip.
  private func dip(_ color: Color) throws(CutroomError) -> Layer? {
    let picture = if let known = dips[color] { known } else { try Self.solid(canvas, color) }
    dips[color] = picture
    return try picture.picture(at: .zero).map { shown in
      Layer(shown: shown, fit: .none, settings: PictureSettings(), opacity: .one)
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
    let covering = drawn.lastIndex { $0.coversOpaquely(canvas) }
    return Array(drawn[(covering ?? 0)...])
  }

  /// Pictures are drawn in the output's own sampling where every edge lies on even pixels, else
  /// without subsampling.
  private func workingFormat(_ tracks: [PlacedTrack]) -> String {
    let is420 = outputFormat.log2ChromaHeight == 1 && outputFormat.log2ChromaWidth == 1
    if outputFormat.bitDepth > 8 {
      return is420 ? "yuv420p10le" : "yuv422p10le"
    }
    let isSubsampled = tracks.allSatisfy { track in
      switch track {
      case .single(let layer): layer?.placement.isEven(on: canvas) ?? true
      case .transition(let a, let b, let xfade, _):
        xfade == nil && [a, b].allSatisfy { $0?.placement.isEven(on: canvas) ?? true }
      }
    }
    return is420 && isSubsampled ? "yuv420p" : "yuv444p"
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
    var upper = tracks[...]
    var drawing: Drawing
    switch tracks.first {
    case .single(let lowest?)? where lowest.coversOpaquely(canvas):
      drawing = Drawing(base: try convert(lowest, format: format, slot: 0))
      upper = tracks.dropFirst()
    case .transition(let a?, let b?, nil, let weight)? where tracks[0].coversOpaquely(canvas):
      drawing = Drawing(base: try convert(a, format: format, slot: 0))
      drawing.add(.dissolve(nil, try piece(b, format, &drawing)), weight)
      upper = tracks.dropFirst()
    default: drawing = Drawing(base: try backgroundFrame(format))
    }
    for track in upper {
      switch track {
      case .single(let placed):
        if let piece = try piece(placed, format, &drawing) { drawing.add(.overlay(piece)) }
      case .transition(let a, let b, nil, let weight):
        drawing.add(
          .dissolve(try piece(a, format, &drawing), try piece(b, format, &drawing)), weight)
      case .transition(let a, let b, let xfade?, let weight):
        try cross(&drawing, a, b, xfade, weight, format)
      }
    }
    return try run(drawing, format, output: outputFormat)
  }

  /// What is to be drawn on a picture of the canvas.
  private struct Drawing {
    var base: Frame
    var inputs: [Frame] = []
    var steps: [Arrangement.Step] = []
    var weights: [Rational] = []
    /// The converters used up so far: the first one is the base's.
    var slots = 1
    /// The drawers used up so far.
    var runs = 0
    var transitions = 0

    init(base: Frame) { self.base = base }

    mutating func add(_ step: Arrangement.Step, _ weight: Rational? = nil) {
      steps.append(step)
      if let weight { weights.append(weight) }
    }

    /// Goes on with what has been drawn.
    mutating func restart(on frame: Frame) {
      base = frame
      (inputs, steps, weights) = ([], [], [])
    }
  }

  private func piece(
    _ placed: Placed?, _ format: String, _ drawing: inout Drawing
  ) throws(CutroomError) -> Arrangement.Piece? {
    guard let placed else { return nil }
    let layerFormat = placed.hasAlpha ? format.replacing("yuv", with: "yuva") : format
    drawing.inputs.append(try convert(placed, format: layerFormat, slot: drawing.slots))
    drawing.slots += 1
    return Arrangement.Piece(
      x: placed.placement.x, y: placed.placement.y, size: placed.placement.visible,
      format: layerFormat, input: drawing.inputs.count)
  }

  /// Draws both sides of a transition over what is there, and goes on with the transition.
  private func cross(
    _ drawing: inout Drawing, _ from: Placed?, _ to: Placed?, _ name: String, _ weight: Rational,
    _ format: String
  ) throws(CutroomError) {
    guard let pixels = PixelFormat(name: format) else { return }
    let below = try run(drawing, format, output: pixels)
    drawing.runs += 1
    var sides: [Frame] = []
    for side in [from, to] {
      drawing.restart(on: below)
      if let side, side.coversOpaquely(canvas) {
        sides.append(try convert(side, format: format, slot: drawing.slots))
        drawing.slots += 1
      } else {
        if let piece = try piece(side, format, &drawing) { drawing.add(.overlay(piece)) }
        sides.append(try run(drawing, format, output: pixels))
      }
      drawing.runs += 1
    }
    let shape = TransitionDrawer.Shape(name: name, canvas: canvas, format: format)
    do throws(LibAVError) {
      let number = drawing.transitions
      if number == transitions.count {
        transitions.append(try TransitionDrawer(shape))
      } else if !transitions[number].draws(shape) {
        transitions[number] = try TransitionDrawer(shape)
      }
      drawing.restart(on: try transitions[number].draw(sides[0], sides[1], weight: weight))
    } catch {
      throw CutroomError(
        .internal, "render.compose", "the transition '\(name)' cannot be drawn: \(error.reason)",
        details: error.log)
    }
    drawing.transitions += 1
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
    _ drawing: Drawing, _ format: String, output: PixelFormat
  ) throws(CutroomError) -> Frame {
    if drawing.steps.isEmpty, format == output.name { return drawing.base }
    let arrangement = Arrangement(
      canvas: canvas, format: format, color: color, output: output, steps: drawing.steps)
    while drawers.count <= drawing.runs { drawers.append(ArrangementDrawer()) }
    do {
      return try drawers[drawing.runs].draw(
        arrangement, [drawing.base] + drawing.inputs, weights: drawing.weights)
    } catch {
      throw CutroomError(
        .internal, "render.compose", "pictures cannot be drawn: \(error.reason)",
        details: error.log)
    }
  }
}
