/// What libavformat does not tell about an MP4 or QuickTime file: edit lists, and encryption.
struct MovieHeader {
  /// Per track in the file's order: whether an edit list moves or trims it.
  var hasEditList: [Bool] = []
  /// Whether a track's samples are encrypted.
  var isEncrypted = false

  /// Reads the movie box of the file at `path`; `nil` where there is none within bounds.
  init?(path: String) {
    var position: UInt64 = 0
    for _ in 0..<10_000 {
      let head = FilePart.read(path, from: position, count: 16)
      guard let box = Box(head, at: 0, fileLimit: true) else { return nil }
      if box.type == "moov" {
        read(FilePart.read(path, from: position, count: Int(min(box.size, 64 << 20))))
        return
      }
      let (next, overflow) = position.addingReportingOverflow(box.size)
      guard !overflow else { return nil }
      position = next
    }
    return nil
  }

  /// A box's header: its type, and where its content and its end lie.
  private struct Box {
    var type: String
    var size: UInt64
    var headerSize: Int

    init?(_ bytes: [UInt8], at position: Int, fileLimit: Bool = false) {
      guard position >= 0, position + 8 <= bytes.count else { return nil }
      func number(_ at: Int, _ count: Int) -> UInt64 {
        bytes[at..<(at + count)].reduce(0) { $0 << 8 | UInt64($1) }
      }
      type = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
      size = number(position, 4)
      headerSize = 8
      if size == 1 {
        guard position + 16 <= bytes.count else { return nil }
        size = number(position + 8, 8)
        headerSize = 16
      } else if size == 0 {
        size = fileLimit ? UInt64(Int64.max) : UInt64(bytes.count - position)
      }
      guard size >= UInt64(headerSize) else { return nil }
    }
  }

  private mutating func read(_ bytes: [UInt8]) {
    guard let movie = Box(bytes, at: 0) else { return }
    for (type, range) in Self.boxes(bytes, movie.headerSize..<bytes.count) where type == "trak" {
      var isEdited = false
      for (type, range) in Self.boxes(bytes, range) where type == "edts" {
        for (type, range) in Self.boxes(bytes, range) where type == "elst" {
          // Version, flags, and a count above zero.
          isEdited = range.count >= 8 && bytes[range].dropFirst(4).prefix(4).contains { $0 != 0 }
        }
      }
      hasEditList.append(isEdited)
    }
    isEncrypted = Self.statesEncryption(bytes)
  }

  /// The boxes of `range` in order; stops at the first that does not fit.
  private static func boxes(_ bytes: [UInt8], _ range: Range<Int>) -> [(String, Range<Int>)] {
    var found: [(String, Range<Int>)] = []
    var position = range.lowerBound
    while position < range.upperBound, found.count < 10_000,
      let box = Box(bytes, at: position), box.size <= UInt64(range.upperBound - position)
    {
      let end = position + Int(box.size)
      found.append((box.type, (position + box.headerSize)..<end))
      position = end
    }
    return found
  }

  /// Whether a scheme type box names one of the common encryption schemes.
  private static func statesEncryption(_ bytes: [UInt8]) -> Bool {
    let mark = Array("schm".utf8)
    let schemes = ["cenc", "cbc1", "cens", "cbcs"].map { Array($0.utf8) }
    var position = 0
    while position + 12 <= bytes.count {
      if bytes[position] == mark[0], bytes[position + 1] == mark[1],
        bytes[position + 2] == mark[2], bytes[position + 3] == mark[3],
        schemes.contains(Array(bytes[(position + 8)..<(position + 12)]))
      {
        return true
      }
      position += 1
    }
    return false
  }
}
