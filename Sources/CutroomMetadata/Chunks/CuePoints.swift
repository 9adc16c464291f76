internal import CutroomModel

/// The chunk `cue ` of WAV files with its labels, as chapters.
package struct CuePoints {
  private struct Point {
    var id: UInt32
    var position: UInt32
  }

  private let rate: Int64

  /// - Parameter rate: Samples in a second; at least 1.
  package init(rate: Int64) { self.rate = max(1, rate) }

  /// The sampling rate that the content of `fmt ` states.
  package static func rate(_ format: [UInt8]) -> Int64? {
    format.u32(4).map { Int64($0.byteSwapped) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The chapters; points without a label have an empty title.
  package func chapters(cue: [UInt8], labels: [UInt8]) -> [MetadataChapter] {
    let titles = Dictionary(Self.texts(labels)) { first, _ in first }
    return Self.points(cue).map { point in
      MetadataChapter(
        start: UInt64(point.position), per: Int(rate), title: titles[point.id] ?? "")
    }
    .sorted { $0.start < $1.start }
  }

  private static func points(_ content: [UInt8]) -> [Point] {
    let count = Int(content.u32(0)?.byteSwapped ?? 0)
    return (0..<min(count, content.count / 24)).compactMap { index in
      guard let id = content.u32(4 + index * 24), let offset = content.u32(24 + index * 24) else {
        return nil
      }
      return Point(id: id.byteSwapped, position: offset.byteSwapped)
    }
  }

  private static func texts(_ content: [UInt8]) -> [(UInt32, String)] {
    parts(content).compactMap { part in
      guard part.id == "labl", part.content.count >= 4, let id = part.content.u32(0) else {
        return nil
      }
      let text = Array(part.content.dropFirst(4))
      return (id.byteSwapped, TextChunk.decode(text, isMacintosh: false))
    }
  }

  /// The chunks in a list.
  private static func parts(_ content: [UInt8]) -> [(id: FourCC, content: [UInt8])] {
    var parts: [(FourCC, [UInt8])] = []
    var position = 0
    while let id = content.u32(position), let raw = content.u32(position + 4) {
      let size = Int(raw.byteSwapped)
      guard size <= content.count - position - 8 else { break }
      parts.append((FourCC(id), Array(content[position + 8..<position + 8 + size])))
      position += 8 + size + size % 2
    }
    return parts
  }

  /// Both chunks; the list of labels keeps what is no label of a point.
  ///
  /// - Throws: ``MetadataError`` if a chapter begins later than 32 bits can count.
  package func encoded(
    _ chapters: [MetadataChapter], labels old: [UInt8]
  ) throws(MetadataError) -> (cue: [UInt8], labels: [UInt8]) {
    var cue: [UInt8] = []
    var labels: [UInt8] = []
    if !chapters.isEmpty { cue.append(UInt32(clamping: chapters.count).byteSwapped, bytes: 4) }
    for (index, chapter) in chapters.enumerated() {
      guard let position = UInt32(exactly: chapter.ticks(per: rate)) else {
        throw MetadataError(
          .limit, "the chapter '\(chapter.title)' begins later than a WAV file can say")
      }
      let id = UInt32(index + 1).byteSwapped
      cue.append(id, bytes: 4)
      cue.append(position.byteSwapped, bytes: 4)
      cue += Array("data".utf8) + Array(repeating: 0, count: 8)
      cue.append(position.byteSwapped, bytes: 4)
      var label: [UInt8] = []
      label.append(id, bytes: 4)
      Self.append("labl", label + Array(chapter.title.utf8) + [0], to: &labels)
    }
    // Notes and lengths belong to points that are gone; anything else stays.
    for part in Self.parts(old) where !["labl", "note", "ltxt"].contains(part.id) {
      Self.append(part.id, part.content, to: &labels)
    }
    return (cue, labels)
  }

  private static func append(_ id: FourCC, _ content: [UInt8], to bytes: inout [UInt8]) {
    bytes.append(id.value, bytes: 4)
    bytes.append(UInt32(clamping: content.count).byteSwapped, bytes: 4)
    bytes += content
    if content.count % 2 == 1 { bytes.append(0) }
  }
}
