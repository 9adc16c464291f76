/// File offsets outside `moov`: in movie fragments, their index, and in a `meta` of the file.
enum FragmentOffsets {
  /// The patches, in positions of the old file.
  static func patches(
    _ file: MP4File, _ map: OffsetMap
  ) throws(MetadataError) -> [MP4EditPlan.Patch] {
    var patches: [MP4EditPlan.Patch] = []
    for box in file.boxes where ["moof", "mfra", "meta"].contains(box.type) {
      guard box.end - box.start <= MP4File.maximumMoof else {
        throw MetadataError(.limit, "'\(box.type)' is larger than \(MP4File.maximumMoof) bytes")
      }
      let bytes = try file.reader.read(at: box.start, count: Int(box.end - box.start))
      var parser = BoxParser(bytes)
      let root = try parser.root()
      let found =
        switch box.type {
        case "moof": try fragment(bytes, root, map)
        case "mfra": try index(bytes, root, map)
        default: try locations(bytes, root, map)
        }
      patches += found.map { .init(offset: box.start + Int64($0.offset), bytes: $0.bytes) }
    }
    return patches
  }

  private static func fragment(
    _ bytes: [UInt8], _ root: Box, _ map: OffsetMap
  ) throws(MetadataError) -> [ItemLocations.Patch] {
    var patches: [ItemLocations.Patch] = []
    for track in root.children where track.type == "traf" {
      guard let header = track.child("tfhd"), let flags = bytes.u32(header.content.lowerBound),
        flags & 1 != 0
      else { continue }
      let position = header.content.lowerBound + 8
      guard position + 8 <= header.end, let base = bytes.number(at: position, bytes: 8) else {
        throw MetadataError(.malformed, "'tfhd' is cut")
      }
      patches.append(patch(position, try map.map(base, "'tfhd'"), 8))
    }
    return patches
  }

  private static func index(
    _ bytes: [UInt8], _ root: Box, _ map: OffsetMap
  ) throws(MetadataError) -> [ItemLocations.Patch] {
    var patches: [ItemLocations.Patch] = []
    for table in root.children where table.type == "tfra" {
      let start = table.content.lowerBound
      guard let head = bytes.u32(start), let lengths = bytes.u32(start + 8),
        let count = bytes.u32(start + 12), table.content.count >= 16
      else { throw MetadataError(.malformed, "'tfra' is cut") }
      let width = head >> 24 == 1 ? 8 : 4
      let numbers = Int(lengths >> 4 & 3) + Int(lengths >> 2 & 3) + Int(lengths & 3) + 3
      let stride = 2 * width + numbers
      guard Int(count) <= (table.content.count - 16) / stride else {
        throw MetadataError(.malformed, "'tfra' claims more entries than it has room for")
      }
      for entry in 0..<Int(count) {
        let position = start + 16 + entry * stride + width
        guard let old = bytes.number(at: position, bytes: width) else { continue }
        let new = try map.map(old, "'tfra'")
        guard width == 8 || new <= UInt64(UInt32.max) else {
          throw MetadataError(.unsupported, "'tfra' has no room for 64-bit offsets")
        }
        patches.append(patch(position, new, width))
      }
    }
    return patches
  }

  private static func locations(
    _ bytes: [UInt8], _ root: Box, _ map: OffsetMap
  ) throws(MetadataError) -> [ItemLocations.Patch] {
    guard let box = root.child("iloc") else { return [] }
    return try ItemLocations.patches(bytes, box.content, map)
  }

  private static func patch(_ position: Int, _ value: UInt64, _ width: Int) -> ItemLocations.Patch {
    var bytes: [UInt8] = []
    bytes.append(value, bytes: width)
    return ItemLocations.Patch(offset: position, bytes: bytes)
  }
}
