import CutroomMedia
import CutroomMetadata
import CutroomModel

/// The tags of WAV and AIFF files: an ID3 chunk, and chunks of text that are kept in step with it.
struct ChunkTags {
  private let file: ChunkFile
  private let container: TagContainer
  private let id3: [UInt8]
  private let frames: [TagFrame]
  private let version: Int?

  /// Reads what is there.
  ///
  /// - Throws: `MetadataError` for a file that is damaged, or whose ID3 tag is.
  init(_ reader: FileByteReader, _ container: TagContainer) throws(MetadataError) {
    file = try ChunkFile(reader)
    self.container = container
    id3 = try file.contents(.id3).first ?? []
    let summary = try ID3Check.tag(MemoryReader(id3), at: 0)
    do {
      (frames, version) = summary == nil ? ([], nil) : try TagFile.readID3(id3)
    } catch { throw MetadataError(.malformed, error.description) }
    isDamaged = (summary?.frames ?? 0) > frames.count
  }

  /// Whether the tag has frames that TagLib does not keep.
  private let isDamaged: Bool

  /// The items and chapters.
  func tags() throws(MetadataError) -> TagSet {
    var set = TagSet(container: container.rawValue)
    set.items = try FrameItems.items(frames, container) + texts()
    set.chapters = try chapters()
    set.id3Version = version
    return set
  }

  private func texts() throws(MetadataError) -> [MetadataItem] {
    var items: [MetadataItem] = []
    if file.isAIFF {
      for id in TextChunk.aiff {
        let texts = try file.contents(ChunkKey(id)).map { TextChunk.decode($0, isMacintosh: true) }
          .filter { !$0.isEmpty }
        if !texts.isEmpty {
          items.append(MetadataItem(Self.identifier(id), .texts(texts)))
        }
      }
      return items
    }
    if let info = try content(.info) { items += InfoList(info).items }
    if let bext = try content(.broadcast) { items += BroadcastExtension(bext).items }
    if let ixml = try content(.ixml) {
      items.append(
        MetadataItem(
          MetadataIdentifier(.riff, "iXML"), TextChunk.decode(ixml, isMacintosh: false)))
    }
    return items
  }

  /// `(c) ` stands without its space.
  private static func identifier(_ id: FourCC) -> MetadataIdentifier {
    MetadataIdentifier(.riff, id == "(c) " ? "(c)" : id.text)
  }

  private func chapters() throws(MetadataError) -> [MetadataChapter] {
    if !file.isAIFF, let cue = try file.contents(.cue).first {
      return try points().chapters(cue: cue, labels: labels())
    }
    return FrameItems.chapters(frames)
  }

  private func points() throws(MetadataError) -> CuePoints {
    let format = try file.contents(ChunkKey("fmt ")).first ?? []
    guard let rate = CuePoints.rate(format) else {
      throw MetadataError(.malformed, "the file states no sampling rate")
    }
    return CuePoints(rate: rate)
  }

  private var hasCue: Bool { file.chunks.contains { $0.id == "cue " } }

  private func labels() throws(MetadataError) -> [UInt8] { try content(.labels) ?? [] }

  /// What the chunks of a kind hold: several lists say what one would.
  private func content(_ key: ChunkKey) throws(MetadataError) -> [UInt8]? {
    let all = try file.contents(key)
    return key.isList && !all.isEmpty ? Array(all.joined()) : all.first
  }
}

// MARK: - Writing

