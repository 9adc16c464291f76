import CutroomMedia
import CutroomMetadata
import Dispatch
import Synchronization

/// How a large MP4 or QuickTime file is changed.
struct MP4Retagging {
  /// Files up to this size are copied, compared packet by packet, and put in the old one's place:
  /// that takes no time, and leaves no unused space behind.
  static let copiedSize: Int64 = 32 << 20

  let operations: [TagOperation]
  let chapters: [MetadataChapter]?
  let container: TagContainer

  private func open(
    _ path: String, forWriting: Bool = false
  ) throws(MetadataError) -> TagFileAccess {
    do { return try TagFileAccess(path: path, forWriting: forWriting) } catch {
      throw MetadataError(.output, error)
    }
  }

  // MARK: - Where the file lies

  /// Changes a file without copying it, where that is possible at any moment's notice.
  ///
  /// - Returns: Whether it was done; if not, the file is as it was.
  func changeInPlace(_ path: String) throws(MetadataError) -> Bool {
    guard chapters == nil, TagFileAccess.isWritable(path) else { return false }
    let file = try open(path, forWriting: true)
    do {
      // The other names of a file keep what it was, so it gets a copy.
      guard try file.size() > Self.copiedSize, try file.linkCount() == 1 else { return false }
      try file.lock()
    } catch { throw MetadataError(.output, error) }
    let old = try MP4File(FileByteReader(file))
    let editor = MP4TagEditor(old, container: container)
    if try editor.isDone(operations) { return true }
    if canClone(path) { return false }
    guard let edit = try editor.switchEdit(operations) else { return false }
    let overlay = OverlayReader(try FileByteReader(file), edit.patches, size: edit.size)
    let new = try MP4File(overlay)
    try check(old, new) { $0 }
    try perform(edit, file) { () throws(MetadataError) in
      try check(old, try MP4File(FileByteReader(file))) { $0 }
    }
    return true
  }

  /// Whether a copy beside the file would share its blocks.
  private func canClone(_ path: String) -> Bool {
    let temporary = TagFileAccess.temporaryPath(beside: path)
    defer { TagFileAccess.remove(temporary) }
    do {
      return try TagFileAccess(creating: temporary).clone(TagFileAccess(path: path))
    } catch { return false }
  }

  /// Compares items, chapters and what describes the samples.
  private func check(
    _ old: MP4File, _ new: MP4File, moved: (UInt64) -> UInt64?
  ) throws(MetadataError) {
    var tags = TagSet(container: container.rawValue)
    tags.items = try new.items()
    tags.chapters = new.chapters
    if let identifier = try TagStore.mismatches(operations, chapters, in: tags).first {
      throw MetadataError(
        .verification, "'\(identifier)' did not read back as it was written; nothing was changed",
        about: identifier)
    }
    if let what = MediaProof.difference(old, new, moved: moved) {
      throw MetadataError(
        .verification, "the media data would have changed (\(what)); nothing was done")
    }
  }

  /// Writes step by step; `check` looks at the new file before the old one is wiped.
  private func perform(
    _ edit: MP4SwitchEdit, _ file: TagFileAccess, check: () throws(MetadataError) -> Void
  ) throws(MetadataError) {
    let size: Int64
    do { size = try file.size() } catch { throw MetadataError(.input, error) }
    var undone: [MP4SwitchEdit.Patch] = []
    for (index, step) in edit.steps.enumerated() {
      do {
        for patch in step {
          let known = max(0, min(Int64(patch.bytes.count), size - patch.offset))
          let before = try file.read(at: patch.offset, count: Int(known))
          if index <= edit.visibleStep { undone.append(.init(offset: patch.offset, bytes: before)) }
          try file.write(patch.bytes, at: patch.offset)
        }
        try file.sync()
      } catch {
        // Behind the visible step only zeros are missing.
        guard index <= edit.visibleStep else { return }
        restore(undone, size, file)
        throw MetadataError(.output, error)
      }
      guard index == edit.visibleStep else { continue }
      do throws(MetadataError) { try check() } catch {
        restore(undone, size, file)
        throw error
      }
    }
  }

  private func restore(_ patches: [MP4SwitchEdit.Patch], _ size: Int64, _ file: TagFileAccess) {
    do {
      // One after the other on the device, too: first the header, then what it showed.
      for patch in patches.reversed() {
        try file.write(patch.bytes, at: patch.offset)
        try file.sync()
      }
      try file.truncate(to: size)
      try file.sync()
    } catch {
      // Every step left the old file or the new one; what could not be put back is in free boxes.
      return
    }
  }

  // MARK: - Beside the file

