import CLibAV
import Glibc
import Synchronization

/// Random access to a regular file, for editors that know its layout.
///
/// One thread at a time uses it. Every failed call throws with the system's error number.
@safe package final class TagFileAccess {
  package let path: String
  private(set) var descriptor: Int32

  /// Opens a regular file; a FIFO, a device or a directory is refused without waiting for it.
  ///
  /// Wraps `open` and `fstat`.
  package init(path: String, forWriting: Bool = false) throws(LibAVError) {
    self.path = path
    let action = "open '\(path)'"
    descriptor = -1
    guard !path.utf8.contains(0) else {
      throw LibAVError(code: -EINVAL, action: action, reason: "the path has a zero character")
    }
    let flags = (forWriting ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    descriptor = unsafe open(path, flags)
    guard descriptor >= 0 else { throw LibAVError(code: -errno, action: action) }
    let status = try status()
    guard status.st_mode & S_IFMT == S_IFREG else {
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "not a regular file"
      throw LibAVError(code: -EINVAL, action: action, reason: "it is \(kind)")
    }
  }

  /// Creates a file that must not exist yet, readable by its owner only.
  package init(creating path: String) throws(LibAVError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw LibAVError(code: -errno, action: "create '\(path)'") }
  }

  deinit {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
  }

  func status() throws(LibAVError) -> stat {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure("examine") }
    return status
  }

  func failure(_ verb: String) -> LibAVError {
    LibAVError(code: -errno, action: "\(verb) '\(path)'")
  }

  /// The number of bytes.
  package func size() throws(LibAVError) -> Int64 { Int64(try status().st_size) }

  /// Exactly `count` bytes, or an error if the file ends before.
  ///
  /// Wraps `pread`.
  package func read(at offset: Int64, count: Int) throws(LibAVError) -> [UInt8] {
    guard count > 0 else { return [] }
    var failed: LibAVError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count {
        let got = unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: done), count - done, Int(offset) + done)
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else {
          failed =
            got < 0
            ? failure("read")
            : LibAVError(
              code: -EIO, action: "read '\(path)'",
              reason: "it ends before byte \(offset) + \(count)")
          return
        }
        done += got
      }
    }
    if let failed { throw failed }
    return bytes
  }

  /// Writes all bytes.
  ///
  /// Wraps `pwrite`.
  package func write(_ bytes: [UInt8], at offset: Int64) throws(LibAVError) {
    var done = 0
    while done < bytes.count {
      let put = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          descriptor, buffer.baseAddress?.advanced(by: done), bytes.count - done,
          Int(offset) + done)
      }
      if put < 0 && errno == EINTR { continue }
      guard put > 0 else { throw failure("write") }
      done += put
    }
  }

  /// Makes the file end at `size`.
  package func truncate(to size: Int64) throws(LibAVError) {
    guard ftruncate(descriptor, Int(size)) == 0 else { throw failure("cut") }
  }

  /// Waits until the bytes are on the device.
  package func sync() throws(LibAVError) {
    guard fsync(descriptor) == 0 else { throw failure("sync") }
  }

  /// The path without symbolic links.
  ///
  /// Wraps `realpath`.
  package static func resolved(_ path: String) throws(LibAVError) -> String {
    guard let real = unsafe realpath(path, nil) else {
      throw LibAVError(code: -errno, action: "find '\(path)'")
    }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// Gives a finished file its name, and brings that to the device.
  ///
  /// Wraps `rename`.
  package static func rename(_ path: String, to target: String) throws(LibAVError) {
    guard unsafe Glibc.rename(path, target) == 0 else {
      throw LibAVError(code: -errno, action: "rename '\(path)' to '\(target)'")
    }
    let slash = target.lastIndex(of: "/")
    let directory = slash.map { String(target[...$0]) } ?? "."
    let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    // Some file systems cannot sync a directory; the name is there all the same.
    _ = fsync(descriptor)
    _ = Glibc.close(descriptor)
  }

  /// Whether the file at a path may be written; the superuser may write all.
  ///
  /// Wraps `access`.
  package static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

  /// Whether something has that name.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Removes a temporary file.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }

  private static let counter = Atomic<Int>(0)

  /// A name for a temporary file beside `target`, different each time.
  package static func temporaryPath(beside target: String) -> String {
    let number = counter.add(1, ordering: .relaxed).newValue
    let directory = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    return directory + ".cutroom-tag-\(getpid())-\(number)"
  }
}
