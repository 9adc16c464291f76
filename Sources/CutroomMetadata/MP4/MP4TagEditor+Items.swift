extension MP4TagEditor {
  // MARK: QuickTime keys

  func editKeys(
    _ operations: [TagOperation], _ splices: inout Splices
  ) throws(MetadataError) {
    let places = file.metas.filter { $0.handler == "mdta" }
    guard let first = places.first else {
      var fresh = KeyedMetadata()
      for operation in operations { fresh.apply(operation) }
      insert(fresh, &splices)
      return
    }
    let old = try keys(first.meta)
    var new = old
    for operation in operations { new.apply(operation) }
    // FFmpeg puts keys into the user data, where QuickTime does not look.
    let isMoved = container == .mov && first.parents.count > 1 && new.entries != old.entries
    if isMoved {
      try refuseLoss(of: old, in: first.meta)
      splices.replace(first.meta.start..<first.meta.end, with: [], in: first.parents)
      insert(new, &splices)
    } else {
      try replace(old, by: new, in: first, &splices)
    }
    // What is set stands once.
    for place in places.dropFirst() {
      let old = try keys(place.meta)
      var rest = old
      for operation in operations { rest.apply(operation.removing) }
      try replace(old, by: rest, in: place, &splices)
    }
  }

  private func keys(_ meta: Box) throws(MetadataError) -> KeyedMetadata {
    guard let keys = meta.child("keys"), let ilst = meta.child("ilst") else {
      return KeyedMetadata()
    }
    return try KeyedMetadata(file.moov, keys: keys, ilst: ilst)
  }

  private func replace(
    _ old: KeyedMetadata, by new: KeyedMetadata, in place: MP4File.MetaPlace,
    _ splices: inout Splices
  ) throws(MetadataError) {
    guard new.entries != old.entries else { return }
    try refuseLoss(of: old, in: place.meta)
    let (keys, items) = new.encoded
    let end = place.meta.insertionPoint
    for (type, bytes) in [(FourCC("keys"), keys), (FourCC("ilst"), items)] {
      let range = place.meta.child(type).map { $0.start..<$0.end } ?? end..<end
      splices.replace(range, with: bytes, in: place.ancestors)
    }
  }

  /// Refuses to write anew what was not understood as a whole.
  private func refuseLoss(of known: KeyedMetadata, in meta: Box) throws(MetadataError) {
    if let ilst = meta.child("ilst") {
      let (boxes, end) = BoxParser.flat(file.moov, in: ilst.content)
      guard boxes.count == known.entries.count, file.moov[end..<ilst.end].allSatisfy({ $0 == 0 })
      else {
        throw MetadataError(
          .unsupported,
          "QuickTime's metadata are damaged, so that not all can be kept; copy the "
            + "streams into a new file first")
      }
    }
  }

  /// QuickTime's `meta` has no version and flags; those who read ISO files expect them.
  private func insert(_ fresh: KeyedMetadata, _ splices: inout Splices) {
    guard !fresh.entries.isEmpty else { return }
    let (keys, ilst) = fresh.encoded
    let version: [UInt8] = container == .mov ? [] : [0, 0, 0, 0]
    let meta = (version + Self.handler("mdta", manufacturer: 0) + keys + ilst).boxed("meta")
    let end = file.root.insertionPoint
    splices.replace(end..<end, with: meta, in: [file.root])
  }

  private static func handler(_ type: FourCC, manufacturer: UInt32) -> [UInt8] {
    var content: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    content.append(type.value, bytes: 4)
    content.append(manufacturer, bytes: 4)
    return (content + [0, 0, 0, 0, 0, 0, 0, 0, 0]).boxed("hdlr")
  }

  // MARK: iTunes items

  func editItems(
    _ operations: [TagOperation], _ splices: inout Splices,
    _ additions: inout UserDataAdditions, _ usesPadding: Bool
  ) throws(MetadataError) {
    let metas = file.metas.filter { $0.handler != "mdta" }
    // iTunes looks into the user data; what lies elsewhere is kept, but not written to first.
    let places = metas.filter { $0.meta.child("ilst") != nil }
      .sorted { ($0.parents.count, $1.meta.start) > ($1.parents.count, $0.meta.start) }
    for place in places.dropFirst() {
      try edit(place, operations.map(\.removing), &splices, usesPadding: false)
    }
    if let first = places.first {
      try edit(first, operations, &splices, usesPadding: usesPadding)
      return
    }
    let new = try Ilst().edited(operations)
    guard !new.atoms.isEmpty else { return }
    if let place = metas.first(where: { $0.handler == "mdir" && $0.parents.count > 1 }) {
      let end = place.meta.insertionPoint
      splices.replace(end..<end, with: new.encoded, in: place.ancestors)
      return
    }
    let content = Self.handler("mdir", manufacturer: FourCC("appl").value) + new.encoded
    additions.bytes += ([0, 0, 0, 0] + content).boxed("meta")
  }

  private func edit(
    _ place: MP4File.MetaPlace, _ operations: [TagOperation], _ splices: inout Splices,
    usesPadding: Bool
  ) throws(MetadataError) {
    guard let box = place.meta.child("ilst") else { return }
    let old = Ilst(file.moov, box.content)
    let new = try old.edited(operations)
    guard new.atoms != old.atoms else { return }
    if usesPadding {
      replaceItems(box, with: new.encoded, in: place, &splices)
    } else {
      splices.replace(box.start..<box.end, with: new.encoded, in: place.ancestors)
    }
  }

  /// Puts a new `ilst` in the place of the old one, and lets `free` beside it take the difference.
  private func replaceItems(
    _ old: Box, with new: [UInt8], in place: MP4File.MetaPlace, _ splices: inout Splices
  ) {
    let next = place.meta.children.first { $0.start == old.end && $0.type == "free" }
    let room = (next?.end ?? old.end) - old.start - splices.delta
    let rest = room - new.count
    if rest == 0 || rest >= 8 {
      let padding = rest == 0 ? [] : freeBox(size: rest)
      splices.replace(
        old.start..<(next?.end ?? old.end), with: new + padding, in: place.ancestors)
    } else {
      splices.replace(old.start..<old.end, with: new, in: place.ancestors)
    }
  }
}

extension TagOperation {
  /// The operation for a place beside the one that is written to.
  var removing: TagOperation {
    switch self {
    case .clear: .clear
    case .set(let identifier, _): .set(identifier, [])
    }
  }
}

extension KeyedMetadata {
  mutating func apply(_ operation: TagOperation) {
    switch operation {
    case .clear: entries = []
    case .set(let identifier, let items) where identifier.keySpace == .mdta:
      set(identifier.key, items)
    case .set: break
    }
  }

  private mutating func set(_ key: String, _ items: [MetadataItem]) {
    let index = entries.firstIndex { $0.key == key }
    let count = entries[..<(index ?? 0)].filter { $0.key != key }.count
    entries.removeAll { $0.key == key }
    let content = items.flatMap { IlstEncoder.values($0).flatMap(IlstEncoder.data) }
    guard !content.isEmpty else { return }
    entries.insert(
      Entry(namespace: "mdta", key: key, content: content),
      at: index == nil ? entries.count : count)
  }
}

extension Ilst {
  func edited(_ operations: [TagOperation]) throws(MetadataError) -> Ilst {
    var ilst = self
    for operation in operations {
      switch operation {
      case .clear: ilst = Ilst()
      case .set(let identifier, let items): try ilst.set(identifier, items)
      }
    }
    return ilst
  }

  /// Replaces all atoms of the identifier by one in the place of the first.
  private mutating func set(
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
