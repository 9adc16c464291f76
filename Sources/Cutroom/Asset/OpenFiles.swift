import CutroomMedia
import Synchronization

/// Files that stay open between uses, so that a table of packets is read once, however many
/// stretches are cut from a file.
///
/// Threads may share it; each file is used by one at a time.
final class OpenFiles: Sendable {
  /// An open file.
  struct File: Sendable {
    let demuxer: Demuxer
    /// Whether nothing was read from it yet; else say where to read and which streams.
    var isAtStart = false
  }

  /// The files that nobody uses, the one used last at the end.
  private let idle = Mutex<[File]>([])
  /// How many stay open: their tables are held in memory.
  private static let limit = 4

  /// A file to read from, which may have been read from before.
  func take(_ path: String) throws(LibAVError) -> File {
    let open = idle.withLock { files in
      files.lastIndex { $0.demuxer.path == path }.map { files.remove(at: $0) }
    }
    if let open { return open }
    return File(demuxer: try Demuxer(path: path, trustsHeader: true), isAtStart: true)
  }

  /// Keeps a file for its next use; of more than four, the one unused for longest is closed.
  func give(_ demuxer: Demuxer, isAtStart: Bool = false) {
    idle.withLock { files in
      files.append(File(demuxer: demuxer, isAtStart: isAtStart))
      if files.count > Self.limit { files.removeFirst() }
    }
  }
}
