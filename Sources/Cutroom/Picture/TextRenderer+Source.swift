import CutroomMedia
import CutroomModel

extension TextRenderer {
  /// Draws a text source at its laid-out size, wrapped to `maxWidth` pixels.
  static func render(_ text: TextSource, maxWidth: Int) throws(LibAVError) -> Frame {
    func rgba(_ color: Color) -> (UInt8, UInt8, UInt8, UInt8) {
      (color.red, color.green, color.blue, color.alpha)
    }
    let width = text.outlineWidth ?? text.size / 16
    return try render(
      text: text.text, font: text.font, size: text.size.doubleValue, color: rgba(text.color),
      alignment: text.align.rawValue, box: text.box.map(rgba),
      outline: text.outline.map { Outline(color: rgba($0), width: width.doubleValue) },
      maxWidth: maxWidth)
  }
}
