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
    /// All of them fixed: those of one time.
    var settings: PictureSettings
    var opacity: Rational
    /// How its place may change over time.
    var motion = Placement.Motion()
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
  private var layers: [LayerDrawer] = []
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

  private enum PlacedTrack {
    case single(PlacedLayer?)
    /// Both sides of a cross-fade, or of a transition of `xfade`.
    case transition(PlacedLayer?, PlacedLayer?, xfade: String?, weight: Rational)

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
    case .single(let layer): return .single(place(layer))
    case .transition(let from, _, _, let weight) where weight <= .zero:
      return .single(place(from))
    case .transition(let from, let to, .blend, let weight):
      return .transition(place(from), place(to), xfade: nil, weight: weight)
    case .transition(let from, let to, .xfade(let name), let weight):
      return .transition(place(from), place(to), xfade: name, weight: weight)
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

  private func place(_ layer: Layer?) -> PlacedLayer? {
    // Drawing without subsampling, for one odd edge, costs twice the time of all the rest.
    layer.flatMap { PlacedLayer($0, on: canvas, isEven: outputFormat.bitDepth > 8 || is420) }
  }

  private var is420: Bool {
    outputFormat.log2ChromaHeight == 1 && outputFormat.log2ChromaWidth == 1
  }

  /// Leaves out what an opaque picture that fills the canvas hides.
  private func withoutCovered(_ tracks: [PlacedTrack]) -> [PlacedTrack] {
    let drawn = tracks.filter {
      if case .single(nil) = $0 { false } else { true }
    }
    let covering = drawn.lastIndex { $0.coversOpaquely(canvas) }
    return Array(drawn[(covering ?? 0)...])
  }

  /// Pictures are drawn in the output's own sampling, but in transitions of `xfade`, which has none.
  private func workingFormat(_ tracks: [PlacedTrack]) -> String {
    if outputFormat.bitDepth > 8 {
      return is420 ? "yuv420p10le" : "yuv422p10le"
    }
    let isSubsampled = tracks.allSatisfy { track in
      if case .transition(_, _, _?, _) = track { false } else { true }
    }
    return is420 && isSubsampled ? "yuv420p" : "yuv444p"
  }

  // MARK: Converting and drawing

  private func convert(
    _ placed: PlacedLayer, format: String, slot: Int
  ) throws(CutroomError) -> Frame {
    while layers.count <= slot { layers.append(LayerDrawer()) }
    return try layers[slot].draw(placed, format: format, color: color)
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
        try add(placed, to: &drawing, format)
      case .transition(let a, let b, nil, let weight) where a.isBlended || b.isBlended:
        let sides = try sides(a, b, of: &drawing, format)
        drawing.restart(on: sides[0])
        drawing.inputs = [sides[1]]
        drawing.add(
          .dissolve(
            nil, Arrangement.Piece(x: 0, y: 0, size: canvas, format: format, input: 1)), weight)
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
    _ placed: PlacedLayer?, _ format: String, _ drawing: inout Drawing
  ) throws(CutroomError) -> Arrangement.Piece? {
    guard let placed else { return nil }
    let frame = try convert(placed, format: format, slot: drawing.slots)
    drawing.inputs.append(frame)
    drawing.slots += 1
    return Arrangement.Piece(
      x: placed.placement.x, y: placed.placement.y, size: placed.placement.visible,
      format: frame.format?.name ?? format, input: drawing.inputs.count)
  }

  /// Lays a picture over what is there, or blends it with that.
  private func add(
    _ placed: PlacedLayer?, to drawing: inout Drawing, _ format: String
  ) throws(CutroomError) {
    guard let placed, let mode = placed.layer.settings.blend.mode else {
      if let piece = try piece(placed, format, &drawing) { drawing.add(.overlay(piece)) }
      return
    }
    let below = try finish(&drawing, format)
    let layer = try convert(placed, format: format, slot: drawing.slots)
    drawing.slots += 1
    do {
      let result = try below.reference()
      try result.blend(
        layer, x: placed.placement.x, y: placed.placement.y, mode: mode,
        shares: color.lumaShares)
      drawing.restart(on: result)
    } catch {
      throw CutroomError(
        .internal, "render.compose", "a picture cannot be blended: \(error.reason)",
        details: error.log)
    }
  }

  /// Draws what is there so far, in the format that is drawn in.
  private func finish(_ drawing: inout Drawing, _ format: String) throws(CutroomError) -> Frame {
    guard let pixels = PixelFormat(name: format) else { return drawing.base }
    let drawn = try run(drawing, format, output: pixels)
    drawing.runs += 1
    return drawn
  }

  /// The canvas with the one and with the other side of a transition on what is there.
  private func sides(
    _ from: PlacedLayer?, _ to: PlacedLayer?, of drawing: inout Drawing, _ format: String
  ) throws(CutroomError) -> [Frame] {
    let below = try finish(&drawing, format)
    var sides: [Frame] = []
    for side in [from, to] {
      drawing.restart(on: below)
      if let side, side.coversOpaquely(canvas) {
        sides.append(try convert(side, format: format, slot: drawing.slots))
        drawing.slots += 1
      } else {
        try add(side, to: &drawing, format)
        sides.append(try finish(&drawing, format))
      }
    }
    return sides
  }

  /// Draws both sides of a transition over what is there, and goes on with the transition.
  private func cross(
    _ drawing: inout Drawing, _ from: PlacedLayer?, _ to: PlacedLayer?, _ name: String,
    _ weight: Rational,
    _ format: String
  ) throws(CutroomError) {
    let sides = try sides(from, to, of: &drawing, format)
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
    guard let shown = try background.picture(at: 0), let pixels = shown.frame.format else {
      throw CutroomError(.internal, "internal", "there is no background")
    }
    let input = GraphDescription.VideoInput(
      width: canvas.width, height: canvas.height, format: pixels,
      timeBase: TimeBase(numerator: 1, denominator: 1))
    let shape = LayerConverter.Shape(
      input: input, coded: CodedColor(shown.frame), rotation: 0, isFlipped: false,
      conversion: PictureConversion(scaled: canvas), format: format, color: color)
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

extension PictureSettings.Blend {
  /// How colours become one; `nil` where the upper one hides the lower.
  var mode: BlendMode? {
    switch self {
    case .normal: nil
    case .multiply: .multiply
    case .screen: .screen
    case .overlay: .overlay
    case .add: .add
    }
  }
}

extension PlacedLayer? {
  /// Whether it is more than laid over what is below.
  fileprivate var isBlended: Bool { self?.layer.settings.blend.mode != nil }
}
