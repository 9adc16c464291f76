import CutroomMetadata

/// Turns what a user asks for into operations in the words of a container.
struct TagOperations {
  let container: TagContainer
  let id3Version: Int?
  /// What joins several values where version 2.3 of ID3 has room for one.
  var id3Separator = TagOptions().id3Separator
  /// The items that are in the file, for keys that have several names there.
  var existing: [MetadataItem] = []
  /// Whether identifiers are what somebody asked for, and not what another file happens to have.
  var isExplicit = false
  var operations: [TagOperation] = []
  private(set) var outcomes: [ItemOutcome] = []
  /// What each outcome was given as.
  private var given: [MetadataIdentifier] = []

  init(container: TagContainer, id3Version: Int?, existing: [MetadataItem] = []) {
    self.container = container
    self.id3Version = id3Version
    self.existing = existing
  }

  mutating func apply(_ change: TagChange) throws(MetadataError) {
    switch change {
    case .set(let key, let values):
      let identifier = try MetadataIdentifier(parsing: key)
      try checked(MetadataItem(identifier, .texts(values)), key)
      set(MetadataItem(identifier, .texts(values)), replacing: true)
    case .add(let key, let value):
      try add(MetadataItem(try MetadataIdentifier(parsing: key), value), key)
    case .remove(let key): remove(try MetadataIdentifier(parsing: key))
    case .clear:
      operations = [.clear] + technical
      existing = []
    case .copy(let tags): copy(tags)
    case .artwork(let pictures):
      remove(MetadataIdentifier(.artwork))
      for (index, picture) in pictures.enumerated() {
        if let problem = PictureFormat.problem(of: picture) {
          throw MetadataError(.artwork, "the picture is \(problem)")
        }
        var item = MetadataItem(MetadataIdentifier(.artwork), .data(picture))
        item.extraAttributes["pictureType"] = index == 0 ? "3" : "0"
        set(item, replacing: false)
      }
    case .chapters: break  // they are no items
    }
  }

  /// What says how an MP4 file plays, and nothing about it: it stays when all else goes.
  private var technical: [TagOperation] {
    guard container.isMP4Family else { return [] }
    return SoundCheck.technicalKeys.compactMap { identifier in
      let items = existing.filter { $0.identifier.folded == identifier.folded }
      return items.isEmpty ? nil : .set(identifier, items)
    }
  }

  /// Keeps iTunes' loudness in step with a gain that is set in a sound file.
  mutating func addSoundCheck() {
    guard container == .m4a, !isWritten(SoundCheck.identifier),
      let gain = written(.replayGainTrackGain)?.first
    else { return }
    let old = existing.first { $0.commonKey == .replayGainTrackPeak }?.values.first
    let peak = written(.replayGainTrackPeak)?.first ?? old
    guard let text = SoundCheck.text(gain: gain, peak: peak) else { return }
    operations.append(.set(SoundCheck.identifier, [MetadataItem(SoundCheck.identifier, text)]))
  }

  /// Says of a fresh file how it plays without a gap.
  mutating func setGapless(in path: String) throws(MetadataError) {
    let file = try MP4File(TagStore.open(path).reader)
    guard let item = MP4TagEditor(file, container: container).gaplessItem else { return }
    operations.append(.set(item.identifier, [item]))
  }

  /// The values that a key is set to, if it is.
  private func written(_ key: CommonKey) -> [String]? {
    for case .set(let identifier, let items) in operations.reversed()
    where Mapping.commonKey(of: identifier) == key { return items.flatMap(\.values) }
    return nil
  }

  /// Takes down what became of an item.
  mutating func record(_ outcome: ItemOutcome, of item: MetadataItem) {
    outcomes.append(outcome)
    given.append(item.identifier)
  }

