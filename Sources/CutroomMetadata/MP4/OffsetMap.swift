/// Where a byte of the old file lies in the new one, when one range changes its length.
struct OffsetMap {
  /// The range of the old file that is replaced.
  var replaced: Range<Int64>
  /// By how many bytes it grows.
  var delta: Int64

  /// - Throws: ``MetadataError`` if the byte is among those that are replaced.
  func map(_ offset: UInt64, _ what: String) throws(MetadataError) -> UInt64 {
    if offset < UInt64(replaced.lowerBound) { return offset }
    guard offset >= UInt64(replaced.upperBound) else {
      throw MetadataError(.malformed, "\(what) points into the movie header")
    }
    let (sum, overflow) = offset.addingReportingOverflow(UInt64(bitPattern: delta))
    // A negative delta wraps around and overflows as it should.
    guard overflow == (delta < 0) else {
      throw MetadataError(.malformed, "\(what) lies outside the file")
    }
    return sum
  }
}

/// The tables of file offsets in `moov`.
struct ChunkOffsets {
  /// A table: `stco`, `co64` or `saio`.
  struct Table {
    var box: Box
    var ancestors: [Box]
    var count: Int
    var first: Int
    var width: Int
  }

  var tables: [Table] = []
  private var locations: [Box] = []

  /// Finds the tables and checks that they fit their boxes.
  ///
  /// The tables of the track with the number `excluded` are left out.
  init(
    _ bytes: [UInt8], root: Box, except excluded: UInt32? = nil
  ) throws(MetadataError) {
    for track in root.children where track.type == "trak" {
      if let excluded, Self.number(bytes, track) == excluded { continue }
      guard let media = track.child("mdia"), let info = media.child("minf"),
        let samples = info.child("stbl")
      else { continue }
      let isExternal = try Self.isExternal(bytes, info)
      for box in samples.children {
        guard var table = try Self.table(bytes, box) else { continue }
        table.ancestors = [root, track, media, info, samples]
        if !isExternal { tables.append(table) }
      }
    }
    for meta in ([root] + root.children).flatMap(\.children) where meta.type == "meta" {
      locations += meta.children.filter { $0.type == "iloc" }
    }
  }

  /// The number of a track.
  static func number(_ bytes: [UInt8], _ track: Box) -> UInt32? {
    guard let header = track.child("tkhd"), header.content.count >= 24 else { return nil }
    let start = header.content.lowerBound
    return bytes.u32(start + (bytes[start] == 1 ? 20 : 12))
  }

  private static func table(_ bytes: [UInt8], _ box: Box) throws(MetadataError) -> Table? {
    var first = box.content.lowerBound + 4
    let width: Int
    switch box.type {
    case "stco": width = 4
    case "co64": width = 8
    case "saio":
      guard let head = bytes.u32(box.content.lowerBound), box.content.count >= 8 else { return nil }
      width = head >> 24 == 0 ? 4 : 8
      if head & 1 != 0 { first += 8 }
    default: return nil
    }
    guard let count = bytes.u32(first), first + 4 <= box.end,
      Int(count) <= (box.end - first - 4) / width
    else {
      throw MetadataError(.malformed, "'\(box.type)' claims more entries than it has room for")
    }
    return Table(box: box, ancestors: [], count: Int(count), first: first + 4, width: width)
  }

  /// Whether the samples of a track lie in another file.
  private static func isExternal(_ bytes: [UInt8], _ info: Box) throws(MetadataError) -> Bool {
    guard let list = info.child("dinf", "dref"), list.content.count > 8 else { return false }
    let entries = BoxParser.flat(bytes, in: list.content.lowerBound + 8..<list.end).boxes
    let external = entries.filter { entry in
      bytes.u32(entry.content.lowerBound).map { $0 & 1 == 0 } ?? false
    }
    guard external.isEmpty || external.count == entries.count else {
      throw MetadataError(.unsupported, "the samples of a track lie in several files")
    }
    return !external.isEmpty
  }

