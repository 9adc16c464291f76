/// Items of `moov/udta`: QuickTime's international texts and the texts of ISO and 3GPP.
enum UserData {
  /// Boxes of 3GPP that hold a language and a text, and how many bytes of other things come first.
  static let texts: [String: Int] = [
    "titl": 0, "auth": 0, "perf": 0, "gnre": 0, "dscp": 0, "albm": 0, "cprt": 0, "clsf": 6,
    "rtng": 8,
  ]

  /// The items of one box; none if it holds something else.
  static func items(_ type: FourCC, _ content: [UInt8]) -> [MetadataItem] {
    let key = type.text
    if key.hasPrefix("©") { return international(key, content) }
    switch key {
    case "date":
      guard let text = strictUTF8(content.prefix { $0 != 0 }), !text.isEmpty else { return [] }
      return [MetadataItem(MetadataIdentifier(.uiso, key), text)]
    case "yrrc":
      guard let year = content.u16(4) else { return [] }
      return [MetadataItem(MetadataIdentifier(.uiso, key), String(year))]
    case "kywd": return keywords(content)
    case "loci":
      guard let place = place(content) else { return [] }
      return [MetadataItem(MetadataIdentifier(.uiso, key), place.text)]
    default:
      guard let skipped = texts[key], let code = content.u16(4 + skipped),
        content.count > 6 + skipped
      else { return [] }
      var item = MetadataItem(
        MetadataIdentifier(.uiso, key), text(content.dropFirst(6 + skipped)).text)
      item.extraAttributes["language"] = MacLanguage.name(code)
      return [item]
    }
  }

  /// A NUL-terminated text in UTF-8, or in UTF-16 after a byte order mark, and its length.
  static func text(_ bytes: ArraySlice<UInt8>) -> (text: String, length: Int) {
    if isMarkedUTF16(bytes) {
      let units = Array(bytes)
      var end = 0
      while end + 1 < units.count, units[end] != 0 || units[end + 1] != 0 { end += 2 }
      return (decodingUTF16(units.prefix(end)), min(end + 2, units.count))
    }
    let text = bytes.prefix { $0 != 0 }
    return (String(decoding: text, as: UTF8.self), min(text.count + 1, bytes.count))
  }

  /// Each keyword has its length before it.
  private static func keywords(_ content: [UInt8]) -> [MetadataItem] {
    guard content.count > 7, let code = content.u16(4) else { return [] }
    var words: [String] = []
    var position = 7
    for _ in 0..<content[6] {
      guard position < content.count, position + 1 + Int(content[position]) <= content.count
      else { break }
      words.append(text(content[(position + 1)..<(position + 1 + Int(content[position]))]).text)
      position += 1 + Int(content[position])
    }
    guard !words.isEmpty else { return [] }
    var item = MetadataItem(MetadataIdentifier(.uiso, "kywd"), .texts(words))
    item.extraAttributes["language"] = MacLanguage.name(code)
    return [item]
  }

  /// One text of a `©` box with its language code.
  struct Entry: Hashable {
    var code: Int
    var bytes: [UInt8]

    /// The text; `nil` in an encoding that is not known.
    var text: String? {
      if MacLanguage.isMacintosh(code) { return MacEncoding(language: code)?.decode(bytes) }
      return isMarkedUTF16(bytes) ? decodingUTF16(bytes) : String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The texts of a `©` box: length, language and text, once for each language.
  static func entries(_ content: [UInt8]) -> [Entry] {
    var entries: [Entry] = []
    var position = 0
    while let length = content.u16(position), let code = content.u16(position + 2), length > 0 {
      let start = position + 4
      guard start + length <= content.count else { break }
      entries.append(Entry(code: code, bytes: Array(content[start..<start + length])))
      position = start + length
    }
    return entries
  }

  private static func international(_ key: String, _ content: [UInt8]) -> [MetadataItem] {
    entries(content).map { entry in
      var item = MetadataItem(
        MetadataIdentifier(.udta, key),
        entry.text.map { .texts([$0]) } ?? .data(entry.bytes))
      item.extraAttributes["language"] = MacLanguage.name(entry.code)
      return item
    }
  }

  /// Where the three numbers of a place stand: after the name and its role, longitude first.
  static func placeStart(_ content: [UInt8]) -> Int? {
    guard content.count > 6 else { return nil }
    let start = 6 + text(content.dropFirst(6)).length + 1
    return start + 12 <= content.count ? start : nil
  }

  private static func place(_ content: [UInt8]) -> ISO6709? {
    guard let start = placeStart(content), let longitude = content.u32(start),
      let latitude = content.u32(start + 4), let altitude = content.u32(start + 8)
    else { return nil }
    return ISO6709(
      latitude: Int32(bitPattern: latitude), longitude: Int32(bitPattern: longitude),
      altitude: Int32(bitPattern: altitude))
  }
}
