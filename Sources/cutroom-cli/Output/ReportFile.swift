import Cutroom
import Foundation

/// A file beside the result: a report for another program.
///
/// It replaces an older one.
struct ReportFile {
  private let path: String

  /// The file that `option` names; `nil` without the option.
  ///
  /// Throws if it is one of `others`, the files that the command reads or makes, or if its folder
  /// does not exist: before anything slow begins.
  init?(_ arguments: ParsedArguments, _ option: Option, besides others: [String]) throws(UsageError)
  {
    guard let path = arguments.value(of: option) else { return nil }
    let spelling = "--\(option.name)"
    let file = Self.resolved(path)
    if path.isEmpty || path.hasSuffix("/") {
      throw .invalidValue(spelling, path, expected: "the path of a file")
    }
    if others.contains(where: { Self.resolved($0) == file }) {
      throw .invalidValue(
        spelling, path, expected: "a file that the command does not use otherwise")
    }
    guard Self.isFolder(file.deletingLastPathComponent()) else {
      throw .invalidValue(spelling, path, expected: "a file in an existing folder")
    }
    self.path = path
  }

  /// Writes the file, which appears only when complete, and returns what went wrong.
  func write(_ text: String) -> Diagnostic? {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
      return nil
    } catch {
      let reason = error.localizedDescription
      return Diagnostic(.error, "output.report", "cannot write '\(path)': \(reason)", at: "")
    }
  }

  private static func isFolder(_ url: URL) -> Bool {
    do {
      return try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory ?? false
    } catch {
      // What cannot be looked at cannot be written into either.
      return false
    }
  }

  private static func resolved(_ path: String) -> URL {
    URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath()
  }
}
