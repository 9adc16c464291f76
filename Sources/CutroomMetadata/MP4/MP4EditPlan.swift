/// How a file becomes the edited one.
package enum MP4EditPlan: Hashable, Sendable {
  /// New bytes in the place of as many old ones.
  package struct Patch: Hashable, Sendable {
    package var offset: Int64
    package var bytes: [UInt8]

    package init(offset: Int64, bytes: [UInt8]) {
      self.offset = offset
      self.bytes = bytes
    }
  }

  /// A part of the new file.
  package enum Piece: Hashable, Sendable {
    /// These bytes of the old file.
    case copy(Range<Int64>)
    case bytes([UInt8])

    /// The number of bytes.
    package var size: Int64 {
      switch self {
      case .copy(let range): range.upperBound - range.lowerBound
      case .bytes(let bytes): Int64(bytes.count)
      }
    }
  }

  /// The file is as wanted.
  case unchanged
  /// Nothing moves: the patches are written, and the file then ends at `size`.
  case inPlace([Patch], size: Int64)
  /// What follows the movie header moves: the new file is these pieces in order.
  case rewritten([Piece])

  /// Plans to replace the movie header by what `splices` make of it.
  ///
  /// The track with the number `newTrack` names its place in the new file already.
  static func replacingMovie(
    of file: MP4File, _ splices: Splices, newTrack: UInt32? = nil
  ) throws(MetadataError) -> MP4EditPlan {
    // Also read where nothing moves: a file whose tables are damaged is not touched.
    let tables = try ChunkOffsets(file.moov, root: file.root)
    guard !splices.isEmpty else { return .unchanged }
    let moov = try newMovie(file, splices)
    if moov == file.moov { return .unchanged }
    let box = file.boxes[file.moovIndex]
    var freeEnd = box.end
    for next in file.boxes[(file.moovIndex + 1)...] {
      guard next.type == "free" || next.type == "skip" else { break }
      freeEnd = next.end
    }
    let length = Int64(moov.count)
    if length == box.end - box.start {
      return .inPlace([Patch(offset: box.start, bytes: moov)], size: file.reader.size)
    }
    let rest = freeEnd - box.start - length
    if rest == 0 || (rest >= 8 && rest <= Int64(UInt32.max)) {
      let patch = Patch(
        offset: box.start, bytes: moov + padding(size: rest, until: box.end - box.start - length))
      return .inPlace([patch], size: file.reader.size)
    }
    if freeEnd == file.reader.size {
      // `moov` is the last box, so the file may end elsewhere.
      return .inPlace([Patch(offset: box.start, bytes: moov)], size: box.start + length)
    }
    return try moving(file, splices, tables, newTrack)
  }

  /// The new movie header, where there is one.
  private static func newMovie(
    _ file: MP4File, _ splices: Splices
  ) throws(MetadataError) -> [UInt8] {
    guard file.boxes.count(where: { $0.type == "moov" }) == 1 else {
      throw MetadataError(.unsupported, "the file has several 'moov' boxes")
    }
    return try splices.applied(to: file.moov)
  }

  /// Plans to put a box at `start`, and the movie header, which is the last box, behind it.
  static func movingMovieBehind(
    _ box: [UInt8], at start: Int64, of file: MP4File, _ splices: Splices
  ) throws(MetadataError) -> MP4EditPlan {
    _ = try ChunkOffsets(file.moov, root: file.root)
    let bytes = box + (try newMovie(file, splices))
    return .inPlace([Patch(offset: start, bytes: bytes)], size: start + Int64(bytes.count))
  }

  /// The size of the new file.
  func size(of file: MP4File) -> Int64 {
    switch self {
    case .unchanged: file.reader.size
    case .inPlace(_, let size): size
    case .rewritten(let pieces): pieces.reduce(0) { $0 + $1.size }
    }
  }

  /// The same with a box behind all that lies before `end` in the old file.
  func appending(_ box: [UInt8], at end: Int64, of file: MP4File) -> MP4EditPlan {
    let cut = file.reader.size - end
    switch self {
    case .unchanged: return self
    case .inPlace(let patches, let size):
      let patch = Patch(offset: size - cut, bytes: box)
      return .inPlace(patches + [patch], size: patch.offset + Int64(box.count))
    case .rewritten(let pieces):
      var pieces = pieces
      if case .copy(let range) = pieces.last {
        pieces[pieces.count - 1] = .copy(range.lowerBound..<range.upperBound - cut)
      }
      return .rewritten(pieces + [.bytes(box)])
    }
  }

  /// The header of a `free` box of `size` bytes, and zeros over what was `moov` before.
  ///
  /// The rest of the box is in the file already, and may be large.
  private static func padding(size: Int64, until oldEnd: Int64) -> [UInt8] {
    guard size >= 8 else { return [] }
    var bytes: [UInt8] = []
    bytes.append(size, bytes: 4)
    bytes.append(FourCC("free").value, bytes: 4)
    return bytes + [UInt8](repeating: 0, count: Int(max(0, oldEnd - 8)))
  }

  private static func moving(
    _ file: MP4File, _ original: Splices, _ tables: ChunkOffsets, _ newTrack: UInt32?
  ) throws(MetadataError) -> MP4EditPlan {
    var splices = original
    // The tables of old and new `moov` come in the same order, but for tracks that come and go.
    let kept = tables.tables.filter { !original.replaces($0.box) }
    var promoted: Set<Int> = []
    let box = file.boxes[file.moovIndex]
    // Each round promotes at least one table, which makes `moov` grow and may promote more.
    while true {
      var moov = try splices.applied(to: file.moov)
      var parser = BoxParser(moov)
      let moved = try ChunkOffsets(moov, root: parser.root(), except: newTrack)
      let map = OffsetMap(replaced: box.start..<box.end, delta: Int64(splices.delta))
      let overflowing = try moved.move(&moov, by: map)
      if overflowing.isEmpty {
        return try pieces(file, moov, map)
      }
      let indices = moved.tables.indices.filter { index in
        overflowing.contains { $0.box.start == moved.tables[index].box.start }
      }
      for index in indices where promoted.insert(index).inserted {
        let table = kept[index]
        splices.replace(
          table.box.start..<table.box.end, with: try ChunkOffsets.promoted(file.moov, table),
          in: table.ancestors)
      }
    }
  }

  private static func pieces(
    _ file: MP4File, _ moov: [UInt8], _ map: OffsetMap
  ) throws(MetadataError) -> MP4EditPlan {
    let patches = try FragmentOffsets.patches(file, map).sorted { $0.offset < $1.offset }
    var pieces: [Piece] = []
    var position: Int64 = 0
    func copy(to end: Int64) {
      if end > position { pieces.append(.copy(position..<end)) }
    }
    let movie = Patch(offset: map.replaced.lowerBound, bytes: moov)
    for patch in (patches + [movie]).sorted(by: { $0.offset < $1.offset }) {
      copy(to: patch.offset)
      pieces.append(.bytes(patch.bytes))
      position =
        patch == movie ? map.replaced.upperBound : patch.offset + Int64(patch.bytes.count)
    }
    copy(to: file.reader.size)
    return .rewritten(pieces)
  }

  /// The edited file in memory, for small files.
  package func applied(to bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .unchanged: return bytes
    case .inPlace(let patches, let size):
      var result = bytes
      for patch in patches {
        let start = Int(patch.offset)
        let end = min(result.count, start + patch.bytes.count)
        result.replaceSubrange(start..<end, with: patch.bytes)
      }
      return Array(result.prefix(Int(size)))
    case .rewritten(let pieces):
      return pieces.flatMap { piece in
        switch piece {
        case .bytes(let new): new
        case .copy(let range): Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        }
      }
    }
  }
}
