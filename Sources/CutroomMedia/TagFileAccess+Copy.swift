import CLibAV
import Glibc

extension TagFileAccess {
  /// Puts a range of another file at `offset`, within the system where it can.
  ///
  /// What is copied begins its way to the device at once, so that ``sync()`` waits less.
  ///
  /// Wraps `copy_file_range` and `sync_file_range`.
  package func copy(
    _ range: Range<Int64>, of other: TagFileAccess, to offset: Int64
  ) throws(LibAVError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let target = offset + position - range.lowerBound
      let wanted = min(32 << 20, range.upperBound - position)
      var count = clibav_copy_range(
        other.descriptor, position, descriptor, target, Int(wanted))
      if count <= 0 {
        // Not every pair of file systems can, and 0 is also what some say that cannot.
        guard count == 0 || [EXDEV, EINVAL, EOPNOTSUPP, ENOSYS, EPERM, EINTR].contains(errno) else {
          throw failure("write")
        }
        let bytes = try other.read(at: position, count: Int(min(1 << 20, wanted)))
        try write(bytes, at: target)
        count = Int64(bytes.count)
      }
      _ = clibav_begin_writing(descriptor, target, count)
      position += count
    }
  }

  /// Makes an empty file share the blocks of another one.
  ///
  /// Wraps `ioctl(FICLONE)`.
  ///
  /// - Returns: Whether the file system can.
  package func clone(_ other: TagFileAccess) -> Bool {
    clibav_clone(descriptor, other.descriptor) == 0
  }

  /// Finds out whether there is room for a file of `size` bytes before it is written.
  ///
  /// Wraps `fallocate`.
  package func reserve(_ size: Int64) throws(LibAVError) {
    guard size > 0, clibav_reserve(descriptor, size) != 0 else { return }
    // What a file system cannot promise shows when it is written.
    if [ENOSPC, EFBIG, EDQUOT].contains(errno) { throw failure("write") }
  }

  /// Takes over mode, extended attributes and, where that is allowed, owner and group of a file.
  package func copyAttributes(of other: TagFileAccess) throws(LibAVError) {
    let status = try other.status()
    let own = try self.status()
    if own.st_uid != status.st_uid || own.st_gid != status.st_gid {
      // Only the superuser may give files away; the mode must then not grow by it.
      _ = fchown(descriptor, status.st_uid, status.st_gid)
    }
    guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw failure("set the mode of") }
    try copyExtendedAttributes(of: other)
  }

  /// Wraps `flistxattr`, `fgetxattr` and `fsetxattr`.
  private func copyExtendedAttributes(of other: TagFileAccess) throws(LibAVError) {
    let size = flistxattr(other.descriptor, nil, 0)
    guard size > 0 else { return }
    let list = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = unsafe max(0, flistxattr(other.descriptor, buffer.baseAddress, size))
    }
    for name in list.split(separator: 0).map({ String(decoding: $0, as: UTF8.self) }) {
      let length = unsafe fgetxattr(other.descriptor, name, nil, 0)
      guard length >= 0 else { continue }
      let value = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        count = unsafe max(0, fgetxattr(other.descriptor, name, buffer.baseAddress, length))
      }
      let result = unsafe value.withUnsafeBytes { buffer in
        unsafe fsetxattr(descriptor, name, buffer.baseAddress, buffer.count, 0)
      }
      // Those of the system are not for everybody to set; a user's own must not be lost.
      if result != 0, name.hasPrefix("user.") { throw failure("set attribute '\(name)' of") }
    }
  }

  /// How many names the file has.
  package func linkCount() throws(LibAVError) -> Int { Int(try status().st_nlink) }

  /// Keeps other runs from changing the file at the same time, as long as it is open.
  ///
  /// Wraps `flock`.
  package func lock() throws(LibAVError) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
    guard errno == EWOULDBLOCK else { return }  // a file system without locks
    throw LibAVError(
      code: -EWOULDBLOCK, action: "change '\(path)'", reason: "another program is changing it")
  }

  /// Whether the bytes of a range are those of another file from `offset` on.
  package func isSame(
    _ range: Range<Int64>, as other: TagFileAccess, from offset: Int64
  ) throws(LibAVError) -> Bool {
    // Small enough to stay in the cache of a core.
    let length = 1 << 18
    let first = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 64)
    let second = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 64)
    defer {
      unsafe first.deallocate()
      unsafe second.deallocate()
    }
    var position = range.lowerBound
    while position < range.upperBound {
      let count = Int(min(Int64(length), range.upperBound - position))
      try unsafe read(into: first, count, at: position)
      try unsafe other.read(into: second, count, at: offset + position - range.lowerBound)
      guard let a = first.baseAddress, let b = second.baseAddress, unsafe memcmp(a, b, count) == 0
      else { return false }
      position += Int64(count)
    }
    return true
  }

  private func read(
    into buffer: UnsafeMutableRawBufferPointer, _ count: Int, at offset: Int64
  ) throws(LibAVError) {
    var done = 0
    while done < count {
      let got = unsafe pread(
        descriptor, buffer.baseAddress?.advanced(by: done), count - done, Int(offset) + done)
      if got < 0 && errno == EINTR { continue }
      guard got > 0 else { throw failure("read") }
      done += got
    }
  }
}
