/// Random access to the bytes of a file, so that large files are not read whole.
package protocol ByteReader {
  /// The number of bytes.
  var size: Int64 { get }
  /// Exactly `count` bytes from `offset`.
  ///
  /// - Throws: ``MetadataError`` if the file has fewer.
  func read(at offset: Int64, count: Int) throws(MetadataError) -> [UInt8]
}

/// Bytes in memory.
package struct MemoryReader: ByteReader {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var size: Int64 { Int64(bytes.count) }

  package func read(at offset: Int64, count: Int) throws(MetadataError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= size, Int64(count) <= size - offset else {
      throw MetadataError(.malformed, "the file ends before byte \(offset) + \(count)")
    }
    return Array(bytes[Int(offset)..<Int(offset) + count])
  }
}

/// Reads small pieces through a window, so that a row of small boxes costs few reads.
struct WindowedReader {
  private let reader: any ByteReader
  private var window: [UInt8] = []
  private var start: Int64 = 0
  private static let length = 1 << 16

  init(_ reader: any ByteReader) { self.reader = reader }

  mutating func read(at offset: Int64, count: Int) throws(MetadataError) -> [UInt8] {
    let isInside = offset >= start && offset + Int64(count) <= start + Int64(window.count)
    if !isInside {
      let rest = reader.size - offset
      guard count <= Self.length, rest >= Int64(count) else {
        return try reader.read(at: offset, count: count)
      }
      // After a jump only little is read: most boxes are followed by their content.
      let isNext = offset >= start && offset <= start + Int64(window.count) + 16
      let wanted = isNext ? Self.length : max(count, 256)
      window = try reader.read(at: offset, count: Int(min(Int64(wanted), rest)))
      start = offset
    }
    let from = Int(offset - start)
    return Array(window[from..<from + count])
  }
}
