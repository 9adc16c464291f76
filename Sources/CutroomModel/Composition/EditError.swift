/// Why an edit, or a list of segments, was refused; what it was asked of is as it was before.
public enum EditError: Error, Hashable, Sendable {
  /// A segment does not start where the one before ends, or the first not at 0: −11824.
  case notContiguous(segment: Int, start: Rational, expected: Rational)
  /// A segment whose length on the track is not above 0, or is no number: −11825.
  case segmentDuration(segment: Int, duration: Rational)
  /// A segment whose source range begins at no number or before 0: −11826.
  case sourceStart(segment: Int, start: Rational)
  /// A segment whose source range has no length, or one that is no number: −11827.
  case sourceDuration(segment: Int, duration: Rational)
  /// A source range that is not within the source: −11826 or −11827, by the end that is outside.
  case outsideSource(id: String, asked: Range<Rational>, available: Range<Rational>)
  /// A range without length where only a length has a meaning.
  case emptyRange(Range<Rational>)
  /// A time or a range that is negative, infinite, of another epoch, or no number.
  case invalidTime(String)
  /// A duration that is not above 0.
  case invalidDuration(Rational)
  /// Media of one kind for a track of another.
  case wrongKind(asked: CompositionTrack.Kind, track: CompositionTrack.Kind)
  /// A track that the composition does not have.
  case unknownTrack(TrackID)
  /// As many ranges as sources are needed.
  case countMismatch(ranges: Int, sources: Int)
  /// Compositions in compositions, deeper than is allowed.
  case nestedTooDeep(limit: Int)
  /// A source that nothing declares.
  case unknownSource(String)
  /// An exact position that does not fit 128 bits.
  case overflow

  /// The stable code.
  public var code: DiagnosticCode {
    switch self {
    case .notContiguous: .segmentNotContiguous
    case .segmentDuration, .invalidDuration: .segmentDuration
    case .sourceStart: .segmentSourceStart
    case .sourceDuration: .segmentSourceDuration
    case .outsideSource(_, let asked, let available):
      asked.lowerBound < available.lowerBound ? .rangeBeforeStart : .rangePastEnd
    case .emptyRange: .rangeEmpty
    case .invalidTime: .timeInvalid
    case .wrongKind: .trackKind
    case .unknownTrack: .referenceUnknownTrack
    case .unknownSource: .referenceUnknownSource
    case .countMismatch: .editCounts
    case .nestedTooDeep: .compositionDepth
    case .overflow: .timeOverflow
    }
  }

  /// AVFoundation's number for the same mistake, where it has one.
  public var avFoundationNumber: Int? { code.avFoundationNumber }

  /// What would mend it, where that is known.
  public var fix: String? {
    switch self {
    case .outsideSource(_, let asked, let available):
      asked.overlaps(available)
        ? "use \(asked.clamped(to: available).text), which the source has"
        : nil
    case .notContiguous(_, let start, let expected) where start > expected:
      "fill the gap with an empty segment from \(expected.secondsText) to \(start.secondsText)"
    case .countMismatch: "give one source, or none for an empty segment, with each range"
    default: nil
    }
  }
}

extension EditError: CustomStringConvertible {
  /// One sentence with the actual and the allowed values.
  public var description: String {
    switch self {
    case .notContiguous(let index, let start, let expected):
      "segment \(index) starts at \(start.secondsText), but must start at \(expected.secondsText)"
    case .segmentDuration(let index, let duration):
      "segment \(index) lasts \(duration.secondsText), but must last longer than 0s"
    case .sourceStart(let index, let start):
      "segment \(index) begins at \(start.secondsText) of its source, but sources begin at 0s"
    case .sourceDuration(let index, let duration):
      "segment \(index) shows \(duration.secondsText) of its source, but must show more than 0s"
    case .outsideSource(let id, let asked, let available):
      "'\(id)' is asked for \(asked.text), but has only \(available.text)"
    case .emptyRange(let range): "the range \(range.text) has no length"
    case .invalidTime(let what): what
    case .invalidDuration(let duration):
      "the duration is \(duration.secondsText), but must be above 0s"
    case .wrongKind(let asked, let track):
      "\(asked.rawValue) cannot lie on \(track == .audio ? "an" : "a") \(track.rawValue) track"
    case .unknownTrack(let id): "there is no track with the id \(id.rawValue)"
    case .unknownSource(let id): "there is no source '\(id)'"
    case .countMismatch(let ranges, let sources):
      "there are \(ranges) ranges, but \(sources) sources"
    case .nestedTooDeep(let limit): "compositions lie more than \(limit) deep in each other"
    case .overflow: "a position does not fit a fraction of 128-bit numbers"
    }
  }
}
