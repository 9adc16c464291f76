/// Checks an APE tag at the end of an MP3 file before TagLib parses it.
package enum APECheck {
  static let maximumSize = 16 << 20
  static let maximumItems = 10_000

  /// Whether there is a tag, at the end or before a tag of ID3v1.
  ///
  /// - Throws: ``MetadataError`` if it is damaged, or beyond the limits.
  package static func hasTag(_ reader: any ByteReader) throws(MetadataError) -> Bool {
    for distance in [Int64(32), 160] where reader.size >= distance {
      let footer = try reader.read(at: reader.size - distance, count: 32)
      guard footer.starts(with: "APETAGEX".utf8) else { continue }
      // Little-endian; the size counts the items and the footer.
      let size = Int(footer.u32(12)?.byteSwapped ?? 0)
      let items = Int(footer.u32(16)?.byteSwapped ?? 0)
      guard size <= maximumSize, items <= maximumItems else {
        throw MetadataError(
          .limit, "the APE tag claims \(items) items and \(size) bytes, more than tags take")
      }
      guard size >= 32, Int64(size) <= reader.size - distance + 32, items <= size / 11 else {
        throw MetadataError(.malformed, "the APE tag claims more than the file has")
      }
      return true
    }
    return false
  }
}
