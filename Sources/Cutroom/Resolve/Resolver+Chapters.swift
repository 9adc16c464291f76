import CutroomModel

extension Resolver {
  /// The chapters of the timeline, whose end is `end` where that is known.
  mutating func chapters(_ timeline: Timeline, end: Rational?) -> [TimelineChapter] {
    switch document.chapters {
    case .keep: return keptChapters(timeline)
    case .clips: return clipChapters(timeline)
    case .list(let marks): return listedChapters(marks, end: end)
    }
  }

  private mutating func listedChapters(
    _ marks: [ChapterMark], end: Rational?
  ) -> [TimelineChapter] {
    var chapters: [TimelineChapter] = []
    for (index, mark) in marks.enumerated() {
      let pointer = "/chapters/\(index)"
      guard let start = length(mark.at, at: pointer + "/at") else { continue }
      noteOffGrid(start, "at", pointer + "/at", SourceGrid(rate: rate))
      if let before = chapters.last, start <= before.start {
        findings.add(
          .time, .error, .chapterPlace,
          "the chapter starts at \(start.inSeconds), but the one before it at "
            + "\(before.start.inSeconds); chapters stand in the order of time",
          at: pointer + "/at")
        continue
      }
      if let end, start >= end {
        findings.add(
          .time, .error, .chapterPlace,
          "the chapter starts at \(start.inSeconds), but the timeline ends at \(end.inSeconds)",
          at: pointer + "/at")
      }
      if mark.title.allSatisfy(\.isWhitespace) {
        findings.add(
          .time, .error, .shapeValue, "the chapter has no title", at: pointer + "/title")
      }
      chapters.append(TimelineChapter(start: start, title: mark.title))
    }
    return chapters
  }

  /// One chapter for each clip of the lowest track that has any.
  ///
  /// Called by the clip's name, else by its source's id. What edits have made of one clip is one
  /// chapter as long as it stays together.
  private func clipChapters(_ timeline: Timeline) -> [TimelineChapter] {
    guard let track = timeline.tracks.first(where: { $0.segments.contains { !$0.isEmpty } })
    else { return [] }
    var chapters: [TimelineChapter] = []
    var last: String?
    for segment in track.segments {
      guard let source = segment.source else {
        // What fills up a short source is a part of its clip, also where it shows nothing.
        if segment.pointer == track.pointer { last = nil }
        continue
      }
      guard segment.pointer != last else { continue }
      last = segment.pointer
      chapters.append(
        TimelineChapter(
          start: segment.start, title: segment.name ?? timeline.sources[source].id))
    }
    return chapters
  }

  /// The sources' chapters, mapped through the lowest track that has any.
  ///
  /// A chapter that goes on over a cut is one chapter.
  private func keptChapters(_ timeline: Timeline) -> [TimelineChapter] {
    for track in timeline.tracks {
      var chapters: [TimelineChapter] = []
      var last: (source: Int, start: Rational)?
      for segment in track.segments {
        guard let index = segment.source else { continue }
        for chapter in Self.chapters(in: segment, of: sources[index]) {
          let start = Self.start(of: chapter, in: segment)
          if last?.source == index, last?.start == chapter.start { continue }
          if let before = chapters.last, before.start >= start { continue }
          last = (index, chapter.start)
          chapters.append(TimelineChapter(start: start, title: chapter.title))
        }
      }
      if !chapters.isEmpty { return chapters }
    }
    return []
  }

  /// The chapters of a source that a segment shows, in the order in which it shows them.
  private static func chapters(
    in segment: TimelineSegment, of source: ResolvedSource
  ) -> [AssetChapter] {
    let (from, to) = (segment.sourceStart, segment.sourceEnd)
    let shown = source.chapters.filter { chapter in
      if segment.playback == .frozen { return chapter.start <= from && from < chapter.end }
      return chapter.start < to && chapter.end > from
    }
    return segment.playback == .reversed ? shown.reversed() : shown
  }

  /// When a chapter begins in a segment.
  private static func start(of chapter: AssetChapter, in segment: TimelineSegment) -> Rational {
    let distance =
      switch segment.playback {
      case .forward: max(.zero, chapter.start - segment.sourceStart) / segment.speed
      case .reversed: max(.zero, segment.sourceEnd - chapter.end) / segment.speed
      case .frozen: Rational.zero
      }
    return segment.start + distance
  }
}
