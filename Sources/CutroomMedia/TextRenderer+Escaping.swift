extension TextRenderer {
  /// Takes their meaning from braces and backslashes, and makes line breaks libass's.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    // Scalars, not characters: a brace with an accent on it would still open a command.
    for scalar in text.unicodeScalars {
      if let previous, LineBreaks.mayBreak(between: previous, and: scalar) {
        result.append(contentsOf: LineBreaks.opportunity.unicodeScalars)
      }
      switch scalar {
      case "{": result.append(contentsOf: "\\{".unicodeScalars)
      case "}": result.append(contentsOf: "\\}".unicodeScalars)
      // A word joiner has no width; it keeps the backslash from the letter after it.
      case "\\": result.append(contentsOf: "\\\u{2060}".unicodeScalars)
      case "\t": result.append(contentsOf: "    ".unicodeScalars)
      case "\n" where previous == "\r", "\0": break
      case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}":
        result.append(contentsOf: "\\N".unicodeScalars)
      default: result.append(scalar)
      }
      previous = scalar
    }
    return String(result)
  }
}

/// Where lines may break in writing without spaces; libass by itself breaks at spaces alone.
enum LineBreaks {
  /// A space without width, in libass's language.
  static let opportunity = "{\\fscx0} {\\fscx}"

  /// Whether a new line may begin between two characters of Chinese or Japanese.
  static func mayBreak(between first: Unicode.Scalar, and second: Unicode.Scalar) -> Bool {
    (isIdeographic(first) || isIdeographic(second)) && !first.properties.isWhitespace
      && !second.properties.isWhitespace && !neverLast.contains(first)
      && !neverFirst.contains(second) && !second.properties.isDefaultIgnorableCodePoint
      && !first.properties.isDefaultIgnorableCodePoint
      && second.properties.canonicalCombiningClass == .notReordered
  }

  /// Han characters, kana, and the punctuation that goes with them.
  private static func isIdeographic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2E80...0x2FDF, 0x3001...0x30FF, 0x31F0...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
      0xFF01...0xFF60, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// What does not begin a line: closing punctuation, small kana, marks of repetition and length.
  private static let neverFirst = Set(
    "、。，．・：；？！」』）】〕》〉〗〙’”々〻ゝゞヽヾー…‥〜～ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ%)]},.:;?!"
      .unicodeScalars)
  /// What does not end a line: opening punctuation.
  private static let neverLast = Set("「『（【〔《〈〖〘‘“([{".unicodeScalars)
}
