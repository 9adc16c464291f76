/// A composition as its author wrote it, after syntax and shape were checked: format.md, version 1.
///
/// Absent keys are `nil`; defaults are made explicit by resolving. Positions in the file are not
/// part of the value: they are looked up by JSON pointer in the text it was read from.
public struct CompositionDocument: Hashable, Sendable {
  /// The program's name.
  public var name: String?
  /// The canvas; what is absent is taken from the first picture and the first sound clip.
  public var timeline = TimelineSettings()
  /// The named sources, in the file's order.
  public var sources: [NamedSource] = []
  /// The tracks, bottom to top.
  public var tracks: [DocumentTrack] = []
  /// Editing operations on the laid-out tracks, in order.
  public var edits: [DocumentEdit] = []
  /// What to do with chapters.
  public var chapters: ChapterPolicy = .keep
  /// The metadata of the result.
  public var metadata = MetadataSettings()
  /// How the sum of all sound is treated.
  public var sound = SoundPolicy()
  /// How to export.
  public var export = ExportSettings()

  /// An empty composition.
  public init() {}
}

/// What becomes chapters.
public enum ChapterPolicy: Hashable, Sendable {
  /// The sources' chapters, mapped through the edit.
  case keep
  /// One per clip, by its name.
  case clips
  /// As listed.
  case list([ChapterMark])
}

/// The start of a chapter.
public struct ChapterMark: Hashable, Sendable {
  /// When it starts.
  public var at: TimeExpression
  /// What it is called.
  public var title: String

  /// Creates a mark.
  public init(at: TimeExpression, title: String) {
    self.at = at
    self.title = title
  }
}
