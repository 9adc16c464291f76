public import CutroomMetadata

/// The metadata of a file.
public struct TagSet: Hashable, Sendable {
  /// The container: `mp4`, `m4a`, `mov`, `mp3`, `flac`, `ogg`, `opus`, `wav`, `aiff`, `mkv`, `mka`,
  /// `webm`, `avi`.
  public var container: String
  /// The items in the file's order.
  public var items: [MetadataItem]
  /// The chapters in order.
  public var chapters: [MetadataChapter]
  /// When the movie was made, in seconds since the beginning of 1904.
  package var creationTime: Int64?
  /// The major version of an ID3v2 tag.
  package var id3Version: Int?
  /// Whether an MP3 file has an APE tag, which stays as it is.
  package var hasAPE = false

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
  /// Takes over the items of another file, and its chapters where it has any; of each key they
  /// replace those that are there.
  case copy(TagSet)

  /// Whether the chapters may become others.
  var hasChapters: Bool {
    switch self {
    case .chapters: true
    case .copy(let tags): !tags.chapters.isEmpty
    default: false
    }
  }
}

/// How tags are written, where there is a choice.
public struct TagOptions: Hashable, Sendable {
  /// The version of ID3v2, 3 or 4, for MP3, WAV and AIFF files; `nil` keeps that of the file.
  public var id3Version: Int?
  /// What joins several values of one key in version 2.3 of ID3, whose texts are single.
  public var id3Separator = "/"
  /// Whether an MP3 file gets a tag of ID3v1, too: texts of 30 characters of Latin-1.
  public var addsID3v1 = false
  /// Whether an item that cannot be written whole is an error.
  public var refusesLoss = false

  /// Keeps versions, adds nothing, and reports losses.
  public init() {}
}
