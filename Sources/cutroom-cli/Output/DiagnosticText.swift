import Cutroom

/// Findings as people read them: `FILE:LINE:COL: error[code]: message`, the line, a caret, a hint.
struct DiagnosticText {
  /// The file that findings without a place are about, or the program's name.
  var file: String
  /// The file's text, where it is known: its lines are shown.
  var source: SourceText?
  /// Whether related places are shown too.
  var isVerbose = false

  /// All findings, one after the other.
  func text(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map(text).joined(separator: "\n")
  }

  /// One finding.
  func text(_ diagnostic: Diagnostic) -> String {
    let kind = "\(diagnostic.severity.rawValue)[\(diagnostic.code)]"
    var lines = ["\(position(diagnostic.place)): \(kind): \(Self.printable(diagnostic.message))"]
    if let place = diagnostic.place, place.file == source?.file,
      let (line, column) = source?.excerpt(at: place)
    {
      lines += ["  " + line, String(repeating: " ", count: column + 1) + "^"]
    }
    if let fix = diagnostic.fix { lines.append("  help: \(Self.printable(fix))") }
    if isVerbose {
      lines += diagnostic.related.map {
        "  \(position($0.place)): note: \(Self.printable($0.message))"
      }
    }
    return lines.joined(separator: "\n")
  }

  private func position(_ place: Place?) -> String {
    guard let place else { return file }
    return "\(place.file.isEmpty ? file : place.file):\(place.line):\(place.column)"
  }

  /// The text with a space for each tab and line end, and a mark for each other control character.
  static func printable(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: result.append(" ")
      case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
