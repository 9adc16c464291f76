import CutroomModel

/// A stretch of a track over which one clip goes through its filters without interruption.
///
/// Parts of a clip that follow each other in the clip and on the timeline are one stretch, and so
/// are the handles that transitions show.
struct FilterRun: Hashable {
  /// The segments.
  var segments: ClosedRange<Int>
  /// The timeline time from which it is shown.
  var start: Rational
  /// The timeline time to which it is shown.
  var end: Rational

  /// The stretch that segment `index` of `track` belongs to.
  init(of index: Int, in track: TimelineTrack) {
    var (first, last) = (index, index)
    while first > 0, Self.continues(track.segments[first - 1], track.segments[first]) { first -= 1 }
    while last + 1 < track.segments.count,
      Self.continues(track.segments[last], track.segments[last + 1])
    { last += 1 }
    segments = first...last
    start = track.segments[first].start
    end = track.segments[last].end
    for transition in track.transitions {
      if segments.contains(transition.to) { start = min(start, transition.start) }
      if segments.contains(transition.from) { end = max(end, transition.end) }
    }
  }

  private static func continues(_ a: TimelineSegment, _ b: TimelineSegment) -> Bool {
    a.pointer == b.pointer && a.source != nil && a.source == b.source && a.end == b.start
      && a.clipRange.upperBound == b.clipRange.lowerBound
      && a.picture.filters == b.picture.filters
  }

  /// The segment that shows `time`, or the nearest to it.
  func segment(at time: Rational, in track: TimelineTrack) -> Int {
    segments.last { track.segments[$0].start <= time } ?? segments.lowerBound
  }
}

extension TimelineTrack {
  /// The stretches whose filters remember pictures.
  var rememberingRuns: [FilterRun] {
    var runs: [FilterRun] = []
    for (index, segment) in segments.enumerated()
    where !segment.isEmpty && !FilterTraits.isPure(segment.picture.filters) {
      guard runs.last.map({ !$0.segments.contains(index) }) ?? true else { continue }
      runs.append(FilterRun(of: index, in: self))
    }
    return runs
  }
}
