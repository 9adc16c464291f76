/// Why metadata cannot be read or written; the file is as it was.
public struct MetadataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Who must act, as a stable code.
  public enum Code: String, Hashable, Sendable {
    /// The name of a key is not one.
    case key = "metadata.key"
    /// The value does not fit the key.
    case value = "metadata.value"
    /// An item would not arrive whole, and that was not to be.
    case loss = "metadata.loss"
    /// The file is damaged.
    case malformed = "metadata.malformed"
    /// The file exceeds a bound that keeps reading safe.
    case limit = "metadata.limit"
    /// The file is of a kind that is not edited.
    case unsupported = "metadata.unsupported"
    /// The name belongs to a file of another kind.
    case container = "metadata.container"
    /// The target exists and is not to be replaced.
    case exists = "output.exists"
    /// A picture is none that tags can hold.
    case artwork = "metadata.artwork"
    /// The path is not a regular file with content.
    case input = "metadata.input"
    /// The result cannot be written.
    case output = "metadata.output"
    /// The result was not what was written.
    case verification = "metadata.verification"
  }

  /// The stable code.
  public var code: Code
  /// One sentence a user can act on.
  public var message: String
  /// The item that is to blame, where it is one.
  package var identifier: MetadataIdentifier?

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package init(_ code: Code, _ message: String, about identifier: MetadataIdentifier) {
    self.init(code, message)
    self.identifier = identifier
  }

  /// The message.
  public var description: String { message }
}