  /// Sets an item; with `replacing`, twins of its key in other key spaces of the file follow.
  ///
  /// Further pictures, and further items of a key that had several, are kept beside the first.
  mutating func set(_ item: MetadataItem, replacing: Bool) {
    let translation = translated(item)
    record(translation.outcome, of: item)
    for written in translation.items {
      append(written, replacing: replacing)
      if container.hasChunks { setTexts(of: written, replacing: replacing) }
      if replacing { removeTotals(of: written) }
      let isForeign = written.identifier.keySpace != item.identifier.keySpace
      if replacing && isForeign { setTwins(of: written) }
    }
  }

  /// A new number of a Vorbis field does not keep the old total.
  private mutating func removeTotals(of item: MetadataItem) {
    guard item.identifier.keySpace == .vorb else { return }
    for name in Self.totals[item.identifier.key] ?? [] {
      operations.append(.set(MetadataIdentifier(.vorb, name), []))
    }
  }

  private static let totals = [
    "TRACKNUMBER": ["TRACKTOTAL", "TOTALTRACKS"], "DISCNUMBER": ["DISCTOTAL", "TOTALDISCS"],
  ]

  mutating func append(_ item: MetadataItem, replacing: Bool) {
    let folded = item.identifier.folded
    let known = operations.lastIndex { operation in
      if case .set(let identifier, _) = operation { return identifier.folded == folded }
      return false
    }
    if !replacing, let known, case .set(let identifier, let items) = operations[known],
      !items.isEmpty
    {
      operations[known] = .set(identifier, items + [item])
    } else if let known {
      operations[known] = .set(item.identifier, [item])
    } else {
      operations.append(.set(item.identifier, [item]))
    }
  }

  /// A file can hold one key in several key spaces; they must not contradict each other.
  private mutating func setTwins(of item: MetadataItem) {
    guard let key = item.commonKey else { return }
    if container.hasID3 {
      // FFmpeg writes a comment as TXXX:comment, which other programs would still show.
      for old in existing.map(\.identifier) where Mapping.commonKey(of: old) == key {
        if old.key == "TXXX", old.folded != item.identifier.folded {
          operations.append(.set(old, []))
        }
      }
    }
    if item.identifier.keySpace == .vorb {
      // Of the names of one field only the one that is written stays.
      for old in Set(existing.filter { $0.commonKey == key }.map(\.identifier))
      where old != item.identifier { operations.append(.set(old, [])) }
    }
    guard container.isMP4Family else { return }
    var spaces: Set<MetadataIdentifier> = []
    for old in existing where old.commonKey == key && old.identifier != item.identifier {
      guard [.mdta, .itsk, .itlk, .udta, .uiso].contains(old.identifier.keySpace),
        old.identifier != MetadataIdentifier(.itsk, "gnre"),
        spaces.insert(old.identifier).inserted
      else { continue }
      operations.append(.set(old.identifier, twin(of: item, old.identifier).map { [$0] } ?? []))
    }
  }

  /// The item under another identifier of its key; `nil` if that cannot hold the value.
  private func twin(
    of item: MetadataItem, _ identifier: MetadataIdentifier
  ) -> MetadataItem? {
    var twin = item
    twin.identifier = identifier
    if identifier.keySpace != .itsk { twin.value = .texts(item.values) }
    // User data have one text for a language.
    if [.udta, .uiso].contains(identifier.keySpace), identifier.key != "kywd" {
      twin.value = .texts([item.values.joined(separator: "; ")])
    }
    if identifier == MetadataIdentifier(.uiso, "yrrc") {
      guard let year = UInt16(item.values.first?.prefix(4) ?? "") else { return nil }
      twin.value = .texts([String(year)])
    }
    return twin
  }

