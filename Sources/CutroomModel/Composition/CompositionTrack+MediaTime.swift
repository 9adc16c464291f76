/// The edits of a track with times as AVFoundation has them.
///
/// They are exact as well: times are taken as the numbers they are, and never rounded. A range that
/// is invalid, infinite, indefinite, negative, or of an epoch other than 0 is refused.
extension CompositionTrack {
  /// Inserts a range of a source; an invalid time means the end.
  public mutating func insert(
    _ range: TimeRange, of source: SourceTrack, at time: MediaTime = .invalid
  ) throws(EditError) {
    try insert(range.checkedSeconds(), of: source, at: time.place())
  }

  /// Inserts a range of each source one after the other, all or none.
  ///
  /// Without a source, a range that has no valid start is an empty segment of its duration. Throws
  /// ``EditError/countMismatch(ranges:sources:)`` unless there are as many ranges as sources.
  public mutating func insert(
    _ ranges: [TimeRange], of sources: [SourceTrack?], at time: MediaTime = .invalid
  ) throws(EditError) {
    guard ranges.count == sources.count else {
      throw .countMismatch(ranges: ranges.count, sources: sources.count)
    }
    var pieces: [TrackSegment] = []
    for (range, source) in zip(ranges, sources) {
      if let source {
        pieces.append(.media(source, try range.checkedSeconds()))
      } else {
        pieces.append(.empty(try range.duration.checkedSeconds("a duration")))
      }
    }
    try insert(pieces, at: time.place())
  }

  /// Opens a hole; see the same with exact seconds.
  @discardableResult
  public mutating func insertEmpty(_ range: TimeRange) throws(EditError) -> Bool {
    try insertEmpty(range.checkedSeconds())
  }

  /// Takes a stretch out; see the same with exact seconds.
  @discardableResult
  public mutating func remove(_ range: TimeRange) throws(EditError) -> Bool {
    try remove(range.checkedSeconds())
  }

  /// Makes a stretch last `duration`; see the same with exact seconds.
  @discardableResult
  public mutating func scale(
    _ range: TimeRange, to duration: MediaTime
  ) throws(EditError) -> Bool {
    try scale(range.checkedSeconds(), to: duration.checkedSeconds("a duration"))
  }

  /// The segment that holds `time`, else the nearest one; `nil` for an empty track.
  public func segment(at time: MediaTime) -> TrackSegment? {
    if time.isPositiveInfinity { return segments.last }
    if time.isNegativeInfinity { return segments.first }
    return time.seconds.flatMap { segment(at: $0) }
  }

  /// The range of the track: from 0 to its end; ``TimeRange/invalid`` where 64-bit times do not
  /// hold it.
  public var timeRange: TimeRange { (0..<duration).timeRange ?? .invalid }
}

extension Composition {
  /// Inserts a range of a whole source into all tracks; an invalid time means the end.
  public mutating func insert(
    _ range: TimeRange, of sources: [SourceTrack], at time: MediaTime = .invalid
  ) throws(EditError) {
    try insert(range.checkedSeconds(), of: sources, at: time.place())
  }

  /// Opens a hole in all tracks.
  @discardableResult
  public mutating func insertEmpty(_ range: TimeRange) throws(EditError) -> Bool {
    try insertEmpty(range.checkedSeconds())
  }

  /// Takes a stretch out of all tracks.
  @discardableResult
  public mutating func remove(_ range: TimeRange) throws(EditError) -> Bool {
    try remove(range.checkedSeconds())
  }

  /// Makes a stretch of all tracks last `duration`.
  @discardableResult
  public mutating func scale(
    _ range: TimeRange, to duration: MediaTime
  ) throws(EditError) -> Bool {
    try scale(range.checkedSeconds(), to: duration.checkedSeconds("a duration"))
  }
}

extension TimeRange {
  func checkedSeconds() throws(EditError) -> Range<Rational> {
    guard let seconds else {
      throw .invalidTime("a range from \(start) that lasts \(duration) is none of a track")
    }
    return seconds
  }
}

extension MediaTime {
  func checkedSeconds(_ what: String) throws(EditError) -> Rational {
    guard let seconds, epoch == 0 else { throw .invalidTime("\(what) is \(self)") }
    return seconds
  }

  /// A place on a track; `nil` for the end, which an invalid time stands for.
  func place() throws(EditError) -> Rational? {
    isValid ? try checkedSeconds("a place") : nil
  }
}