  /// Writes the changed file under another name and compares it; media are copied once.
  func write(_ source: String, to temporary: String) throws(MetadataError) {
    let file = try open(source)
    let reader = try FileByteReader(file)
    let old = try MP4File(reader)
    let plan = try MP4TagEditor(old, container: container).plan(operations, chapters: chapters)
    let pieces = plan.pieces(of: reader.size)
    try create(temporary, plan.isInPlace, pieces, from: source)
    try check(old, try MP4File(FileByteReader(open(temporary)))) { pieces.place(of: $0) }
  }

  /// Writes the pieces and brings them to the device.
  ///
  /// What is copied begins its way to the device at once, and is compared byte by byte meanwhile.
  private func create(
    _ path: String, _ isInPlace: Bool, _ pieces: [MP4EditPlan.Piece], from source: String
  ) throws(MetadataError) {
    let stretches = Stretch.all(pieces)
    let copied = DispatchSemaphore(value: 0)
    let state = Mutex(CopyState())
    DispatchQueue.concurrentPerform(iterations: 2) { task in
      do throws(LibAVError) {
        if task == 0 {
          try Self.copy(stretches, source, path, isInPlace, state) { copied.signal() }
        } else {
          try Self.compare(stretches, source, path, state) { copied.wait() }
        }
      } catch {
        state.withLock { $0.error = $0.error ?? MetadataError(.output, error) }
        for _ in stretches { copied.signal() }
      }
    }
    if let error = state.withLock({ $0.error }) { throw error }
  }

  /// What the thread that copies and the one that compares know of each other.
  private struct CopyState {
    var error: MetadataError?
    /// Whether both files are the same blocks.
    var isShared = false
  }

  private static func copy(
    _ stretches: [Stretch], _ source: String, _ path: String, _ isInPlace: Bool,
    _ state: borrowing Mutex<CopyState>, signal: () -> Void
  ) throws(LibAVError) {
    let (old, new) = (try TagFileAccess(path: source), try TagFileAccess(creating: path))
    let isShared = isInPlace && new.clone(old)
    state.withLock { $0.isShared = isShared }
    let size = stretches.last?.end ?? 0
    if !isShared { try new.reserve(size) }
    for stretch in stretches {
      guard state.withLock({ $0.error == nil }) else { return }
      try stretch.write(old, new, isShared: isShared)
      signal()
    }
    if try new.size() != size { try new.truncate(to: size) }
    try new.copyAttributes(of: old)
    try new.sync()
  }

  /// Compares each stretch when it is copied.
  private static func compare(
    _ stretches: [Stretch], _ source: String, _ path: String,
    _ state: borrowing Mutex<CopyState>, wait: () -> Void
  ) throws(LibAVError) {
    guard !stretches.isEmpty else { return }
    wait()
    guard state.withLock({ $0.error == nil && !$0.isShared }) else { return }
    let (old, new) = (try TagFileAccess(path: source), try TagFileAccess(path: path))
    for (index, stretch) in stretches.enumerated() {
      if index > 0 { wait() }
      guard state.withLock({ $0.error == nil }) else { return }
      guard case .copy(let range) = stretch.piece else { continue }
      if try !old.isSame(range, as: new, from: stretch.position) {
        return state.withLock {
          $0.error = MetadataError(.verification, "the media data did not come through")
        }
      }
    }
  }
}

/// A piece of a file with its place, small enough to stay in the processor's reach.
private struct Stretch {
  var piece: MP4EditPlan.Piece
  var position: Int64

  var end: Int64 { position + piece.size }

  private static let length: Int64 = 4 << 20

  static func all(_ pieces: [MP4EditPlan.Piece]) -> [Stretch] {
    var stretches: [Stretch] = []
    for piece in pieces {
      let start = stretches.last?.end ?? 0
      guard case .copy(let range) = piece else {
        stretches.append(Stretch(piece: piece, position: start))
        continue
      }
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: Int(length)) {
        stretches.append(
          Stretch(
            piece: .copy(offset..<min(offset + length, range.upperBound)),
            position: start + offset - range.lowerBound))
      }
    }
    return stretches
  }

  func write(
    _ old: TagFileAccess, _ new: TagFileAccess, isShared: Bool
  ) throws(LibAVError) {
    switch piece {
    case .bytes(let bytes): try new.write(bytes, at: position)
    case .copy(let range): if !isShared { try new.copy(range, of: old, to: position) }
    }
  }
}

extension MP4EditPlan {
  /// Whether most of the old file stays where it is.
  fileprivate var isInPlace: Bool {
    if case .rewritten = self { false } else { true }
  }
}
