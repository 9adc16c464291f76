import CLibAV
import Glibc

/// A failed call on the file system.
package struct FileError: Error, Sendable, CustomStringConvertible {
  /// The C library's error number.
  package var number: Int32
  /// What was being done, with the path.
  package var action: String

  package init(number: Int32, action: String) {
    self.number = number
    self.action = action
  }

  /// The C library's words for the number.
  package var reason: String { unsafe String(cString: strerror(number)) }
  package var description: String { "cannot \(action): \(reason)" }
  /// Whether the device or the quota is full, or the file would be too large.
  package var isFull: Bool { number == ENOSPC || number == EDQUOT || number == EFBIG }
  /// Whether the name is taken.
  package var isExisting: Bool { number == EEXIST }
}

/// What a path leads to.
package struct FileStatus: Hashable, Sendable {
  /// The kind of a file.
  package enum Kind: Hashable, Sendable {
    case regular, directory, other
  }

  /// The device and the inode name a file whatever its path.
  package var device: UInt64
  package var inode: UInt64
  package var kind: Kind
  package var size: Int64

  /// Follows symbolic links; `nil` when nothing is there or it cannot be looked at.
  ///
  /// Wraps `stat`.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      default: .other
      }
  }

  /// Whether both paths lead to the same file.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}

/// The calls by which finished files get their names.
package enum FileSystem {
  /// Gives a file its final name in one step.
  ///
  /// Without `replacing`, an existing target is left alone and the error is ``FileError/isExisting``.
  /// Wraps `link` and `rename`.
  package static func rename(
    _ source: String, to target: String, replacing: Bool
  ) throws(FileError) {
    let action = "rename '\(source)' to '\(target)'"
    if replacing {
      guard unsafe Glibc.rename(source, target) == 0 else {
        throw FileError(number: errno, action: action)
      }
      return
    }
    // A link never replaces, so that a file that appears meanwhile is safe.
    if unsafe link(source, target) == 0 {
      _ = unsafe unlink(source)
      return
    }
    guard errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS else {
      throw FileError(number: errno, action: action)
    }
    // File systems without links.
    guard FileStatus(path: target) == nil else { throw FileError(number: EEXIST, action: action) }
    guard unsafe Glibc.rename(source, target) == 0 else {
      throw FileError(number: errno, action: action)
    }
  }

  /// Brings a file's bytes, or a directory's names, to the device.
  ///
  /// Wraps `fsync`.
  package static func sync(_ path: String) throws(FileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(number: errno, action: "open '\(path)'") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
      throw FileError(number: errno, action: "sync '\(path)'")
    }
  }

  /// Removes a file; `false` when it could not be removed.
  ///
  /// Wraps `unlink`.
  @discardableResult
  package static func remove(_ path: String) -> Bool {
    unsafe unlink(path) == 0
  }

  /// The processor cores that this process may use, at least 1.
  package static var availableCores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// This process's number.
  package static var processIdentifier: Int32 { getpid() }
}
