import CLibAV
import Glibc

/// A file being written, which remembers its first failure.
///
/// One thread at a time uses it.
@safe package final class ByteSink: @unchecked Sendable {
  // Handed from thread to thread, never used by two at once.
  package let path: String
  private var descriptor: Int32
  /// The system's error number of the first write, seek or close that failed.
  package private(set) var failure: Int32?
  /// The bytes given to the system so far, those written over included.
  package private(set) var bytesWritten: Int64 = 0
  private var flushed: Int64 = 0

  /// Creates the file.
  ///
  /// With `isExclusive` it is an error that there is one of that name; else that is emptied.
  package init(path: String, isExclusive: Bool = true) throws(LibAVError) {
    self.path = path
    let action = "create '\(path)'"
    guard !path.utf8.contains(0) else {
      descriptor = -1
      throw .invalid(action, "the path has a zero character")
    }
    descriptor = unsafe open(
      path, O_RDWR | O_CREAT | O_CLOEXEC | (isExclusive ? O_EXCL : O_TRUNC), 0o666)
    guard descriptor >= 0 else { throw LibAVError(code: -errno, action: action) }
  }

  deinit {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
  }

  /// Waits until the bytes are on the device.
  package func sync() throws(LibAVError) {
    try requireNoFailure()
    guard fsync(descriptor) == 0 else { throw failed("sync", errno) }
  }

  /// Writes the payload of a packet.
  package func append(_ packet: Packet) throws(LibAVError) {
    if let bytes = unsafe packet.pointer.pointee.data, packet.size > 0 {
      _ = unsafe write(bytes, Int32(packet.size))
    }
    try requireNoFailure()
  }

  /// Closes the file; it may be called twice.
  package func close() throws(LibAVError) {
    guard descriptor >= 0 else { return }
    let status = Glibc.close(descriptor)
    let reason = errno
    descriptor = -1
    guard status == 0 else { throw failed("close", reason) }
  }

  /// Throws the first failure again, if there was one.
  package func requireNoFailure() throws(LibAVError) {
    if let failure { throw LibAVError(code: -failure, action: "write '\(path)'") }
  }

  private func failed(_ verb: String, _ reason: Int32) -> LibAVError {
    if failure == nil { failure = reason }
    return LibAVError(code: -reason, action: "\(verb) '\(path)'")
  }

  // MARK: What libav calls

  /// Writes all bytes; a status below zero says why not.
  func write(_ bytes: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
    if let failure { return -failure }
    var done = 0
    while done < Int(count) {
      let written = unsafe Glibc.write(descriptor, bytes + done, Int(count) - done)
      if written > 0 {
        done += written
        bytesWritten += Int64(written)
        beginWriteback()
      } else if written == 0 || errno != EINTR {
        let reason = written == 0 ? ENOSPC : errno
        _ = failed("write", reason)
        return -reason
      }
    }
    return count
  }

  /// Every 16 MiB the device gets work early, so that the sync at the end has little left to do.
  private func beginWriteback() {
    guard bytesWritten - flushed >= 16 << 20 else { return }
    _ = clibav_begin_writeback(descriptor, flushed, bytesWritten - flushed)
    flushed = bytesWritten
  }

  func read(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
    while true {
      let got = unsafe Glibc.read(descriptor, bytes, Int(count))
      if got > 0 { return Int32(clamping: got) }
      if got == 0 { return CLIBAV_EOF }
      if errno != EINTR { return -errno }
    }
  }

  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let base = whence & ~CLIBAV_SEEK_FORCE
    if base & CLIBAV_SEEK_SIZE != 0 {
      var status = stat()
      return unsafe fstat(descriptor, &status) == 0 ? Int64(status.st_size) : -Int64(errno)
    }
    let position = lseek(descriptor, Int(offset), base)
    guard position >= 0 else {
      let reason = errno
      _ = failed("seek in", reason)
      return -Int64(reason)
    }
    return Int64(position)
  }
}
