// sources: CutroomModel CutroomMetadata
import CutroomMetadata
import CutroomModel

/// Reads and edits any bytes as a WAV, RF64 or AIFF file.
///
/// The first byte says whether the rest is the file, or where to damage one that has every chunk
/// with tags. A file that was edited must read back with the new texts, and be left alone by the
/// same edit.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzChunks(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let mode = input.first else { return 0 }
  switch mode % 4 {
  case 0: edit(Array(input.dropFirst()))
  case 1: edit(damaged(wave, input.dropFirst()))
  case 2: edit(damaged(wide, input.dropFirst()))
  default: edit(damaged(aiff, input.dropFirst()))
  }
  return 0
}

private func edit(_ bytes: [UInt8]) {
  let edited: [UInt8]
  let contents: [ChunkKey: [[UInt8]]]
  do {
    let file = try ChunkFile(MemoryReader(bytes))
    contents = try changes(of: file)
    edited = try file.plan(replacing: contents).applied(to: bytes)
  } catch {
    require(!error.message.isEmpty, "a refusal says nothing")
    return
  }
  do {
    let file = try ChunkFile(MemoryReader(edited))
    for (key, wanted) in contents {
      require(try file.contents(key) == wanted, "the chunk '\(key.id)' is not there")
    }
    let again = try file.plan(replacing: contents).applied(to: edited)
    require(again == edited, "the same edit changes the file again")
  } catch { fatalError("what was edited does not read: \(error)") }
}

private func changes(of file: ChunkFile) throws(MetadataError) -> [ChunkKey: [[UInt8]]] {
  for tag in try file.contents(.id3) { _ = try? ID3Check.tag(MemoryReader(tag), at: 0) }
  if file.isAIFF { return [ChunkKey("NAME"): [[1]], ChunkKey("ANNO"): [[1, 2], [3]]] }
  var info = InfoList(try file.contents(.info).first ?? [])
  require(info.items.allSatisfy { !$0.values.isEmpty }, "an item says nothing")
  info.set("INAM", "fuzz")
  require(InfoList(info.encoded).items == info.items, "INFO does not read back")
  var bext = BroadcastExtension(try file.contents(.broadcast).first ?? [])
  try bext.set("bext.Description", "fuzz")
  require(BroadcastExtension(bext.encoded).items == bext.items, "'bext' does not read back")
  let points = CuePoints(rate: CuePoints.rate(try file.contents(ChunkKey("fmt ")).first ?? []) ?? 1)
  let labels = try file.contents(.labels).first ?? []
  _ = points.chapters(cue: try file.contents(.cue).first ?? [], labels: labels)
  let (cue, text) = try points.encoded(
    [MetadataChapter(start: Rational(1), title: "fuzz")], labels: labels)
  return [
    .info: [info.encoded], .broadcast: [bext.encoded], .cue: [cue], .labels: [text], .id3: [],
  ]
}

private func number(_ value: Int, _ count: Int, big: Bool = false) -> [UInt8] {
  let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  return big ? bytes.reversed() : bytes
}

private func chunk(_ id: String, _ content: [UInt8], size: Int? = nil, big: Bool = false) -> [UInt8]
{
  let fill: [UInt8] = content.count % 2 == 1 ? [0] : []
  return Array(id.utf8) + number(size ?? content.count, 4, big: big) + content + fill
}

private let tag: [UInt8] =
  Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 13] + Array("TIT2".utf8)
  + [0, 0, 0, 3, 0, 0, 3, 65, 66]

private let chunks: [UInt8] = {
  let format = number(1, 2) + number(1, 2) + number(8000, 4) + number(8000, 4) + number(1, 2)
  let info = Array("INFO".utf8) + chunk("INAM", [65, 0]) + chunk("IART", [66, 67, 0])
  let labels = Array("adtl".utf8) + chunk("labl", number(1, 4) + [65, 0])
  let cue = number(1, 4) + number(1, 4) + number(2, 4) + Array("data".utf8) + number(0, 8)
  return chunk("fmt ", format + number(8, 2)) + chunk("LIST", info)
    + chunk("bext", Array(repeating: 65, count: 610)) + chunk("cue ", cue + number(2, 4))
    + chunk("LIST", labels) + chunk("id3 ", tag)
}()

private let wave: [UInt8] = {
  let body = Array("WAVE".utf8) + chunks + chunk("data", [1, 2, 3]) + chunk("iXML", [65])
  return Array("RIFF".utf8) + number(body.count, 4) + body
}()

private let wide: [UInt8] = {
  let rest = chunks + chunk("data", [1, 2], size: 0xFFFF_FFFF)
  let table = number(2, 8) + number(0, 8) + number(0, 4)
  let body = Array("WAVE".utf8) + chunk("ds64", number(rest.count + 40, 8) + table) + rest
  return Array("RF64".utf8) + number(0xFFFF_FFFF, 4) + body
}()

private let aiff: [UInt8] = {
  let parts = [
    ("COMM", [UInt8](repeating: 1, count: 18)), ("NAME", [65]), ("SSND", [0, 0, 1]), ("ID3 ", tag),
  ]
  let body = Array("AIFF".utf8) + parts.flatMap { chunk($0.0, $0.1, big: true) }
  return Array("FORM".utf8) + number(body.count, 4, big: true) + body
}()
