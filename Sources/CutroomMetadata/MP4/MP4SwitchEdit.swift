/// An edit of a file where it lies, which at every moment is the old file or the new one.
///
/// New boxes are written where nobody looks: into a `free` box, or behind the end of the file. Then
/// one box header of eight bytes makes what they replace free, up to where they begin:
///
///     | ilst A | free                  |
///     | ilst A | free [ilst B][free  ] |   B is written; nobody sees it
///     | free          | ilst B | free  |   the size and the type before A become those of a free box
///
/// With the free box in front, its size becomes 8, and a free box behind B covers A. Each header lies
/// within a sector, and before and after it all is brought to the device, so that neither a killed
/// program nor a failing power supply leaves anything between. No other byte of the file moves.
package struct MP4SwitchEdit: Hashable, Sendable {
  package typealias Patch = MP4EditPlan.Patch

  /// Patches in order; each step is on the device before the next begins.
  package private(set) var steps: [[Patch]] = []
  /// The number of the step that makes the new boxes visible.
  package private(set) var visibleStep = 0
  /// Where the file ends then.
  package private(set) var size: Int64

  /// All patches up to the one that makes the new boxes visible.
  package var patches: [Patch] { steps[...visibleStep].flatMap(\.self) }

  /// What is replaced: a box, or nothing at the end of the movie header.
  struct Target {
    var range: Range<Int64>
    var bytes: [UInt8]
    /// The boxes around it, the movie header first; none for the movie header itself.
    var parents: [MP4File.TopBox]
    var siblings: [MP4File.TopBox]
  }

  /// Plans the edit; `nil` if there is no room.
  init?(_ target: Target, in file: MP4File) {
    size = file.reader.size
    if target.bytes.isEmpty, !target.range.isEmpty {
      show(target.range.lowerBound, Self.free(target.range.count64))
      wipe(target.range.lowerBound + 8..<target.range.upperBound)
    } else if let room = Self.run(in: target.siblings, from: target.range.upperBound),
      fill(room, for: target, before: Self.run(in: target.siblings, to: target.range.lowerBound))
    {
    } else if let room = Self.run(in: target.siblings, to: target.range.lowerBound),
      fillBefore(room, target)
    {
    } else if !grow(file, target) {
      return nil
    }
    guard isWithinSectors else { return nil }
  }

  private var isWithinSectors: Bool {
    steps[...visibleStep].joined().allSatisfy { $0.bytes.count > 8 || $0.offset & 511 <= 504 }
  }

  // MARK: - Room

  /// Free boxes that lie together, and how many there are.
  private struct Run {
    var range: Range<Int64>
    var count: Int
  }

  private static func isFree(_ box: MP4File.TopBox) -> Bool {
    (box.type == "free" || box.type == "skip") && box.header == 8
  }

  private static func run(in boxes: [MP4File.TopBox], from start: Int64) -> Run? {
    var run = Run(range: start..<start, count: 0)
    for box in boxes where box.start == run.range.upperBound && isFree(box) {
      run = Run(range: start..<box.end, count: run.count + 1)
    }
    return run.count > 0 ? run : nil
  }

  private static func run(in boxes: [MP4File.TopBox], to end: Int64) -> Run? {
    var run = Run(range: end..<end, count: 0)
    for box in boxes.reversed() where box.end == run.range.lowerBound && isFree(box) {
      run = Run(range: box.start..<end, count: run.count + 1)
    }
    return run.count > 0 ? run : nil
  }

  // MARK: - Steps

  private static func header(_ size: Int64, _ type: FourCC) -> [UInt8]? {
    guard let size = UInt32(exactly: size) else { return nil }
    var bytes: [UInt8] = []
    bytes.append(size, bytes: 4)
    bytes.append(type.value, bytes: 4)
    return bytes
  }

  private static func free(_ size: Int64) -> [UInt8]? { header(size, "free") }

  private mutating func show(_ offset: Int64, _ bytes: [UInt8]?) {
    visibleStep = steps.count
    // A header that has no room for its size fits no sector, so that the edit is given up.
    steps.append([Patch(offset: bytes == nil ? 511 : offset, bytes: bytes ?? [0])])
  }

  /// Zeros over what was there, so that nobody finds it in a free box.
  private mutating func wipe(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    steps.append([
      Patch(offset: range.lowerBound, bytes: [UInt8](repeating: 0, count: Int(range.count64)))
    ])
  }

  /// Makes one box of several.
  private mutating func join(_ run: Run) {
    if run.count > 1 { show(run.range.lowerBound, Self.free(run.range.count64)) }
  }

  /// Puts the new box into the free box behind the old one; free boxes before it take that in.
  private mutating func fill(
    _ run: Run, for target: Target, before: Run? = nil
  ) -> Bool {
    let rest = run.range.count64 - 8 - Int64(target.bytes.count)
    guard rest == 0 || rest >= 8, let end = rest == 0 ? [] : Self.free(rest) else { return false }
    join(run)
    steps.append([Patch(offset: run.range.lowerBound + 8, bytes: target.bytes + end)])
    let range = target.range
    if let before, !range.isEmpty {
      show(before.range.lowerBound, Self.free(before.range.count64 + range.count64 + 8))
      wipe(range.lowerBound..<range.upperBound + 8)
    } else {
      show(range.isEmpty ? run.range.lowerBound : range.lowerBound, Self.free(range.count64 + 8))
      if !range.isEmpty { wipe(range.lowerBound + 8..<range.upperBound + 8) }
    }
    return true
  }

  /// Puts the new box into the free box in front of the old one, which a free box then covers.
  private mutating func fillBefore(_ run: Run, _ target: Target) -> Bool {
    if target.range.isEmpty { return fill(run, for: target) }
    let rest = run.range.count64 - 8 - Int64(target.bytes.count)
    guard rest >= 8, let cover = Self.free(rest + target.range.count64) else { return false }
    join(run)
    steps.append([Patch(offset: run.range.lowerBound + 8, bytes: target.bytes + cover)])
    show(run.range.lowerBound, Self.free(8))
    wipe(target.range)
    return true
  }

  /// Room that the end of a file gets for later edits, beside what the box itself takes: two edits
  /// later the places of old boxes are large enough, so that the file does not grow any more.
  private static let spare: Int64 = 2048

  /// Takes what follows the movie header into the boxes that end with it.
  private mutating func grow(_ file: MP4File, _ target: Target) -> Bool {
    let movie = file.boxes[file.moovIndex]
    let areLast = target.parents.allSatisfy { $0.end == movie.end && $0.header == 8 }
    guard areLast, target.range.upperBound == movie.end else { return false }
    let run = Self.run(in: file.boxes, from: movie.end)
    let needed = 16 + Int64(target.bytes.count)
    let room: Range<Int64>
    if let run, run.range.count64 >= needed, !target.parents.isEmpty {
      room = run.range
      join(run)
    } else if (run?.range.upperBound ?? movie.end) == size {
      room = movie.end..<movie.end + 2 * needed + Self.spare
      // Zeros come first: what ends in the middle of a box would be taken for damage.
      let zeros = [UInt8](repeating: 0, count: Int(room.upperBound - size))
      steps.append([Patch(offset: size, bytes: zeros)])
      show(room.lowerBound, Self.free(room.count64))
      size = room.upperBound
    } else {
      return false
    }
    for parent in target.parents {
      show(
        parent.start, Self.header(parent.end - parent.start + room.count64, parent.type))
    }
    return fill(Run(range: room, count: 1), for: target)
  }
}

