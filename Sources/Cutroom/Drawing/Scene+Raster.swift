import CutroomMedia
import CutroomModel

extension Scene {
  /// The largest number of pixels of a picture.
  static let areaLimit = 100_000_000

  /// The page as pixels.
  ///
  /// - Throws: ``CutroomError`` where it is too large, or the font is not installed.
  func raster() throws(CutroomError) -> Raster {
    guard height <= 16_384, width * height <= Self.areaLimit else {
      throw CutroomError(
        .unsupported, DiagnosticCode.sizeLimit.rawValue,
        "a picture of \(width)×\(height) is too large; write .svg or .html instead")
    }
    var raster = Raster(width: width, height: height, color: Palette.paper)
    let letters = try Letters()
    for shape in shapes {
      switch shape {
      case .box(let box, let fill, let stroke, let radius, _):
        raster.fill(box, radius: radius, fill, edge: stroke)
      case .line(let x1, let y1, let x2, let y2, let color):
        raster.line(x1, y1, x2, y2, color)
      case .triangle(let points, let color): raster.triangle(points, color)
      case .text(let text): try letters.draw(text, on: &raster)
      case .image(let box, let thumbnail):
        raster.draw(thumbnail.raster, x: Int(box.x.rounded()), y: Int(box.y.rounded()))
      }
    }
    return raster
  }
}

extension Raster {
  /// Fills a rectangle and draws its edge, one pixel wide, inside it.
  fileprivate mutating func fill(
    _ box: Scene.Box, radius: Double, _ fill: Color, edge: Color?
  ) {
    guard let edge, box.width > 2, box.height > 2 else {
      return self.fill(box, radius: radius, fill)
    }
    let inner = Scene.Box(
      x: box.x + 1, y: box.y + 1, width: box.width - 2, height: box.height - 2)
    guard fill.alpha < 255 else {
      self.fill(box, radius: radius, edge)
      return self.fill(inner, radius: max(0, radius - 1), fill)
    }
    // What lies below is seen through the middle, and must not have the edge's colour.
    self.fill(inner, radius: 0, fill)
    for x in [box.x, box.right - 1] {
      self.fill(.init(x: x, y: box.y, width: 1, height: box.height), radius: 0, edge)
    }
    for y in [box.y, box.bottom - 1] {
      self.fill(.init(x: inner.x, y: y, width: inner.width, height: 1), radius: 0, edge)
    }
  }

  /// Fills a rectangle with round corners; pixels that it covers in part are mixed.
  fileprivate mutating func fill(_ box: Scene.Box, radius: Double, _ color: Color) {
    guard box.width > 0, box.height > 0 else { return }
    let columns = Int(box.x.rounded(.down))..<Int(box.right.rounded(.up))
    let rows = Int(box.y.rounded(.down))..<Int(box.bottom.rounded(.up))
    for y in rows.clamped(to: 0..<height) {
      let vertical = min(Double(y) + 1, box.bottom) - max(Double(y), box.y)
      for x in columns.clamped(to: 0..<width) {
        let horizontal = min(Double(x) + 1, box.right) - max(Double(x), box.x)
        let corner = radius > 0 ? Self.corner(box, radius, Double(x) + 0.5, Double(y) + 0.5) : 1
        blend(x, y, color, coverage: horizontal * vertical * corner)
      }
    }
  }

  /// How much of a pixel lies inside a round corner.
  private static func corner(
    _ box: Scene.Box, _ radius: Double, _ x: Double, _ y: Double
  ) -> Double {
    let across = max(box.x + radius - x, x - (box.right - radius), 0)
    let down = max(box.y + radius - y, y - (box.bottom - radius), 0)
    guard across > 0, down > 0 else { return 1 }
    let distance = (across * across + down * down).squareRoot()
    return max(0, min(1, radius - distance + 0.5))
  }

