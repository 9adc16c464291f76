import CutroomModel

/// Shapes on a page, drawn in order; the same ones become SVG and pixels.
struct Scene: Sendable {
  /// A rectangle.
  struct Box: Hashable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var right: Double { x + width }
    var bottom: Double { y + height }
  }

  /// Where a text lies to its place.
  enum Anchor: String, Sendable {
    case start, middle, end
  }

  /// Letters on a line.
  struct Text: Sendable {
    var text: String
    /// The place, with the base line of the letters.
    var x: Double
    var y: Double
    var size = 12.0
    var color = Palette.text
    var isBold = false
    var anchor = Anchor.start
  }

  enum Shape: Sendable {
    case box(Box, fill: Color, stroke: Color?, radius: Double, about: String)
    case line(x1: Double, y1: Double, x2: Double, y2: Double, Color)
    case triangle([(x: Double, y: Double)], Color)
    case text(Text)
    case image(Box, TimelineDrawing.Thumbnail)
  }

  var width: Int
  var height: Int
  private(set) var shapes: [Shape] = []

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  mutating func box(
    _ box: Box, _ fill: Color, stroke: Color? = nil, radius: Double = 0, about: String = ""
  ) {
    shapes.append(.box(box, fill: fill, stroke: stroke, radius: radius, about: about))
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: Color) {
    shapes.append(.line(x1: x1, y1: y1, x2: x2, y2: y2, color))
  }

  mutating func triangle(_ points: [(x: Double, y: Double)], _ color: Color) {
    shapes.append(.triangle(points, color))
  }

  mutating func text(_ text: Text) {
    if text.text.contains(where: { !$0.isWhitespace }) { shapes.append(.text(text)) }
  }

  mutating func image(_ box: Box, _ thumbnail: TimelineDrawing.Thumbnail) {
    shapes.append(.image(box, thumbnail))
  }
}

/// The colours of timeline drawings.
enum Palette {
  static let paper = Color(red: 0xFF, green: 0xFF, blue: 0xFF)
  static let text = Color(red: 0x1F, green: 0x29, blue: 0x33)
  static let muted = Color(red: 0x5B, green: 0x67, blue: 0x75)
  static let grid = Color(red: 0xDD, green: 0xE2, blue: 0xE8)
  static let lane = Color(red: 0xF4, green: 0xF6, blue: 0xF8)
  static let picture = Color(red: 0xD3, green: 0xE2, blue: 0xFB)
  static let pictureEdge = Color(red: 0x3F, green: 0x6F, blue: 0xC9)
  static let sound = Color(red: 0xD0, green: 0xEE, blue: 0xE2)
  static let soundEdge = Color(red: 0x2A, green: 0x8C, blue: 0x6C)
  static let subtitle = Color(red: 0xF6, green: 0xE3, blue: 0xF0)
  static let subtitleEdge = Color(red: 0xA8, green: 0x3F, blue: 0x86)
  static let gap = Color(red: 0xE6, green: 0xEA, blue: 0xEE)
  static let gapEdge = Color(red: 0xC3, green: 0xCB, blue: 0xD4)
  static let transition = Color(red: 0x7C, green: 0x3A, blue: 0xED, alpha: 0x38)
  static let transitionEdge = Color(red: 0x7C, green: 0x3A, blue: 0xED)
  static let keyframe = Color(red: 0x1D, green: 0x3F, blue: 0x94)
  static let key = Color(red: 0xBE, green: 0x12, blue: 0x3C)
  static let chapter = Color(red: 0xB4, green: 0x53, blue: 0x09)
  static let copied = Color(red: 0x9A, green: 0xD7, blue: 0xAE)
  static let copiedEdge = Color(red: 0x2C, green: 0x8A, blue: 0x4B)
  static let rendered = Color(red: 0xF8, green: 0xC9, blue: 0x8B)
  static let renderedEdge = Color(red: 0xC2, green: 0x6D, blue: 0x0A)

  /// The fill and the edge of a kind of block.
  static func colors(_ kind: TimelineDrawing.Block.Kind) -> (fill: Color, edge: Color) {
    switch kind {
    case .picture: (picture, pictureEdge)
    case .sound: (sound, soundEdge)
    case .subtitle: (subtitle, subtitleEdge)
    case .gap: (gap, gapEdge)
    case .copied: (copied, copiedEdge)
    case .rendered: (rendered, renderedEdge)
    }
  }
}
