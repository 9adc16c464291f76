import CutroomMedia
public import CutroomMetadata
import CutroomModel

extension TagStore {
  /// Changes the metadata of a file; media data stay as they are.
  ///
  /// The file is copied, changed, read back and compared, and only then takes its name; after an
  /// error nothing has changed.
  ///
  /// - Parameters:
  ///   - path: The file; symbolic links are followed.
  ///   - changes: In order.
  ///   - output: Where to write; `nil` replaces the file.
  ///   - overwrite: Whether an existing `output` may be replaced.
  ///   - options: How tags are written, where there is a choice.
  /// - Returns: What the file holds now, and what became of each item that was given.
  /// - Throws: `MetadataError`.
  public static func retag(
    _ path: String, changes: [TagChange], output: String? = nil, overwrite: Bool = false,
    options: TagOptions = TagOptions()
  ) throws(MetadataError) -> (tags: TagSet, outcomes: [ItemOutcome]) {
    let source = try resolved(path)
    let tags = try read(source)
    guard let container = TagContainer(name: tags.container) else {
      throw MetadataError(.unsupported, "'\(tags.container)' is not known")
    }
    guard container.isEditable || changes.isEmpty else {
      throw MetadataError(
        .unsupported, "the tags of '\(path)' cannot be changed: \(container.rawValue) is only read")
    }
    let target = try target(output, source, overwrite, container)
    var operations = TagOperations(
      container: container, id3Version: options.id3Version ?? tags.id3Version,
      existing: tags.items)
    operations.id3Separator = options.id3Separator
    if options.id3Version == 3, tags.id3Version == 4 { operations.downgrade() }
    operations.isExplicit = true
    for change in changes { try operations.apply(change) }
    operations.addSoundCheck()
    let end = changes.contains(where: \.hasChapters) ? duration(source) : nil
    let chapters = try chapters(of: changes, container, before: end, &operations)
    if options.refusesLoss { try refuseLoss(operations.outcomes) }
    guard !operations.operations.isEmpty || chapters != nil || target != source else {
      return (tags, operations.outcomes)
    }
    let retagging =
      container.isMP4Family
      ? MP4Retagging(
        operations: operations.operations, chapters: chapters, container: container) : nil
    if target == source, let retagging, try retagging.changeInPlace(source) {
      return (try read(target), operations.outcomes)
    }
    let temporary = TagFileAccess.temporaryPath(beside: target)
    do {
      if let retagging {
        try retagging.write(source, to: temporary)
      } else {
        try copy(source, to: temporary)
        try apply(operations.operations, chapters, to: temporary, container, options, end)
        try verify(operations.operations, chapters, temporary)
      }
      try compareMedia(source, temporary, container)
      try finish(temporary, as: target)
    } catch {
      TagFileAccess.remove(temporary)
      throw MetadataError(error.code, error.message.replacing(temporary, with: output ?? path))
    }
    return (try read(target), operations.outcomes)
  }

  /// The last chapters that were asked for; `nil` where those that are there stay.
  ///
  /// Of another file's chapters those are taken that the file has room and time for.
  private static func chapters(
    of changes: [TagChange], _ container: TagContainer, before end: Rational?,
    _ operations: inout TagOperations
  ) throws(MetadataError) -> [MetadataChapter]? {
    var chapters: [MetadataChapter]?
    for change in changes {
      switch change {
      case .copy(let tags) where !tags.chapters.isEmpty:
        let inside = tags.chapters.filter { chapter in end.map { chapter.start < $0 } ?? true }
        if inside.count < tags.chapters.count {
          operations.dropChapters(
            "only \(inside.count) of \(tags.chapters.count) chapters begin before the file ends")
        }
        chapters = inside
      case .chapters(let list):
        try checkEnd(of: list, end)
        chapters = list
      default: break
      }
    }
    // The chapter track of an MP4 file holds more than its list.
    guard let all = chapters, let limit = container.maximumChapters, all.count > limit,
      !container.isMP4Family
    else { return chapters }
    operations.dropChapters("there is room for the first \(limit) of \(all.count) chapters")
    return Array(all.prefix(limit))
  }

