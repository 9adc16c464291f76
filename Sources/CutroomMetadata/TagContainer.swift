/// A container as far as its metadata is concerned.
package enum TagContainer: String, Hashable, Sendable, CaseIterable {
  case mp4, m4a, mov, mp3, flac, ogg, opus, wav, aiff, mkv, mka, webm, avi

  /// The container that FFmpeg or a file extension calls `name`.
  package init?(name: String) {
    switch name.lowercased() {
    case "m4v", "3gp", "3g2", "f4v": self = .mp4
    case "m4b", "m4r", "ipod": self = .m4a
    case "qt", "quicktime": self = .mov
    case "oga": self = .ogg
    case "rf64", "w64": self = .wav
    case "aif", "aifc": self = .aiff
    case "matroska": self = .mkv
    default: self.init(rawValue: name.lowercased())
    }
  }

  /// The key spaces that the container holds, the preferred one first.
  package var keySpaces: [KeySpace] {
    switch self {
    case .mp4, .m4a: [.itsk, .itlk]
    case .mov: [.mdta, .itsk, .itlk]
    case .mp3: [.id3]
    case .flac, .ogg, .opus: [.vorb]
    case .wav, .aiff: [.id3, .riff]
    case .avi: [.riff]
    case .mkv, .mka, .webm: [.matroska]
    }
  }

  /// How many chapters the tags hold; `nil` for as many as there are.
  package var maximumChapters: Int? {
    switch self {
    case .mp4, .m4a, .mov: ChapterList.maximumCount
    case .flac, .ogg, .opus: 1000
    case .mp3, .wav, .aiff, .mkv, .mka, .webm, .avi: nil
    }
  }

  /// Whether tags are put in by the box editor.
  package var isMP4Family: Bool { self == .mp4 || self == .m4a || self == .mov }

  /// Whether there is a tag of ID3v2, so that its version can be chosen.
  package var hasID3: Bool { self == .mp3 || hasChunks }

  /// Whether texts in chunks of their own are kept in step with the ID3 tag.
  package var hasChunks: Bool { self == .wav || self == .aiff }
}

/// What became of an item when it was written.
public struct ItemOutcome: Hashable, Sendable {
  /// How much of the item arrived.
  public enum Outcome: String, Hashable, Sendable {
    /// As it was given.
    case exact
    /// Under its twin in the container's key space.
    case rekeyed
    /// A part of the value is lost; the detail says which.
    case truncated
    /// Not at all; the detail says why.
    case dropped
  }

  /// The common key, if the item has one.
  public var key: CommonKey?
  /// The identifier it was written under, or the given one if it was dropped.
  public var identifier: MetadataIdentifier
  /// What became of it.
  public var outcome: Outcome
  /// What was lost, and why.
  public var detail: String?

  /// Creates an outcome.
  public init(
    key: CommonKey?, identifier: MetadataIdentifier, outcome: Outcome, detail: String? = nil
  ) {
    self.key = key
    self.identifier = identifier
    self.outcome = outcome
    self.detail = detail
  }
}
