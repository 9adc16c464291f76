extension MetadataItem {
  /// The language as ISO 639-2, such as `eng`; `nil` where the file gives none.
  public var language: String? {
    if let language = extraAttributes["language"] { return language == "und" ? nil : language }
    let packed = locale & 0x7FFF
    let letters = [10, 5, 0].map { UInt8(truncatingIfNeeded: packed >> $0 & 0x1F) }
    guard letters.allSatisfy({ (1...26).contains($0) }) else { return nil }
    let code = String(decoding: letters.map { $0 + 0x60 }, as: UTF8.self)
    return code == "und" ? nil : code
  }

  /// Whether the item says where, when or by whom the file was made or bought, so that it is left
  /// out of what is passed on.
  public var isPersonal: Bool {
    if let commonKey, Self.personalKeys.contains(commonKey) { return true }
    let key = identifier.key
    switch identifier.keySpace {
    case .itsk: return ["apID", "ownr", "purd", "plID", "cnID", "xid "].contains(key)
    case .id3:
      let isDate = ["TYER", "TDAT", "TIME", "TDEN", "TDOR", "TDRL"].contains(key)
      return isDate || ["OWNE", "TOWN", "PRIV", "UFID", "COMR", "PCNT", "POPM"].contains(key)
    case .riff:
      return ["bext.Originator", "bext.OriginatorReference", "bext.OriginationTime", "iXML"]
        .contains(key)
    case .mdta: return Self.personalParts.contains { key.lowercased().contains($0) }
    case .udta, .uiso: return ["©xyz", "loci", "date", "manu", "modl"].contains(key)
    default: return false
    }
  }

  private static let personalKeys: Set<CommonKey> = [
    .location, .make, .model, .author, .creationDate, .lastModifiedDate, .identifier, .encodedBy,
  ]

  private static let personalParts = [
    "location", "gps", "camera", "serial", "creationdate", "owner", "content.identifier",
    "collection.user", "direction",
  ]
}

extension Sequence<MetadataItem> {
  /// The items of an identifier; a common key finds it in every key space.
  public func filtered(by identifier: MetadataIdentifier) -> [MetadataItem] {
    let key = identifier.keySpace == .common ? CommonKey(name: identifier.key) : nil
    return filter { item in
      item.identifier.folded == identifier.folded || (key != nil && item.commonKey == key)
    }
  }

  /// The items in the first of these languages that any item has, and those of no language.
  ///
  /// Languages are ISO 639-2 codes such as `eng`, the preferred one first.
  public func filtered(byLanguages languages: [String]) -> [MetadataItem] {
    let known = Set(compactMap(\.language))
    let chosen = languages.first { known.contains($0) }
    return filter { $0.language == nil || $0.language == chosen }
  }

  /// The items that say neither where nor by whom, as AVFoundation's filter for sharing.
  public func filteredForSharing() -> [MetadataItem] { filter { !$0.isPersonal } }
}
