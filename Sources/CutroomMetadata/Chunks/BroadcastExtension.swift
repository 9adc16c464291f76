/// The chunk `bext` of broadcast WAV files, as EBU Tech 3285 lays it out.
package struct BroadcastExtension: Hashable, Sendable {
  private static let length = 602
  /// The texts of fixed size with their places.
  private static let texts: [(name: String, place: Range<Int>)] = [
    ("Description", 0..<256), ("Originator", 256..<288), ("OriginatorReference", 288..<320),
    ("OriginationDate", 320..<330), ("OriginationTime", 330..<338),
  ]
  private static let prefix = "bext."

  private var bytes: [UInt8]

  /// Reads the content of the chunk; what is too short is filled up.
  package init(_ content: [UInt8] = []) {
    bytes = content
    if bytes.count < Self.length { bytes += Array(repeating: 0, count: Self.length - bytes.count) }
  }

  package var encoded: [UInt8] { bytes }

  /// Whether the key names a field.
  package static func hasField(_ key: String) -> Bool {
    guard key.hasPrefix(prefix) else { return false }
    let name = key.dropFirst(prefix.count)
    return name == "TimeReference" || name == "CodingHistory" || texts.contains { $0.name == name }
  }

  /// How many bytes a field holds; `nil` for any number.
  package static func capacity(of key: String) -> Int? {
    texts.first { prefix + $0.name == key }?.place.count
  }

  /// The fields that say something.
  package var items: [MetadataItem] {
    var items: [MetadataItem] = []
    func append(_ name: String, _ text: String) {
      guard !text.isEmpty else { return }
      items.append(MetadataItem(MetadataIdentifier(.riff, Self.prefix + name), text))
    }
    for (name, place) in Self.texts {
      append(name, TextChunk.decode(Array(bytes[place]), isMacintosh: false))
    }
    append("TimeReference", timeReference == 0 ? "" : String(timeReference))
    append("CodingHistory", TextChunk.decode(Array(bytes[Self.length...]), isMacintosh: false))
    return items
  }

  /// The samples from midnight to the first one.
  private var timeReference: UInt64 {
    bytes.number(at: 338, bytes: 8)?.byteSwapped ?? 0
  }

  /// Gives a field this text, cut to what it holds; `nil` empties it.
  ///
  /// - Throws: ``MetadataError`` for a time reference that is no number.
  package mutating func set(_ key: String, _ text: String?) throws(MetadataError) {
    let name = String(key.dropFirst(Self.prefix.count))
    if let place = Self.texts.first(where: { $0.name == name })?.place {
      let cut = utf8Prefix(text ?? "", bytes: place.count)
      bytes.replaceSubrange(place, with: cut + Array(repeating: 0, count: place.count - cut.count))
    } else if name == "CodingHistory" {
      bytes.replaceSubrange(Self.length..., with: Array((text ?? "").utf8))
    } else if name == "TimeReference" {
      guard let number = UInt64(text ?? "0") else {
        throw MetadataError(
          .value, "'\(text ?? "")' is no number of samples",
          about: MetadataIdentifier(.riff, key))
      }
      bytes.put(number.byteSwapped, at: 338, bytes: 8)
    }
  }
}

/// As much of a text as fits into so many bytes, cut between characters.
package func utf8Prefix(_ text: String, bytes limit: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  for character in text {
    let next = Array(character.utf8)
    if bytes.count + next.count > limit { break }
    bytes += next
  }
  return bytes
}
