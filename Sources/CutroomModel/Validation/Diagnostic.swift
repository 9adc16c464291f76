/// One finding about a document: what is wrong, where, and what to do.
public struct Diagnostic: Hashable, Sendable {
  /// How bad a finding is.
  ///
  /// Only ``error`` prevents an export.
  public enum Severity: String, Sendable, Comparable {
    case note, warning, error

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }

    /// Orders notes before warnings before errors.
    public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }
  }

  /// The stable code, such as `range.past-end`.
  public var code: String
  /// How bad it is.
  public var severity: Severity
  /// One sentence that names the actual and the allowed values.
  public var message: String
  /// The JSON pointer of the value, `""` for the whole document.
  public var pointer: String
  /// The position of that value in the file, once known.
  public var place: Place?
  /// What would mend it, where that is known.
  public var fix: String?
  /// Places that have to do with it.
  public var related: [Related]

  /// Another place that a finding refers to.
  public struct Related: Hashable, Sendable {
    /// What is to be seen there.
    public var message: String
    /// The JSON pointer.
    public var pointer: String
    /// The position in the file, once known.
    public var place: Place?

    /// Creates a related place.
    public init(message: String, pointer: String, place: Place? = nil) {
      self.message = message
      self.pointer = pointer
      self.place = place
    }
  }

  /// Creates a finding; `place` is filled in from `pointer` by the document it belongs to.
  public init(
    _ severity: Severity, _ code: String, _ message: String, at pointer: String,
    place: Place? = nil, fix: String? = nil, related: [Related] = []
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.pointer = pointer
    self.place = place
    self.fix = fix
    self.related = related
  }
}

/// A position in a text file.
public struct Place: Hashable, Sendable {
  /// The file's path as the user gave it.
  public var file: String
  /// The line, counted from 1.
  public var line: Int
  /// The column in characters (Unicode scalars), counted from 1.
  public var column: Int

  /// Creates a position.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }
}
