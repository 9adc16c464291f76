extension SubtitleFile {
  /// Reads ASS or SSA: sections, of which the events are lines with the columns that they state.
  mutating func readASS(_ reader: inout SubtitleLineReader) throws(SubtitleProblem) {
    var section = ""
    var columns = EventColumns()
    var styles: Set<String> = ["Default"]
    var named: [(style: String, line: Int)] = []
    var head: [UInt8] = []
    var fonts = EmbeddedFontReader()
    var isBegun = false
    while let line = reader.next() {
      let trimmed = line.trimmed
      if let name = Self.section(trimmed, in: section) {
        section = name
        isBegun = true
        if section == "graphics" {
          report(.syntax, reader.number, "begins [Graphics], which has no effect")
        }
      }
      switch section {
      case "fonts":
        if let problem = fonts.read(trimmed) { report(.syntax, reader.number, problem) }
        continue
      case "graphics": continue
      case "events":
        guard let event = Self.event(trimmed) else { break }
        switch event.kind {
        case "Format":
          columns = EventColumns(event.fields)
          if !columns.isUsual {
            head += Array("Format: \(EventColumns.usual)\n".utf8)
            continue
          }
        case "Dialogue":
          if let style = try addASS(event.fields, columns, reader.number) {
            named.append((style, reader.number))
          }
          continue
        case "Comment": continue
        default:
          if !event.kind.hasPrefix(";"), !event.kind.hasPrefix("!") {
            report(.syntax, reader.number, "is of the kind '\(event.kind)', which is not shown")
          }
          continue
        }
      default:
        if let style = Self.event(trimmed), style.kind == "Style" {
          let name = style.fields.prefix { $0 != 0x2C }
          styles.insert(Self.styleName(name))
        }
      }
      head += line + [0x0A]
    }
    guard isBegun else { throw .noTimes }
    for (style, line) in named where !styles.contains(style) {
      report(.style, line, "names the style '\(style)', which the file does not have")
    }
    (header, self.fonts) = (head, fonts.finish())
  }

  /// The name of a section that a line begins; lines of fonts may look alike.
  private static func section(_ line: ArraySlice<UInt8>, in section: String) -> String? {
    guard line.first == 0x5B, line.last == 0x5D else { return nil }
    let name = String(decoding: line.dropFirst().dropLast(), as: UTF8.self).lowercased()
    let isData = section == "fonts" || section == "graphics"
    return isData && !knownSections.contains(name) ? nil : name
  }

  private static let knownSections: Set<String> = [
    "script info", "v4 styles", "v4+ styles", "v4++ styles", "events", "fonts", "graphics",
    "aegisub project garbage", "aegisub extradata",
  ]

  /// What stands before and after the colon of a line.
  private static func event(
    _ line: ArraySlice<UInt8>
  ) -> (kind: String, fields: ArraySlice<UInt8>)? {
    guard let colon = line.firstIndex(of: 0x3A) else { return nil }
    let kind = String(decoding: line[..<colon].trimmed, as: UTF8.self)
    return (kind, line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 })
  }

  /// A style's name as it is compared.
  private static func styleName(_ name: ArraySlice<UInt8>) -> String {
    let name = String(decoding: name.trimmed.drop { $0 == 0x2A }, as: UTF8.self)
    return name.isEmpty ? "Default" : name
  }

  /// Adds a line of dialogue; the name of its style.
  private mutating func addASS(
    _ text: ArraySlice<UInt8>, _ columns: EventColumns, _ line: Int
  ) throws(SubtitleProblem) -> String? {
    let fields = text.split(
      separator: 0x2C, maxSplits: columns.count - 1, omittingEmptySubsequences: false)
    guard fields.count == columns.count else {
      report(
        .syntax, line,
        "has \(fields.count) fields, but its format has \(columns.count); it is left out")
      return nil
    }
    func field(_ name: EventColumns.Name) -> ArraySlice<UInt8> {
      columns[name].map { fields[$0] } ?? []
    }
    guard let start = Self.assTime(field(.start)), let end = Self.assTime(field(.end)) else {
      report(
        .syntax, line,
        "has no times of the form 0:00:01.00,0:00:02.50; it is left out")
      return nil
    }
    if !start.isProper || !end.isProper {
      report(.syntax, line, "has times that are not whole hundredths of a second, and are rounded")
    }
    let shown = field(.text)
    guard !shown.isBlank else { return nil }
    let layer = field(.layer).trimmed
    let number = Int(String(decoding: layer, as: UTF8.self)) ?? 0
    let style = Self.styleName(field(.style))
    var payload = Array("\(number),\(style)".utf8)
    for name in [EventColumns.Name.name, .marginL, .marginR, .marginV, .effect] {
      payload += [0x2C] + field(name).trimmed
    }
    payload += [0x2C] + shown
    let cue =
      start.value > end.value
      ? nil : Cue(line: line, time: start.value..<end.value, payload: payload)
    try add(cue, endsAt: end.value, line)
    return style
  }

  private static func assTime(_ text: ArraySlice<UInt8>) -> (value: Int64, isProper: Bool)? {
    var scanner = SubtitleLineScanner(text.trimmed)
    guard let hours = scanner.number(), scanner.take(":"), let minutes = scanner.number(),
      scanner.take(":"), let seconds = scanner.number(), scanner.take(".:,"),
      let parts = scanner.number(), scanner.rest.isEmpty
    else { return nil }
    let whole = ((hours.value * 60 + minutes.value) * 60 + seconds.value) * 100
    var (value, isExact) = (parts.value, true)
    for _ in stride(from: 2, to: parts.digits, by: 1) {
      if value % 10 != 0 { isExact = false }
      value /= 10
    }
    if parts.digits == 1 { value *= 10 }
    return (whole + value, isExact)
  }
}

