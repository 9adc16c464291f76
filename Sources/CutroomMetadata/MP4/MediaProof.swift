/// Shows that an edited file plays the same samples, without reading them.
///
/// Everything that says what the samples are and when they are played must be the same bytes; only
/// the offsets of chunks differ, by as much as the media moved.
package enum MediaProof {
  private static let kept: Set<FourCC> = ["udta", "meta", "free", "skip", "tref"]

  /// Compares two files.
  ///
  /// - Returns: What is different; `nil` if the samples are the same.
  package static func difference(
    _ old: MP4File, _ new: MP4File, moved: (UInt64) -> UInt64?
  ) -> String? {
    let (before, after) = (old.mediaTracks, new.mediaTracks)
    guard before.count == after.count else { return "the number of tracks" }
    for (first, second) in zip(before, after) {
      if let what = difference(old, first, new, second, moved) { return what }
    }
    for type in ["mvex", "pssh"] as [FourCC] {
      let boxes = [old, new].map { file in
        file.root.children.filter { $0.type == type }.map { Array(file.moov[$0.start..<$0.end]) }
      }
      if boxes[0] != boxes[1] { return "'\(type)'" }
    }
    return nil
  }

  private static func difference(
    _ old: MP4File, _ first: Box, _ new: MP4File, _ second: Box, _ moved: (UInt64) -> UInt64?
  ) -> String? {
    let before = first.children.filter { !kept.contains($0.type) }
    let after = second.children.filter { !kept.contains($0.type) }
    guard before.count == after.count else { return "the boxes of '\(first.type)'" }
    for (a, b) in zip(before, after) {
      if !a.children.isEmpty, a.type == b.type {
        if let what = difference(old, a, new, b, moved) { return what }
      } else if let offsets = offsets(old.moov, a) {
        guard let found = self.offsets(new.moov, b), found == offsets.map({ moved($0) }) else {
          return "the offsets of '\(a.type)'"
        }
      } else if a.type != b.type || old.moov[a.content] != new.moov[b.content] {
        return "'\(a.type)'"
      }
    }
    return nil
  }

  /// The offsets in a table; `nil` for other boxes.
  private static func offsets(_ bytes: [UInt8], _ box: Box) -> [UInt64]? {
    let width: Int
    var first = box.content.lowerBound + 4
    switch box.type {
    case "stco": width = 4
    case "co64": width = 8
    case "saio":
      guard let head = bytes.u32(box.content.lowerBound) else { return nil }
      width = head >> 24 == 0 ? 4 : 8
      if head & 1 != 0 { first += 8 }
    default: return nil
    }
    guard let count = bytes.u32(first), Int(count) <= (box.end - first - 4) / width else {
      return nil
    }
    return (0..<Int(count)).compactMap { bytes.number(at: first + 4 + $0 * width, bytes: width) }
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
  /// Where a byte of the old file lies in the new one; `nil` if it is not copied.
  ///
  /// What lies behind the end of the file moves as its last bytes do.
  package func place(of offset: UInt64) -> UInt64? {
    var position: Int64 = 0
    for (index, piece) in enumerated() {
      if case .copy(let range) = piece {
        let isLast = !self[(index + 1)...].contains { if case .copy = $0 { true } else { false } }
        if offset >= UInt64(range.lowerBound), offset < UInt64(range.upperBound) || isLast {
          return UInt64(bitPattern: position &- range.lowerBound) &+ offset
        }
      }
      position += piece.size
    }
    return nil
  }
}
