import CutroomMedia
public import CutroomMetadata
public import CutroomModel

extension TagStore {
  /// Writes items into a file that nobody else uses yet, such as one just exported.
  ///
  /// - Parameters:
  ///   - items: Common or native; each is translated into the container's own key space.
  ///   - chapters: The new chapters; `nil` leaves those that are there.
  ///   - path: Changed in place; after an error it may be damaged and must be thrown away.
  ///   - name: The container; `nil` finds it out.
  ///   - id3Version: 3 or 4 for MP3; `nil` keeps the version, or takes 4.
  ///   - duration: The end of the last chapter.
  ///   - target: What the file will be called; messages say it.
  ///   - creationTime: What the headers of a movie say, in seconds since the beginning of 1904.
  /// - Returns: One outcome for each item, in order. An item that cannot be written, or does not
  ///   read back, is dropped.
  /// - Throws: `MetadataError` if the file cannot be written.
  public static func write(
    _ items: [MetadataItem], chapters: [MetadataChapter]? = nil, to path: String,
    container name: String? = nil, id3Version: Int? = nil, duration: Rational? = nil,
    target: String? = nil, creationTime: Int64? = nil
  ) throws(MetadataError) -> [ItemOutcome] {
    do {
      let outcomes = try write(items, chapters, path, name, id3Version, duration)
      if let creationTime, try open(path).container.isMP4Family {
        try applyToMP4([], nil, path, .mp4, creationTime: creationTime)
      }
      return outcomes
    } catch {
      var error = error
      if let target { error.message = error.message.replacing(path, with: target) }
      throw error
    }
  }

  private static func write(
    _ items: [MetadataItem], _ chapters: [MetadataChapter]?, _ path: String, _ name: String?,
    _ id3Version: Int?, _ duration: Rational?
  ) throws(MetadataError) -> [ItemOutcome] {
    let sniffed = try open(path).container
    // The name only tells apart what looks the same from inside.
    let named = name.flatMap { TagContainer(name: $0) } ?? sniffed
    let container = named.isMP4Family && sniffed.isMP4Family ? named : sniffed
    var options = TagOptions()
    options.id3Version = id3Version
    var changes = TagOperations(container: container, id3Version: id3Version)
    for item in items { changes.set(item, replacing: false) }
    changes.addSoundCheck()
    if container == .m4a { try changes.setGapless(in: path) }
    // Each round leaves out at least one more item.
    while true {
      do throws(MetadataError) {
        try apply(changes.operations, chapters, to: path, container, options, duration)
      } catch {
        guard let identifier = error.identifier else { throw error }
        changes.drop(identifier, because: error.message)
        continue
      }
      let failed = try mismatches(changes.operations, chapters, path)
        .filter { changes.isWritten($0) }
      if failed.isEmpty { return changes.outcomes }
      for identifier in failed {
        changes.drop(identifier, because: "it does not read back as it was written")
      }
    }
  }

  /// Changes the file in place.
  static func apply(
    _ operations: [TagOperation], _ chapters: [MetadataChapter]?, to path: String,
    _ container: TagContainer, _ options: TagOptions, _ duration: Rational? = nil
  ) throws(MetadataError) {
    guard !operations.isEmpty || chapters != nil || options.addsID3v1 else { return }
    if container.isMP4Family {
      try applyToMP4(operations, chapters, path, container)
    } else if container.hasChunks {
      try applyToChunks(operations, chapters, path, container, options.id3Version, duration)
    } else if container.isEditable {
      try applyThroughTagLib(operations, chapters, path, container, options, duration)
    }
  }

  private static func applyThroughTagLib(
    _ operations: [TagOperation], _ chapters: [MetadataChapter]?, _ path: String,
    _ container: TagContainer, _ options: TagOptions, _ duration: Rational?
  ) throws(MetadataError) {
    let reader = try open(path).reader
    let summary = try StructureCheck.check(reader, container, forWriting: true)
    if container == .mp3, let tag = try ID3Check.withoutExtendedHeader(reader) {
      try edit(path) { _ in .inPlace([.init(offset: 0, bytes: tag)], size: reader.size) }
    }
    let (frames, version) = try frames(path, container)
    if let summary, summary.frames > frames.count {
      throw MetadataError(
        .unsupported,
        "the ID3 tag is damaged: only \(frames.count) of \(summary.frames) frames can be kept")
    }
    var (removed, added) = Self.frameChanges(operations, frames, container)
    if let chapters {
      removed.append(TagFrame(key: "CHAP"))
      if container == .mp3 {
        added += FrameItems.chapterFrames(chapters, end: duration)
      } else {
        removed += frames.filter { FrameItems.isChapterField($0.key) }
        added += FrameItems.chapterFields(chapters)
      }
    }
    let target = options.id3Version ?? (version == 3 ? 3 : 4)
    let before = try SoundBytes(reader, container)
    let hasLastComments = container == .ogg ? try OggCheck.hasLastComments(reader) : nil
    do {
      try TagFile.write(
        path, as: container.tagKind, id3Version: target, addsID3v1: options.addsID3v1,
        removing: removed, adding: added)
    } catch {
      throw MetadataError(error, adding: added, container)
    }
    if hasLastComments == true {
      try edit(path) { file throws(MetadataError) in
        let reader = try FileByteReader(file)
        let patch = try OggCheck.markingLastComments(reader)
        return .inPlace(patch.map { [$0] } ?? [], size: reader.size)
      }
    }
    // TagLib does not notice a full disk.
    let after: SoundBytes?
    do { after = try SoundBytes(open(path).reader, container) } catch { after = nil }
    guard after == before else {
      throw MetadataError(.output, "the sound of '\(path)' did not come through; is the disk full?")
    }
  }