  /// A line of one pixel.
  fileprivate mutating func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: Color
  ) {
    if x1 == x2 {
      return fill(.init(x: x1, y: min(y1, y2), width: 1, height: abs(y2 - y1)), radius: 0, color)
    }
    if y1 == y2 {
      return fill(.init(x: min(x1, x2), y: y1, width: abs(x2 - x1), height: 1), radius: 0, color)
    }
    let (dx, dy) = (x2 - x1, y2 - y1)
    let length = (dx * dx + dy * dy).squareRoot()
    for y in Int(min(y1, y2).rounded(.down))..<Int(max(y1, y2).rounded(.up)) {
      let middle = x1 + (Double(y) + 0.5 - y1) * dx / dy
      let reach = 1 + abs(dx / dy)
      for x in Int((middle - reach).rounded(.down))...Int((middle + reach).rounded(.up)) {
        guard Double(x) + 0.5 >= min(x1, x2), Double(x) + 0.5 <= max(x1, x2) else { continue }
        let distance =
          abs((Double(x) + 0.5 - x1) * dy - (Double(y) + 0.5 - y1) * dx) / length
        blend(x, y, color, coverage: 1 - distance)
      }
    }
  }

  fileprivate mutating func triangle(_ points: [(x: Double, y: Double)], _ color: Color) {
    guard points.count == 3 else { return }
    let xs = points.map(\.x)
    let ys = points.map(\.y)
    for y in Int(ys.min() ?? 0)...Int(ys.max() ?? 0) {
      for x in Int(xs.min() ?? 0)...Int(xs.max() ?? 0) {
        let hits = Self.samples.count { sample in
          Self.isInside(points, Double(x) + sample.0, Double(y) + sample.1)
        }
        blend(x, y, color, coverage: Double(hits) / Double(Self.samples.count))
      }
    }
  }

  /// Sixteen places in a pixel.
  private static let samples: [(Double, Double)] = (0..<16).map { (index: Int) in
    let (column, row) = (Double(index % 4), Double(index / 4))
    return (column / 4 + 0.125, row / 4 + 0.125)
  }

  private static func isInside(
    _ points: [(x: Double, y: Double)], _ x: Double, _ y: Double
  ) -> Bool {
    let sides = (0..<3).map { index -> Double in
      let (a, b) = (points[index], points[(index + 1) % 3])
      return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
    }
    return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
  }
}

/// Draws lines of text, each distinct one once.
private final class Letters {
  private struct Key: Hashable {
    var text: String
    var size: Double
    var color: Color
    var isBold: Bool
  }

  /// The height of a line of DejaVu Sans, and its part above the base line, for a font of size 1.
  private static let lineHeight = 1.164
  private static let ascent = 0.928
  private let regular: TextRenderer
  private let bold: TextRenderer
  private var known: [Key: (Raster, x: Int, y: Int)] = [:]

  init() throws(CutroomError) {
    do {
      regular = try TextRenderer(linesIn: "DejaVu Sans")
      bold =
        TextRenderer.hasFont("DejaVu Sans Bold")
        ? try TextRenderer(linesIn: "DejaVu Sans Bold") : regular
    } catch {
      throw CutroomError(
        .unsupported, DiagnosticCode.mediaFont.rawValue,
        "the font 'DejaVu Sans' is needed to draw letters: \(error.reason); install it, or write "
          + ".svg or .html instead")
    }
  }

  func draw(_ text: Scene.Text, on raster: inout Raster) throws(CutroomError) {
    let key = Key(text: text.text, size: text.size, color: text.color, isBold: text.isBold)
    let (letters, x, y) = if let known = known[key] { known } else { try render(key) }
    known[key] = (letters, x, y)
    var left = text.x
    switch text.anchor {
    case .start: break
    // Measured, so that it is exactly in the middle.
    case .middle: left -= Double(letters.width) / 2 + Double(x)
    case .end: left -= Double(letters.width + x)
    }
    let top = text.y - text.size * Self.ascent
    raster.draw(letters, x: Int((left + Double(x)).rounded()), y: Int(top.rounded()) + y)
  }

  private func render(_ key: Key) throws(CutroomError) -> (Raster, x: Int, y: Int) {
    let renderer = key.isBold ? bold : regular
    let color = (key.color.red, key.color.green, key.color.blue, key.color.alpha)
    let size = key.size * Self.lineHeight
    do {
      let line = try renderer.line(key.text, size: size, color: color)
      return (Raster(line.picture), line.x, line.y)
    } catch {
      // A character that no font has is shown as a question mark.
      func isDrawn(_ character: Character) -> Bool {
        do {
          _ = try renderer.line(String(character), size: size, color: color)
          return true
        } catch {
          return false
        }
      }
      let plain = String(key.text.map { $0.isASCII || isDrawn($0) ? $0 : "?" })
      do {
        let line = try renderer.line(plain, size: size, color: color)
        return (Raster(line.picture), line.x, line.y)
      } catch {
        throw CutroomError(
          .unsupported, DiagnosticCode.mediaFont.rawValue,
          "'\(key.text)' cannot be drawn: \(error.reason)", details: error.log)
      }
    }
  }
}
