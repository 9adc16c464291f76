public import CutroomModel

/// Why an operation of the engine did not succeed.
public struct CutroomError: Error, Sendable, CustomStringConvertible {
  /// Who must act.
  public enum Code: String, Sendable {
    /// The command line or the composition is wrong.
    case input
    /// A source does not read or does not decode.
    case media
    /// What was asked for is not possible here.
    case unsupported
    /// The result could not be written.
    case output
    /// Somebody cancelled.
    case cancelled
    /// A fault of this library.
    case `internal`
  }

  /// Who must act.
  public var code: Code
  /// The stable code of the condition, such as `output.exists`.
  public var stableCode: String
  /// One sentence to act on.
  public var message: String
  /// The findings behind it, where there are several or one has a place.
  public var diagnostics: [Diagnostic]
  /// What the libraries underneath said last.
  public var details: [String]

  /// Creates an error.
  public init(
    _ code: Code, _ stableCode: String, _ message: String, diagnostics: [Diagnostic] = [],
    details: [String] = []
  ) {
    self.code = code
    self.stableCode = stableCode
    self.message = message
    self.diagnostics = diagnostics
    self.details = details
  }

  /// The process's exit status: 1 failed while working, 2 invalid, 130 interrupted.
  public var exitStatus: Int32 {
    switch code {
    case .input, .unsupported: 2
    case .cancelled: 130
    case .media, .output, .internal: 1
    }
  }

  /// The sentence, then what the libraries said.
  public var description: String {
    ([message] + details.map { "  " + $0 }).joined(separator: "\n")
  }

  /// Something was cancelled.
  static let cancelled = CutroomError(.cancelled, "cancelled", "the export was cancelled")
}