  /// A chapter that nobody can reach is a slip of the fingers.
  private static func checkEnd(
    of chapters: [MetadataChapter], _ end: Rational?
  ) throws(MetadataError) {
    guard let end, let late = chapters.first(where: { $0.start >= end }) else { return }
    throw MetadataError(
      .value,
      "the chapter '\(late.title)' begins at \(late.start.secondsText), but the file ends at "
        + end.secondsText)
  }

  static func refuseLoss(_ outcomes: [ItemOutcome]) throws(MetadataError) {
    let losses = outcomes.filter { $0.outcome == .dropped || $0.outcome == .truncated }
    guard let loss = losses.first else { return }
    let detail = loss.detail.map { " (\($0))" } ?? ""
    let more = losses.count == 1 ? "" : ", and \(losses.count - 1) more"
    throw MetadataError(
      .loss, "'\(loss.name)' would be \(loss.outcome.rawValue)\(detail)\(more)",
      about: loss.identifier)
  }

  private static func resolved(_ path: String) throws(MetadataError) -> String {
    do { return try TagFileAccess.resolved(path) } catch { throw MetadataError(.input, error) }
  }

  private static func target(
    _ output: String?, _ source: String, _ overwrite: Bool, _ container: TagContainer
  ) throws(MetadataError) -> String {
    guard let output else {
      guard TagFileAccess.isWritable(source) else {
        throw MetadataError(
          .output, "'\(source)' is read-only; allow writing it, or name another file with -o")
      }
      return source
    }
    if let named = TagContainer(fileName: output), !container.mayBeCalled(named) {
      throw MetadataError(
        .container,
        "'\(output)' is named like \(named.rawValue), but the source is \(container.rawValue), and "
          + "tagging does not convert; use the ending of the source")
    }
    guard TagFileAccess.exists(output) else { return output }
    let target = try resolved(output)
    guard overwrite else {
      throw MetadataError(
        .exists, "'\(output)' exists; choose another name, or allow replacing it with --overwrite")
    }
    return target
  }

  private static func copy(_ source: String, to temporary: String) throws(MetadataError) {
    do {
      let old = try TagFileAccess(path: source)
      let new = try TagFileAccess(creating: temporary)
      try new.copy(0..<old.size(), of: old, to: 0)
      try new.copyAttributes(of: old)
    } catch { throw MetadataError(.output, error) }
  }

  private static func finish(_ temporary: String, as target: String) throws(MetadataError) {
    do {
      try TagFileAccess(path: temporary).sync()
      try TagFileAccess.rename(temporary, to: target)
    } catch { throw MetadataError(.output, error) }
  }

  /// Reads the file again and compares it with what was to be written.
  static func verify(
    _ operations: [TagOperation], _ chapters: [MetadataChapter]?, _ path: String
  ) throws(MetadataError) {
    if let identifier = try mismatches(operations, chapters, path).first {
      throw MetadataError(
        .verification, "'\(identifier)' did not read back as it was written; nothing was changed",
        about: identifier)
    }
  }

  /// The identifiers whose items did not arrive.
  static func mismatches(
    _ operations: [TagOperation], _ chapters: [MetadataChapter]?, _ path: String
  ) throws(MetadataError) -> [MetadataIdentifier] {
    guard !operations.isEmpty || chapters != nil else { return [] }
    let tags: TagSet
    do { tags = try read(path) } catch {
      throw MetadataError(
        .verification, "the changed file does not read back, perhaps for want of space: \(error)")
    }
    return try mismatches(operations, chapters, in: tags)
  }