extension Range<Int64> {
  /// The number of bytes.
  fileprivate var count64: Int64 { upperBound - lowerBound }
}

extension MP4TagEditor {
  /// Whether the file has all that the operations set already.
  package func isDone(_ operations: [TagOperation]) throws(MetadataError) -> Bool {
    let splices = try splices(operations, nil, nil, at: 0)
    return splices.isEmpty ? true : try splices.applied(to: file.moov) == file.moov
  }

  /// Plans to change items where the file lies; `nil` if nothing changes, or if there is no room.
  ///
  /// - Throws: ``MetadataError`` if the file cannot be edited safely.
  package func switchEdit(_ operations: [TagOperation]) throws(MetadataError) -> MP4SwitchEdit? {
    let splices = try splices(operations, nil, nil, at: 0, usesPadding: false)
    _ = try ChunkOffsets(file.moov, root: file.root)
    guard !splices.isEmpty, file.boxes.count(where: { $0.type == "moov" }) == 1 else { return nil }
    let movie = try splices.applied(to: file.moov)
    for target in splices.targets(in: file, new: movie) {
      if let edit = MP4SwitchEdit(target, in: file) { return edit }
    }
    return nil
  }
}

extension Splices {
  /// What can be replaced as a whole, the smallest first.
  fileprivate func targets(in file: MP4File, new movie: [UInt8]) -> [MP4SwitchEdit.Target] {
    let base = file.boxes[file.moovIndex].start
    func top(_ box: Box) -> MP4File.TopBox {
      MP4File.TopBox(
        type: box.type, start: base + Int64(box.start), end: base + Int64(box.end),
        header: box.header)
    }
    func target(_ range: Range<Int>, _ bytes: [UInt8], in parents: [Box]) -> MP4SwitchEdit.Target {
      MP4SwitchEdit.Target(
        range: base + Int64(range.lowerBound)..<base + Int64(range.upperBound), bytes: bytes,
        parents: parents.map(top),
        siblings: parents.last.map { $0.children.map(top) } ?? file.boxes)
    }
    var targets: [MP4SwitchEdit.Target] = []
    if let (range, bytes, parents) = only {
      let isBox = parents.last?.children.contains { $0.start..<$0.end == range && $0.header == 8 }
      let isEnd = range.isEmpty && parents.count == 1 && range.upperBound == file.root.end
      if isBox == true || isEnd { targets.append(target(range, bytes, in: parents)) }
    }
    let common = commonAncestors
    for (index, box) in common.enumerated().reversed() where box.header == 8 && !box.extendsToEnd {
      let bytes = Array(movie[box.start..<box.end + delta])
      targets.append(target(box.start..<box.end, bytes, in: Array(common[..<index])))
    }
    return targets
  }
}
