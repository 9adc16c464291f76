import CutroomMetadata

extension TagOperations {
  /// Texts of WAV and AIFF files say the same as the frame of their key.
  ///
  /// The broadcast extension is not begun for that; where there is one, it follows.
  mutating func setTexts(of item: MetadataItem, replacing: Bool) {
    guard let key = item.commonKey else { return }
    let isText = item.identifier.keySpace == .riff
    let there = Set(existing.map(\.identifier.folded))
    let texts = Mapping.natives(key, in: .riff).filter { text in
      TextChunk.holds(text.key, isAIFF: container == .aiff) && text.folded != item.identifier.folded
    }
    var twins = texts.filter { there.contains($0.folded) || isWritten($0) }
    if isText {
      twins += [Mapping.native(key, in: .id3)].compactMap { $0 }
    } else if let preferred = texts.first(where: { !BroadcastExtension.hasField($0.key) }),
      !twins.contains(preferred)
    {
      twins.append(preferred)
    }
    for twin in twins where replacing || !isWritten(twin) { append(twin, as: item) }
  }

  private mutating func append(_ twin: MetadataIdentifier, as item: MetadataItem) {
    var value = item.values.joined(separator: "; ")
    if twin.keySpace == .id3 {
      append(MetadataItem(twin, .texts(item.values)), replacing: true)
      return
    }
    if twin.key == "bext.OriginationDate" {
      guard let date = MetadataDate(value), date.precision >= .day else { return }
      value = String(date.description.prefix(10))
    } else if let capacity = BroadcastExtension.capacity(of: twin.key) {
      value = String(decoding: utf8Prefix(value, bytes: capacity), as: UTF8.self)
    }
    guard !value.isEmpty else { return }
    append(MetadataItem(twin, value), replacing: true)
  }
}
