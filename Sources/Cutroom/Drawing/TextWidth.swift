/// How wide text is, as DejaVu Sans and Verdana draw it, and in a terminal.
enum TextWidth {
  /// The advance widths of the characters from space to tilde, in 2048ths of the font's size.
  private static let advances: [Int] = [
    651, 821, 942, 1716, 1303, 1946, 1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690, 1303,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690, 690, 1716, 1716, 1716, 1087, 2048,
    1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604, 604, 1343, 1141, 1767, 1532, 1612, 1235,
    1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799, 690, 799, 1716, 1024, 1024,
    1255, 1300, 1126, 1300, 1260, 721, 1300, 1298, 569, 569, 1186, 569, 1995, 1298, 1253, 1300,
    1300, 842, 1067, 803, 1298, 1212, 1675, 1212, 1212, 1075, 1303, 690, 1303, 1716,
  ]

  /// The width in pixels in a font of `size` pixels; bold letters are wider.
  static func pixels(_ text: String, size: Double, isBold: Bool = false) -> Double {
    let units = text.unicodeScalars.reduce(0) { sum, scalar in
      let place = Int(scalar.value) - 0x20
      if advances.indices.contains(place) { return sum + advances[place] }
      return sum + columns(scalar) * (columns(scalar) == 2 ? 1100 : 1500)
    }
    return Double(units) / 2048 * size * (isBold ? 1.13 : 1)
  }

  /// The text, or its start with an ellipsis, as far as it fits into `width` pixels; `nil` where
  /// not even three letters do.
  static func fitted(
    _ text: String, width: Double, size: Double, isBold: Bool = false
  ) -> String? {
    if pixels(text, size: size, isBold: isBold) <= width { return text.isEmpty ? nil : text }
    var kept = ""
    for character in text {
      if pixels(kept + String(character) + "…", size: size, isBold: isBold) > width { break }
      kept.append(character)
    }
    let trimmed = kept.last == " " ? String(kept.dropLast()) : kept
    return trimmed.count >= 3 ? trimmed + "…" : nil
  }

  /// The columns of a terminal that a character takes: none, one or two.
  static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// The columns of a terminal that a text takes.
  static func columns(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  /// The text cut, or filled with spaces, to exactly so many columns.
  static func padded(_ text: String, columns width: Int) -> String {
    var result = cut(text, columns: width)
    result += String(repeating: " ", count: max(0, width - columns(result)))
    return result
  }

  /// The text, or its start with an ellipsis, in at most so many columns.
  static func cut(_ text: String, columns width: Int) -> String {
    guard columns(text) > width else { return text }
    guard width > 0 else { return "" }
    var (kept, used) = (String.UnicodeScalarView(), 0)
    for scalar in text.unicodeScalars {
      if used + columns(scalar) > width - 1 { break }
      kept.append(scalar)
      used += columns(scalar)
    }
    return String(kept) + "…"
  }
}
