/// Items of `moov/udta`: QuickTime's international texts and the texts of ISO and 3GPP.
enum UserData {
  private static let texts: Set<String> = ["titl", "auth", "perf", "gnre", "dscp", "albm", "cprt"]

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
    case "loci":
      guard let place = place(content) else { return [] }
      return [MetadataItem(MetadataIdentifier(.uiso, key), place.text)]
    default:
      guard texts.contains(key), let code = content.u16(4), content.count > 6 else { return [] }
      var item = MetadataItem(MetadataIdentifier(.uiso, key), text(content.dropFirst(6)).text)
      item.extraAttributes["language"] = language(code)
      return [item]
    }
  }

  /// A NUL-terminated text in UTF-8, or in UTF-16 after a byte order mark, and its length.
  private static func text(_ bytes: ArraySlice<UInt8>) -> (text: String, length: Int) {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      let units = Array(bytes)
      var end = 0
      while end + 1 < units.count, units[end] != 0 || units[end + 1] != 0 { end += 2 }
      return (decodingUTF16(units.prefix(end)), min(end + 2, units.count))
    }
    let text = bytes.prefix { $0 != 0 }
    return (String(decoding: text, as: UTF8.self), min(text.count + 1, bytes.count))
  }

  /// `©` items: length, language and text, once for each language.
  private static func international(_ key: String, _ content: [UInt8]) -> [MetadataItem] {
    var items: [MetadataItem] = []
    var position = 0
    while let length = content.u16(position), let code = content.u16(position + 2), length > 0 {
      let start = position + 4
      guard start + length <= content.count else { break }
      let bytes = content[start..<start + length]
      var item = MetadataItem(MetadataIdentifier(.udta, key), decoded(bytes, language: code))
      if let language = language(code) { item.extraAttributes["language"] = language }
      items.append(item)
      position = start + length
    }
    return items
  }

  private static func isMacintosh(_ code: Int) -> Bool { code < 0x400 || code == 0x7FFF }

  private static func decoded(_ bytes: ArraySlice<UInt8>, language code: Int) -> String {
    if isMacintosh(code) { return MacRoman.decode(bytes) }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      return decodingUTF16(bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The three letters of a packed ISO 639-2 code.
  private static func language(_ code: Int) -> String? {
    guard !isMacintosh(code) else { return nil }
    var text = String.UnicodeScalarView()
    for shift in [10, 5, 0] { text.append(Unicode.Scalar(UInt8((code >> shift & 31) + 0x60))) }
    return String(text) == "und" ? nil : String(text)
  }

  private static func place(_ content: [UInt8]) -> ISO6709? {
    guard content.count > 6 else { return nil }
    // The name, then its role, stand before the numbers; the longitude comes first.
    let start = 6 + text(content.dropFirst(6)).length + 1
    guard let longitude = content.u32(start), let latitude = content.u32(start + 4),
      let altitude = content.u32(start + 8)
    else { return nil }
    return ISO6709(
      latitude: Int32(bitPattern: latitude), longitude: Int32(bitPattern: longitude),
      altitude: Int32(bitPattern: altitude))
  }

  /// A `loci` box for a place.
  static func placeBox(_ place: ISO6709) -> [UInt8] {
    var content: [UInt8] = [0, 0, 0, 0]
    content.append(0x55C4, bytes: 2)  // "und"
    content += [0, 0]  // no name; the role is "shooting location"
    for number in [place.longitude, place.latitude, place.altitude] {
      content.append(number, bytes: 4)
    }
    return (content + Array("earth".utf8) + [0, 0]).boxed("loci")
  }

  /// A `©` item with this text, in the language code of `old` where that can hold it.
  static func internationalBox(_ type: FourCC, _ text: String, replacing old: [UInt8]) -> [UInt8]? {
    guard text.utf8.count <= 0xFFFF else { return nil }
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let code = old.u16(2) ?? 0x55C4
    var content: [UInt8] = []
    content.append(text.utf8.count, bytes: 2)
    content.append(isMacintosh(code) && !isASCII ? 0x55C4 : code, bytes: 2)
    return (content + Array(text.utf8)).boxed(type)
  }
}
