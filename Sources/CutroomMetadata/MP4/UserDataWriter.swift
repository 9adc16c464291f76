/// Writes items as boxes of user data.
enum UserDataWriter {
  /// The boxes that hold `items`, all of one identifier, in the place of boxes with these contents.
  ///
  /// - Returns: `nil` if the box cannot hold them.
  static func boxes(
    _ identifier: MetadataIdentifier, _ items: [MetadataItem], replacing old: [[UInt8]]
  ) -> [UInt8]? {
    let items = items.filter { $0.value != .texts([]) }
    guard !items.isEmpty else { return [] }
    let type = FourCC(identifier.key)
    if identifier.keySpace == .udta { return international(type, items, old) }
    var boxes: [UInt8] = []
    for (index, item) in items.enumerated() {
      let before = index < old.count ? old[index] : old.first ?? []
      guard !item.values.isEmpty, let content = content(identifier.key, item, before) else {
        return nil
      }
      boxes += content.boxed(type)
    }
    return boxes
  }

  // MARK: - QuickTime

  /// One box with a text for each language; a Macintosh encoding is kept where it has the letters.
  private static func international(
    _ type: FourCC, _ items: [MetadataItem], _ old: [[UInt8]]
  ) -> [UInt8]? {
    guard type.text.hasPrefix("©") else { return nil }
    let known = old.flatMap(UserData.entries)
    var content: [UInt8] = []
    for item in items {
      let entry: UserData.Entry
      if case .data(let bytes) = item.value {
        guard let same = known.first(where: { $0.bytes == bytes }) else { return nil }
        entry = same
      } else {
        entry = self.entry(item, known)
      }
      guard entry.bytes.count <= 0xFFFF, !entry.bytes.isEmpty else { return nil }
      content.append(entry.bytes.count, bytes: 2)
      content.append(entry.code, bytes: 2)
      content += entry.bytes
    }
    return content.boxed(type)
  }

  private static func entry(_ item: MetadataItem, _ known: [UserData.Entry]) -> UserData.Entry {
    let text = item.values.joined(separator: "; ")
    let language = item.extraAttributes["language"]
    let like = known.first { language == nil || MacLanguage.name($0.code) == language }
    let code = like?.code ?? MacLanguage.packed(language)
    if MacLanguage.isMacintosh(code) {
      if let bytes = MacEncoding(language: code)?.encode(text) {
        return UserData.Entry(code: code, bytes: bytes)
      }
      let packed = MacLanguage.packed(MacLanguage.name(code))
      return UserData.Entry(code: packed, bytes: Array(text.utf8))
    }
    return UserData.Entry(code: code, bytes: Array(text.utf8))
  }

  // MARK: - ISO and 3GPP

  private static func content(
    _ key: String, _ item: MetadataItem, _ old: [UInt8]
  ) -> [UInt8]? {
    let text = item.values.joined(separator: "; ")
    switch key {
    case "loci": return ISO6709(text).map { place($0, replacing: old) }
    case "date": return Array(text.utf8)
    case "yrrc":
      guard let year = UInt16(text.prefix(4)) else { return nil }
      return [0, 0, 0, 0, UInt8(year >> 8), UInt8(year & 0xFF)]
    case "kywd": return keywords(item, old)
    default:
      guard let skipped = UserData.texts[key] else { return nil }
      // Who rates, and by what criteria, is only known from the file.
      guard skipped == 0 || old.count > 6 + skipped else { return nil }
      var content = [0, 0, 0, 0] + (skipped > 0 ? Array(old[4..<4 + skipped]) : [])
      content.append(language(item, old.u16(4 + skipped)), bytes: 2)
      content += Array(text.utf8) + [0]
      // The number of the track may follow the album's name.
      if key == "albm", old.count > 6 {
        content += old.dropFirst(6 + UserData.text(old.dropFirst(6)).length).prefix(1)
      }
      return content
    }
  }

  private static func language(_ item: MetadataItem, _ old: Int?) -> Int {
    item.extraAttributes["language"].map { MacLanguage.packed($0) } ?? old
      ?? MacLanguage.undetermined
  }

  private static func keywords(_ item: MetadataItem, _ old: [UInt8]) -> [UInt8]? {
    guard item.values.count <= 255, item.values.allSatisfy({ $0.utf8.count < 255 }) else {
      return nil
    }
    var content: [UInt8] = [0, 0, 0, 0]
    content.append(language(item, old.u16(4)), bytes: 2)
    content.append(UInt8(item.values.count))
    for word in item.values {
      content.append(UInt8(word.utf8.count + 1))
      content += Array(word.utf8) + [0]
    }
    return content
  }

  /// A place with the old one's name, role and notes.
  private static func place(_ place: ISO6709, replacing old: [UInt8]) -> [UInt8] {
    var numbers: [UInt8] = []
    for number in [place.longitude, place.latitude, place.altitude] {
      numbers.append(number, bytes: 4)
    }
    if let start = UserData.placeStart(old) {
      return Array(old[..<start]) + numbers + old[(start + 12)...]
    }
    var content: [UInt8] = [0, 0, 0, 0]
    content.append(MacLanguage.undetermined, bytes: 2)
    content += [0, 0]  // no name; the role is "shooting location"
    return content + numbers + Array("earth".utf8) + [0, 0]
  }
}
