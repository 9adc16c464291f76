import CLibAV

/// What a stream is for, as players choose by it.
///
/// Wraps `AV_DISPOSITION_…`.
package struct StreamDisposition: OptionSet, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The stream of its kind that is played unless another one is chosen.
  package static let isDefault = StreamDisposition(rawValue: AV_DISPOSITION_DEFAULT)

  /// Subtitles that are for all, whatever else is chosen.
  package static let isForced = StreamDisposition(rawValue: AV_DISPOSITION_FORCED)

  /// The flags that also describe a copy of the stream, with FFmpeg's names.
  private static let known: [(flag: Int32, name: String)] = [
    (AV_DISPOSITION_DEFAULT, "default"), (AV_DISPOSITION_DUB, "dub"),
    (AV_DISPOSITION_ORIGINAL, "original"), (AV_DISPOSITION_COMMENT, "comment"),
    (AV_DISPOSITION_LYRICS, "lyrics"), (AV_DISPOSITION_KARAOKE, "karaoke"),
    (AV_DISPOSITION_FORCED, "forced"), (AV_DISPOSITION_HEARING_IMPAIRED, "hearing_impaired"),
    (AV_DISPOSITION_VISUAL_IMPAIRED, "visual_impaired"),
    (AV_DISPOSITION_CLEAN_EFFECTS, "clean_effects"), (AV_DISPOSITION_CAPTIONS, "captions"),
    (AV_DISPOSITION_DESCRIPTIONS, "descriptions"), (AV_DISPOSITION_METADATA, "metadata"),
    (AV_DISPOSITION_DEPENDENT, "dependent"),
  ]

  /// Every flag that a copy keeps; not that of cover art.
  package static let lasting = known.reduce(into: StreamDisposition()) { result, known in
    result.insert(StreamDisposition(rawValue: known.flag))
  }

  /// FFmpeg's names of the flags.
  package var names: [String] {
    Self.known.filter { contains(StreamDisposition(rawValue: $0.flag)) }.map(\.name)
  }
}
