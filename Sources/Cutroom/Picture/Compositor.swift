import CutroomMedia
import CutroomModel

/// Draws the pictures of all tracks over each other.
///
/// A picture that covers the canvas alone bypasses the drawing. Others are laid over what is there,
/// bottom to top; the result of a transition is what the tracks above are drawn on.
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
  private let outputConverter = LayerConverter()
  private let canvases = FramePool()
  private var overlays: [OverlayDrawer] = []
  private var dissolves: [DissolveDrawer] = []
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
    if case .single(let lowest?)? = tracks.first, lowest.coversOpaquely(canvas) {
      drawing = try Drawing(on: convert(lowest, format: format, slot: 0))
      upper = tracks.dropFirst()
    } else {
      drawing = try Drawing(on: backgroundFrame(format))
    }
    for track in upper {
      switch track {
      case .single(let placed): try add(placed, to: &drawing, format)
      case .transition(let a, let b, let xfade, let weight):
        try cross(&drawing, a, b, xfade, weight, format)
      }
    }
    return try finish(drawing.canvas, format)
  }

  /// What is drawn, from the lowest picture on.
  private struct Drawing {
    /// What is there so far; drawn on in place where nobody else shares it.
    var canvas: Frame
    /// The converters used up so far: the first one is the lowest picture's.
    var slots = 1
    /// The drawers used up so far.
    var overlays = 0
    var dissolves = 0
    var transitions = 0

    /// Begins on a picture that stays as it is.
    init(on picture: Frame) throws(CutroomError) {
      do { canvas = try picture.reference() } catch {
        throw CutroomError(.internal, "render.memory", error.description)
      }
    }
  }

  /// Lays a picture over what is there, or blends it with that.
  private func add(
    _ placed: PlacedLayer?, to drawing: inout Drawing, _ format: String
  ) throws(CutroomError) {
    guard let placed else { return }
    let layer = try convert(placed, format: format, slot: drawing.slots)
    drawing.slots += 1
    let (x, y) = (placed.placement.x, placed.placement.y)
    do throws(LibAVError) {
      if let mode = placed.layer.settings.blend.mode {
        if !drawing.canvas.isWritable { drawing.canvas = try canvases.copy(of: drawing.canvas) }
        try drawing.canvas.blend(layer, x: x, y: y, mode: mode, shares: color.lumaShares)
        return
      }
      if overlays.count == drawing.overlays { overlays.append(OverlayDrawer()) }
      drawing.canvas = try overlays[drawing.overlays].lay(
        layer, x: x, y: y, on: drawing.canvas, copies: canvases)
      drawing.overlays += 1
    } catch {
      throw CutroomError(
        .internal, "render.compose", "pictures cannot be drawn: \(error.reason)",
        details: error.log)
    }
  }

  /// The canvas with the one and with the other side of a transition on what is there.
  private func sides(
    _ from: PlacedLayer?, _ to: PlacedLayer?, of drawing: inout Drawing, _ format: String
  ) throws(CutroomError) -> [Frame] {
    let below = drawing.canvas
    var sides: [Frame] = []
    for side in [from, to] {
      drawing.canvas = try Drawing(on: below).canvas
      if let side, side.coversOpaquely(canvas) {
        sides.append(try convert(side, format: format, slot: drawing.slots))
        drawing.slots += 1
      } else {
        try add(side, to: &drawing, format)
        sides.append(drawing.canvas)
      }
    }
    return sides
  }

  /// Draws both sides of a transition over what is there, and goes on with the transition: of
  /// `xfade`, or else a cross-fade.
  private func cross(
    _ drawing: inout Drawing, _ from: PlacedLayer?, _ to: PlacedLayer?, _ xfade: String?,
    _ weight: Rational, _ format: String
  ) throws(CutroomError) {
    let sides = try sides(from, to, of: &drawing, format)
    do throws(LibAVError) {
      if let xfade {
        drawing.canvas = try transition(
          number: drawing.transitions,
          TransitionDrawer.Shape(name: xfade, canvas: canvas, format: format)
        ).draw(sides[0], sides[1], weight: weight)
        drawing.transitions += 1
      } else {
        if dissolves.count == drawing.dissolves { dissolves.append(DissolveDrawer()) }
        drawing.canvas = try dissolves[drawing.dissolves].draw(
          sides[0], sides[1], weight: weight)
        drawing.dissolves += 1
      }
    } catch {
      throw CutroomError(
        .internal, "render.compose",
        "the transition '\(xfade ?? "dissolve")' cannot be drawn: \(error.reason)",
        details: error.log)
    }
  }

  private func transition(
    number: Int, _ shape: TransitionDrawer.Shape
  ) throws(LibAVError) -> TransitionDrawer {
    if number == transitions.count {
      transitions.append(try TransitionDrawer(shape))
    } else if !transitions[number].draws(shape) {
      transitions[number] = try TransitionDrawer(shape)
    }
    return transitions[number]
  }

  private func backgroundFrame(_ format: String) throws(CutroomError) -> Frame {
    guard let shown = try background.picture(at: 0) else {
      throw CutroomError(.internal, "internal", "there is no background")
    }
    return try convert(
      shown, CodedColor(shown.frame), to: format, by: backgroundConverter)
  }

  /// What was drawn, in the format that is wanted.
  private func finish(_ drawn: Frame, _ format: String) throws(CutroomError) -> Frame {
    if format == outputFormat.name { return drawn }
    let shown = Shown(
      frame: drawn, geometry: PictureGeometry(displaySize: canvas), isOpaque: true)
    return try convert(
      shown, CodedColor(matrix: color.scaleMatrix, isFullRange: false), to: outputFormat.name,
      by: outputConverter)
  }

  /// A picture of the canvas's size in another format.
  private func convert(
    _ shown: Shown, _ coded: CodedColor, to format: String, by converter: LayerConverter
  ) throws(CutroomError) -> Frame {
    guard let pixels = shown.frame.format else {
      throw CutroomError(.internal, "internal", "a drawn picture has no known pixel format")
    }
    let input = GraphDescription.VideoInput(
      width: canvas.width, height: canvas.height, format: pixels,
      timeBase: TimeBase(numerator: 1, denominator: 1))
    let shape = LayerConverter.Shape(
      input: input, coded: coded, rotation: 0, isFlipped: false,
      conversion: PictureConversion(scaled: canvas), format: format, color: color)
    return try converter.convert(shown, to: shape)
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