  /// Moves every offset in place.
  ///
  /// - Returns: The tables that need 64 bits and have 32; then `bytes` is half done.
  func move(_ bytes: inout [UInt8], by map: OffsetMap) throws(MetadataError) -> [Table] {
    var overflowing: [Table] = []
    for table in tables {
      for index in 0..<table.count {
        let position = table.first + index * table.width
        guard let old = bytes.number(at: position, bytes: table.width) else { continue }
        let new = try map.map(old, "'\(table.box.type)'")
        if table.width == 4, new > UInt64(UInt32.max) {
          overflowing.append(table)
          break
        }
        if new != old { bytes.put(new, at: position, bytes: table.width) }
      }
    }
    for box in locations {
      for patch in try ItemLocations.patches(bytes, box.content, map) {
        bytes.replaceSubrange(patch.offset..<patch.offset + patch.bytes.count, with: patch.bytes)
      }
    }
    return overflowing
  }

  /// The same table with 64-bit entries.
  static func promoted(_ bytes: [UInt8], _ table: Table) throws(MetadataError) -> [UInt8] {
    guard table.box.type == "stco" else {
      throw MetadataError(.unsupported, "'\(table.box.type)' has no room for 64-bit offsets")
    }
    var content = Array(bytes[table.box.content.lowerBound..<table.first])
    content.reserveCapacity(8 + table.count * 8)
    for index in 0..<table.count {
      content.append(bytes.u32(table.first + index * 4) ?? 0, bytes: 8)
    }
    return content.boxed("co64")
  }
}

/// The locations of items in an `iloc` box.
enum ItemLocations {
  /// New bytes at a position of the buffer.
  struct Patch {
    var offset: Int
    var bytes: [UInt8]
  }

  /// The offsets that move.
  static func patches(
    _ bytes: [UInt8], _ content: Range<Int>, _ map: OffsetMap
  ) throws(MetadataError) -> [Patch] {
    var cursor = Cursor(bytes: bytes, position: content.lowerBound, end: content.upperBound)
    let version = try cursor.take(1)
    _ = try cursor.take(3)
    let sizes = try cursor.take(2)
    let (offsetSize, lengthSize) = (Int(sizes >> 12 & 15), Int(sizes >> 8 & 15))
    let (baseSize, indexSize) = (Int(sizes >> 4 & 15), version > 0 ? Int(sizes & 15) : 0)
    let count = try cursor.take(version < 2 ? 2 : 4)
    var patches: [Patch] = []
    for _ in 0..<count {
      _ = try cursor.take(version < 2 ? 2 : 4)
      let method = version > 0 ? try cursor.take(2) & 15 : 0
      _ = try cursor.take(2)
      let basePosition = cursor.position
      let base = try cursor.take(baseSize)
      let moves = method == 0
      if moves, baseSize > 0, base > 0 {
        patches.append(try patch(basePosition, base, base, baseSize, map))
      }
      for _ in 0..<(try cursor.take(2)) {
        _ = try cursor.take(indexSize)
        let position = cursor.position
        let offset = try cursor.take(offsetSize)
        _ = try cursor.take(lengthSize)
        if moves, base == 0, offsetSize > 0 {
          patches.append(try patch(position, offset, offset, offsetSize, map))
        }
      }
    }
    return patches
  }

  private static func patch(
    _ position: Int, _ old: UInt64, _ target: UInt64, _ width: Int, _ map: OffsetMap
  ) throws(MetadataError) -> Patch {
    let new = try map.map(target, "'iloc'")
    guard width == 8 || new < UInt64(1) << UInt64(8 * width) else {
      throw MetadataError(.unsupported, "'iloc' has no room for the moved offsets")
    }
    var bytes: [UInt8] = []
    bytes.append(new, bytes: width)
    return Patch(offset: position, bytes: bytes)
  }

  private struct Cursor {
    let bytes: [UInt8]
    var position: Int
    let end: Int

    mutating func take(_ count: Int) throws(MetadataError) -> UInt64 {
      guard position + count <= end, let value = bytes.number(at: position, bytes: count) else {
        throw MetadataError(.malformed, "'iloc' claims more items than it has room for")
      }
      position += count
      return value
    }
  }
}
