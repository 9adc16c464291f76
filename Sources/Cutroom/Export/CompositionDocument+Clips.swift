public import CutroomModel

extension CompositionDocument {
  /// A composition of parts of the media file at `path`, one after the other.
  public static func trimming(_ path: String, parts: [ExportRange]) -> CompositionDocument {
    of(
      parts.map { part in
        var clip = Clip(source: literal(path))
        (clip.in, clip.out) = (part.in, part.out)
        return clip
      })
  }

  /// A composition of the media files at `paths`, one after the other.
  public static func joining(_ paths: [String]) -> CompositionDocument {
    of(paths.map { Clip(source: literal($0)) })
  }

  private static func of(_ clips: [Clip]) -> CompositionDocument {
    var track = DocumentTrack()
    track.items = clips.map { .clip($0) }
    var document = CompositionDocument()
    document.tracks = [track]
    return document
  }

  /// The path as a composition names it: what looks like a URL is a file's name here.
  private static func literal(_ path: String) -> String {
    path.contains("://") && !path.hasPrefix("/") ? "./" + path : path
  }
}
