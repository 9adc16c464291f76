import CutroomModel

extension TimelineDrawing {
  /// The widths that a picture may have.
  public static let widths = 320...16_384

  /// The shapes of a picture `width` pixels wide, with the title above where it stands alone.
  func scene(width: Int, hasTitle: Bool = true) -> Scene {
    SceneBuilder(self, width: width).build(hasTitle: hasTitle)
  }
}

/// Lays a timeline out in pixels.
private struct SceneBuilder {
  private let drawing: TimelineDrawing
  private let left: Double
  private let plot: Double
  private var scene: Scene
  private var y = 0.0

  private static let margin = 16.0
  private static let small = 11.0
  private static let maximalNameWidth = 180.0

  init(_ drawing: TimelineDrawing, width: Int) {
    self.drawing = drawing
    let names = drawing.rows.map { TextWidth.pixels($0.name, size: 12, isBold: true) }
    let limit = min(Self.maximalNameWidth, Double(width) / 4)
    left = (Self.margin + min(limit, max(60, names.max() ?? 0)) + 12).rounded()
    plot = max(10, (Double(width) - left - Self.margin).rounded())
    scene = Scene(width: width, height: 0)
  }

  func build(hasTitle: Bool) -> Scene {
    var builder = self
    if hasTitle { builder.heading() } else { builder.y = 14 }
    builder.chapters()
    let top = builder.y
    let ruler = TimeRuler(
      duration: drawing.duration, length: Int(plot),
      room: Int(Self.rulerRoom(drawing.duration)))
    builder.y += 26
    let rows = builder.y
    let height = drawing.rows.reduce(0) { $0 + Self.height($1) + Self.space }
    builder.grid(ruler, top: top, from: rows - 4, to: rows + height)
    builder.chapterLines(from: top - 16, to: rows + height - Self.space)
    for row in drawing.rows { builder.row(row, ruler) }
    builder.legend()
    builder.scene.height = Int(builder.y.rounded(.up))
    return builder.scene
  }

  private static func rulerRoom(_ duration: Rational) -> Double {
    duration >= 3600 ? 84 : duration >= 60 ? 68 : 60
  }

  private func x(_ time: Rational) -> Double {
    guard drawing.duration > .zero else { return left }
    // The last frame of an export may reach past the end.
    return left + min(1, (time / drawing.duration).doubleValue) * plot
  }

  // MARK: Above the rows

  private mutating func heading() {
    let room = Double(scene.width) - 2 * Self.margin
    let title = TextWidth.fitted(drawing.title, width: room, size: 18, isBold: true)
    scene.text(.init(text: title ?? "", x: Self.margin, y: 30, size: 18, isBold: true))
    let subtitle = TextWidth.fitted(drawing.subtitle, width: room, size: 12)
    scene.text(
      .init(text: subtitle ?? "", x: Self.margin, y: 50, size: 12, color: Palette.muted))
    y = 64
  }

  private mutating func chapters() {
    guard !drawing.chapters.isEmpty else { return }
    scene.text(.init(text: "chapters", x: Self.margin, y: y + 13, color: Palette.muted))
    var free = 0.0
    for (index, chapter) in drawing.chapters.enumerated() {
      let place = x(chapter.start)
      guard place >= free else { continue }
      scene.triangle([(place, y + 3), (place + 7, y + 8), (place, y + 13)], Palette.chapter)
      let next =
        index + 1 < drawing.chapters.count
        ? x(drawing.chapters[index + 1].start) : left + plot
      let title = TextWidth.fitted(chapter.title, width: next - place - 18, size: Self.small)
      scene.text(
        .init(
          text: title ?? "", x: place + 11, y: y + 12, size: Self.small, color: Palette.chapter))
      free = place + 9
    }
    y += 22
  }

  private mutating func chapterLines(from top: Double, to bottom: Double) {
    var last = -10.0
    for chapter in drawing.chapters {
      let place = x(chapter.start).rounded()
      guard place - last >= 3 else { continue }
      scene.line(place, top, place, bottom, Palette.chapter.faded)
      last = place
    }
  }

  private mutating func grid(_ ruler: TimeRuler, top: Double, from: Double, to: Double) {
    scene.line(left, from - 4, left + plot, from - 4, Palette.gapEdge)
    for tick in ruler.ticks {
      let place = x(tick.time).rounded()
      guard let label = tick.label else {
        scene.line(place, from - 7, place, from - 4, Palette.gapEdge)
        continue
      }
      scene.line(place, from - 10, place, from - 4, Palette.muted)
      scene.line(place, from, place, to - Self.space, Palette.grid)
      let half = TextWidth.pixels(label, size: Self.small) / 2
      let isLast = place + half > Double(scene.width) - 2
      scene.text(
        .init(
          text: label, x: isLast ? Double(scene.width) - 4 : place, y: top + 10, size: Self.small,
          color: Palette.muted, anchor: isLast ? .end : .middle))
    }
  }

