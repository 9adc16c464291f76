extension CompositionTrack {
  // MARK: Inserting

  /// Inserts a range of a source at its own speed; without `time` at the end.
  ///
  /// What lies at `time` is split, and what follows moves right by the range's length. Past the end
  /// the gap becomes an empty segment.
  ///
  /// | A     | B |  →  | A | C | A | B |     inserting C at ^
  ///     ^
  /// | A |          →  | A |     | C |
  ///           ^
  ///
  /// Throws ``EditError/outsideSource(id:asked:available:)`` where the source does not have the
  /// whole range (``SourceTrack/clamping(_:)`` gives what it has), ``EditError/emptyRange(_:)``,
  /// ``EditError/wrongKind(asked:track:)``, and ``EditError/invalidTime(_:)`` for a time before 0.
  public mutating func insert(
    _ range: Range<Rational>, of source: SourceTrack, at time: Rational? = nil
  ) throws(EditError) {
    guard range.isNumeric else {
      throw .invalidTime("a range to insert has an end that is no number")
    }
    guard !range.isEmpty else { throw .emptyRange(range) }
    try insert([.media(source, range)], at: time)
  }

  /// Inserts several pieces one after the other, all or none; without `time` at the end.
  ///
  /// Each piece gives what it shows and how long; its own place does not count. Empty pieces at the
  /// end of the track have no effect.
  ///
  /// | A     |  →  | A | C |   | D | A |
  ///     ^
  public mutating func insert(
    _ pieces: [TrackSegment], at time: Rational? = nil
  ) throws(EditError) {
    let time = time ?? duration
    guard time.isValid, time >= .zero else {
      throw .invalidTime("a place at \(time.secondsText) is not on a track, which begins at 0s")
    }
    for (index, piece) in pieces.enumerated() {
      try piece.check(index)
      if let source = piece.source, source.kind != kind {
        throw .wrongKind(asked: source.kind, track: kind)
      }
    }
    var pieces = pieces
    if time >= duration {
      while pieces.last?.isEmpty == true { pieces.removeLast() }
      if time > duration, !pieces.isEmpty {
        let gap = time - duration
        guard gap.isValid else { throw .overflow }
        pieces.insert(.empty(gap), at: 0)
      }
    }
    guard !pieces.isEmpty else { return }
    let (index, before, after) = try cut(at: time)
    var tail = before.map { [$0] } ?? []
    var end = min(time, duration)
    for piece in pieces {
      let piece = try piece.placed(from: end, to: end + piece.duration)
      end = piece.range.upperBound
      tail.append(piece)
    }
    try append(after, segments[(before == nil ? index : index + 1)...], from: &end, to: &tail)
    segments.replaceSubrange(index..., with: tail)
  }

  /// Opens a hole: what lies at the range's start and after it moves right by the range's length.
  ///
  /// | A     | B |  →  | A |     | A | B |
  ///     ^
  ///
  /// At the end and after it there is nothing to move, and nothing happens: a track does not end
  /// with an empty segment. The result says whether anything changed.
  @discardableResult
  public mutating func insertEmpty(_ range: Range<Rational>) throws(EditError) -> Bool {
    try check(range)
    guard range.lowerBound < duration else { return false }
    try insert([.empty(range.duration)], at: range.lowerBound)
    return true
  }

  // MARK: Removing

  /// Takes a stretch out, and pulls what follows to the left.
  ///
  /// | A     | B     | C |  →  | A | B | C |
  ///     ^       ^
  ///
  /// What of the range lies after the end does not count; the track stays even if nothing is left.
  /// The result says whether anything changed.
  @discardableResult
  public mutating func remove(_ range: Range<Rational>) throws(EditError) -> Bool {
    try check(range)
    guard range.lowerBound < duration else { return false }
    let (first, before, _) = try cut(at: range.lowerBound)
    let (last, covered, after) = try cut(at: range.upperBound)
    var tail = before.map { [$0] } ?? []
    var end = range.lowerBound
    try append(after, segments[(covered == nil ? last : last + 1)...], from: &end, to: &tail)
    while let last = tail.last, last.isEmpty { tail.removeLast() }
    segments.replaceSubrange(first..., with: tail)
    if tail.isEmpty { dropEmptyEnd() }
    return true
  }

  /// A track does not end with an empty segment.
  private mutating func dropEmptyEnd() {
    while segments.last?.isEmpty == true { segments.removeLast() }
  }

  // MARK: Scaling

  /// Makes a stretch last `duration`: each segment in it keeps its source and changes its speed.
  ///
  /// | A     | B     |  →  | A |A|B| B |
  ///     ^       ^
  ///
  /// Of a range that goes beyond the end, the part on the track is scaled by the same factor, so
  /// that tracks of different lengths stay in step. The result says whether anything changed.
  @discardableResult
  public mutating func scale(
    _ range: Range<Rational>, to duration: Rational
  ) throws(EditError) -> Bool {
    try check(range)
    guard duration.isValid, duration > .zero else { throw .invalidDuration(duration) }
    guard range.lowerBound < self.duration else { return false }
    let start = range.lowerBound
    let factor = duration / range.duration
    let (first, before, head) = try cut(at: start)
    let (last, covered, after) = try cut(at: range.upperBound)
    var scaled: [TrackSegment] = []
    if let head, first == last, covered != nil {
      scaled = [try head.split(at: range.upperBound).before]
    } else {
      if let head { scaled.append(head) }
      let from = before == nil ? first : first + 1
      if from < last { scaled += segments[from..<last] }
      if let covered { scaled.append(covered) }
    }
    var tail = before.map { [$0] } ?? []
    var end = start
    for segment in scaled {
      let upper = start + (segment.range.upperBound - start) * factor
      tail.append(try segment.placed(from: end, to: upper))
      end = upper
    }
    try append(after, segments[(covered == nil ? last : last + 1)...], from: &end, to: &tail)
    segments.replaceSubrange(first..., with: tail)
    return true
  }

  // MARK: Steps

  private func check(_ range: Range<Rational>) throws(EditError) {
    guard range.isNumeric, range.lowerBound >= .zero else {
      throw .invalidTime("a range from \(range.text) is not on a track, which begins at 0s")
    }
    guard !range.isEmpty else { throw .emptyRange(range) }
  }

  /// Where `time` cuts: the segment's index and its two parts, if it lies within one; at a boundary
  /// the index of the segment behind it.
  private func cut(
    at time: Rational
  ) throws(EditError) -> (index: Int, before: TrackSegment?, after: TrackSegment?) {
    let index = firstIndex(endingAfter: time)
    guard index < segments.count, segments[index].range.lowerBound < time else {
      return (index, nil, nil)
    }
    let (before, after) = try segments[index].split(at: time)
    return (index, before, after)
  }

  /// Lays `first` and `rest` from `end` on.
  private func append(
    _ first: TrackSegment?, _ rest: ArraySlice<TrackSegment>, from end: inout Rational,
    to tail: inout [TrackSegment]
  ) throws(EditError) {
    guard let origin = first?.range.lowerBound ?? rest.first?.range.lowerBound else { return }
    let shift = end - origin
    tail.reserveCapacity(tail.count + rest.count + 1)
    if let first {
      tail.append(try first.placed(from: end, to: first.range.upperBound + shift))
      end = first.range.upperBound + shift
    }
    for segment in rest {
      let upper = segment.range.upperBound + shift
      tail.append(try segment.placed(from: end, to: upper))
      end = upper
    }
  }
}
