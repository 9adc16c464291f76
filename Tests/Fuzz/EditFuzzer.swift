// sources: CutroomModel CutroomMetadata
// options: -max_len=100
import CutroomMetadata
import CutroomModel

/// Edits any bytes as an MP4 file; the first byte says what is edited.
///
/// Where an edit reads back with the same samples, which is what is looked at before anything is
/// written, a second one changes nothing. An edit where the file lies is the old file or the new one
/// after every step.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEdits(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let mode = input.first else { return 0 }
  edit(Movie.bytes(input, mode), Edit(mode >> 1 & 0x3F))
  return 0
}

/// What is done to a file.
private struct Edit {
  static let keys = [
    MetadataIdentifier(.itsk, "©nam"), MetadataIdentifier(.mdta, "com.apple.quicktime.title"),
    MetadataIdentifier(.udta, "©alb"), MetadataIdentifier(.uiso, "titl"),
  ]

  var operations: [TagOperation] = []
  var chapters: [MetadataChapter]?
  /// Which of the keys must be there.
  var set: [MetadataIdentifier] = []
  let text: String

  init(_ bits: UInt8) {
    text = String(repeating: "fuzz ", count: bits & 1 == 0 ? 40 : 1)
    if bits & 2 != 0 { operations.append(.clear) }
    for (index, key) in Self.keys.enumerated() where bits >> 2 & 3 == index || bits & 16 != 0 {
      operations.append(.set(key, [MetadataItem(key, text)]))
      set.append(key)
    }
    if bits & 32 != 0 { chapters = [MetadataChapter(start: .zero, title: text)] }
  }
}

private func edit(_ bytes: [UInt8], _ edit: Edit) {
  let old: MP4File
  let plan: MP4EditPlan
  do {
    old = try MP4File(MemoryReader(bytes))
    _ = try old.items()
    plan = try MP4TagEditor(old, container: .m4a).plan(edit.operations, chapters: edit.chapters)
  } catch { return }
  let edited = plan.applied(to: bytes)
  do {
    let new = try MP4File(MemoryReader(edited))
    // Whoever writes looks at this, too, and refuses: boxes can be damaged so that none finds them.
    let isWhole = bytes == Movie.fragmented || bytes == Movie.plain
    guard hasItems(new, edit) else { return require(!isWhole, "an item does not read back") }
    let pieces = plan.pieces(of: Int64(bytes.count))
    let isMoved = if case .rewritten = plan { true } else { false }
    let difference = MediaProof.difference(old, new) { isMoved ? pieces.place(of: $0) : $0 }
    if let difference { return require(!isWhole, "the media would change: \(difference)") }
    let again = try MP4TagEditor(new, container: .m4a).plan(
      edit.operations, chapters: edit.chapters)
    require(again.applied(to: edited) == edited, "a second edit changes something")
  } catch { fatalError("what was edited does not read: \(error)") }
  if edit.chapters == nil { switchWhereItLies(bytes, old, edit) }
}

private func hasItems(_ file: MP4File, _ edit: Edit) -> Bool {
  do {
    let items = try file.items()
    return edit.set.allSatisfy { key in
      items.filter { $0.identifier == key }.map(\.values) == [[edit.text]]
    }
  } catch { return false }
}

/// After each step of the edit there is the old file or the new one.
private func switchWhereItLies(_ bytes: [UInt8], _ old: MP4File, _ edit: Edit) {
  let plan: MP4SwitchEdit?
  let before: [MetadataItem]
  do {
    before = try old.items()
    plan = try MP4TagEditor(old, container: .m4a).switchEdit(edit.operations)
  } catch { return }
  guard let plan else { return }
  var patches: [MP4SwitchEdit.Patch] = []
  for (index, step) in plan.steps.enumerated() {
    patches += step
    let end = patches.map { $0.offset + Int64($0.bytes.count) }.max() ?? 0
    let reader = OverlayReader(
      MemoryReader(bytes), patches, size: max(Int64(bytes.count), end))
    do {
      let file = try MP4File(reader)
      if index >= plan.visibleStep {
        require(hasItems(file, edit), "step \(index) does not show the new items")
      } else {
        require(try file.items() == before, "step \(index) shows something new")
      }
      let difference = MediaProof.difference(old, file) { $0 }
      require(difference == nil, "step \(index) changes \(difference ?? "")")
    } catch { fatalError("step \(index) leaves what does not read: \(error)") }
  }
}
