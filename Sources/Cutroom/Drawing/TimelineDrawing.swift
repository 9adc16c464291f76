import CutroomMedia
public import CutroomModel

/// A timeline as it is drawn: rows of blocks along a ruler.
///
/// A value that knows nothing of pixels; it is drawn as SVG, as PNG, as a page, or with letters.
public struct TimelineDrawing: Sendable {
  /// What lies on a row.
  struct Block: Sendable {
    enum Kind: String, Sendable {
      case picture, sound, subtitle, gap, copied, rendered
    }

    var kind: Kind
    var start: Rational
    var end: Rational
    /// Its name.
    var label = ""
    /// More about it, on a line.
    var detail = ""
    /// Where the keyframes of its source lie on the timeline; empty where they are not known.
    var keyframes: [Rational] = []
    /// Where the keys of its settings lie on the timeline, each time once.
    var keys: [Rational] = []
    /// A small picture of its first frame.
    var thumbnail: Thumbnail?
  }

  /// A transition over the cut of two blocks.
  struct Transition: Sendable {
    var name: String
    var start: Rational
    var end: Rational
  }

  /// A row of the drawing.
  struct Row: Sendable {
    enum Kind: Sendable {
      case picture, sound, subtitle, plan
    }

    var kind: Kind
    var name: String
    var blocks: [Block]
    var transitions: [Transition] = []
  }

  /// A small picture, and the file it is embedded as.
  struct Thumbnail: Sendable {
    var raster: Raster
    var mediaType: String
    var bytes: [UInt8]
  }

  /// The name of the composition.
  let title: String
  /// Its properties, on a line.
  let subtitle: String
  /// How long it is.
  let duration: Rational
  /// The rows, in the order in which they are drawn: the topmost pictures first.
  var rows: [Row]
  /// The chapters.
  let chapters: [TimelineChapter]
  /// Whether keyframes are marked.
  var hasKeyframes: Bool { rows.contains { $0.blocks.contains { !$0.keyframes.isEmpty } } }
  /// Whether keys of settings are marked.
  var hasKeys: Bool { rows.contains { $0.blocks.contains { !$0.keys.isEmpty } } }
  /// What could not be drawn.
  public var warnings: [Diagnostic] = []
}

extension TimelineDrawing {
  /// Lays out a composition; `plan` is what an export of it would do.
  init(_ checked: CheckedComposition, plan: PlannedExport?) throws(CutroomError) {
    let timeline = try checked.requireTimeline()
    title =
      checked.document?.name ?? checked.path.split(separator: "/").last.map(String.init)
      ?? "timeline"
    subtitle = Self.subtitle(timeline)
    duration = timeline.duration
    chapters = timeline.chapters
    rows = Self.order(timeline).map { Self.row(timeline.tracks[$0], timeline) }
    guard let plan else { return }
    if let plan = plan.plan {
      rows += plan.drawnRows
    } else {
      let reason = plan.diagnostics.first { $0.severity == .error }
      warnings.append(
        Diagnostic(
          .warning, reason?.code ?? "plan",
          "what would be copied is not drawn: \(reason?.message ?? "there is no plan")",
          at: reason?.pointer ?? ""))
    }
  }

  /// The tracks as they are drawn: subtitles, pictures from the top, sounds.
  static func order(_ timeline: Timeline) -> [Int] {
    func all(_ kind: TimelineTrack.Kind) -> [Int] {
      timeline.tracks.indices.filter { timeline.tracks[$0].kind == kind }
    }
    return all(.subtitle).reversed() + all(.video).reversed() + all(.audio)
  }

  private static func subtitle(_ timeline: Timeline) -> String {
    var parts = [TimeRuler.label(timeline.duration, in: timeline.duration)]
    if timeline.tracks.contains(where: { $0.kind == .video }) {
      parts += [
        "\(timeline.size.width)×\(timeline.size.height)", "\(timeline.frameRate.text) fps",
        timeline.color.rawValue,
      ]
    }
    if timeline.tracks.contains(where: { $0.kind == .audio }) {
      parts += ["\(timeline.sampleRate) Hz", timeline.channelLayout]
    }
    return parts.joined(separator: " · ")
  }

