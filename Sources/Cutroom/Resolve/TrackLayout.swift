import CutroomModel

/// A track whose items have their places.
struct LaidOutTrack {
  var track: DocumentTrack
  var index: Int
  /// The clips by time; they neither overlap nor, after transitions are settled, leave cuts open.
  var clips: [PlacedClip] = []
  /// The factor on its sound, with keyframes in seconds.
  var gain: Animated<Gain> = .constant(.unity)
  /// The factor on its opacity, with keyframes in seconds.
  var opacity: Animated<Rational> = 1
  /// The transitions by time; `from` and `to` are indices into ``clips``.
  var transitions: [TimelineTransition] = []
  /// Whether every clip's place is known.
  var isComplete = true

  var pointer: String { "/tracks/\(index)" }
  var end: Rational { clips.last.map(\.end) ?? .zero }
}

/// A transition on its way: between which clips of the file's order it stands.
struct PendingTransition {
  var item: Int
  var transition: TransitionItem
  var duration: Rational
  /// The clips before and after it, as indices into the clips in the file's order.
  var from: Int
  var to: Int
  var pointer: String
}

/// The state of laying out one track.
struct TrackCursor {
  var time: Rational = .zero
  var isKnown = true
  var clips: [PlacedClip] = []
  /// Occupied stretches in the file's order, gaps included.
  var occupied: [(start: Rational, end: Rational, item: Int)] = []
  var transitions: [PendingTransition] = []
  /// A transition that waits for the clip after it.
  var open: PendingTransition?
  /// Whether the item before is a clip whose place is known, or one of an unknown place.
  var previous = Previous.none

  enum Previous {
    case none, gap, clip, unknown
  }
}

extension Resolver {
  /// Gives every item of a track its place.
  mutating func layOut(_ track: DocumentTrack, index: Int) -> LaidOutTrack {
    var laidOut = LaidOutTrack(track: track, index: index)
    laidOut.gain = timed(track.gain, at: laidOut.pointer + "/gain")
    laidOut.opacity = timed(track.opacity, at: laidOut.pointer + "/opacity")
    checkOpacity(track.opacity, at: laidOut.pointer + "/opacity")
    var cursor = TrackCursor()
    for (itemIndex, item) in track.items.enumerated() {
      let pointer = "\(laidOut.pointer)/clips/\(itemIndex)"
      switch item {
      case .clip(let clip):
        place(clip, itemIndex, track.kind, pointer, &cursor)
      case .gap(let length, let at):
        placeGap(length, at, itemIndex, track.kind, pointer, &cursor)
      case .transition(let transition):
        openTransition(transition, itemIndex, pointer, &cursor)
      }
    }
    if let open = cursor.open { reportNeighbour(open, "no clip follows it") }
    laidOut.isComplete = cursor.isKnown && !isFlawed(laidOut.pointer)
    guard laidOut.isComplete else { return laidOut }
    settle(&laidOut, cursor)
    return laidOut
  }

  private mutating func place(
    _ clip: Clip, _ item: Int, _ kind: DocumentTrack.Kind, _ pointer: String,
    _ cursor: inout TrackCursor
  ) {
    let open = cursor.open
    cursor.open = nil
    let at = clip.at.map { length($0, at: pointer + "/at") }
    if kind != .audio, let at, let at {
      noteOffGrid(at, "at", pointer + "/at", SourceGrid(rate: rate))
    }
    guard let source = sourceIndices[clip.source], !isFlawed(pointer),
      let range = range(of: clip, kind, sources[source], pointer), at != .some(nil)
    else {
      cursor.isKnown = false
      cursor.previous = .unknown
      return
    }
    var start = (at ?? nil) ?? cursor.time
    if let open, open.transition.isOverlapping, at == nil { start = cursor.time - open.duration }
    noteSmallGap(before: start, kind, clip, pointer, cursor)
    guard start.isStorable, (start + range.length).isStorable, start >= .zero else {
      cursor.isKnown = false
      cursor.previous = .unknown
      if start >= .zero || !start.isStorable { reportOverflow(at: pointer) }
      return
    }
    guard let placed = placedClip(clip, item, kind, source, range, start, pointer) else {
      cursor.isKnown = false
      cursor.previous = .unknown
      return
    }
    if let open {
      var closed = open
      closed.to = cursor.clips.count
      cursor.transitions.append(closed)
    }
    cursor.clips.append(placed)
    let overlap = open?.transition.isOverlapping == true ? open?.duration ?? .zero : .zero
    cursor.occupied.append((start + overlap, placed.end, item))
    cursor.time = placed.end
    cursor.previous = .clip
  }

