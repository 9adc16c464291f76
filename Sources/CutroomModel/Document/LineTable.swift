/// Lines and columns of the bytes of a UTF-8 text.
///
/// Keeps one entry for every 4096 bytes, so that a look-up reads at most that many, however long
/// the lines are.
struct LineTable: Sendable {
  private static let blockSize = 4096

  private struct Entry {
    /// Lines that end before the block.
    var line: UInt32 = 0
    /// Characters of its line that stand before the block.
    var column: UInt32 = 0
  }

  private let bytes: [UInt8]
  private let blocks: [Entry]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var blocks: [Entry] = [Entry()]
    var start = 0
    while start + Self.blockSize <= bytes.count {
      let end = start + Self.blockSize
      blocks.append(Self.advance(blocks[blocks.count - 1], over: bytes[start..<end]))
      start = end
    }
    self.blocks = blocks
  }

  private static func advance(_ entry: Entry, over bytes: ArraySlice<UInt8>) -> Entry {
    var entry = entry
    for byte in bytes {
      if byte == 0x0A {
        entry.line += 1
        entry.column = 0
      } else if byte & 0xC0 != 0x80 {
        entry.column += 1
      }
    }
    return entry
  }

  /// The place of a byte; of the end for one past it.
  func place(at offset: Int, in file: String) -> Place {
    let offset = min(max(offset, 0), bytes.count)
    let block = min(offset / Self.blockSize, blocks.count - 1)
    let entry = Self.advance(blocks[block], over: bytes[block * Self.blockSize..<offset])
    // A byte-order mark is no character of the first line.
    let mark = entry.line == 0 && offset > 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 1 : 0
    return Place(file: file, line: Int(entry.line) + 1, column: Int(entry.column) + 1 - mark)
  }

  /// The byte of a place, or `nil` where the text has no such line; a column past the line's end
  /// gives its end.
  func offset(ofLine line: Int, column: Int) -> Int? {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      let isBefore =
        (Int(blocks[middle].line) + 1, Int(blocks[middle].column) + 1) <= (line, column)
      if isBefore { low = middle + 1 } else { high = middle }
    }
    let block = max(low - 1, 0)
    var entry = blocks[block]
    var offset = block * Self.blockSize
    while offset < bytes.count, (Int(entry.line) + 1, Int(entry.column) + 1) < (line, column) {
      if bytes[offset] == 0x0A, Int(entry.line) + 1 == line { return offset }
      entry = Self.advance(entry, over: bytes[offset...offset])
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    return Int(entry.line) + 1 == line ? offset : nil
  }
}
