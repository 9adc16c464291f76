/// A stretch of time: a start, and a duration after which it ends; the end is not part of it.
public struct TimeRange: Hashable, Sendable {
  /// The first time.
  public var start: MediaTime
  /// The length.
  public var duration: MediaTime

  /// Creates a range; ``invalid`` if the duration has an epoch.
  public init(start: MediaTime, duration: MediaTime) {
    self.start = start
    self.duration = duration
    if duration.isNumeric, duration.epoch != 0 { self = .invalid }
  }

  /// Creates the range from `start` up to `end`; ``invalid`` if the end is earlier or in another
  /// epoch.
  public init(from start: MediaTime, to end: MediaTime) {
    guard start.isValid, end.isValid, end >= start,
      !start.isNumeric || !end.isNumeric
        || start.epoch == end.epoch
    else {
      self = .invalid
      return
    }
    self.init(start: start, duration: end - start)
  }

  /// No range.
  public static let invalid = TimeRange(unchecked: .invalid, .invalid)
  /// The empty range at 0.
  public static let zero = TimeRange(unchecked: .zero, .zero)

  private init(unchecked start: MediaTime, _ duration: MediaTime) {
    self.start = start
    self.duration = duration
  }

  /// The end, which is not part of the range.
  public var end: MediaTime { start + duration }
  /// Whether start and duration are times and the duration is 0 or more.
  public var isValid: Bool {
    start.isValid && duration.isValid && duration >= .zero
      && (!duration.isNumeric || duration.epoch == 0)
  }
  /// Whether nothing lies in it.
  public var isEmpty: Bool { isValid && duration == .zero }
  /// Whether its place or length is not known.
  public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

  // MARK: Containment

  /// Whether `time` lies in the range; the end does not.
  public func contains(_ time: MediaTime) -> Bool {
    guard isValid, time.isNumeric, !isIndefinite else { return false }
    return start <= time && time < end
  }

  /// Whether all of `other` lies in the range; an empty one does if its start does.
  public func contains(_ other: TimeRange) -> Bool {
    guard isValid, other.isValid, !isEmpty else { return false }
    return other.isEmpty ? contains(other.start) : contains(other.start) && other.end <= end
  }

  // MARK: Ranges of two

  /// What lies in both; the zero range at 0 where nothing does, ``invalid`` across epochs.
  public func intersection(_ other: TimeRange) -> TimeRange {
    guard isValid, other.isValid, isSameEpoch(other) else { return .invalid }
    let (from, to) = (max(start, other.start), min(end, other.end))
    return from < to ? TimeRange(from: from, to: to) : .zero
  }

  /// The smallest range that covers both; an empty one adds nothing.
  ///
  /// ``invalid`` across epochs.
  public func union(_ other: TimeRange) -> TimeRange {
    guard isValid, other.isValid, isSameEpoch(other) else { return .invalid }
    if isEmpty { return other }
    if other.isEmpty { return self }
    return TimeRange(from: min(start, other.start), to: max(end, other.end))
  }

  private func isSameEpoch(_ other: TimeRange) -> Bool {
    !start.isNumeric || !other.start.isNumeric || start.epoch == other.start.epoch
  }

  // MARK: Moving times into the range

  /// The nearest time of the range, its end included; ``MediaTime/invalid`` for an empty range.
  public func clamp(_ time: MediaTime) -> MediaTime {
    guard isValid, !isEmpty, time.isValid else { return .invalid }
    return min(max(time, start), end)
  }

  /// The time of the range that a loop over it shows at `time`; ``MediaTime/invalid`` for an empty
  /// range.
  public func fold(_ time: MediaTime) -> MediaTime {
    guard isValid, !isEmpty, let first = start.seconds, let length = duration.seconds,
      let seconds = time.seconds
    else { return .invalid }
    let distance = seconds - first
    let rest = distance - Rational((distance / length).floor) * length
    return MediaTime(nearest: first + rest, epoch: start.epoch)
  }

  // MARK: Mapping

  /// The time of `target` that lies as `time` lies in this range; also outside of it.
  ///
  /// ``MediaTime/invalid`` if either range is empty, or the time is of another epoch. Between
  /// ranges without end only the offset counts.
  public func map(_ time: MediaTime, to target: TimeRange) -> MediaTime {
    guard isValid, target.isValid, !isEmpty, !target.isEmpty, time.isNumeric, start.isNumeric,
      time.epoch == start.epoch
    else { return .invalid }
    if duration.isPositiveInfinity && target.duration.isPositiveInfinity {
      return time - start + target.start
    }
    guard let from = start.seconds, let to = target.start.seconds, let seconds = time.seconds,
      let factor = factor(to: target)
    else { return .invalid }
    return MediaTime(nearest: (seconds - from) * factor + to, epoch: target.start.epoch)
  }

  /// The length in `target` of a `length` in this range; ``MediaTime/invalid`` if either is empty.
  public func mapDuration(_ length: MediaTime, to target: TimeRange) -> MediaTime {
    guard isValid, target.isValid, !isEmpty, !target.isEmpty, length.isNumeric, length.epoch == 0
    else { return .invalid }
    if duration.isPositiveInfinity && target.duration.isPositiveInfinity { return length }
    guard let seconds = length.seconds, let factor = factor(to: target) else { return .invalid }
    return MediaTime(nearest: seconds * factor)
  }

  private func factor(to target: TimeRange) -> Rational? {
    guard let from = duration.seconds, let to = target.duration.seconds else { return nil }
    return to / from
  }
}

/// How a stretch of a source lies on a timeline.
public struct TimeMapping: Hashable, Sendable {
  /// The stretch of the source; without a start for an empty edit.
  public var source: TimeRange
  /// Its place on the timeline.
  public var target: TimeRange

  /// Creates a mapping; its target is invalid if a duration has an epoch.
  public init(source: TimeRange, target: TimeRange) {
    let hasEpoch = source.duration.isNumeric && source.duration.epoch != 0
    self.source = source
    self.target = hasEpoch ? .invalid : target
  }

  /// Creates an empty edit: nothing is shown over `target`.
  public init(emptyAt target: TimeRange) { self.init(source: .invalid, target: target) }

  /// Whether the target is a range.
  public var isValid: Bool { target.isValid }
  /// Whether nothing is shown: the source has no start.
  public var isEmpty: Bool { isValid && !source.start.isNumeric }
  /// Source seconds per second of the timeline; `nil` for an empty edit and without lengths.
  public var rate: Rational? {
    guard isValid, !isEmpty, let from = source.duration.seconds, let to = target.duration.seconds,
      to != .zero
    else { return nil }
    return from / to
  }

  /// The source time that is shown at `time`.
  public func sourceTime(at time: MediaTime) -> MediaTime { target.map(time, to: source) }

  /// When `time` of the source is shown.
  public func targetTime(of time: MediaTime) -> MediaTime { source.map(time, to: target) }
}
