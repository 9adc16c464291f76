/// The chapter list `udta/chpl`, which most players read.
enum ChapterList {
  private static let scale = 10_000_000
  static let maximumCount = 255

  static func read(_ content: [UInt8]) -> [MetadataChapter] {
    guard let version = content.first else { return [] }
    var position = version == 0 ? 4 : 8
    guard position < content.count else { return [] }
    let count = Int(content[position])
    position += 1
    var chapters: [MetadataChapter] = []
    for _ in 0..<count {
      guard let start = content.number(at: position, bytes: 8),
        let length = content.number(at: position + 8, bytes: 1),
        position + 9 + Int(length) <= content.count
      else { break }
      let title = content[(position + 9)..<(position + 9 + Int(length))]
      chapters.append(
        MetadataChapter(start: start, per: scale, title: String(decoding: title, as: UTF8.self)))
      position += 9 + Int(length)
    }
    return chapters
  }

  /// The box; titles are cut to 255 bytes between characters, and there are 255 at most.
  static func box(_ chapters: [MetadataChapter]) -> [UInt8] {
    let chapters = chapters.prefix(maximumCount)
    var content: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, UInt8(chapters.count)]
    for chapter in chapters {
      content.append(chapter.ticks(per: Int64(scale)), bytes: 8)
      let title = cut(chapter.title)
      content.append(UInt8(title.count))
      content += title
    }
    return content.boxed("chpl")
  }

  private static func cut(_ title: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for character in title {
      let next = Array(character.utf8)
      if bytes.count + next.count > 255 { break }
      bytes += next
    }
    return bytes
  }
}
