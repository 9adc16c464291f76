/// Shows that an edited file plays the same samples, without reading them.
///
/// Everything that says what the samples are and when they are played must be the same bytes; only
/// the offsets of chunks differ, by as much as the media moved.
package struct MediaProof {
  private static let kept: Set<FourCC> = ["udta", "meta", "free", "skip", "tref"]

  /// A file with its tables of offsets, by where they begin.
  private struct Side {
    let file: MP4File
    let tables: [Int: ChunkOffsets.Table]

    init(_ file: MP4File) throws(MetadataError) {
      self.file = file
      let tables = try ChunkOffsets(file.moov, root: file.root).tables
      self.tables = Dictionary(tables.map { ($0.box.start, $0) }) { first, _ in first }
    }

    func bytes(_ box: Box) -> ArraySlice<UInt8> { file.moov[box.content] }

    /// The offsets in a table of the file's own samples; `nil` for other boxes.
    func offsets(_ box: Box) -> [UInt64]? {
      guard let table = tables[box.start] else { return nil }
      return (0..<table.count).compactMap {
        file.moov.number(at: table.first + $0 * table.width, bytes: table.width)
      }
    }
  }

  private let old: Side
  private let new: Side
  private let moved: (UInt64) -> UInt64?

  /// Compares two files.
  ///
  /// - Returns: What is different; `nil` if the samples are the same.
  package static func difference(
    _ old: MP4File, _ new: MP4File, moved: (UInt64) -> UInt64?
  ) -> String? {
    withoutActuallyEscaping(moved) { moved in
      do throws(MetadataError) {
        return MediaProof(old: try Side(old), new: try Side(new), moved: moved).difference
      } catch { return error.message }
    }
  }

  private var difference: String? {
    let (before, after) = (old.file.mediaTracks, new.file.mediaTracks)
    guard before.count == after.count else { return "the number of tracks" }
    for (first, second) in zip(before, after) {
      if let what = difference(first, second) { return what }
    }
    for type in ["mvex", "pssh"] as [FourCC] {
      let boxes = [old, new].map { side in
        side.file.root.children.filter { $0.type == type }.map { Array(side.bytes($0)) }
      }
      if boxes[0] != boxes[1] { return "'\(type)'" }
    }
    return nil
  }

  private func difference(_ first: Box, _ second: Box) -> String? {
    let before = first.children.filter { !Self.kept.contains($0.type) }
    let after = second.children.filter { !Self.kept.contains($0.type) }
    guard before.count == after.count else { return "the boxes of '\(first.type)'" }
    for (a, b) in zip(before, after) {
      if !a.children.isEmpty, a.type == b.type {
        if let what = difference(a, b) { return what }
      } else if let offsets = old.offsets(a) {
        guard let found = new.offsets(b), found == offsets.map({ moved($0) }) else {
          return "the offsets of '\(a.type)'"
        }
      } else if a.type != b.type || old.bytes(a) != new.bytes(b) {
        return "'\(a.type)'"
      }
    }
    return nil
  }
}

extension MP4File {
  /// The tracks that are no chapters.
  var mediaTracks: [Box] {
    let chapters = chapterTrackPlaces
    return tracks.enumerated().filter { !chapters.contains($0.offset) }.map(\.element)
  }
}

extension MP4EditPlan {
  /// The parts of the new file in order.
  package func pieces(of size: Int64) -> [Piece] {
    switch self {
    case .unchanged: return [.copy(0..<size)]
    case .rewritten(let pieces): return pieces
    case .inPlace(let patches, let end):
      var pieces: [Piece] = []
      var position: Int64 = 0
      for patch in patches.sorted(by: { $0.offset < $1.offset }) {
        if patch.offset > position { pieces.append(.copy(position..<patch.offset)) }
        pieces.append(.bytes(patch.bytes))
        position = patch.offset + Int64(patch.bytes.count)
      }
      if position < min(size, end) { pieces.append(.copy(position..<min(size, end))) }
      return pieces
    }
  }
}

extension [MP4EditPlan.Piece] {
  /// Where a byte of the old file lies in the new one; `nil` if it is replaced by other bytes.
  ///
  /// What is replaced by as many bytes moves with them, and what lies behind the end of the file
  /// moves as its last bytes do.
  package func place(of offset: UInt64) -> UInt64? {
    var (position, copied): (Int64, Int64) = (0, 0)
    for (index, piece) in enumerated() {
      let next = self[(index + 1)...].lazy.compactMap(\.copied).first
      switch piece {
      case .copy(let range):
        if offset >= UInt64(range.lowerBound), offset < UInt64(range.upperBound) || next == nil {
          return offset &+ UInt64(bitPattern: position - range.lowerBound)
        }
        copied = range.upperBound
      case .bytes(let bytes):
        let end = copied + Int64(bytes.count)
        if let next, next.lowerBound >= end, offset >= UInt64(copied), offset < UInt64(end),
          isReplacement(from: index, until: next.lowerBound - copied)
        {
          return offset &+ UInt64(bitPattern: position - copied)
        }
        copied = end
      }
      position += piece.size
    }
    return nil
  }

  /// Whether the pieces up to the next copy are as many bytes as they replace.
  private func isReplacement(from index: Int, until count: Int64) -> Bool {
    self[index...].prefix { $0.copied == nil }.reduce(0) { $0 + $1.size } == count
  }
}

extension MP4EditPlan.Piece {
  fileprivate var copied: Range<Int64>? {
    if case .copy(let range) = self { range } else { nil }
  }
}
