/// The fields of a `LIST` chunk of the type `INFO`.
///
/// It has no encoding: UTF-8 is written, as FFmpeg and TagLib do, and texts that are not UTF-8 are
/// read as Windows Latin-1.
package struct InfoList: Hashable, Sendable {
  /// A field with its text as it is in the file.
  private struct Field: Hashable {
    var id: FourCC
    var bytes: [UInt8]
  }

  private var fields: [Field] = []

  package init() {}

  /// Reads the content of the chunk after its type; what is cut is left out.
  package init(_ content: [UInt8]) {
    var position = 0
    while let id = content.u32(position), let raw = content.u32(position + 4) {
      let size = Int(raw.byteSwapped)
      guard size <= content.count - position - 8 else { break }
      let text = content[position + 8..<position + 8 + size]
      fields.append(Field(id: FourCC(id), bytes: Array(text)))
      position += 8 + size
      // Some writers fill up odd texts, some do not.
      if size % 2 == 1, position < content.count, content[position] == 0 { position += 1 }
    }
  }

  /// The content of the chunk; empty where no field is left.
  package var encoded: [UInt8] {
    var content: [UInt8] = []
    for field in fields {
      content.append(field.id.value, bytes: 4)
      content.append(UInt32(clamping: field.bytes.count).byteSwapped, bytes: 4)
      content += field.bytes
      if field.bytes.count % 2 == 1 { content.append(0) }
    }
    return content
  }

  /// The texts in order.
  package var items: [MetadataItem] {
    fields.compactMap { field in
      let text = TextChunk.decode(field.bytes, isMacintosh: false)
      return text.isEmpty ? nil : MetadataItem(MetadataIdentifier(.riff, field.id.text), text)
    }
  }

  /// Gives a field this text; `nil` removes it.
  package mutating func set(_ id: FourCC, _ text: String?) {
    let first = fields.firstIndex { $0.id == id }
    if let text, let first, TextChunk.decode(fields[first].bytes, isMacintosh: false) == text {
      return
    }
    let field = text.map { Field(id: id, bytes: Array($0.utf8) + [0]) }
    fields.removeAll { $0.id == id }
    if let field { fields.insert(field, at: min(first ?? fields.count, fields.count)) }
  }
}

/// Texts of chunks that state no encoding.
package enum TextChunk {
  /// The chunks of AIFF that are a text.
  package static let aiff: [FourCC] = ["NAME", "AUTH", "(c) ", "ANNO"]

  /// Whether files of the kind have a text of that name.
  package static func holds(_ key: String, isAIFF: Bool) -> Bool {
    if isAIFF { return aiff.contains(FourCC(key)) && key.utf8.count <= 4 }
    if key == "iXML" || BroadcastExtension.hasField(key) { return true }
    return key.hasPrefix("I") && key.utf8.count == 4 && FourCC(key).isPrintable
  }

  /// The text up to a NUL: UTF-8 where it is that, else what old programs wrote.
  package static func decode(_ bytes: [UInt8], isMacintosh: Bool) -> String {
    let text = bytes.prefix { $0 != 0 }
    if let valid = strictUTF8(Array(text)) { return valid }
    if isMacintosh { return MacEncoding.roman.decode(text) }
    var scalars = String.UnicodeScalarView()
    for byte in text {
      let special = (0x80...0x9F).contains(byte) ? windows[Int(byte) - 0x80] : nil
      scalars.append(special ?? Unicode.Scalar(byte))
    }
    return String(scalars)
  }

  private static let windows: [Unicode.Scalar?] = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}