/// The columns of events, as a line `Format:` states them.
private struct EventColumns {
  enum Name: String {
    case layer, start, end, style, name, marginL = "marginl", marginR = "marginr"
    case marginV = "marginv"
    case effect, text
  }

  private var places: [Name: Int] = [:]
  let count: Int

  /// Those in which containers and libass keep lines.
  static let usual = "Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text"
  /// Whether they are the usual ones.
  var isUsual: Bool { places == Self().places }

  /// The usual ones.
  init() { self.init(Array(Self.usual.utf8)[...]) }

  init(_ format: ArraySlice<UInt8>) {
    let names = format.split(separator: 0x2C, omittingEmptySubsequences: false)
      .map { String(decoding: $0.trimmed, as: UTF8.self).lowercased() }
    count = max(1, names.count)
    for (index, name) in names.enumerated() {
      let known = name == "actor" ? "name" : name == "marked" ? "layer" : name
      if let column = Name(rawValue: known) { places[column] = index }
    }
  }

  subscript(name: Name) -> Int? { places[name] }
}

/// The fonts of a section `[Fonts]`: names, and lines of 6-bit groups, each of which is a sign.
private struct EmbeddedFontReader {
  private var fonts: [SubtitleFont] = []
  private var group: [UInt8] = []

  /// Reads a line; what is wrong with it.
  mutating func read(_ line: ArraySlice<UInt8>) -> String? {
    if line.elementsEqual("[Fonts]".utf8) || line.isEmpty { return nil }
    if line.starts(with: "fontname:".utf8) {
      endFont()
      let name = String(decoding: line.dropFirst(9).trimmed, as: UTF8.self)
      fonts.append(SubtitleFont(name: name, bytes: []))
      return nil
    }
    guard !fonts.isEmpty else { return "stands in [Fonts] before the name of a font" }
    guard line.count <= 80, line.allSatisfy({ (33...96).contains($0) }) else {
      return "is no line of a font"
    }
    for sign in line {
      group.append(sign - 33)
      if group.count == 4 { endGroup() }
    }
    return nil
  }

  /// All fonts, once every line was read.
  mutating func finish() -> [SubtitleFont] {
    endFont()
    return fonts.filter { !$0.bytes.isEmpty }
  }

  private mutating func endFont() {
    if !fonts.isEmpty { endGroup() }
    group = []
  }

  /// Two signs are one byte, three are two, four are three.
  private mutating func endGroup() {
    let bits = (group + [0, 0, 0, 0]).prefix(4).reduce(UInt32(0)) { $0 << 6 | UInt32($1) }
    let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
    if group.count > 1 { fonts[fonts.count - 1].bytes += bytes.prefix(group.count - 1) }
    group = []
  }
}
