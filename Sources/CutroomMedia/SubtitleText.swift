/// The text of a line of ASS: what is shown, and commands in braces.
package enum SubtitleText {
  /// A stretch of a line; commands are in their braces.
  package enum Part {
    case shown(Substring)
    case commands(Substring)
  }

  /// The stretches of a line in order.
  package static func parts(of text: String) -> [Part] {
    var parts: [Part] = []
    var rest = text[...]
    while let open = firstBrace(in: rest), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { parts.append(.shown(rest[..<open])) }
      let after = rest.unicodeScalars.index(after: close)
      parts.append(.commands(rest[open..<after]))
      rest = rest[after...]
    }
    if !rest.isEmpty { parts.append(.shown(rest)) }
    return parts
  }

  /// The first brace that opens commands: one that no backslash stands before.
  private static func firstBrace(in text: Substring) -> Substring.Index? {
    var isEscaped = false
    for index in text.unicodeScalars.indices {
      let scalar = text.unicodeScalars[index]
      if scalar == "{", !isEscaped { return index }
      isEscaped = scalar == "\\" && !isEscaped
    }
    return nil
  }

  /// The characters that a line shows.
  static func characters(in text: String) -> [Unicode.Scalar] {
    var characters: [Unicode.Scalar] = []
    for case .shown(let part) in parts(of: text) {
      var wasBackslash = false
      for scalar in part.unicodeScalars {
        let isCommand = wasBackslash && ["N", "n", "h"].contains(scalar)
        if !isCommand, scalar != "\\" { characters.append(scalar) }
        wasBackslash = scalar == "\\"
      }
    }
    return characters
  }

  /// The font families that a line's commands name.
  static func families(in text: String) -> [String] {
    var families: [String] = []
    _ = replacingFamilies(in: text) { family in
      families.append(family)
      return nil
    }
    return families
  }

  /// The line with other families in its commands, where `other` gives one.
  static func replacingFamilies(in text: String, _ other: (String) -> String?) -> String {
    guard text.contains("\\fn") else { return text }
    return parts(of: text).map { part in
      switch part {
      case .shown(let part): String(part)
      case .commands(let part): replacingFamilies(inCommands: part, other)
      }
    }.joined()
  }

  private static func replacingFamilies(
    inCommands text: Substring, _ other: (String) -> String?
  ) -> String {
    var result = ""
    var rest = text
    while let command = rest.firstRange(of: "\\fn") {
      result += rest[..<command.upperBound]
      rest = rest[command.upperBound...]
      let name = rest.prefix { $0 != "\\" && $0 != "}" }
      rest = rest[name.endIndex...]
      let family = name.trimmed
      result += family.isEmpty ? String(name) : other(family) ?? String(name)
    }
    return result + rest
  }

  /// Whether a line has room elsewhere as time goes by, and no place of its own.
  static func changesItsSize(_ text: String) -> Bool {
    text.contains("\\t(") && !text.contains("\\pos(") && !text.contains("\\move(")
  }

  /// Whether a line goes back to a style, perhaps another one than its own.
  static func namesStyles(_ text: String) -> Bool { text.contains("\\r") }

  /// The line with places to break within Chinese and Japanese, of which libass knows none.
  static func breakable(_ text: String) -> String {
    parts(of: text).map { part in
      switch part {
      case .commands(let part): return String(part)
      case .shown(let part):
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in part.unicodeScalars {
          if let previous, LineBreaks.mayBreak(between: previous, and: scalar),
            previous != "\\", scalar != "\\"
          {
            result.append(contentsOf: LineBreaks.opportunity.unicodeScalars)
          }
          result.append(scalar)
          previous = scalar
        }
        return String(result)
      }
    }.joined()
  }
}

extension Substring {
  /// Without the white space around it.
  fileprivate var trimmed: String {
    var part = drop { $0.isWhitespace }
    while part.last?.isWhitespace == true { part.removeLast() }
    return String(part)
  }
}
