import CutroomMedia

/// A line of subtitles as text, with what most containers can say about its letters.
struct StyledText: Hashable {
  /// How letters look.
  struct Style: Hashable {
    var isBold = false
    var isItalic = false
    var isUnderlined = false
    var isStruck = false
    /// Red, green and blue; `nil` for as the player likes.
    var color: UInt32?
  }

  /// Letters of one style.
  struct Run: Hashable {
    var text: String
    var style: Style
  }

  /// What a line loses in another form, in the order and the words of messages.
  enum Loss: String, CaseIterable {
    case fonts = "fonts and sizes"
    case places = "places and alignments"
    case effects = "movements and effects"
    case drawings = "drawings"
    case colors = "colours"
    case struck = "lines through letters"
  }

  /// The letters in order.
  private(set) var runs: [Run] = []
  /// What was left out already.
  private(set) var losses: Set<Loss> = []

  /// Plain letters.
  init(_ text: String) {
    if !text.isEmpty { runs = [Run(text: text, style: Style())] }
  }

  /// What a line of a script shows.
  init(_ line: SubtitleScript.Line, _ styles: ScriptStyles) {
    let fields = line.settings.split(separator: ",", omittingEmptySubsequences: false)
    var reader = ScriptReader(
      styles: styles, base: styles[fields.count > 1 ? String(fields[1]) : "Default"])
    reader.read(line.text)
    (runs, losses) = (reader.runs, reader.losses)
    guard styles.isWritten else { return }
    losses.insert(.fonts)
    if fields.count > 6, fields[3...5].contains(where: { Int($0) ?? 0 != 0 }) {
      losses.insert(.places)
    }
    if fields.last?.isEmpty == false, fields.count > 6 { losses.insert(.effects) }
  }

  /// Several lines, one below the other.
  static func joined(_ texts: [StyledText]) -> StyledText {
    var joined = StyledText("")
    for text in texts {
      joined.losses.formUnion(text.losses)
      guard !text.runs.isEmpty else { continue }
      if !joined.runs.isEmpty { joined.runs.append(Run(text: "\n", style: Style())) }
      joined.runs += text.runs
    }
    return joined
  }

  /// All letters without their styles.
  var plain: String { runs.map(\.text).joined() }
}

/// The styles of a script by their names.
struct ScriptStyles {
  private var styles: [String: StyledText.Style] = [:]
  /// Whether an author wrote them; libavcodec makes up those of plain text.
  let isWritten: Bool

  init(_ script: SubtitleScript) {
    isWritten = script.isStyled
    var columns: [String] = []
    for line in script.header.split(whereSeparator: \.isNewline) {
      if let fields = Self.fields(line, of: "Format:"), fields.contains("PrimaryColour") {
        columns = fields
      } else if let fields = Self.fields(line, of: "Style:"), let name = fields.first {
        let values = Dictionary(zip(columns, fields), uniquingKeysWith: { first, _ in first })
        styles[name] = Self.style(values)
      }
    }
  }

  /// A style; the usual one where there is none of that name.
  subscript(name: String) -> StyledText.Style {
    styles[name] ?? styles["Default"] ?? StyledText.Style()
  }

  private static func fields(_ line: Substring, of key: String) -> [String]? {
    guard line.hasPrefix(key) else { return nil }
    return line.dropFirst(key.count).split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0.drop(while: \.isWhitespace)) }
  }

  private static func style(_ values: [String: String]) -> StyledText.Style {
    func isSet(_ key: String) -> Bool { values[key].flatMap(Int.init) ?? 0 != 0 }
    var style = StyledText.Style(
      isBold: isSet("Bold"), isItalic: isSet("Italic"), isUnderlined: isSet("Underline"),
      isStruck: isSet("StrikeOut"))
    let color = values["PrimaryColour"].flatMap(color)
    // White is what players draw anyway.
    style.color = color == 0xFFFFFF ? nil : color
    return style
  }

  /// Red, green and blue of `&HBBGGRR&` or `&HAABBGGRR`.
  static func color(_ text: some StringProtocol) -> UInt32? {
    let digits = text.drop { $0 == "&" || $0 == "H" || $0 == "h" }.prefix(while: \.isHexDigit)
    guard let value = UInt32(digits, radix: 16) else { return nil }
    return (value & 0xFF) << 16 | value & 0xFF00 | value >> 16 & 0xFF
  }
}

