// sources: CutroomModel CutroomMetadata
import CutroomMetadata
import CutroomModel

/// Reads and edits any bytes as an MP4 file, and checks them as every other container.
///
/// The first byte says what is edited. If it is even the rest is the file; if it is odd the rest says
/// where to damage a file that has every box with offsets. Where an edit reads back with the same
/// samples, which is what is looked at before anything is written, a second one changes nothing. An
/// edit where the file lies is the old file or the new one after every step.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBoxes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let mode = input.first else { return 0 }
  let bytes =
    mode % 2 == 0
    ? Array(input.dropFirst()) : damaged(mode & 0x40 == 0 ? sample : plain, input.dropFirst())
  if mode & 0x80 != 0 { check(bytes) }
  edit(bytes, Edit(mode >> 1 & 0x3F))
  return 0
}

private func check(_ bytes: [UInt8]) {
  for container in TagContainer.allCases {
    do {
      try StructureCheck.check(MemoryReader(bytes), container, forWriting: true)
    } catch { require(!error.message.isEmpty, "a refusal says nothing") }
  }
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
    let isWhole = bytes == sample || bytes == plain
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

private func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
  let content = parts.flatMap { $0 }
  let code = Array(type.unicodeScalars.map { UInt8($0.value) })
  return number(content.count + 8, 4) + code + content
}

private func number(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

private let sample = file(isFragmented: true)
private let plain = file(isFragmented: false)

private func file(isFragmented: Bool) -> [UInt8] {
  let zero = number(0, 4)
  let offsets = zero + number(2, 4)
  let samples = box(
    "stbl", box("stco", offsets, number(3000, 4), number(3004, 4)),
    box("co64", offsets, number(3000, 8), number(3004, 8)),
    box("saio", zero, number(1, 4), number(3000, 4)))
  let references = box("dinf", box("dref", zero, number(1, 4), box("url ", number(1, 4))))
  let head = box("tkhd", zero, zero, zero, number(1, 4), [UInt8](repeating: 0, count: 68))
  let handler = box("hdlr", zero, zero, Array("soun".utf8), [UInt8](repeating: 0, count: 13))
  let length = box("mdhd", zero, zero, zero, number(1000, 4), number(5000, 4), zero)
  let track = box(
    "trak", head, box("tref", box("chap", number(2, 4))),
    box("mdia", length, handler, box("minf", references, samples)))
  let movieHead = box(
    "mvhd", zero, zero, zero, number(1000, 4), number(5000, 4), [UInt8](repeating: 0, count: 76),
    number(3, 4))
  let data = box("data", number(1, 4), zero, Array("old".utf8))
  let free = box("----", box("mean", zero, Array("a".utf8)), box("name", zero, [98]), data)
  let items = box("ilst", box("\u{A9}nam", data), box("trkn", data), free)
  let itunes = box(
    "meta", zero, box("hdlr", zero, zero, Array("mdir".utf8), [UInt8](repeating: 0, count: 13)),
    items, box("free", zero))
  let texts = box(
    "stbl", box("stsd", zero, number(1, 4), box("text", zero, number(1, 4))),
    box("stts", zero, number(1, 4), number(1, 4), number(5000, 4)),
    box("stsc", zero, number(1, 4), number(1, 4), number(1, 4), number(1, 4)),
    box("stsz", zero, zero, number(1, 4), number(3, 4)),
    box("stco", zero, number(1, 4), number(16, 4)))
  let chapterTrack = box(
    "trak", box("tkhd", zero, zero, zero, number(2, 4), [UInt8](repeating: 0, count: 68)),
    box("mdia", length, box("minf", texts)))
  let keys = box("keys", zero, number(1, 4), box("mdta", Array("k".utf8)))
  let quickTime = box(
    "meta", box("hdlr", zero, zero, Array("mdta".utf8), [UInt8](repeating: 0, count: 13)), keys,
    box("ilst", number(data.count + 8, 4) + number(1, 4) + data))
  let place = box(
    "iloc", [1, 0, 0, 0, 0x44, 0], number(1, 2), number(1, 2), number(0, 2),
    number(0, 2), number(1, 2), number(3000, 4), number(4, 4))
  let user = box(
    "udta", box("\u{A9}alb", number(1, 2), number(0, 2), [65]),
    box("chpl", [1, 0, 0, 0], zero, [1], number(0, 8), [1, 65]), itunes, zero)
  let fragment = box("tfhd", number(1, 4), number(1, 4), number(3000, 8))
  let index = box(
    "tfra", number(1 << 24, 4), number(1, 4), zero, number(1, 4), number(0, 8),
    number(3000, 8), [1, 1, 1])
  let fragments =
    isFragmented ? (box("moof", box("traf", fragment)), box("mfra", index)) : ([], [])
  return box("ftyp", Array("M4A ".utf8), zero)
    + box("moov", movieHead, track, chapterTrack, quickTime, user)
    + box("free", [UInt8](repeating: 0, count: 600)) + box("meta", zero, place) + fragments.0
    + box("mdat", zero, zero) + fragments.1
}
