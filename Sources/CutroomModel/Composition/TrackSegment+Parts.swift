extension TrackSegment {
  /// The two parts before and after `time`, which lies within; each has the rate of the whole.
  ///
  /// | A         |  →  | A | A     |
  ///       ^ time
  func split(at time: Rational) throws(EditError) -> (before: TrackSegment, after: TrackSegment) {
    let fraction = (time - range.lowerBound) / range.duration
    var (before, after) = (self, self)
    (before.range, after.range) = try Self.divide(range, at: time)
    switch playback {
    case .forward where !isEmpty:
      let cut = sourceRange.lowerBound + sourceRange.duration * fraction
      (before.sourceRange, after.sourceRange) = try Self.divide(sourceRange, at: cut)
    case .reversed:
      let cut = sourceRange.upperBound - sourceRange.duration * fraction
      (after.sourceRange, before.sourceRange) = try Self.divide(sourceRange, at: cut)
    default: break
    }
    if let part = clip?.range {
      let cut = part.lowerBound + part.duration * fraction
      let (first, second) = try Self.divide(part, at: cut)
      before.clip?.range = first
      after.clip?.range = second
    }
    return (before, after)
  }

  private static func divide(
    _ range: Range<Rational>, at cut: Rational
  ) throws(EditError) -> (Range<Rational>, Range<Rational>) {
    guard let before = Range(start: range.lowerBound, end: cut),
      let after = Range(start: cut, end: range.upperBound), before.duration.isValid,
      after.duration.isValid
    else { throw .overflow }
    return (before, after)
  }

  /// The segment at another place, or stretched.
  func placed(from start: Rational, to end: Rational) throws(EditError) -> TrackSegment {
    guard let range = Range(start: start, end: end), range.duration.isValid else {
      throw .overflow
    }
    var moved = self
    moved.range = range
    return moved
  }

  /// Both as one, if `next` goes on where this one ends: the same source, speed and clip.
  func joined(with next: TrackSegment) -> TrackSegment? {
    guard sharedSource == next.sharedSource, playback == next.playback,
      range.upperBound == next.range.lowerBound,
      isEmpty || rate == next.rate && rate?.isValid == true
    else { return nil }
    switch (clip, next.clip) {
    case (nil, nil): break
    case (let part?, let other?) where part.isFollowed(by: other): break
    default: return nil
    }
    var whole = self
    whole.range = range.lowerBound..<next.range.upperBound
    if let part = clip?.range, let other = next.clip?.range {
      whole.clip?.range = part.lowerBound..<other.upperBound
    }
    let (from, to) = (sourceRange, next.sourceRange)
    switch playback {
    case _ where isEmpty: break
    case .forward where from.upperBound == to.lowerBound:
      whole.sourceRange = from.lowerBound..<to.upperBound
    case .reversed where from.lowerBound == to.upperBound:
      whole.sourceRange = to.lowerBound..<from.upperBound
    case .frozen where from == to: break
    default: return nil
    }
    // A length beyond 128 bits is none of a track.
    return whole.duration.isValid && whole.sourceRange.duration.isValid ? whole : nil
  }

  /// Refuses what no track can hold; `index` names the segment.
  func check(_ index: Int) throws(EditError) {
    guard range.isNumeric, duration.isValid, duration > .zero else {
      throw .segmentDuration(segment: index, duration: duration)
    }
    guard let source else { return }
    let (start, length) = (sourceRange.lowerBound, sourceRange.duration)
    guard start.isValid else { throw .sourceStart(segment: index, start: start) }
    let isLong = playback == .frozen ? length == .zero : length > .zero
    guard length.isValid, isLong else { throw .sourceDuration(segment: index, duration: length) }
    guard let extent = source.extent else {
      if start < .zero { throw .sourceStart(segment: index, start: start) }
      return
    }
    let isInside =
      playback == .frozen
      ? extent.contains(start)
      : extent.lowerBound <= start && sourceRange.upperBound <= extent.upperBound
    guard isInside else {
      if start < .zero, extent.lowerBound >= .zero {
        throw .sourceStart(segment: index, start: start)
      }
      throw .outsideSource(id: source.id, asked: sourceRange, available: extent)
    }
  }
}
