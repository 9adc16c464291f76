import CutroomModel

extension Resolver {
  /// The chapters of the timeline, whose end is `end` where that is known.
  mutating func chapters(_ timeline: Timeline, end: Rational?) -> [TimelineChapter] {
    switch document.chapters {
    case .keep: return keptChapters(timeline)
    case .clips: return []
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
      noteOffGrid(start, "at", pointer + "/at", rate, .zero)
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

  /// The sources' chapters, mapped through the lowest track that has any.
  private func keptChapters(_ timeline: Timeline) -> [TimelineChapter] {
    for track in timeline.tracks {
      var chapters: [TimelineChapter] = []
      for segment in track.segments {
        guard let index = segment.source else { continue }
        let end = segment.sourceStart + segment.sourceDuration
        for chapter in sources[index].chapters
        where chapter.start < end && chapter.end > segment.sourceStart && !chapter.title.isEmpty {
          let start = segment.start + max(.zero, chapter.start - segment.sourceStart)
          if let last = chapters.last, last.start >= start || last.title == chapter.title {
            continue
          }
          chapters.append(TimelineChapter(start: start, title: chapter.title))
        }
      }
      if !chapters.isEmpty { return chapters }
    }
    return []
  }
}