  static func mismatches(
    _ operations: [TagOperation], _ chapters: [MetadataChapter]?, in tags: TagSet
  ) throws(MetadataError) -> [MetadataIdentifier] {
    let last = operations.lastIndex(of: .clear).map { $0 + 1 } ?? 0
    var wanted: [MetadataIdentifier: [MetadataItem]] = [:]
    for case .set(let identifier, let items) in operations[last...] {
      wanted[identifier.folded] = items
    }
    let found = Dictionary(grouping: tags.items) { $0.identifier.folded }
    let failed = wanted.filter { !isSame(found[$0.key] ?? [], $0.value, $0.key) }.map(\.key)
    if let chapters, TagContainer(name: tags.container)?.isEditable == true {
      // A list of QuickTime or ID3 counts in milliseconds at the least.
      let isSame =
        tags.chapters.count == chapters.count
        && zip(tags.chapters, chapters).allSatisfy { found, wanted in
          let gap = found.start - wanted.start
          return gap < Rational(1, 500) && gap > Rational(-1, 500)
        }
      guard isSame else {
        throw MetadataError(.verification, "the chapters did not read back as they were written")
      }
    }
    return failed.sorted { $0.description < $1.description }
  }

  private static func isSame(
    _ found: [MetadataItem], _ wanted: [MetadataItem], _ identifier: MetadataIdentifier
  ) -> Bool {
    // Places are rounded to what the numbers hold.
    if identifier == MetadataIdentifier(.uiso, "loci") { return found.isEmpty == wanted.isEmpty }
    let texts = { (items: [MetadataItem]) in items.flatMap(\.values) }
    let bytes = { (items: [MetadataItem]) in
      items.compactMap { if case .data(let bytes) = $0.value { bytes } else { nil } }
    }
    guard bytes(found) == bytes(wanted) else { return false }
    // Dates lose what a version of ID3 cannot hold, and genres may be spelled by number;
    // a pair of Vorbis fields reads back as one.
    let isLoose =
      (identifier.keySpace == .id3
        && ["TDRC", "TCON", "PCST", "TIPL", "TMCL"].contains(identifier.key)
        && found.isEmpty == wanted.isEmpty)
      || (identifier.keySpace == .vorb
        && ["TRACKNUMBER", "DISCNUMBER", "TRACKTOTAL", "DISCTOTAL"].contains(identifier.key))
    return isLoose || texts(found) == texts(wanted)
  }

  /// Compares the packets of every stream.
  ///
  /// Large files of the MP4 family were compared byte by byte, and their tables field by field.
  private static func compareMedia(
    _ old: String, _ new: String, _ container: TagContainer
  ) throws(MetadataError) {
    if container.isMP4Family {
      let reader = try open(old).reader
      if reader.size > MP4Retagging.copiedSize { return }
      // libavformat takes memory and time for as many samples as fragments claim.
      try MP4File(reader).checkFragments()
    }
    let before: [String]
    do { before = try packets(old) } catch { return }  // what does not open has nothing to compare
    let after: [String]
    do { after = try packets(new) } catch { throw MetadataError(.verification, error) }
    guard before == after else {
      throw MetadataError(.verification, "the media data would have changed; nothing was done")
    }
  }

  /// One sum over all packets of each stream, but for covers and chapters.
  private static func packets(_ path: String) throws(LibAVError) -> [String] {
    let demuxer = try Demuxer(path: path)
    var media = Set(demuxer.streams.filter { !$0.isAttachedPicture }.map(\.index))
    media.subtract(chapterStreams(path))
    demuxer.select(media)
    let sums = Dictionary(uniqueKeysWithValues: media.map { ($0, Digest()) })
    while let packet = try demuxer.read() { sums[packet.streamIndex]?.update(packet) }
    return media.sorted().compactMap { sums[$0]?.finish() }
  }

  /// Streams that are chapters; libavformat has a stream for every track in order.
  private static func chapterStreams(_ path: String) -> Set<Int> {
    do throws(MetadataError) {
      let (reader, container) = try open(path)
      return container.isMP4Family ? try MP4File(reader).chapterTrackPlaces : []
    } catch { return [] }
  }

  /// How long the file plays, where that can be told.
  private static func duration(_ path: String) -> Rational? {
    do {
      let duration = try AssetInfo.open(path).duration
      return duration > .zero ? duration : nil
    } catch { return nil }
  }
}