  /// A clip at its place, with its settings checked; `nil` with a finding where that is impossible.
  mutating func placedClip(
    _ clip: Clip, _ item: Int, _ kind: DocumentTrack.Kind, _ source: Int, _ range: ClipRange,
    _ start: Rational, _ pointer: String
  ) -> PlacedClip? {
    guard let pieces = pieces(of: range, clip, sources[source], pointer) else { return nil }
    var placed = PlacedClip(
      clip: clip, item: item, source: source, pieces: pieces, start: start,
      duration: range.length, length: range.length, speed: range.speed,
      showsPicture: kind != .audio && kind != .subtitle && clip.picture != nil
        && sources[source].picture != nil && clip.isEnabled,
      sounds: kind != .video && kind != .subtitle && clip.sound != nil
        && sources[source].sound != nil && clip.isEnabled,
      showsText: kind == .subtitle && sources[source].subtitle != nil && clip.isEnabled,
      pointer: pointer)
    checkDecoders(placed, sources[source])
    placed.picture = checkPicture(clip, kind, sources[source], pointer)
    checkSound(clip, kind, &placed)
    return placed
  }

  private mutating func placeGap(
    _ expression: TimeExpression, _ at: TimeExpression?, _ item: Int,
    _ kind: DocumentTrack.Kind, _ pointer: String, _ cursor: inout TrackCursor
  ) {
    if let open = cursor.open { reportNeighbour(open, "a gap follows it") }
    cursor.open = nil
    cursor.previous = .gap
    let start = at.map { length($0, at: pointer + "/at") }
    guard !isFlawed(pointer), let duration = length(expression, at: pointer + "/gap"),
      start != .some(nil)
    else {
      cursor.isKnown = false
      return
    }
    if kind != .audio { noteOffGrid(duration, "gap", pointer + "/gap", SourceGrid(rate: rate)) }
    let begin = (start ?? nil) ?? cursor.time
    let end = begin + duration
    guard end.isStorable else {
      cursor.isKnown = false
      return reportOverflow(at: pointer)
    }
    if duration > .zero { cursor.occupied.append((begin, end, item)) }
    cursor.time = end
  }

  private mutating func openTransition(
    _ transition: TransitionItem, _ item: Int, _ pointer: String, _ cursor: inout TrackCursor
  ) {
    if let open = cursor.open { reportNeighbour(open, "another transition follows it") }
    cursor.open = nil
    let duration = length(transition.duration, at: pointer + "/duration")
    guard !isFlawed(pointer), let duration else {
      cursor.isKnown = false
      return
    }
    let pending = PendingTransition(
      item: item, transition: transition, duration: duration, from: cursor.clips.count - 1,
      to: 0, pointer: pointer)
    switch cursor.previous {
    case .none: reportNeighbour(pending, "no clip stands before it")
    case .gap: reportNeighbour(pending, "a gap stands before it")
    case .unknown: break
    case .clip: cursor.open = pending
    }
  }

  mutating func reportNeighbour(_ open: PendingTransition, _ reason: String) {
    findings.add(
      .time, .error, .transitionNeighbours,
      "a transition needs a clip on both sides of its cut, but \(reason)", at: open.pointer)
  }

  mutating func reportOverflow(at pointer: String) {
    findings.add(
      .time, .error, .timeOverflow,
      "its place on the timeline does not fit a 64-bit value over its timescale", at: pointer)
  }
}
