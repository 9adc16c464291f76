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
  ///   - id3Version: 3 or 4; `nil` keeps the version of an MP3 file's tag.
  /// - Returns: What the file holds now, and what became of each item that was given.
  /// - Throws: `MetadataError`.
  public static func retag(
    _ path: String, changes: [TagChange], output: String? = nil, overwrite: Bool = false,
    id3Version: Int? = nil
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
      container: container, id3Version: id3Version ?? tags.id3Version, existing: tags.items)
    for change in changes { try operations.apply(change) }
    guard !operations.operations.isEmpty || target != source else {
      return (tags, operations.outcomes)
    }
    let temporary = TagFileAccess.temporaryPath(beside: target)
    do {
      try copy(source, to: temporary)
      try apply(operations.operations, nil, to: temporary, container, id3Version)
      try verify(operations.operations, nil, temporary)
      try compareMedia(source, temporary)
      try finish(temporary, as: target, like: source)
    } catch {
      TagFileAccess.remove(temporary)
      throw MetadataError(error.code, error.message.replacing(temporary, with: output ?? path))
    }
    return (try read(target), operations.outcomes)
  }

  private static func resolved(_ path: String) throws(MetadataError) -> String {
    do { return try TagFileAccess.resolved(path) } catch { throw MetadataError(.input, error) }
  }

  private static func target(
    _ output: String?, _ source: String, _ overwrite: Bool, _ container: TagContainer
  ) throws(MetadataError) -> String {
    guard let output else { return source }
    if let named = TagContainer(fileName: output), !container.mayBeCalled(named) {
      throw MetadataError(
        .container,
        "'\(output)' is named like \(named.rawValue), but the source is \(container.rawValue), and "
          + "tagging does not convert; use the ending of the source")
    }
    guard TagFileAccess.exists(output) else { return output }
    let target = try resolved(output)
    guard overwrite || target == source else {
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

  private static func finish(
    _ temporary: String, as target: String, like source: String
  ) throws(MetadataError) {
    do {
      // Read-only files are replaced, too, so the mode is not asked for writing here.
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
    let last = operations.lastIndex(of: .clear).map { $0 + 1 } ?? 0
    var wanted: [MetadataIdentifier: [MetadataItem]] = [:]
    for case .set(let identifier, let items) in operations[last...] {
      wanted[identifier.folded] = items
    }
    let found = Dictionary(grouping: tags.items) { $0.identifier.folded }
    let failed = wanted.filter { !isSame(found[$0.key] ?? [], $0.value, $0.key) }.map(\.key)
    if let chapters, !chapters.isEmpty, TagContainer(name: tags.container)?.isEditable == true {
      guard tags.chapters.count == chapters.count else {
        throw MetadataError(.verification, "the chapters did not read back as they were written")
      }
    }
    return failed.sorted { $0.description < $1.description }
  }

  private static func isSame(
    _ found: [MetadataItem], _ wanted: [MetadataItem], _ identifier: MetadataIdentifier
  ) -> Bool {
    if identifier.keySpace == .uiso { return found.isEmpty == wanted.isEmpty }
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
  private static func compareMedia(_ old: String, _ new: String) throws(MetadataError) {
    let before: [Int: [String]]
    do { before = try packets(old) } catch { return }  // what does not open has nothing to compare
    let after: [Int: [String]]
    do { after = try packets(new) } catch { throw MetadataError(.verification, error) }
    guard before == after else {
      throw MetadataError(.verification, "the media data would have changed; nothing was done")
    }
  }

  private static func packets(_ path: String) throws(LibAVError) -> [Int: [String]] {
    let demuxer = try Demuxer(path: path)
    let media = Set(demuxer.streams.filter { !$0.isAttachedPicture }.map(\.index))
    demuxer.select(media)
    var sums: [Int: [String]] = [:]
    while let packet = try demuxer.read() {
      guard media.contains(packet.streamIndex) else { continue }
      sums[packet.streamIndex, default: []].append(packet.digest())
    }
    return sums
  }
}