  /// Adds a value to those that are there, or that were set before.
  private mutating func add(_ item: MetadataItem, _ key: String) throws(MetadataError) {
    let translation = try checked(item, key)
    guard let written = translation.items.first else {
      record(translation.outcome, of: item)
      return
    }
    var all = current(written)
    guard let last = all.last else {
      set(item, replacing: true)
      return
    }
    if let key = written.commonKey, Mapping.kind(of: key).isSingle {
      throw MetadataError(
        .value, "'\(key.rawValue)' holds one value and has '\(last.values.first ?? "")'; use --set")
    }
    if case .texts(let texts) = last.value {
      all[all.count - 1].value = .texts(texts + written.values)
    } else {
      all.append(written)
    }
    let identifier =
      item.identifier.keySpace == .common ? item.identifier : written.identifier
    // Several items of one identifier, such as comments in several languages, stay apart.
    for index in all.indices {
      all[index].identifier = identifier
      set(all[index], replacing: index == 0)
      if index < all.count - 1 {
        outcomes.removeLast()
        given.removeLast()
      }
    }
  }

  /// The items of an identifier as the operations leave them, else those of a twin in the file.
  private func current(_ item: MetadataItem) -> [MetadataItem] {
    for case .set(let identifier, let items) in operations.reversed()
    where identifier.folded == item.identifier.folded { return items }
    let own = existing.filter { $0.identifier.folded == item.identifier.folded }
    guard own.isEmpty, let key = item.commonKey,
      let twin = existing.first(where: { $0.commonKey == key })
    else { return own }
    return existing.filter { $0.identifier == twin.identifier }
  }

  /// The translation of an item that somebody gave.
  ///
  /// - Throws: `MetadataError` for a value that is none for the key.
  @discardableResult
  func checked(_ item: MetadataItem, _ key: String) throws(MetadataError) -> Translation {
    let translation = translated(item)
    if translation.isMisfit {
      throw MetadataError(.value, "'\(key)': \(translation.problem)", about: item.identifier)
    }
    return translation
  }

  /// Whether something is to be written under the identifier.
  func isWritten(_ identifier: MetadataIdentifier) -> Bool {
    operations.contains { operation in
      guard case .set(let other, let items) = operation else { return false }
      return other.folded == identifier.folded && !items.isEmpty
    }
  }

  /// Leaves out what cannot be written, and says so in its outcome.
  mutating func drop(_ identifier: MetadataIdentifier, because detail: String) {
    operations.removeAll { operation in
      if case .set(let other, _) = operation { return other.folded == identifier.folded }
      return false
    }
    // A part of it may be in the file already.
    operations.append(.set(identifier, []))
    let number = Self.numbers[identifier.key].map { MetadataIdentifier(.vorb, $0) }
    for index in outcomes.indices {
      let target = outcomes[index].identifier.folded
      guard outcomes[index].outcome != .dropped,
        target == identifier.folded || target == number
      else { continue }
      outcomes[index].identifier = given[index]
      outcomes[index].outcome = .dropped
      outcomes[index].detail = detail
    }
  }

  private static let numbers = ["TRACKTOTAL": "TRACKNUMBER", "DISCTOTAL": "DISCNUMBER"]

  private mutating func remove(_ identifier: MetadataIdentifier) {
    let key = Mapping.commonKey(of: identifier)
    let isCommon = identifier.keySpace == .common
    var targets = existing.map(\.identifier).filter { old in
      let isTwin = key != nil && Mapping.commonKey(of: old) == key
      return isCommon || container.hasChunks && isTwin
        ? isTwin : old.folded == identifier.folded
    }
    if targets.isEmpty, let target = Translation.target(of: identifier, key: key, in: container) {
      targets = [target]
    }
    var seen: Set<MetadataIdentifier> = []
    for target in targets where seen.insert(target.folded).inserted {
      operations.append(.set(target, []))
      removeTotals(of: MetadataItem(target, .texts([])))
    }
  }

  func translated(_ item: MetadataItem) -> Translation {
    guard container.isEditable else {
      return Translation(dropping: item, "tags of \(container.rawValue) files are not written yet")
    }
    let isOwn = existing.contains { $0.identifier.folded == item.identifier.folded }
    var translation = Translation(item, for: container, keepsKeySpace: isOwn || isExplicit)
    if container.hasID3, id3Version == 3 {
      translation.downgrade(separator: id3Separator)
    }
    return translation
  }
}
