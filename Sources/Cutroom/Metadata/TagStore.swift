import CutroomMedia
public import CutroomMetadata

/// Reads and writes the metadata of files, each container by what is safe for it.
public enum TagStore {
  /// The items and chapters of a file.
  ///
  /// - Parameter path: A regular file; symbolic links are followed.
  /// - Returns: Everything that is understood; further items are kept when the file is changed.
  /// - Throws: `MetadataError` if it is none, if it is damaged, or of an unknown kind.
  public static func read(_ path: String) throws(MetadataError) -> TagSet {
    let (reader, container) = try open(path)
    return try read(path, reader, container)
  }

  static func open(
    _ path: String
  ) throws(MetadataError) -> (reader: FileByteReader, container: TagContainer) {
    let file: TagFileAccess
    do { file = try TagFileAccess(path: path) } catch { throw MetadataError(.input, error) }
    let reader = try FileByteReader(file)
    guard reader.size > 0 else { throw MetadataError(.input, "'\(path)' is empty") }
    guard
      let container = try TagContainer(
        sniffing: reader, pathExtension: TagContainer.ending(of: path))
    else {
      throw MetadataError(.unsupported, "'\(path)' is of no kind whose metadata is known")
    }
    return (reader, container)
  }

  private static func read(
    _ path: String, _ reader: FileByteReader, _ container: TagContainer
  ) throws(MetadataError) -> TagSet {
    var set = TagSet(container: container.rawValue)
    switch container {
    case .mp4, .m4a, .mov:
      let file = try MP4File(reader)
      set.items = try file.items()
      set.chapters = file.chapters
    case .mp3, .flac, .ogg, .opus, .wav, .aiff:
      try StructureCheck.check(reader, container, forWriting: false)
      let (frames, version) = try frames(path, container)
      set.items = FrameItems.items(frames, container)
      set.chapters = FrameItems.chapters(frames)
      set.id3Version = version
    case .mkv, .mka, .webm:
      set.items = try matroskaItems(path)
    }
    return set
  }

  static func frames(
    _ path: String, _ container: TagContainer
  ) throws(MetadataError) -> (frames: [TagFrame], id3Version: Int?) {
    do { return try TagFile.read(path, as: container.tagKind) } catch {
      throw MetadataError(.malformed, error.description)
    }
  }

  private static func matroskaItems(_ path: String) throws(MetadataError) -> [MetadataItem] {
    do {
      return try Demuxer(path: path).metadata.map { key, value in
        MetadataItem(MetadataIdentifier(.matroska, key.uppercased()), value)
      }
    } catch { throw MetadataError(.malformed, error) }
  }
}

extension TagContainer {
  /// What follows the last dot of a file's name; empty where there is none.
  static func ending(of path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
  }

  /// The container that a file's name promises; `nil` for an ending that is not known.
  init?(fileName path: String) { self.init(name: Self.ending(of: path)) }

  /// Whether people expect this container under the ending of `other`.
  func mayBeCalled(_ other: TagContainer) -> Bool {
    let families: [Set<TagContainer>] = [[.mp4, .m4a], [.ogg, .opus], [.mkv, .mka, .webm]]
    return self == other || families.contains { $0.contains(self) && $0.contains(other) }
  }

  /// The class of TagLib for the container.
  var tagKind: TagFile.Kind {
    switch self {
    case .flac: .flac
    case .ogg: .vorbis
    case .opus: .opus
    case .wav: .wav
    case .aiff: .aiff
    default: .mpeg
    }
  }

  /// Whether tags are changed after the file is written.
  var isEditable: Bool {
    switch self {
    case .mp4, .m4a, .mov, .mp3, .flac, .ogg, .opus: true
    case .wav, .aiff, .mkv, .mka, .webm: false
    }
  }
}
