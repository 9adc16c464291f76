import Foundation

/// A stretch of a file's bytes.
enum FilePart {
  /// At most `count` bytes of the file at `path` from `offset` on; empty where it cannot be read.
  ///
  /// For looking at what libavformat does not tell; a file that cannot be read fails there.
  static func read(_ path: String, from offset: UInt64 = 0, count: Int) -> [UInt8] {
    guard offset <= UInt64(Int64.max), let file = FileHandle(forReadingAtPath: path) else {
      return []
    }
    do {
      try file.seek(toOffset: offset)
      return Array(try file.read(upToCount: count) ?? Data())
    } catch {
      return []
    }
  }
}
