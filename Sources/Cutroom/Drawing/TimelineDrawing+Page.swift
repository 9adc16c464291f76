import CutroomModel

extension TimelineDrawing {
  /// A page that needs no other file: the picture, and a table of everything on it.
  func page(width: Int) -> String {
    let title = Markup.escaped(title)
    var html = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title><style>
      body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 80em;
        padding: 0 1em; background: #fff; color: #1f2933 }
      figure { margin: 0 0 2em; overflow-x: auto; border: 1px solid #dde2e8; border-radius: 6px }
      svg { display: block }
      table { border-collapse: collapse; width: 100%; margin-bottom: 2em }
      td, th { text-align: left; padding: .25em .8em; border-bottom: 1px solid #dde2e8;
        vertical-align: top }
      td.time { font-variant-numeric: tabular-nums; white-space: nowrap; text-align: right }
      th.time { text-align: right; width: 6em }
      i { display: inline-block; width: .8em; height: .8em; margin-right: .5em;
        border-radius: 2px; border: 1px solid }
      </style></head><body>
      <h1>\(title)</h1>
      <p>\(Markup.escaped(subtitle))</p>
      <figure>

      """
    html += scene(width: width, hasTitle: false).svg(title: self.title, isFile: false)
    html += "</figure>\n"
    if !chapters.isEmpty { html += chapterTable }
    for row in rows { html += table(row) }
    return html + "</body></html>\n"
  }

  private var chapterTable: String {
    let rows = chapters.map {
      "<tr><td class=\"time\">\($0.start.secondsText)</td><td>\(Markup.escaped($0.title))</td></tr>"
    }
    return "<h2>Chapters</h2>\n<table><tr><th class=\"time\">at</th><th>title</th></tr>\n"
      + rows.joined(separator: "\n") + "\n</table>\n"
  }

  private func table(_ row: Row) -> String {
    let kind =
      switch row.kind {
      case .picture: "picture"
      case .sound: "sound"
      case .subtitle: "subtitles"
      case .plan: "what an export does"
      }
    var lines = [
      "<h2>\(Markup.escaped(row.name)) <small>(\(kind))</small></h2>",
      "<table><tr><th class=\"time\">start</th><th class=\"time\">end</th>"
        + "<th class=\"time\">length</th><th>what</th><th>\(row.kind == .plan ? "why" : "source range")"
        + "</th></tr>",
    ]
    var entries = row.blocks.map { ($0.start, line($0)) }
    entries += row.transitions.map { ($0.start, line($0)) }
    lines += entries.enumerated().sorted {
      $0.element.0 == $1.element.0 ? $0.offset < $1.offset : $0.element.0 < $1.element.0
    }.map(\.element.1)
    return lines.joined(separator: "\n") + "\n</table>\n"
  }

  private func line(_ block: Block) -> String {
    let (fill, edge) = Palette.colors(block.kind)
    let mark = mark(fill, edge)
    let name = block.kind == .gap ? "gap" : Markup.escaped(block.label)
    return "<tr>\(times(block.start, block.end))<td>\(mark)\(name)</td>"
      + "<td>\(Markup.escaped(block.detail))</td></tr>"
  }

  private func line(_ transition: Transition) -> String {
    "<tr>\(times(transition.start, transition.end))"
      + "<td>\(mark(Palette.transition, Palette.transitionEdge))"
      + "\(Markup.escaped(transition.name))</td><td></td></tr>"
  }

  private func mark(_ fill: Color, _ edge: Color) -> String {
    "<i style=\"background:\(fill.hexadecimal);border-color:\(edge.hexadecimal)\"></i>"
  }

  private func times(_ start: Rational, _ end: Rational) -> String {
    [start, end, end - start].map { "<td class=\"time\">\($0.secondsText)</td>" }.joined()
  }
}
