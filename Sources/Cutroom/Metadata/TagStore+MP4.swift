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
    let isShared: Bool
    do {
      let new = try TagFileAccess(creating: temporary)
      isShared = plan.isInPlace && new.clone(file)
      if !isShared { try new.reserve(pieces.reduce(0) { $0 + $1.size }) }
      var position: Int64 = 0
      for piece in pieces {
        switch piece {
        case .bytes(let bytes): try new.write(bytes, at: position)
        case .copy(let range):
          if !isShared { try new.copy(range, of: file, to: position) }
        }
        position += piece.size
      }
      if try new.size() != position { try new.truncate(to: position) }
      try new.copyAttributes(of: file)
    } catch { throw MetadataError(.output, error) }
    try check(old, try MP4File(FileByteReader(open(temporary)))) { pieces.place(of: $0) }
    try bringToDevice(source, temporary, isShared ? [] : pieces)
  }

  /// Compares every copied byte while the new file makes its way to the device.
  private func bringToDevice(
    _ source: String, _ temporary: String, _ pieces: [MP4EditPlan.Piece]
  ) throws(MetadataError) {
    let results = Mutex<[MetadataError]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { task in
      do {
        if task == 0 {
          try TagFileAccess(path: temporary).sync()
        } else if try !Self.isSame(
          TagFileAccess(path: source), TagFileAccess(path: temporary), pieces)
        {
          results.withLock {
            $0.append(MetadataError(.verification, "the media data did not come through"))
          }
        }
      } catch { results.withLock { $0.append(MetadataError(.output, "\(error)")) } }
    }
    if let error = results.withLock({ $0.first }) { throw error }
  }

  private static func isSame(
    _ old: TagFileAccess, _ new: TagFileAccess, _ pieces: [MP4EditPlan.Piece]
  ) throws(LibAVError) -> Bool {
    var position: Int64 = 0
    for piece in pieces {
      if case .copy(let range) = piece, try !old.isSame(range, as: new, from: position) {
        return false
      }
      position += piece.size
    }
    return true
  }
}

extension MP4EditPlan {
  /// Whether most of the old file stays where it is.
  fileprivate var isInPlace: Bool {
    if case .rewritten = self { false } else { true }
  }
}