  // MARK: Rows

  private static let space = 8.0

  private static func height(_ row: TimelineDrawing.Row) -> Double {
    switch row.kind {
    case .picture: Double(TimelineDrawing.thumbnailHeight) + 14
    case .sound, .subtitle: 40
    case .plan: 22
    }
  }

  private mutating func row(_ row: TimelineDrawing.Row, _ ruler: TimeRuler) {
    let height = Self.height(row)
    let name = TextWidth.fitted(
      row.name, width: left - Self.margin - 8, size: 12, isBold: row.kind != .plan)
    scene.text(
      .init(
        text: name ?? "", x: Self.margin, y: y + height / 2 + 4,
        color: row.kind == .plan ? Palette.muted : Palette.text, isBold: row.kind != .plan))
    scene.box(.init(x: left, y: y, width: plot, height: height), Palette.lane)
    // Behind the blocks: what is drawn below must not cross their names.
    for mark in ruler.ticks where mark.label != nil {
      let place = x(mark.time).rounded()
      scene.line(place, y, place, y + height, Palette.grid)
    }
    chapterLines(from: y, to: y + height)
    var transition = 0
    var drawn = -1.0
    for block in row.blocks {
      let from = x(block.start)
      let to = x(block.end)
      // Of blocks narrower than half a pixel one in a pixel is seen.
      guard to - drawn >= 0.5 else { continue }
      drawn = to
      let box = Scene.Box(x: from, y: y, width: max(0.5, to - from), height: height)
      while transition < row.transitions.count, row.transitions[transition].end <= block.start {
        transition += 1
      }
      self.block(block, box, inside: room(block, box, row.transitions[transition...]))
    }
    for transition in row.transitions { self.transition(transition, height) }
    y += height + Self.space
  }

  /// The part of a block that no transition covers.
  private func room(
    _ block: TimelineDrawing.Block, _ box: Scene.Box,
    _ transitions: ArraySlice<TimelineDrawing.Transition>
  ) -> Range<Double> {
    var (from, to) = (box.x, box.right)
    for transition in transitions.prefix(2)
    where transition.start < block.end && transition.end > block.start {
      if transition.start <= block.start { from = max(from, x(transition.end)) }
      if transition.end >= block.end { to = min(to, x(transition.start)) }
    }
    return from..<max(from, to)
  }

  private mutating func block(
    _ block: TimelineDrawing.Block, _ box: Scene.Box, inside: Range<Double>
  ) {
    let (fill, edge) = Palette.colors(block.kind)
    let span = "\(block.start.secondsText) – \(block.end.secondsText)"
    let name = block.kind == .gap ? "gap" : block.label
    let about = [name, span, block.detail].filter { !$0.isEmpty }.joined(separator: "\n")
    scene.box(
      box, fill, stroke: box.width >= 3 ? edge : nil, radius: box.width >= 8 ? 3 : 0,
      about: about)
    var from = inside.lowerBound + 6
    let to = inside.upperBound - 5
    // A name says more than a small picture: it comes first.
    if let thumbnail = block.thumbnail,
      TextWidth.fitted(
        name, width: to - from - Double(thumbnail.raster.width) - 4, size: Self.small,
        isBold: true) != nil
    {
      let size = (width: Double(thumbnail.raster.width), height: Double(thumbnail.raster.height))
      scene.image(
        .init(
          x: (from - 2).rounded(), y: box.y + 4, width: size.width, height: size.height),
        thumbnail)
      from = (from - 2).rounded() + size.width + 6
    }
    label(block, name, box, from: from, to: to)
    keyframes(block, box)
    keys(block, box)
  }

  private mutating func label(
    _ block: TimelineDrawing.Block, _ name: String, _ box: Scene.Box, from: Double, to: Double
  ) {
    let isOneLine = box.height < 30 || block.detail.isEmpty
    let color = block.kind == .gap ? Palette.muted : Palette.text
    guard
      let text = TextWidth.fitted(
        name, width: to - from, size: Self.small, isBold: block.kind != .gap)
    else { return }
    let y = isOneLine ? box.y + box.height / 2 + 4 : box.y + 16
    scene.text(
      .init(
        text: text, x: from, y: y, size: Self.small, color: color, isBold: block.kind != .gap))
    if isOneLine {
      let used = TextWidth.pixels(text, size: Self.small, isBold: true) + 10
      // Reasons are shown as far as they fit.
      if to - from - used > 40,
        let rest = TextWidth.fitted(block.detail, width: to - from - used, size: 10)
      {
        scene.text(.init(text: rest, x: from + used, y: y, size: 10, color: Palette.muted))
      }
    } else if TextWidth.pixels(block.detail, size: 10) <= to - from {
      // Half a time would be misread.
      scene.text(.init(text: block.detail, x: from, y: y + 14, size: 10, color: Palette.muted))
    }
  }

