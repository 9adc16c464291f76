/// A file as it will be once some bytes are written.
package struct OverlayReader: ByteReader {
  private let base: any ByteReader
  private let patches: [MP4EditPlan.Patch]
  package let size: Int64

  /// Later patches lie over earlier ones; what neither they nor the file have is zero.
  package init(_ base: any ByteReader, _ patches: [MP4EditPlan.Patch], size: Int64) {
    self.base = base
    self.patches = patches
    self.size = size
  }

  package func read(at offset: Int64, count: Int) throws(MetadataError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= size, Int64(count) <= size - offset else {
      throw MetadataError(.malformed, "the file ends before byte \(offset) + \(count)")
    }
    let known = Int(max(0, min(Int64(count), base.size - offset)))
    var bytes = known > 0 ? try base.read(at: offset, count: known) : []
    bytes += [UInt8](repeating: 0, count: count - known)
    let end = offset + Int64(count)
    for patch in patches {
      let from = max(offset, patch.offset)
      let to = min(end, patch.offset + Int64(patch.bytes.count))
      guard from < to else { continue }
      bytes.replaceSubrange(
        Int(from - offset)..<Int(to - offset),
        with: patch.bytes[Int(from - patch.offset)..<Int(to - patch.offset)])
    }
    return bytes
  }
}
