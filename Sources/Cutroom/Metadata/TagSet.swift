public import CutroomMetadata

/// The metadata of a file.
public struct TagSet: Hashable, Sendable {
  /// The container: `mp4`, `m4a`, `mov`, `mp3`, `flac`, `ogg`, `opus`, `wav`, `aiff`, `mkv`.
  public var container: String
  /// The items in the file's order.
  public var items: [MetadataItem]
  /// The chapters in order.
  public var chapters: [MetadataChapter]
  /// The major version of an ID3v2 tag.
  package var id3Version: Int?

  /// Creates a set.
  public init(container: String, items: [MetadataItem] = [], chapters: [MetadataChapter] = []) {
    self.container = container
    self.items = items
    self.chapters = chapters
  }
}

/// A change that a user asks for, by common key or identifier.
public enum TagChange: Hashable, Sendable {
  /// Replaces the values of a key.
  case set(key: String, values: [String])
  /// Adds a value to those of a key.
  case add(key: String, value: String)
  /// Removes a key.
  case remove(key: String)
  /// Removes all items; chapters stay.
  case clear
  /// Replaces the pictures by these, the first as the front cover.
  case artwork([[UInt8]])
  /// Replaces the chapters by these, in order; none removes them.
  case chapters([MetadataChapter])
}
