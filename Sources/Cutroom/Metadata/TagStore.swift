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

  /// What holds for parts of a file's time: tracks of timed metadata in MP4 and QuickTime files, and
  /// the chapters of every container, in the order of time.
  ///
  /// - Throws: `MetadataError` if the file cannot be read.
  public static func timedMetadata(
    _ path: String
  ) throws(MetadataError) -> [TimedMetadataGroup] {
    let (reader, container) = try open(path)
    let chapters = TimedMetadataGroup.chapters(try read(path, reader, container).chapters)
    guard container.isMP4Family else { return chapters }
    return (chapters + (try MP4File(reader).timedMetadata())).sorted { $0.start < $1.start }
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
      set.creationTime = file.creationTime
    case .wav, .aiff: set = try ChunkTags(reader, container).tags()
    case .mp3, .flac, .ogg, .opus:
      try StructureCheck.check(reader, container, forWriting: false)
      let (frames, version) = try frames(path, container)
      set.items = FrameItems.items(frames, container)
      set.chapters = FrameItems.chapters(frames)
      set.id3Version = version
      if container == .mp3 { set.hasAPE = try APECheck.hasTag(reader) }
    case .mkv, .mka, .webm, .avi: try readDemuxed(path, container, into: &set)
    }
    return set
  }

  static func frames(
    _ path: String, _ container: TagContainer
  ) throws(MetadataError) -> (frames: [TagFrame], id3Version: Int?) {
    let plain =
      container == .mp3 ? try ID3Check.withoutExtendedHeader(open(path).reader) : nil
    do {
      if let plain { return try TagFile.readID3(plain) }
      return try TagFile.read(path, as: container.tagKind)
    } catch {
      throw MetadataError(.malformed, error.description)
    }
  }

  /// Reads what libavformat finds; covers are attachments of Matroska.
  private static func readDemuxed(
    _ path: String, _ container: TagContainer, into set: inout TagSet
  ) throws(MetadataError) {
    do {
      let demuxer = try Demuxer(path: path)
      set.items = demuxer.metadata.map { key, value in
        let space: KeySpace = container == .avi ? .riff : .matroska
        // libavformat has a name of its own for the number of a track.
        let tag = key == "track" ? "PART_NUMBER" : key.uppercased()
        let native = container == .avi ? Mapping.muxerField(key) : tag
        return MetadataItem(MetadataIdentifier(space, native), value)
      }
      set.items = joiningPairs(set.items)
      set.items += try covers(demuxer)
      set.chapters = demuxer.chapters.map { chapter in
        let tick = Rational(chapter.timeBase.numerator, chapter.timeBase.denominator)
        return MetadataChapter(start: Rational(chapter.start) * tick, title: chapter.title ?? "")
      }
    } catch { throw MetadataError(.malformed, error) }
  }

  private static func covers(_ demuxer: Demuxer) throws(LibAVError) -> [MetadataItem] {
    let covers = Set(demuxer.streams.filter(\.isAttachedPicture).map(\.index))
    var left = covers
    var items: [MetadataItem] = []
    demuxer.select(covers)
    while !left.isEmpty, let packet = try demuxer.read() {
      guard left.remove(packet.streamIndex) != nil else { continue }
      var item = MetadataItem(MetadataIdentifier(.artwork), .data(packet.bytes))
      let title = demuxer.streams[packet.streamIndex].metadata.first { $0.key == "title" }?.value
      let type = title.flatMap(PictureType.number) ?? (items.isEmpty ? 3 : 0)
      item.extraAttributes["pictureType"] = String(type)
      items.append(item)
    }
    return items
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
    case .ogg: .ogg
    case .opus: .opus
    default: .mpeg
    }
  }

  /// Whether tags are changed after the file is written.
  var isEditable: Bool {
    switch self {
    case .mp4, .m4a, .mov, .mp3, .flac, .ogg, .opus, .wav, .aiff: true
    case .mkv, .mka, .webm, .avi: false
    }
  }
}
