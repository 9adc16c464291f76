package import CutroomMedia
package import CutroomModel

/// What a media file holds: its tracks and their exact places in source time.
///
/// A value: the file is not kept open. Source time 0 is the start of the source's presentation;
/// a libav timestamp in seconds minus ``origin`` is a source time.
package struct AssetInfo: Sendable {
  /// The path it was opened by.
  package var path: String
  /// libavformat's name of the format, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  package var formatName: String
  /// The container in the words of the format: mp4, mov, m4a, mkv, webm, mp3, image.
  package var container: String
  /// Whether it is a single picture without an end.
  package var isStill: Bool
  /// What to subtract from libav's times in seconds to get source time.
  package var origin: Rational
  /// The streams but cover art, in the file's order.
  package var tracks: [AssetTrack]
  /// Chapters in source time.
  package var chapters: [AssetChapter]
  /// The end of the longest picture or sound track, of the last line of subtitles where there is
  /// neither; zero for a still.
  package var duration: Rational
  /// The lines of a file that holds text subtitles alone.
  package var subtitles: SubtitleScript?
  /// The container's own tags as libavformat reads them.
  package var formatTags: [Tag]

  /// A key with its value.
  package struct Tag: Hashable, Sendable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// Creates a description.
  package init(
    path: String, formatName: String = "", container: String = "", isStill: Bool = false,
    origin: Rational = .zero, tracks: [AssetTrack], chapters: [AssetChapter] = [],
    formatTags: [Tag] = []
  ) {
    self.path = path
    self.formatName = formatName
    self.container = container
    self.isStill = isStill
    self.origin = origin
    self.tracks = tracks
    self.chapters = chapters
    self.formatTags = formatTags
    let ends = tracks.filter { $0.kind == .video || $0.kind == .audio }.map(\.end)
    self.duration = isStill ? .zero : ends.max() ?? .zero
  }

  /// The video or audio track that a choice names; the default one of the kind without a choice.
  ///
  /// `nil` where the file has none such. A language is compared without regard to case.
  package func track(_ kind: AssetTrack.Kind, _ choice: StreamChoice? = nil) -> AssetTrack? {
    let candidates = tracks.filter { $0.kind == kind }
    switch choice {
    case .index(let index): return candidates.first { $0.indexOfKind == index }
    case .language(let language):
      return candidates.first { $0.language?.lowercased() == language.lowercased() }
    case nil: return candidates.first(where: \.isDefault) ?? candidates.first
    }
  }
}

/// A chapter of a source.
package struct AssetChapter: Hashable, Sendable {
  /// Its start in source time.
  package var start: Rational
  /// Its end in source time; not part of it.
  package var end: Rational
  /// What it is called.
  package var title: String

  package init(start: Rational, end: Rational, title: String) {
    self.start = start
    self.end = end
    self.title = title
  }
}

/// Why a file cannot be used as a source.
package struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with it, in the words of diagnostic codes.
  package enum Reason: String, Hashable, Sendable {
    case missing = "media.missing"
    case directory = "media.directory"
    case notAFile = "media.not-a-file"
    case permission = "media.permission"
    case unreadable = "media.unreadable"
    case encrypted = "media.encrypted"
    case empty = "media.empty"
    case unsupported = "unsupported"
  }

  package var path: String
  package var reason: Reason
  /// One sentence that quotes the path.
  package var message: String
  package var description: String { message }

  package init(path: String, reason: Reason, message: String) {
    self.path = path
    self.reason = reason
    self.message = message
  }
}
