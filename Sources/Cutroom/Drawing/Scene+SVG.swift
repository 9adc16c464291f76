import CutroomModel
import Foundation

extension Scene {
  /// The page as SVG; `isFile` adds what a file of its own begins with.
  func svg(title: String, isFile: Bool) -> String {
    var lines: [String] = isFile ? ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] : []
    lines.append(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
        + "viewBox=\"0 0 \(width) \(height)\" role=\"img\" "
        + "font-family=\"'DejaVu Sans', Verdana, sans-serif\">")
    lines.append("<title>\(Markup.escaped(title))</title>")
    lines.append(
      "<rect width=\"\(width)\" height=\"\(height)\" fill=\"\(Palette.paper.hexadecimal)\"/>")
    for shape in shapes { lines.append(Self.svg(shape)) }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private static func number(_ value: Double) -> String {
    JSONValue.decimal(value, digits: 2).encoded()
  }

  private static func svg(_ shape: Shape) -> String {
    switch shape {
    case .box(let box, let fill, let stroke, let radius, let about):
      return svg(box, fill, stroke, radius, about)
    case .line(let x1, let y1, let x2, let y2, let color):
      // Upright and level lines lie on whole pixels.
      let shift = x1 == x2 || y1 == y2 ? 0.5 : 0
      return "<line x1=\"\(number(x1 + shift))\" y1=\"\(number(y1 + shift))\" "
        + "x2=\"\(number(x2 + shift))\" y2=\"\(number(y2 + shift))\" "
        + "\(paint("stroke", color))/>"
    case .triangle(let points, let color):
      let list = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
      return "<polygon points=\"\(list)\" \(paint("fill", color))/>"
    case .text(let text):
      let bold = text.isBold ? " font-weight=\"bold\"" : ""
      let anchor =
        text.anchor == .start ? "" : " text-anchor=\"\(text.anchor.rawValue)\""
      return "<text x=\"\(number(text.x))\" y=\"\(number(text.y))\" "
        + "font-size=\"\(number(text.size))\"\(bold)\(anchor) \(paint("fill", text.color))>"
        + "\(Markup.escaped(text.text))</text>"
    case .image(let box, let thumbnail):
      let data = Data(thumbnail.bytes).base64EncodedString()
      return "<image \(place(box)) href=\"data:\(thumbnail.mediaType);base64,\(data)\"/>"
    }
  }

  private static func svg(
    _ box: Box, _ fill: Color, _ stroke: Color?, _ radius: Double, _ about: String
  ) -> String {
    var box = box
    // A line of one pixel lies inside.
    if stroke != nil, box.width > 1, box.height > 1 {
      box = Box(x: box.x + 0.5, y: box.y + 0.5, width: box.width - 1, height: box.height - 1)
    }
    let edge = stroke.map { " " + paint("stroke", $0) } ?? ""
    let corner = radius > 0 ? " rx=\"\(number(radius))\"" : ""
    let start = "<rect \(place(box))\(corner) \(paint("fill", fill))\(edge)"
    guard !about.isEmpty else { return start + "/>" }
    let text = about.split(separator: "\n").map { Markup.escaped(String($0)) }
    return start + "><title>\(text.joined(separator: "&#10;"))</title></rect>"
  }

  private static func place(_ box: Box) -> String {
    "x=\"\(number(box.x))\" y=\"\(number(box.y))\" width=\"\(number(box.width))\" "
      + "height=\"\(number(box.height))\""
  }

  private static func paint(_ name: String, _ color: Color) -> String {
    var opaque = color
    opaque.alpha = 255
    guard color.alpha < 255 else { return "\(name)=\"\(opaque.hexadecimal)\"" }
    return "\(name)=\"\(opaque.hexadecimal)\" "
      + "\(name)-opacity=\"\(number(Double(color.alpha) / 255))\""
  }
}
