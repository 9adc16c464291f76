import CutroomModel

extension TimelineDrawing {
  /// The drawing in letters, at most `columns` wide; `usesColor` adds the codes of terminals.
  ///
  /// Names are free of control characters, so that they cannot drive a terminal.
  public func text(columns: Int, usesColor: Bool = false) -> String {
    TerminalDrawing(self, columns: columns, usesColor: usesColor).text
  }
}

/// Lays a timeline out in the cells of a terminal.
private struct TerminalDrawing {
  private let drawing: TimelineDrawing
  private let names: Int
  private let cells: Int
  private let usesColor: Bool

  /// A cell: what stands there, and how it looks.
  private struct Cell: Equatable {
    var text: String
    var look: Look
  }

  private enum Look {
    case plain, muted, picture, sound, subtitle, transition, chapter, copied, rendered

    /// The terminal's code.
    var code: String {
      switch self {
      case .plain: "0"
      case .muted: "2"
      case .picture: "30;104"
      case .sound: "30;106"
      case .subtitle: "30;105"
      case .transition: "97;45"
      case .chapter: "33"
      case .copied: "30;42"
      case .rendered: "30;43"
      }
    }
  }

  init(_ drawing: TimelineDrawing, columns: Int, usesColor: Bool) {
    self.drawing = drawing
    self.usesColor = usesColor
    let width = max(40, min(columns, 1000))
    let longest = drawing.rows.map { TextWidth.columns(Self.clean($0.name)) }.max() ?? 0
    names = min(max(longest, 8), width / 4)
    cells = width - names - 1
  }

