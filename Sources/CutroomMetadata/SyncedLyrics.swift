/// The frame `SYLT` of ID3: lines of lyrics with their times.
enum SyncedLyrics {
  /// The name under which other containers keep such lyrics, as texts of the form LRC.
  static let field = MetadataIdentifier(.vorb, "SYNCEDLYRICS")

  /// The lines as LRC: `[01:02.500]Text`; `nil` where times are counted in frames of MPEG, or the
  /// content is damaged.
  static func lrc(_ content: [UInt8]) -> String? {
    guard content.count > 6, content[4] == 2, let encoding = Encoding(rawValue: content[0]) else {
      return nil
    }
    var position = 6
    guard encoding.text(content, &position) != nil else { return nil }
    var lines: [String] = []
    while position < content.count {
      guard let text = encoding.text(content, &position), let time = content.u32(position) else {
        return nil
      }
      position += 4
      // Lines of lyrics often begin with the break that ends the one before.
      lines.append(stamp(time) + text.filter { !$0.isNewline })
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private static func stamp(_ milliseconds: UInt32) -> String {
    func padded(_ number: UInt32, _ digits: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
    let (minutes, rest) = (milliseconds / 60_000, milliseconds % 60_000)
    return "[\(padded(minutes, 2)):\(padded(rest / 1000, 2)).\(padded(rest % 1000, 3))]"
  }

  private enum Encoding: UInt8 {
    case latin1, utf16, utf16BigEndian, utf8

    /// The text up to its end mark, behind which `position` is left; `nil` without one.
    func text(_ bytes: [UInt8], _ position: inout Int) -> String? {
      let width = self == .utf16 || self == .utf16BigEndian ? 2 : 1
      var end = position
      while end + width <= bytes.count, bytes[end..<end + width].contains(where: { $0 != 0 }) {
        end += width
      }
      guard end + width <= bytes.count else { return nil }
      let content = Array(bytes[position..<end])
      position = end + width
      return switch self {
      case .latin1: String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
      case .utf16, .utf16BigEndian: decodingUTF16(content)
      case .utf8: String(decoding: content, as: UTF8.self)
      }
    }
  }
}

extension MetadataItem {
  /// The item as a container without ID3 can have it: lyrics with times become texts.
  func readable(in container: TagContainer) -> MetadataItem {
    guard !container.hasID3, identifier.keySpace == .id3, identifier.key == "SYLT",
      case .data(let bytes) = value, let text = SyncedLyrics.lrc(bytes)
    else { return self }
    var item = self
    item.identifier = SyncedLyrics.field
    item.value = .texts([text])
    return item
  }
}
