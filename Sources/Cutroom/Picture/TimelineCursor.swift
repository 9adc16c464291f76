import CutroomModel

/// What lies on one track at a time, found quickly when times rise.
struct TimelineCursor {
  /// What lies at a time.
  enum Place: Equatable {
    case nothing
    /// The segment with this index.
    case segment(Int)
    /// Both sides of a transition: the index of the transition.
    case transition(Int)
  }

  let track: TimelineTrack
  private var segment = 0
  private var transition = 0

  init(_ track: TimelineTrack) { self.track = track }

  /// What lies at timeline time `time`.
  mutating func place(at time: Rational) -> Place {
    if transition > 0, track.transitions[transition - 1].end > time { transition = 0 }
    while transition < track.transitions.count, track.transitions[transition].end <= time {
      transition += 1
    }
    if transition < track.transitions.count, track.transitions[transition].start <= time {
      return .transition(transition)
    }
    if segment >= track.segments.count || track.segments[segment].start > time
      || track.segments[segment].end <= time
    {
      guard let found = track.segmentIndex(at: time) else { return .nothing }
      segment = found
    }
    return track.segments[segment].isEmpty ? .nothing : .segment(segment)
  }
}
