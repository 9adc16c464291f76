/// An editing operation as written in the `edits` of a composition file.
///
/// The edits of a document are applied to its laid-out tracks in order: all of them, or none.
public struct DocumentEdit: Hashable, Sendable {
  /// What is done.
  public enum Operation: Hashable, Sendable {
    /// Puts a clip in: at a time, or after the end where none is given.
    case insert(Clip, at: TimeExpression?)
    /// Opens a hole and shifts what follows to the right.
    case insertEmpty(EditRange)
    /// Takes a stretch out and pulls what follows to the left.
    case remove(EditRange)
    /// Changes the speed of what lies in a stretch so that it lasts as long as asked.
    case scale(EditRange, duration: TimeExpression)

    /// The word for it in the file: `insert`, `insertEmpty`, `remove` or `scale`.
    public var name: String {
      switch self {
      case .insert: "insert"
      case .insertEmpty: "insertEmpty"
      case .remove: "remove"
      case .scale: "scale"
      }
    }

    /// The words for all operations, in the order of the format.
    public static let names = ["insert", "insertEmpty", "remove", "scale"]
  }

  /// The id of the track it works on; `nil` for all tracks at once.
  public var track: String?
  /// What is done.
  public var operation: Operation

  /// Creates an edit of one track, or without `track` of all tracks at once.
  public init(_ operation: Operation, track: String? = nil) {
    self.operation = operation
    self.track = track
  }
}

/// A stretch of the timeline that an edit works on: `{"in": …, "out": …}`.
public struct EditRange: Hashable, Sendable {
  /// Its start.
  public var `in`: TimeExpression
  /// Its end, which is not part of it.
  public var out: TimeExpression

  /// Creates a stretch.
  public init(in start: TimeExpression, out end: TimeExpression) {
    self.in = start
    self.out = end
  }
}