/// Reads the text of a line of ASS.
private struct ScriptReader {
  let styles: ScriptStyles
  let base: StyledText.Style
  var style: StyledText.Style
  var isDrawing = false
  var runs: [StyledText.Run] = []
  var losses: Set<StyledText.Loss> = []

  init(styles: ScriptStyles, base: StyledText.Style) {
    (self.styles, self.base, style) = (styles, base, base)
  }

  mutating func read(_ text: String) {
    for part in SubtitleText.parts(of: text) {
      switch part {
      case .shown(let text): show(letters(of: text))
      case .commands(let text): obey(text.dropFirst().dropLast())
      }
    }
  }

  private mutating func show(_ text: String) {
    guard !text.isEmpty else { return }
    if isDrawing {
      losses.insert(.drawings)
    } else if runs.last?.style == style {
      runs[runs.count - 1].text += text
    } else {
      runs.append(StyledText.Run(text: text, style: style))
    }
  }

  private func letters(of text: Substring) -> String {
    var letters = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars {
      guard isEscaped else {
        isEscaped = scalar == "\\"
        if !isEscaped { letters.append(scalar) }
        continue
      }
      isEscaped = false
      switch scalar {
      case "N": letters.append("\n")
      case "n": letters.append(styles.isWritten ? " " : "\n")
      case "h": letters.append("\u{A0}")
      case "{", "}": letters.append(scalar)
      case "\\" where !styles.isWritten: letters.append(scalar)
      default:
        letters.append("\\")
        if scalar == "\\" { isEscaped = true } else { letters.append(scalar) }
      }
    }
    if isEscaped { letters.append("\\") }
    return String(letters)
  }

  private mutating func obey(_ commands: Substring) {
    var depth = 0
    for command in commands.split(separator: "\\").dropFirst(commands.first == "\\" ? 0 : 1) {
      if depth == 0 { obey(command: command) }
      for character in command {
        if character == "(" { depth += 1 } else if character == ")" { depth = max(0, depth - 1) }
      }
    }
  }

  private mutating func obey(command: Substring) {
    let name = command.prefix { $0.isLetter }
    let value = command.dropFirst(name.count).filter { !$0.isWhitespace }
    switch name {
    case "b": style.isBold = value.isEmpty ? base.isBold : (Int(value) ?? 0) == 1 || isHeavy(value)
    case "i": style.isItalic = value.isEmpty ? base.isItalic : value != "0"
    case "u": style.isUnderlined = value.isEmpty ? base.isUnderlined : value != "0"
    case "s": style.isStruck = value.isEmpty ? base.isStruck : value != "0"
    case "p": isDrawing = (Int(value) ?? 0) > 0
    case "c": setColor(value)
    case "" where command.hasPrefix("1c"): setColor(String(command.dropFirst(2)))
    case _ where name.hasPrefix("r"):
      style = command.count > 1 ? styles[String(command.dropFirst())] : base
    case "fn", "fs", "fsp", "fscx", "fscy", "fe": losses.insert(.fonts)
    case "an" where value == "2", "q": break
    case "pos", "move", "an", "a", "org": losses.insert(.places)
    case _ where name.hasPrefix("fn"): losses.insert(.fonts)
    default: losses.insert(.effects)
    }
  }

  private func isHeavy(_ weight: String) -> Bool { (Int(weight) ?? 0) >= 600 }

  private mutating func setColor(_ value: String) {
    let color = ScriptStyles.color(value)
    style.color = color == 0xFFFFFF && base.color == nil ? nil : color ?? base.color
  }
}