  private static func row(_ track: TimelineTrack, _ timeline: Timeline) -> Row {
    let (kind, blockKind): (Row.Kind, Block.Kind) =
      switch track.kind {
      case .video: (.picture, .picture)
      case .audio: (.sound, .sound)
      case .subtitle: (.subtitle, .subtitle)
      }
    let blocks = track.segments.map { segment -> Block in
      guard let source = segment.source else {
        return Block(kind: .gap, start: segment.start, end: segment.end)
      }
      var block = Block(kind: blockKind, start: segment.start, end: segment.end)
      block.label = segment.name ?? Self.shortName(timeline.sources[source].id)
      block.detail = Self.detail(segment)
      block.keys = Self.keys(segment, track)
      return block
    }
    let transitions = track.transitions.map {
      Transition(name: $0.name, start: $0.start, end: $0.end)
    }
    return Row(
      kind: kind, name: track.name ?? track.id, blocks: blocks, transitions: transitions)
  }

  /// Where the keys of a segment's settings, and of its track's, lie on the timeline.
  private static func keys(_ segment: TimelineSegment, _ track: TimelineTrack) -> [Rational] {
    let (picture, sound) = (segment.picture, segment.sound)
    let own: [Rational]
    let ofTrack: [Rational]
    switch track.kind {
    case .video:
      own =
        (picture.position?.keyTimes ?? []) + picture.scale.keyTimes + picture.rotation.keyTimes
        + picture.opacity.keyTimes + picture.crop.keyTimes
      ofTrack = track.opacity.keyTimes
    case .audio: (own, ofTrack) = (sound.gain.keyTimes + sound.pan.keyTimes, track.gain.keyTimes)
    case .subtitle: (own, ofTrack) = ([], [])
    }
    let offset = segment.start - segment.clipRange.lowerBound
    let all = own.map { $0 + offset } + ofTrack
    return Set(all.filter { $0 >= segment.start && $0 <= segment.end }).sorted()
  }

  /// What a segment shows of its source.
  private static func detail(_ segment: TimelineSegment) -> String {
    let (start, end) = (segment.sourceStart.secondsText, segment.sourceEnd.secondsText)
    let speed =
      segment.speed == .one || segment.playback == .frozen
      ? "" : ", \(JSONValue.decimal(segment.speed.doubleValue).encoded()) times as fast"
    return switch segment.playback {
    case .forward: "\(start) – \(end)\(speed)"
    case .reversed: "backwards, \(end) – \(start)\(speed)"
    case .frozen: "held at \(start)"
    }
  }

  /// The last part of a path.
  private static func shortName(_ id: String) -> String {
    id.split(separator: "/").last.map(String.init) ?? id
  }
}

extension Animated {
  /// The times of its keys, once they are resolved to seconds.
  fileprivate var keyTimes: [Rational] {
    keyframes.compactMap { if case .seconds(let time) = $0.at { time } else { nil } }
  }
}

extension ExportPlan {
  /// A row for each stream: copied and rendered stretches at their places on the timeline.
  fileprivate var drawnRows: [TimelineDrawing.Row] {
    var rows: [TimelineDrawing.Row] = []
    if let video {
      rows.append(row("picture, \(video.codec)", video.chunks, unit: "frames"))
    }
    if let audio { rows.append(row("sound, \(audio.codec)", audio.chunks, unit: "samples")) }
    return rows
  }

  private func row(_ name: String, _ chunks: [Chunk], unit: String) -> TimelineDrawing.Row {
    var blocks: [TimelineDrawing.Block] = []
    var counts: [Int64] = []
    for chunk in chunks {
      let start = chunk.start + self.start
      let end = start + chunk.duration
      switch chunk.action {
      case .copy(let range):
        blocks.append(
          .init(
            kind: .copied, start: start, end: end, label: "copied",
            detail: "from \(timeline.sources[range.source].id) at "
              + range.sourceStart.secondsText))
        counts.append(chunk.count)
      case .render(let reasons):
        let detail = "because " + reasons.joined(separator: ", ")
        if let last = blocks.last, last.kind == .rendered, last.detail == detail {
          blocks[blocks.count - 1].end = end
          counts[counts.count - 1] += chunk.count
        } else {
          blocks.append(
            .init(kind: .rendered, start: start, end: end, label: "rendered", detail: detail))
          counts.append(chunk.count)
        }
      }
    }
    for index in blocks.indices { blocks[index].label += " \(counts[index]) \(unit)" }
    return .init(kind: .plan, name: name, blocks: blocks)
  }
}