  static func frameChanges(
    _ operations: [TagOperation], _ frames: [TagFrame], _ container: TagContainer
  ) -> (removed: [TagFrame], added: [TagFrame]) {
    var (removed, added): ([TagFrame], [TagFrame]) = ([], [])
    for operation in operations {
      switch operation {
      case .clear:
        added = []
        removed.append(TagFrame(key: "*"))
        // In Vorbis comments chapters are fields like others, and stay.
        added += frames.filter { FrameItems.isChapterField($0.key) }
      case .set(let identifier, let items):
        added.removeAll { FrameItems.identifier($0, container).folded == identifier.folded }
        var old = TagFrame(key: identifier.key)
        old.qualifier = identifier.qualifier ?? ""
        removed.append(old)
        // A podcast is marked by the frame alone.
        added += items.filter { identifier.key != "PCST" || $0.values == ["1"] }
          .map(FrameItems.frame)
      }
    }
    return (removed, added)
  }

  private static func applyToMP4(
    _ operations: [TagOperation], _ chapters: [MetadataChapter]?, _ path: String,
    _ container: TagContainer, creationTime: Int64? = nil
  ) throws(MetadataError) {
    try edit(path) { file throws(MetadataError) in
      let reader = try FileByteReader(file)
      return try MP4TagEditor(
        try MP4File(reader), container: container, creationTime: creationTime
      ).plan(operations, chapters: chapters)
    }
  }

  private static func applyToChunks(
    _ operations: [TagOperation], _ chapters: [MetadataChapter]?, _ path: String,
    _ container: TagContainer, _ id3Version: Int?, _ duration: Rational?
  ) throws(MetadataError) {
    try edit(path) { file throws(MetadataError) in
      try ChunkTags(FileByteReader(file), container)
        .plan(operations, chapters: chapters, id3Version: id3Version, end: duration)
    }
  }

  /// Changes the file as planned.
  private static func edit(
    _ path: String, _ plan: (TagFileAccess) throws(MetadataError) -> MP4EditPlan
  ) throws(MetadataError) {
    do {
      let file = try TagFileAccess(path: path, forWriting: true)
      switch try plan(file) {
      case .unchanged: break
      case .inPlace(let patches, let size):
        for patch in patches { try file.write(patch.bytes, at: patch.offset) }
        if try file.size() != size { try file.truncate(to: size) }
      case .rewritten(let pieces):
        try rewrite(file, pieces)
      }
    } catch let error as MetadataError {
      throw error
    } catch let error as LibAVError {
      throw MetadataError(.output, error)
    } catch {
      throw MetadataError(.output, "\(error)")
    }
  }

  private static func rewrite(_ file: TagFileAccess, _ pieces: [MP4EditPlan.Piece]) throws {
    let temporary = TagFileAccess.temporaryPath(beside: file.path)
    let new = try TagFileAccess(creating: temporary)
    do {
      var position: Int64 = 0
      for piece in pieces {
        switch piece {
        case .bytes(let bytes):
          try new.write(bytes, at: position)
          position += Int64(bytes.count)
        case .copy(let range):
          try new.copy(range, of: file, to: position)
          position += range.upperBound - range.lowerBound
        }
      }
      try new.copyAttributes(of: file)
      try TagFileAccess.rename(temporary, to: file.path)
    } catch {
      TagFileAccess.remove(temporary)
      throw MetadataError(.output, "\(error)".replacing(temporary, with: file.path))
    }
  }
}

/// The last bytes of a sound file, which a change of its tags must not touch.
private struct SoundBytes: Hashable {
  private var bytes: [UInt8] = []

  init(_ reader: FileByteReader, _ container: TagContainer) throws(MetadataError) {
    // Ogg numbers its pages anew.
    guard container == .mp3 || container == .flac else { return }
    let count = min(reader.size, 1 << 14)
    bytes = try reader.read(at: reader.size - count, count: Int(count))
    if container == .mp3 {
      // What lies inside the tag at the front is no sound.
      let start = try ID3Check.file(reader)?.end ?? 0
      bytes = Array(bytes.suffix(Int(max(0, min(count, reader.size - start)))))
    }
    // An old tag of ID3v1 follows the new one.
    if container == .mp3, bytes.suffix(128).starts(with: "TAG".utf8) { bytes.removeLast(128) }
    bytes = Array(bytes.suffix(512))
  }
}

extension MetadataError {
  /// What TagLib refused, with the item where one is to blame.
  init(_ error: TagLibError, adding added: [TagFrame], _ container: TagContainer) {
    guard let index = error.index else {
      self.init(.output, error.description)
      return
    }
    let identifier = FrameItems.identifier(added[index], container)
    self.init(
      .unsupported, "'\(identifier)' has no form in the tags of \(container.rawValue) files",
      about: identifier)
  }
}
