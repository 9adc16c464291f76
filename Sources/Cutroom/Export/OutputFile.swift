import CutroomMedia
import CutroomModel

/// A result that gets its name only when it is whole.
///
/// Written under a temporary name beside the target; every way out but ``commit(overwrite:)``
/// removes it.
struct OutputFile: ~Copyable {
  /// The final name.
  let target: String
  /// The name while it is being written.
  let temporary: String
  private var isCommitted = false

  /// Chooses the temporary name; nothing is created yet.
  init(target: String) {
    self.target = target
    let directory = OutputFile.directory(of: target)
    let name = target.split(separator: "/").last.map(String.init) ?? "output"
    // File names have at most 255 bytes; the ending tells people what was left behind.
    var stem = name
    while stem.utf8.count > 200 { stem.removeLast() }
    temporary = directory + ".\(stem).\(FileSystem.processIdentifier).partial"
  }

  /// The path up to and with the last slash; empty for the working directory.
  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }

  /// Syncs the file and gives it its name, then syncs the directory.
  ///
  /// - Throws: ``CutroomError`` with code `output`; then no file is left.
  mutating func commit(overwrite: Bool) throws(CutroomError) {
    let directory = OutputFile.directory(of: target)
    do {
      try FileSystem.sync(temporary)
      try FileSystem.rename(temporary, to: target, replacing: overwrite)
      try FileSystem.sync(directory.isEmpty ? "." : directory)
    } catch {
      if error.isExisting { throw .exists(target) }
      throw CutroomError(writing: target, error)
    }
    isCommitted = true
  }

  deinit {
    if !isCommitted { FileSystem.remove(temporary) }
  }
}

extension CutroomError {
  /// The target exists and is not to be replaced.
  static func exists(_ path: String) -> CutroomError {
    let message = "'\(path)' exists; choose another name, or allow replacing it with --overwrite"
    return CutroomError(
      .input, "output.exists", message,
      diagnostics: [Diagnostic(.error, "output.exists", message, at: "")])
  }

  /// A failed call while writing.
  init(writing path: String, _ error: FileError) {
    self.init(
      .output, error.isFull ? "output.no-space" : "output.write",
      error.isFull
        ? "there is no space left to write '\(path)'; free some or write elsewhere"
        : "cannot write '\(path)': \(error.reason)")
  }

  /// A failed call of libav while writing.
  init(writing path: String, _ error: LibAVError) {
    if let number = error.systemErrorNumber, error.log.isEmpty {
      self.init(writing: path, FileError(number: number, action: error.action))
    } else {
      self.init(
        .output, "output.write", "cannot write '\(path)': \(error.reason)", details: error.log)
    }
  }
}
