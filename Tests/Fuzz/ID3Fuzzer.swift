// sources: CutroomModel CutroomMetadata
import CutroomMetadata
import CutroomModel

/// Checks any bytes as an ID3 tag, an MP3 file, and the other files that TagLib reads.
///
/// An even first byte gives the tag's version and flags, and all that follows is its content; an odd
/// one leaves the bytes as they are. A tag that passes must lie inside the file and hold no more
/// than the limits say.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzID3(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let mode = input.first else { return 0 }
  let content = Array(input.dropFirst())
  let bytes = mode % 2 == 0 ? tagged(content, mode) : content
  let reader = MemoryReader(bytes)
  do {
    if let summary = try ID3Check.tag(reader, at: 0) {
      require((0...10_000).contains(summary.frames), "\(summary.frames) frames passed")
      require(summary.end <= reader.size + 10, "the tag ends at \(summary.end)")
    }
  } catch { require(!error.message.isEmpty, "a refusal says nothing") }
  for container in [TagContainer.mp3, .flac, .ogg, .opus] {
    do {
      try StructureCheck.check(reader, container, forWriting: mode % 4 < 2)
    } catch { require(!error.message.isEmpty, "a refusal says nothing") }
  }
  return 0
}

private func tagged(_ content: [UInt8], _ mode: UInt8) -> [UInt8] {
  let size = content.count
  let sizes = [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
  let flags: UInt8 = mode & 0x40 != 0 ? 0x80 : 0
  return Array("ID3".utf8) + [2 + (mode >> 1) % 3, 0, flags] + sizes + content
}
