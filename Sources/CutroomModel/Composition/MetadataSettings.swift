/// What metadata the result carries.
public struct MetadataSettings: Hashable, Sendable {
  /// What is taken over from sources.
  public enum Inheritance: Hashable, Sendable {
    case all, none, sharing
    /// From this source only.
    case from(String)
  }

  /// What becomes of dates.
  public enum Dates: Hashable, Sendable {
    case keep, shift, drop
    /// Set to this ISO 8601 date.
    case set(String)
  }

  /// What is taken over from sources.
  public var inherit: Inheritance = .all
  /// What becomes of dates.
  public var dates: Dates = .keep
  /// Items by common key or identifier, in the file's order.
  public var items: [Item] = []
  /// Keys that are not taken over.
  public var remove: [String] = []

  /// One given item.
  public struct Item: Hashable, Sendable {
    /// A common key such as `title`, or `keySpace/key`.
    public var key: String
    /// Its value.
    public var value: Value

    /// Creates an item.
    public init(key: String, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// The value of a given item.
  public enum Value: Hashable, Sendable {
    /// One or several texts; numbers and booleans are given in their JSON spelling.
    case texts([String])
    /// Pictures from files; paths as written.
    case files([String])
  }

  /// Everything is kept.
  public init() {}
}