extension ChunkTags {
  /// How the file becomes the one with these changes.
  ///
  /// - Parameters:
  ///   - operations: In the words of the container.
  ///   - chapters: The new chapters; `nil` leaves those that are there.
  ///   - id3Version: 3 or 4; `nil` keeps the version, or takes 4.
  ///   - end: Where the last chapter ends.
  /// - Returns: What to write.
  /// - Throws: `MetadataError` for a file that cannot be changed safely, or an item that cannot.
  func plan(
    _ operations: [TagOperation], chapters: [MetadataChapter]?, id3Version: Int?, end: Rational?
  ) throws(MetadataError) -> MP4EditPlan {
    if isDamaged {
      throw MetadataError(.unsupported, "the ID3 tag is damaged, so that not all can be kept")
    }
    var contents = try changedTexts(operations)
    var (removed, added) = TagStore.frameChanges(
      operations.filter(Self.isFrame), frames, container)
    if version == nil { added = try inherited(operations) + added }
    if let chapters {
      removed.append(TagFrame(key: "CHAP"))
      if file.isAIFF {
        added += FrameItems.chapterFrames(chapters, end: end)
      } else if !chapters.isEmpty || hasCue {
        let (cue, labels) = try points().encoded(chapters, labels: labels())
        contents[.cue] = cue.isEmpty ? [] : [cue]
        contents[.labels] = labels.isEmpty ? [] : [labels]
      }
    }
    if !removed.isEmpty || !added.isEmpty {
      let tag = try rendered(removed, added, id3Version ?? (version == 3 ? 3 : 4))
      contents[.id3] = tag.isEmpty ? [] : [tag]
    }
    for key in contents.keys where !key.isList && !(file.isAIFF && key != .id3) {
      guard try file.contents(key).count <= 1 else {
        throw MetadataError(
          .unsupported,
          "the file has several '\(key.id.text)' chunks, of which all but one would be "
            + "lost; remove them first")
      }
    }
    return try file.plan(replacing: contents)
  }

  private func rendered(
    _ removed: [TagFrame], _ added: [TagFrame], _ version: Int
  ) throws(MetadataError) -> [UInt8] {
    do {
      return try TagFile.renderID3(id3, id3Version: version, removing: removed, adding: added)
    } catch {
      throw MetadataError(error, adding: added, container)
    }
  }

  private static func isFrame(_ operation: TagOperation) -> Bool {
    switch operation {
    case .set(let identifier, _): identifier.keySpace == .id3
    case .clear: true
    }
  }

  /// Where there was no ID3 tag, a new one says all that the texts say.
  private func inherited(_ operations: [TagOperation]) throws(MetadataError) -> [TagFrame] {
    var known: Set<CommonKey> = []
    for operation in operations {
      switch operation {
      case .clear: return []
      case .set(let identifier, _):
        if let key = Mapping.commonKey(of: identifier) { known.insert(key) }
      }
    }
    guard operations.contains(where: Self.isFrame) else { return [] }
    return try texts().compactMap { item in
      guard let key = item.commonKey, known.insert(key).inserted,
        let native = Mapping.native(key, in: .id3)
      else { return nil }
      var frame = TagFrame(key: native.key, values: item.values)
      frame.qualifier = native.qualifier ?? ""
      return frame
    }
  }

  /// The chunks of text as the operations leave them.
  private func changedTexts(
    _ operations: [TagOperation]
  ) throws(MetadataError) -> [ChunkKey: [[UInt8]]] {
    var contents: [ChunkKey: [[UInt8]]] = [:]
    for operation in operations {
      switch operation {
      case .clear:
        // `bext` and `iXML` say what a recording is: its timecode, its identifiers, its history.
        let keys: [ChunkKey] =
          file.isAIFF ? TextChunk.aiff.map { ChunkKey($0) } : [.info]
        for key in keys { contents[key] = [] }
      case .set(let identifier, let items) where identifier.keySpace == .riff:
        try set(identifier, items.flatMap(\.values), in: &contents)
      case .set: break
      }
    }
    return contents
  }

  private func set(
    _ identifier: MetadataIdentifier, _ values: [String], in contents: inout [ChunkKey: [[UInt8]]]
  ) throws(MetadataError) {
    func current(_ key: ChunkKey) throws(MetadataError) -> [UInt8]? {
      if let new = contents[key] { return new.first }
      return try content(key)
    }
    let (key, text) = (identifier.key, values.first)
    if file.isAIFF {
      contents[ChunkKey(FourCC(key))] = values.map { Array($0.utf8) }
    } else if key == "iXML" {
      contents[.ixml] = text.map { [Array($0.utf8)] } ?? []
    } else if BroadcastExtension.hasField(key) {
      let old = try current(.broadcast)
      if text == nil && old == nil { return }
      var bext = BroadcastExtension(old ?? [])
      try bext.set(key, text)
      contents[.broadcast] = [bext.encoded]
    } else {
      var info = InfoList(try current(.info) ?? [])
      info.set(FourCC(key), text)
      contents[.info] = info.encoded.isEmpty ? [] : [info.encoded]
    }
  }
}