  private mutating func keyframes(_ block: TimelineDrawing.Block, _ box: Scene.Box) {
    guard box.width / Double(max(1, block.keyframes.count)) >= 3 else { return }
    for time in block.keyframes {
      let place = min(x(time).rounded(), box.right - 1)
      scene.box(
        .init(x: place, y: box.bottom - 6, width: 1.5, height: 5), Palette.keyframe)
    }
  }

  /// A diamond for each key of a setting.
  private mutating func keys(_ block: TimelineDrawing.Block, _ box: Scene.Box) {
    guard box.width / Double(max(1, block.keys.count)) >= 7 else { return }
    for time in block.keys {
      diamond(min(max(x(time), box.x + 5), box.right - 5), box.bottom - 5)
    }
  }

  private mutating func diamond(_ x: Double, _ y: Double) {
    scene.triangle([(x - 4, y), (x, y - 4), (x + 4, y)], Palette.key)
    scene.triangle([(x - 4, y), (x, y + 4), (x + 4, y)], Palette.key)
  }

  private mutating func transition(_ transition: TimelineDrawing.Transition, _ height: Double) {
    let box = Scene.Box(
      x: x(transition.start), y: y, width: x(transition.end) - x(transition.start),
      height: height)
    guard box.width >= 1 else { return }
    scene.box(
      box, Palette.transition, stroke: box.width >= 4 ? Palette.transitionEdge : nil,
      about: "\(transition.name)\n\(transition.start.secondsText) – "
        + transition.end.secondsText)
    guard box.width >= 6 else { return }
    scene.line(box.x, box.bottom, box.right, box.y, Palette.transitionEdge)
    if let name = TextWidth.fitted(transition.name, width: box.width - 8, size: 10) {
      let half = TextWidth.pixels(name, size: 10) / 2 + 3
      let middle = box.x + box.width / 2
      scene.box(
        .init(x: middle - half, y: box.bottom - 17, width: 2 * half, height: 14), Palette.paper,
        radius: 2)
      scene.text(
        .init(
          text: name, x: middle, y: box.bottom - 7, size: 10, color: Palette.transitionEdge,
          anchor: .middle))
    }
  }

  // MARK: The legend

  private mutating func legend() {
    var place = Self.margin
    y += 10
    for (name, fill, edge) in entries {
      let width = 20 + TextWidth.pixels(name, size: Self.small) + 18
      if place + width > Double(scene.width) - Self.margin, place > Self.margin {
        place = Self.margin
        y += 18
      }
      if name == "keyframe" {
        scene.box(.init(x: place + 6, y: y + 4, width: 1.5, height: 7), fill)
      } else if name == Self.keyName {
        diamond(place + 7, y + 7)
      } else if name == "chapter" {
        scene.triangle([(place + 3, y + 2), (place + 11, y + 7), (place + 3, y + 12)], fill)
      } else {
        scene.box(
          .init(x: place, y: y + 1, width: 14, height: 12), fill, stroke: edge, radius: 2)
      }
      scene.text(
        .init(text: name, x: place + 20, y: y + 11, size: Self.small, color: Palette.muted))
      place += width
    }
    y += 14 + Self.margin
  }

  private static let keyName = "key of a setting"

  private var entries: [(String, Color, Color?)] {
    let kinds = Set(drawing.rows.flatMap { $0.blocks.map(\.kind) })
    var entries: [(String, Color, Color?)] = []
    let names: [(TimelineDrawing.Block.Kind, String)] = [
      (.subtitle, "subtitle"), (.picture, "picture"), (.sound, "sound"), (.gap, "gap"),
    ]
    let plan: [(TimelineDrawing.Block.Kind, String)] = [
      (.copied, "copied by an export"), (.rendered, "rendered by an export"),
    ]
    for (kind, name) in names where kinds.contains(kind) {
      let (fill, edge) = Palette.colors(kind)
      entries.append((name, fill, edge))
    }
    if drawing.rows.contains(where: { !$0.transitions.isEmpty }) {
      entries.append(("transition", Palette.transition, Palette.transitionEdge))
    }
    if drawing.hasKeyframes { entries.append(("keyframe", Palette.keyframe, nil)) }
    if drawing.hasKeys { entries.append((Self.keyName, Palette.key, nil)) }
    if !drawing.chapters.isEmpty { entries.append(("chapter", Palette.chapter, nil)) }
    for (kind, name) in plan where kinds.contains(kind) {
      let (fill, edge) = Palette.colors(kind)
      entries.append((name, fill, edge))
    }
    return entries
  }
}

extension Color {
  /// A third of it.
  fileprivate var faded: Color {
    Color(red: red, green: green, blue: blue, alpha: UInt8(Int(alpha) / 3))
  }
}
