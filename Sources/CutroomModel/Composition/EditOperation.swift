/// One editing operation as a value: to be stored, listed, and applied with others.
public enum EditOperation: Hashable, Sendable {
  /// Pieces side by side, each on the next selected track of its kind; without a time at the end.
  case insert([TrackSegment], at: Rational?, into: TrackSelection)
  /// A hole.
  case insertEmpty(Range<Rational>, in: TrackSelection)
  /// A stretch less.
  case remove(Range<Rational>, from: TrackSelection)
  /// A stretch that lasts as long as stated.
  case scale(Range<Rational>, to: Rational, in: TrackSelection)
}

/// Why a list of edits was refused.
public struct EditFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The index of the first edit that cannot be made.
  public var edit: Int
  /// Why.
  public var error: EditError

  /// Creates a failure.
  public init(edit: Int, error: EditError) {
    self.edit = edit
    self.error = error
  }

  /// One sentence with the edit's number, counted from 0, and the reason.
  public var description: String { "edit \(edit): \(error.description)" }
}

extension Composition {
  /// Makes one edit.
  ///
  /// The result says whether anything changed.
  @discardableResult
  public mutating func apply(_ edit: EditOperation) throws(EditError) -> Bool {
    switch edit {
    case .insert(let pieces, let time, let selection):
      try insert(pieces, at: time, into: selection)
      return true
    case .insertEmpty(let range, let selection): return try insertEmpty(range, in: selection)
    case .remove(let range, let selection): return try remove(range, from: selection)
    case .scale(let range, let duration, let selection):
      return try scale(range, to: duration, in: selection)
    }
  }

  /// Makes all edits in their order, or none: where one fails, the composition stays as it was.
  ///
  /// The result has the indices of the edits that changed nothing, such as removing what lies after
  /// the end; these are worth a warning.
  @discardableResult
  public mutating func apply(_ edits: [EditOperation]) throws(EditFailure) -> [Int] {
    var result = self
    var idle: [Int] = []
    for (index, edit) in edits.enumerated() {
      do {
        if try !result.apply(edit) { idle.append(index) }
      } catch {
        throw EditFailure(edit: index, error: error)
      }
    }
    self = result
    return idle
  }
}

extension EditOperation {
  /// Creates the operation that an edit of a document asks for.
  ///
  /// `rate` is the timeline's; `tracks` gives the tracks of a document's id, and `pieces` what a
  /// clip puts on tracks: one piece of its picture, one of its sound. Throws
  /// ``EditError/invalidTime(_:)`` for times that are none at that rate and ranges that end before
  /// they start, and what the closures throw.
  public init(
    _ edit: DocumentEdit, at rate: FrameRate,
    tracks: (String) throws(EditError) -> [TrackID],
    pieces: (Clip) throws(EditError) -> [TrackSegment]
  ) throws(EditError) {
    let selection: TrackSelection
    if let id = edit.track { selection = .tracks(try tracks(id)) } else { selection = .all }
    switch edit.operation {
    case .insert(let clip, let time):
      let place: Rational?
      if let time { place = try Self.seconds(time, rate) } else { place = nil }
      self = .insert(try pieces(clip), at: place, into: selection)
    case .insertEmpty(let range):
      self = .insertEmpty(try Self.seconds(range, rate), in: selection)
    case .remove(let range): self = .remove(try Self.seconds(range, rate), from: selection)
    case .scale(let range, let duration):
      self = .scale(
        try Self.seconds(range, rate), to: try Self.seconds(duration, rate), in: selection)
    }
  }

  private static func seconds(
    _ time: TimeExpression, _ rate: FrameRate
  ) throws(EditError) -> Rational {
    let seconds = time.seconds(at: rate)
    guard seconds.isValid else {
      throw .invalidTime("a timecode is not one of \(rate) frames per second")
    }
    return seconds
  }

  private static func seconds(
    _ range: EditRange, _ rate: FrameRate
  ) throws(EditError) -> Range<Rational> {
    let (start, end) = (try seconds(range.in, rate), try seconds(range.out, rate))
    guard let range = Range(start: start, end: end) else {
      throw .invalidTime(
        "a range from \(start.secondsText) to \(end.secondsText) ends before it starts")
    }
    return range
  }
}
