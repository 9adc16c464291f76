/// Boxes of an MP4 file, built by hand.
enum BoxBuilder {
  static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    let content = parts.flatMap { $0 }
    return number(content.count + 8) + type.unicodeScalars.map { UInt8($0.value) } + content
  }

  static func number(_ value: Int, _ width: Int = 4) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A file with an empty movie and these boxes in it.
  static func file(_ movie: [UInt8]..., brand: String = "mp42") -> [UInt8] {
    let content = [UInt8](movie.joined())
    return box("ftyp", Array(brand.utf8), number(0)) + box("moov", content)
      + box("mdat", Array("media".utf8))
  }

  /// A `meta` box of iTunes with these atoms.
  static func itunes(_ atoms: [UInt8]...) -> [UInt8] {
    box("meta", number(0), handler("mdir"), box("ilst", [UInt8](atoms.joined())))
  }

  /// A `meta` box of QuickTime with one key for each value.
  static func keyed(_ items: [(key: String, type: Int, value: [UInt8])]) -> [UInt8] {
    let keys = items.flatMap { box("mdta", Array($0.key.utf8)) }
    let values = items.enumerated().flatMap { index, item in
      let data = box("data", number(item.type), number(0), item.value)
      return number(data.count + 8) + number(index + 1) + data
    }
    return box(
      "meta", handler("mdta"), box("keys", number(0), number(items.count), keys),
      box("ilst", values))
  }

  static func handler(_ type: String) -> [UInt8] {
    box("hdlr", number(0), number(0), Array(type.utf8), [UInt8](repeating: 0, count: 13))
  }

  static func atom(_ type: String, _ text: String) -> [UInt8] {
    box(type, box("data", number(1), number(0), Array(text.utf8)))
  }

  /// A `©` box of user data.
  static func international(_ type: String, _ texts: (language: Int, bytes: [UInt8])...) -> [UInt8]
  {
    box(type, texts.flatMap { number($0.bytes.count, 2) + number($0.language, 2) + $0.bytes })
  }

  /// A box of 3GPP with a text.
  static func iso(_ type: String, _ text: String, language: Int = 0x15C7) -> [UInt8] {
    box(type, number(0), number(language, 2), Array(text.utf8), [0])
  }
}
