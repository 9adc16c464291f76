import CutroomMetadata

extension TagOperations {
  /// Takes over the items of another file; of each key they replace those that are there.
  ///
  /// Facts about the other file's sound are left out.
  mutating func copy(_ tags: TagSet) {
    var seen: Set<MetadataIdentifier> = []
    let wasExplicit = isExplicit
    isExplicit = false
    defer { isExplicit = wasExplicit }
    for item in MetadataMerge.lasting(tags.items) {
      let translation = translated(item)
      guard let target = translation.items.first?.identifier else {
        record(translation.outcome, of: item)
        continue
      }
      set(item, replacing: seen.insert(target.folded).inserted)
    }
  }

  /// Puts what version 2.4 of ID3 has in the words of version 2.3.
  mutating func downgrade() {
    for (old, new) in ID3Downgrade.changed(existing, separator: id3Separator) {
      record(new.outcome, of: old)
      guard new.items != [old] else { continue }
      if new.items.first?.identifier != old.identifier {
        operations.append(.set(old.identifier, []))
      }
      for item in new.items { append(item, replacing: false) }
    }
  }

  /// Takes down that not all chapters are taken over.
  mutating func dropChapters(_ detail: String) {
    let identifier = MetadataIdentifier(.common, "chapters")
    record(
      ItemOutcome(key: nil, identifier: identifier, outcome: .truncated, detail: detail),
      of: MetadataItem(identifier, ""))
  }
}
