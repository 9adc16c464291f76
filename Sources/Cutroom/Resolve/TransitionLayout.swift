import CutroomModel

extension Resolver {
  /// Sorts clips by time, refuses overlaps, and settles the transitions.
  mutating func settle(_ laidOut: inout LaidOutTrack, _ cursor: TrackCursor) {
    guard isFreeOfOverlaps(cursor, laidOut.pointer) else { return }
    let order = cursor.clips.indices.sorted { a, b in
      (cursor.clips[a].start, a) < (cursor.clips[b].start, b)
    }
    var position = Array(repeating: 0, count: order.count)
    for (sorted, original) in order.enumerated() { position[original] = sorted }
    laidOut.clips = order.map { cursor.clips[$0] }
    let pending = cursor.transitions.sorted { position[$0.from] < position[$1.from] }
    for transition in pending where transition.duration > .zero {
      let (from, to) = (position[transition.from], position[transition.to])
      guard to == from + 1 else {
        reportNeighbour(transition, "another clip lies between the two")
        continue
      }
      settle(transition, from, &laidOut)
    }
    checkSpans(laidOut)
  }

  private mutating func isFreeOfOverlaps(_ cursor: TrackCursor, _ pointer: String) -> Bool {
    let order = cursor.occupied.sorted { a, b in (a.start, a.item) < (b.start, b.item) }
    var isFree = true
    var reach: (end: Rational, item: Int)?
    for stretch in order {
      if let before = reach, stretch.start < before.end {
        let later = max(stretch.item, before.item)
        let earlier = min(stretch.item, before.item)
        findings.add(
          .time, .error, .trackOverlap,
          "an item starts at \(stretch.start.inSeconds), but the one it follows ends at "
            + "\(before.end.inSeconds); they overlap by "
            + "\((min(before.end, stretch.end) - stretch.start).inSeconds)",
          at: "\(pointer)/clips/\(later)",
          related: [
            Diagnostic.Related(message: "the other item", pointer: "\(pointer)/clips/\(earlier)")
          ])
        isFree = false
      }
      if reach.map({ $0.end < stretch.end }) ?? true { reach = (stretch.end, stretch.item) }
    }
    return isFree
  }

  private mutating func settle(
    _ pending: PendingTransition, _ from: Int, _ laidOut: inout LaidOutTrack
  ) {
    let (before, after) = sides(of: pending)
    var (outgoing, incoming) = (laidOut.clips[from], laidOut.clips[from + 1])
    let span: Rational
    if pending.transition.isOverlapping {
      guard incoming.start == outgoing.end - pending.duration else {
        return reportNeighbour(pending, "\"at\" keeps the second clip from being pulled to it")
      }
      guard fits(pending, before: pending.duration, after: pending.duration, outgoing, incoming)
      else { return }
      span = incoming.start
      let cut = span + before
      outgoing.duration = cut - outgoing.start
      incoming.clipStart += before
      incoming.duration -= before
      incoming.start = cut
      (laidOut.clips[from], laidOut.clips[from + 1]) = (outgoing, incoming)
    } else {
      guard incoming.start == outgoing.end else {
        return reportNeighbour(
          pending,
          "the first ends at \(outgoing.end.inSeconds) and the second starts at "
            + incoming.start.inSeconds)
      }
      guard fits(pending, before: before, after: after, outgoing, incoming) else { return }
      checkHandles(pending, before, after, outgoing, incoming, laidOut.track.kind)
      span = incoming.start - before
    }
    guard span.isStorable, (span + pending.duration).isStorable else {
      return reportOverflow(at: pending.pointer)
    }
    laidOut.transitions.append(
      TimelineTransition(
        name: pending.transition.name, start: span, duration: pending.duration, from: from,
        to: from + 1, sound: pending.transition.sound, pointer: pending.pointer))
  }

  /// How much of a transition lies before and after its cut; an odd frame goes after it.
  private func sides(of pending: PendingTransition) -> (Rational, Rational) {
    let duration = pending.duration
    let frames = duration * rate.framesPerSecond
    let half =
      frames.isInteger
      ? (frames * Rational(1, 2)).floor : nil
    let center = half.map { Rational($0) / rate.framesPerSecond } ?? duration * Rational(1, 2)
    if pending.transition.isOverlapping { return (center, duration - center) }
    switch pending.transition.alignment {
    case .center: return (center, duration - center)
    case .start: return (.zero, duration)
    case .end: return (duration, .zero)
    }
  }

  private mutating func fits(
    _ pending: PendingTransition, before: Rational, after: Rational, _ outgoing: PlacedClip,
    _ incoming: PlacedClip
  ) -> Bool {
    let sides = [
      (before, outgoing.length, "before", outgoing),
      (after, incoming.length, "after", incoming),
    ]
    for (needed, length, side, clip) in sides where needed > length {
      findings.add(
        .time, .error, .transitionTooLong,
        "the transition takes \(needed.inSeconds) of the clip \(side) it, which lasts only "
          + length.inSeconds, at: pending.pointer + "/duration",
        related: [Diagnostic.Related(message: "the clip \(side) it", pointer: clip.pointer)])
      return false
    }
    return true
  }

  private mutating func checkSpans(_ laidOut: LaidOutTrack) {
    for (first, second) in zip(laidOut.transitions, laidOut.transitions.dropFirst())
    where first.end > second.start {
      findings.add(
        .time, .error, .transitionOverlap,
        "the transition starts at \(second.start.inSeconds), but the one before it ends at "
          + "\(first.end.inSeconds)", at: second.pointer,
        related: [Diagnostic.Related(message: "the one before it", pointer: first.pointer)])
    }
  }
}
