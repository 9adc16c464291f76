import CLibAV
import Glibc

/// Folders of finished files.
extension FileSystem {
  /// Creates a folder that must not be there yet.
  ///
  /// Wraps `mkdir`.
  package static func createFolder(_ path: String) throws(FileError) {
    guard unsafe mkdir(path, 0o777) == 0 else {
      throw FileError(number: errno, action: "create the folder '\(path)'")
    }
  }

  /// The names of what lies in a folder, in order, but `.` and `..`.
  ///
  /// Wraps `readdir`.
  package static func names(in path: String) throws(FileError) -> [String] {
    guard let folder = unsafe opendir(path) else {
      throw FileError(number: errno, action: "read the folder '\(path)'")
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a folder with the files in it; one that holds folders stays.
  ///
  /// Wraps `unlink` and `rmdir`.
  package static func removeFolder(_ path: String) throws(FileError) {
    for name in try names(in: path) { _ = unsafe unlink(path + "/" + name) }
    guard unsafe rmdir(path) == 0 else {
      throw FileError(number: errno, action: "remove the folder '\(path)'")
    }
  }

  /// Gives a folder its final name in one step; an existing target stays, with the error
  /// ``FileError/isExisting``.
  ///
  /// Wraps `renameat2` with `RENAME_NOREPLACE`.
  package static func renameFolder(_ source: String, to target: String) throws(FileError) {
    try rename(source, target, 1, "rename '\(source)' to '\(target)'")
  }

  /// Gives two folders each other's names in one step.
  ///
  /// Wraps `renameat2` with `RENAME_EXCHANGE`.
  package static func exchange(_ first: String, _ second: String) throws(FileError) {
    try rename(first, second, 2, "exchange '\(first)' and '\(second)'")
  }

  private static func rename(
    _ source: String, _ target: String, _ flags: UInt32, _ action: String
  ) throws(FileError) {
    guard unsafe clibav_rename(source, target, flags) == 0 else {
      throw FileError(number: errno, action: action)
    }
  }
}
