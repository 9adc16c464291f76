import CutroomMedia
import CutroomMetadata

/// The bytes of an open file.
struct FileByteReader: ByteReader {
  private let file: TagFileAccess
  let size: Int64

  init(_ file: TagFileAccess) throws(MetadataError) {
    self.file = file
    do { size = try file.size() } catch { throw MetadataError(.input, error) }
  }

  func read(at offset: Int64, count: Int) throws(MetadataError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= size, Int64(count) <= size - offset else {
      throw MetadataError(.malformed, "the file ends before byte \(offset) + \(count)")
    }
    do { return try file.read(at: offset, count: count) } catch {
      throw MetadataError(.input, error)
    }
  }
}

extension MetadataError {
  init(_ code: Code, _ error: LibAVError) { self.init(code, error.description) }
}
