/// Changes items and chapters of an MP4, M4A or QuickTime file.
///
/// Everything that is not named by an operation stays byte for byte, in its place and order.
package struct MP4TagEditor {
  private let file: MP4File
  private let container: TagContainer

  package init(_ file: MP4File, container: TagContainer) {
    self.file = file
    self.container = container
  }

  /// Plans the edit; `chapters` replace the chapter list, `nil` leaves it.
  ///
  /// - Throws: ``MetadataError`` if the file is of a kind that cannot be edited safely.
  package func plan(
    _ operations: [TagOperation], chapters: [MetadataChapter]? = nil
  ) throws(MetadataError) -> MP4EditPlan {
    var splices = Splices()
    var additions = UserDataAdditions()
    try editUserData(operations, &splices, &additions)
    try editChapters(chapters, &splices, &additions)
    try editKeys(operations, &splices)
    try editItems(operations, &splices, &additions)
    additions.insert(into: file, &splices)
    return try MP4EditPlan.replacingMovie(of: file, splices)
  }

  /// What is appended to the user data, which may not be there yet.
  private struct UserDataAdditions {
    var bytes: [UInt8] = []

    func insert(into file: MP4File, _ splices: inout Splices) {
      guard !bytes.isEmpty else { return }
      if let data = file.userData {
        let point = data.insertionPoint
        splices.replace(point..<point, with: bytes, in: [file.root, data])
      } else {
        let end = file.root.insertionPoint
        splices.replace(end..<end, with: bytes.boxed("udta"), in: [file.root])
      }
    }
  }

  private func editChapters(
    _ chapters: [MetadataChapter]?, _ splices: inout Splices, _ additions: inout UserDataAdditions
  ) throws(MetadataError) {
    guard let chapters else { return }
    let box = chapters.isEmpty ? [] : try ChapterList.box(chapters)
    if let data = file.userData, let old = data.child("chpl") {
      guard Array(file.moov[old.start..<old.end]) != box else { return }
      splices.replace(old.start..<old.end, with: box, in: [file.root, data])
    } else {
      additions.bytes += box
    }
  }
}

// MARK: - User data

extension MP4TagEditor {
  private func editUserData(
    _ operations: [TagOperation], _ splices: inout Splices, _ additions: inout UserDataAdditions
  ) throws(MetadataError) {
    for box in file.userData?.children ?? [] where box.type != "meta" {
      let content = Array(file.moov[box.content])
      let hasItems = !UserData.items(box.type, content).isEmpty
      var replacement: [UInt8]?
      for operation in operations {
        switch operation {
        case .clear where hasItems: replacement = []
        case .set(let identifier, let items) where Self.isUserData(identifier, in: box):
          replacement = try userDataBox(identifier, items.first, replacing: content) ?? []
        default: continue
        }
      }
      guard let replacement, let data = file.userData,
        replacement != Array(file.moov[box.start..<box.end])
      else { continue }
      splices.replace(box.start..<box.end, with: replacement, in: [file.root, data])
    }
    for case .set(let identifier, let items) in operations {
      guard identifier.keySpace == .uiso || identifier.keySpace == .udta,
        file.userData?.child(FourCC(identifier.key)) == nil
      else { continue }
      additions.bytes += try userDataBox(identifier, items.first, replacing: []) ?? []
    }
  }

  private static func isUserData(_ identifier: MetadataIdentifier, in box: Box) -> Bool {
    (identifier.keySpace == .udta || identifier.keySpace == .uiso)
      && FourCC(identifier.key) == box.type
  }

  private func userDataBox(
    _ identifier: MetadataIdentifier, _ item: MetadataItem?, replacing old: [UInt8]
  ) throws(MetadataError) -> [UInt8]? {
    guard let item, !item.values.isEmpty else { return nil }
    let text = item.values.joined(separator: "; ")
    if identifier == MetadataIdentifier(.uiso, "loci"), let place = ISO6709(text) {
      return UserData.placeBox(place)
    }
    guard identifier.keySpace == .udta,
      let box = UserData.internationalBox(FourCC(identifier.key), text, replacing: old)
    else {
      throw MetadataError(
        .unsupported, "'\(identifier)' cannot be written", about: identifier)
    }
    return box
  }
}

// MARK: - QuickTime keys

extension MP4TagEditor {
  private func editKeys(
    _ operations: [TagOperation], _ splices: inout Splices
  ) throws(MetadataError) {
    let parent = [file.root, file.userData].first { file.meta("mdta", in: $0) != nil } ?? nil
    guard let parent, let meta = file.meta("mdta", in: parent), let keys = meta.child("keys"),
      let ilst = meta.child("ilst")
    else {
      var fresh = KeyedMetadata()
      for operation in operations { try Self.apply(operation, to: &fresh) }
      guard !fresh.entries.isEmpty else { return }
      let end = file.root.insertionPoint
      splices.replace(end..<end, with: Self.keyedMeta(fresh), in: [file.root])
      return
    }
    let old = try KeyedMetadata(file.moov, keys: keys, ilst: ilst)
    var new = old
    for operation in operations { try Self.apply(operation, to: &new) }
    guard new.entries != old.entries else { return }
    let ancestors =
      parent.start == file.root.start ? [file.root, meta] : [file.root, parent, meta]
    let (newKeys, newItems) = new.encoded
    splices.replace(keys.start..<keys.end, with: newKeys, in: ancestors)
    replaceItems(ilst, with: newItems, in: meta, ancestors, &splices)
  }

