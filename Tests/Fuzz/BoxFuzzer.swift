// sources: CutroomModel CutroomMetadata
import CutroomMetadata
import CutroomModel

/// Reads and edits any bytes as an MP4 file, and checks them as every other container.
///
/// With an even first byte the rest is the file; with an odd one the rest says where to damage a
/// file that has every box with offsets. A file that was edited must read back with the new title.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBoxes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let mode = input.first else { return 0 }
  let bytes = mode % 2 == 0 ? Array(input.dropFirst()) : damaged(input.dropFirst())
  check(bytes)
  edit(bytes)
  return 0
}

private func check(_ bytes: [UInt8]) {
  for container in TagContainer.allCases {
    do {
      try StructureCheck.check(MemoryReader(bytes), container, forWriting: true)
    } catch { require(!error.message.isEmpty, "a refusal says nothing") }
  }
}

private func edit(_ bytes: [UInt8]) {
  let title = MetadataIdentifier(.itsk, "©nam")
  let key = MetadataIdentifier(.mdta, "com.apple.quicktime.title")
  let text = String(repeating: "fuzz ", count: 40)
  let edited: [UInt8]
  let old: MP4File
  do {
    old = try MP4File(MemoryReader(bytes))
    _ = try old.items()
    edited = try MP4TagEditor(old, container: .m4a).plan(
      [.set(title, [MetadataItem(title, text)]), .set(key, [MetadataItem(key, text)])],
      chapters: [MetadataChapter(start: .zero, title: text)]
    ).applied(to: bytes)
  } catch { return }
  do {
    let file = try MP4File(MemoryReader(edited))
    let items = try file.items()
    require(items.contains { $0.values == [text] }, "the title is not there")
  } catch { fatalError("what was edited does not read: \(error)") }
}

/// Each three bytes put a value at a position.
private func damaged(_ input: ArraySlice<UInt8>) -> [UInt8] {
  var file = sample
  var rest = input
  while rest.count >= 3 {
    let change = Array(rest.prefix(3))
    file[(Int(change[0]) << 8 | Int(change[1])) % file.count] = change[2]
    rest = rest.dropFirst(3)
  }
  return file
}

private func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
  let content = parts.flatMap { $0 }
  let code = Array(type.unicodeScalars.map { UInt8($0.value) })
  return number(content.count + 8, 4) + code + content
}

private func number(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

private let sample: [UInt8] = {
  let zero = number(0, 4)
  let offsets = zero + number(2, 4)
  let samples = box(
    "stbl", box("stco", offsets, number(900, 4), number(904, 4)),
    box("co64", offsets, number(900, 8), number(904, 8)),
    box("saio", zero, number(1, 4), number(900, 4)))
  let references = box("dinf", box("dref", zero, number(1, 4), box("url ", number(1, 4))))
  let track = box("trak", box("mdia", box("minf", references, samples)))
  let data = box("data", number(1, 4), zero, Array("old".utf8))
  let free = box("----", box("mean", zero, Array("a".utf8)), box("name", zero, [98]), data)
  let items = box("ilst", box("\u{A9}nam", data), box("trkn", data), free)
  let itunes = box(
    "meta", zero, box("hdlr", zero, zero, Array("mdir".utf8), [UInt8](repeating: 0, count: 13)),
    items, box("free", zero))
  let keys = box("keys", zero, number(1, 4), box("mdta", Array("k".utf8)))
  let quickTime = box(
    "meta", box("hdlr", zero, zero, Array("mdta".utf8), [UInt8](repeating: 0, count: 13)), keys,
    box("ilst", number(data.count + 8, 4) + number(1, 4) + data))
  let place = box(
    "iloc", [1, 0, 0, 0, 0x44, 0], number(1, 2), number(1, 2), number(0, 2),
    number(0, 2), number(1, 2), number(900, 4), number(4, 4))
  let user = box(
    "udta", box("\u{A9}alb", number(1, 2), number(0, 2), [65]),
    box("chpl", [1, 0, 0, 0], zero, [1], number(0, 8), [1, 65]), itunes, zero)
  let header = box("tfhd", number(1, 4), number(1, 4), number(900, 8))
  let index = box(
    "tfra", number(1 << 24, 4), number(1, 4), zero, number(1, 4), number(0, 8),
    number(900, 8), [1, 1, 1])
  return box("ftyp", Array("M4A ".utf8), zero) + box("moov", track, quickTime, user)
    + box("meta", zero, place) + box("moof", box("traf", header)) + box("mdat", zero, zero)
    + box("mfra", index)
}()