  private static func clean(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl =
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
      result.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  var text: String {
    var lines = [
      TextWidth.cut(Self.clean(drawing.title), columns: names + cells + 1),
      TextWidth.cut(drawing.subtitle, columns: names + cells + 1), "",
    ]
    if !drawing.chapters.isEmpty { lines.append(line("chapters", chapters, .muted)) }
    lines += ruler
    for row in drawing.rows {
      lines.append(line(Self.clean(row.name), self.row(row), row.kind == .plan ? .muted : .plain))
      if let marks = keyframes(row) { lines.append(line("", marks, .plain)) }
    }
    return (lines + ["", legend]).joined(separator: "\n")
  }

  /// The cell in which a time lies.
  private func cell(_ time: Rational) -> Int {
    guard drawing.duration > .zero else { return 0 }
    return min(cells, Int(clamping: (time / drawing.duration * Rational(cells)).floor))
  }

  private var blank: [Cell] { Array(repeating: Cell(text: " ", look: .plain), count: cells) }

  private func line(_ name: String, _ row: [Cell], _ look: Look) -> String {
    let label = TextWidth.padded(name, columns: names) + " "
    return painted([Cell(text: label, look: look)]) + painted(trimmed(row))
  }

  private func trimmed(_ row: [Cell]) -> ArraySlice<Cell> {
    let last = row.lastIndex { $0 != Cell(text: " ", look: .plain) } ?? -1
    return row[...last]
  }

  private func painted(_ cells: some Collection<Cell>) -> String {
    guard usesColor else { return cells.map(\.text).joined() }
    var (result, look) = ("", Look.plain)
    for cell in cells {
      if cell.look != look {
        result += "\u{1B}[0m" + (cell.look == .plain ? "" : "\u{1B}[\(cell.look.code)m")
      }
      look = cell.look
      result += cell.text
    }
    return look == .plain ? result : result + "\u{1B}[0m"
  }

  /// Writes a text into cells from `start` on, at most up to `end`; a wide letter empties the next.
  private func write(_ text: String, _ row: inout [Cell], _ start: Int, _ end: Int) {
    var place = start
    for character in TextWidth.cut(text, columns: max(0, end - start)) {
      let width = TextWidth.columns(String(character))
      guard place + width <= min(end, row.count), width > 0 else { continue }
      row[place].text = String(character)
      if width == 2 { row[place + 1].text = "" }
      place += width
    }
  }

  // MARK: Lines

  private var chapters: [Cell] {
    var row = blank
    for (index, chapter) in drawing.chapters.enumerated() {
      let start = cell(chapter.start)
      guard start < cells else { continue }
      let next =
        index + 1 < drawing.chapters.count ? cell(drawing.chapters[index + 1].start) : cells
      for place in start..<max(start + 1, next) { row[place].look = .chapter }
      row[start].text = "▸"
      write(Self.clean(chapter.title), &row, start + 1, next - 1)
    }
    return row
  }

  private var ruler: [String] {
    let ruler = TimeRuler(duration: drawing.duration, length: cells, room: 10, smallRoom: 3)
    var (labels, marks) = (blank, blank)
    for index in marks.indices { marks[index] = Cell(text: "─", look: .muted) }
    for tick in ruler.ticks {
      let place = min(cell(tick.time), cells - 1)
      marks[place].text = tick.label == nil ? "┴" : "┼"
      guard let label = tick.label else { continue }
      let start = min(place, cells - label.count)
      guard start >= 0, labels[max(0, start - 1)...].allSatisfy({ $0.text == " " }) else {
        continue
      }
      write(label, &labels, start, start + label.count)
    }
    return [line("", labels, .muted), line("", marks, .muted)]
  }

  private func row(_ row: TimelineDrawing.Row) -> [Cell] {
    var result = Array(repeating: Cell(text: "·", look: .muted), count: cells)
    let end = row.blocks.last.map { cell($0.end) } ?? 0
    for place in end..<cells { result[place] = Cell(text: " ", look: .plain) }
    for block in row.blocks { draw(block, &result) }
    for transition in row.transitions {
      let from = cell(transition.start)
      for place in from..<max(from + 1, cell(transition.end)) where place < cells {
        result[place] = Cell(text: "╳", look: .transition)
      }
    }
    for block in row.blocks { keys(block, &result) }
    // Labels come last: what a transition covers is not overwritten.
    for block in row.blocks where block.kind != .gap { label(block, &result) }
    return result
  }

  private func draw(_ block: TimelineDrawing.Block, _ row: inout [Cell]) {
    let (start, end) = (cell(block.start), cell(block.end))
    guard block.kind != .gap, start < cells else { return }
    let (fill, look): (String, Look) =
      switch block.kind {
      case .picture, .gap: ("▒", .picture)
      case .sound: ("░", .sound)
      case .subtitle: ("▓", .subtitle)
      case .copied: ("=", .copied)
      case .rendered: ("#", .rendered)
      }
    for place in start..<max(start + 1, end) {
      row[place] = Cell(text: usesColor ? " " : fill, look: look)
    }
    guard end - start >= 2 else { return }
    row[start].text = "▏"
    if !usesColor {
      row[start].text = "["
      row[end - 1].text = "]"
    }
  }

  private func keys(_ block: TimelineDrawing.Block, _ row: inout [Cell]) {
    let last = min(cells, cell(block.end)) - 1
    guard last - cell(block.start) >= 2 else { return }
    for time in block.keys {
      let place = min(max(cell(time), cell(block.start) + 1), last - 1)
      row[place].text = "◆"
    }
  }

  private func label(_ block: TimelineDrawing.Block, _ row: inout [Cell]) {
    var (start, end) = (cell(block.start) + 1, cell(block.end) - 1)
    while start < end, row[start].look == .transition { start += 1 }
    while end > start, row[end - 1].look == .transition { end -= 1 }
    guard end - start >= 3 else { return }
    let name = TextWidth.cut(Self.clean(block.label), columns: end - start)
    guard TextWidth.columns(name) >= 3 || name == block.label else { return }
    write(name, &row, start, end)
    let place = start + TextWidth.columns(name) + 1
    let room = end - place - 1
    // Times are shown whole or not at all, reasons as far as they fit.
    let isShown = row[max(0, place - 1)].look != .transition && block.kind != .gap
    let isCut = TextWidth.columns(block.detail) > room
    guard isShown, !isCut || room >= 16 && [.copied, .rendered].contains(block.kind) else { return }
    row[place - 1].text = " "
    write(Self.clean(block.detail), &row, place, place + room)
  }

  /// The keyframes of a row's sources; `nil` where they are not known or stand too close.
  private func keyframes(_ row: TimelineDrawing.Row) -> [Cell]? {
    var result = blank
    var count = 0
    for time in row.blocks.flatMap(\.keyframes) {
      let place = cell(time)
      guard place < cells, result[place].text == " " else { continue }
      result[place].text = "╵"
      count += 1
    }
    let all = row.blocks.reduce(0) { $0 + $1.keyframes.count }
    return count > 0 && count * 2 <= cells && all <= count * 2 ? result : nil
  }

  private var legend: String {
    let kinds = Set(drawing.rows.flatMap { $0.blocks.map(\.kind) })
    var parts: [[Cell]] = []
    func add(_ sign: String, _ look: Look, _ name: String) {
      parts.append([
        Cell(text: usesColor && sign.count == 1 && "▒░▓=#".contains(sign) ? " " : sign, look: look),
        Cell(text: " " + name, look: .muted),
      ])
    }
    if kinds.contains(.subtitle) { add("▓", .subtitle, "subtitle") }
    if kinds.contains(.picture) { add("▒", .picture, "picture") }
    if kinds.contains(.sound) { add("░", .sound, "sound") }
    if kinds.contains(.gap) { add("·", .muted, "gap") }
    if drawing.rows.contains(where: { !$0.transitions.isEmpty }) {
      add("╳", .transition, "transition")
    }
    if drawing.rows.contains(where: { keyframes($0) != nil }) { add("╵", .plain, "keyframe") }
    if drawing.hasKeys { add("◆", .plain, "key of a setting") }
    if kinds.contains(.copied) { add("=", .copied, "copied by an export") }
    if kinds.contains(.rendered) { add("#", .rendered, "rendered by an export") }
    return parts.map { painted($0) }.joined(separator: "   ")
  }
}