  private static func apply(
    _ operation: TagOperation, to metadata: inout KeyedMetadata
  ) throws(MetadataError) {
    switch operation {
    case .clear: metadata.entries = []
    case .set(let identifier, let items) where identifier.keySpace == .mdta:
      set(identifier.key, items, in: &metadata)
    case .add(let item) where item.identifier.keySpace == .mdta:
      let content = IlstEncoder.values(item).flatMap(IlstEncoder.data)
      if let index = metadata.entries.lastIndex(where: { $0.key == item.identifier.key }) {
        metadata.entries[index].content += content
      } else {
        metadata.entries.append(
          .init(namespace: "mdta", key: item.identifier.key, content: content))
      }
    default: break
    }
  }

  private static func set(
    _ key: String, _ items: [MetadataItem], in metadata: inout KeyedMetadata
  ) {
    let index = metadata.entries.firstIndex { $0.key == key }
    let count = metadata.entries[..<(index ?? 0)].filter { $0.key != key }.count
    metadata.entries.removeAll { $0.key == key }
    let content = items.flatMap { IlstEncoder.values($0).flatMap(IlstEncoder.data) }
    guard !content.isEmpty else { return }
    metadata.entries.insert(
      .init(namespace: "mdta", key: key, content: content),
      at: index == nil ? metadata.entries.count : count)
  }

  /// QuickTime's `meta` has no version and flags.
  private static func keyedMeta(_ metadata: KeyedMetadata) -> [UInt8] {
    let (keys, ilst) = metadata.encoded
    return (handler("mdta", manufacturer: 0) + keys + ilst).boxed("meta")
  }

  private static func handler(_ type: FourCC, manufacturer: UInt32) -> [UInt8] {
    var content: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    content.append(type.value, bytes: 4)
    content.append(manufacturer, bytes: 4)
    return (content + [0, 0, 0, 0, 0, 0, 0, 0, 0]).boxed("hdlr")
  }
}

// MARK: - iTunes items

extension MP4TagEditor {
  private func editItems(
    _ operations: [TagOperation], _ splices: inout Splices, _ additions: inout UserDataAdditions
  ) throws(MetadataError) {
    let metas = file.userData?.children.filter { $0.type == "meta" } ?? []
    let isItunes = { (meta: Box) in file.handler(of: meta) != "mdta" && meta.child("ilst") != nil }
    if let data = file.userData, let meta = metas.first(where: isItunes),
      let box = meta.child("ilst")
    {
      let old = Ilst(file.moov, box.content)
      let new = try Self.edited(old, operations)
      guard new.atoms != old.atoms else { return }
      replaceItems(box, with: new.encoded, in: meta, [file.root, data, meta], &splices)
      return
    }
    let new = try Self.edited(Ilst(), operations)
    guard !new.atoms.isEmpty else { return }
    if let data = file.userData, let meta = metas.first(where: { file.handler(of: $0) == "mdir" }) {
      let end = meta.insertionPoint
      splices.replace(end..<end, with: new.encoded, in: [file.root, data, meta])
      return
    }
    let content = Self.handler("mdir", manufacturer: FourCC("appl").value) + new.encoded
    additions.bytes += ([0, 0, 0, 0] + content).boxed("meta")
  }

  static func edited(_ old: Ilst, _ operations: [TagOperation]) throws(MetadataError) -> Ilst {
    var ilst = old
    for operation in operations {
      switch operation {
      case .clear: ilst = Ilst()
      case .set(let identifier, let items):
        try ilst.set(identifier, items)
      case .add(let item):
        let known = ilst.items.filter { $0.identifier.folded == item.identifier.folded }
        try ilst.set(item.identifier, known + [item])
      }
    }
    return ilst
  }

  /// Puts a new `ilst` in the place of the old one, and lets `free` beside it take the difference.
  private func replaceItems(
    _ old: Box, with new: [UInt8], in meta: Box, _ ancestors: [Box], _ splices: inout Splices
  ) {
    let next = meta.children.first { $0.start == old.end && $0.type == "free" }
    let room = (next?.end ?? old.end) - old.start - splices.delta
    let rest = room - new.count
    if rest == 0 || rest >= 8 {
      let padding = rest == 0 ? [] : freeBox(size: rest)
      splices.replace(old.start..<(next?.end ?? old.end), with: new + padding, in: ancestors)
    } else {
      splices.replace(old.start..<old.end, with: new, in: ancestors)
    }
  }
}

extension Ilst {
  /// Replaces all atoms of the identifier by one in the place of the first.
  mutating func set(
    _ identifier: MetadataIdentifier, _ items: [MetadataItem]
  ) throws(MetadataError) {
    guard identifier.keySpace == .itsk || identifier.keySpace == .itlk else { return }
    let genre = MetadataIdentifier(.itsk, "gnre")
    let matches = { (atom: IlstAtom) in
      atom.identifier?.folded == identifier.folded
        || (identifier.key == "©gen" && atom.identifier == genre)
    }
    let place = atoms.firstIndex(where: matches)
    let index = place.map { atoms[..<$0].count { !matches($0) } }
    atoms.removeAll(where: matches)
    guard !items.isEmpty else { return }
    atoms.insert(try IlstEncoder.atom(identifier, items), at: index ?? atoms.count)
  }
}
