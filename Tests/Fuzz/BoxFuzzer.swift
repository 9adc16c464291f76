// sources: CutroomModel CutroomMetadata
// options: -max_len=200
import CutroomMetadata
import CutroomModel

/// Reads any bytes as an MP4 file, and checks them as every other container.
///
/// What reads has no chapters before it begins.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBoxes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let mode = input.first else { return 0 }
  let bytes = Movie.bytes(input, mode)
  if mode & 0x80 != 0 { check(bytes) }
  do {
    let file = try MP4File(MemoryReader(bytes))
    _ = try file.items().map(\.commonKey)
    require(file.chapters.allSatisfy { $0.start >= .zero }, "a chapter begins before the file")
    _ = MediaProof.difference(file, file) { $0 }
    try file.checkFragments()
  } catch { require(!error.message.isEmpty, "a refusal says nothing") }
  return 0
}

private func check(_ bytes: [UInt8]) {
  for container in TagContainer.allCases {
    do {
      try StructureCheck.check(MemoryReader(bytes), container, forWriting: true)
    } catch { require(!error.message.isEmpty, "a refusal says nothing") }
  }
}
