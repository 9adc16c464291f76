import CutroomMedia
import CutroomModel
import Foundation

/// A picture, a page or a table that appears under its name when it is whole.
struct DrawingFile {
  let path: String
  private let overwrite: Bool

  /// Checks the name before anything slow begins.
  ///
  /// - Throws: ``CutroomError`` where the folder is missing, the file exists and is not to be
  ///   replaced, or it is one of `inputs`.
  init(_ path: String, overwrite: Bool, inputs: [String]) throws(CutroomError) {
    self.path = path
    self.overwrite = overwrite
    let directory = OutputFile.directory(of: path)
    guard FileStatus(path: directory.isEmpty ? "." : directory)?.kind == .directory else {
      throw Self.refusal(
        .outputDirectory, "the folder '\(directory)' does not exist; create it first")
    }
    guard let target = FileStatus(path: path) else { return }
    guard target.kind == .regular else {
      throw Self.refusal(
        .outputDirectory, "'\(path)' is not a regular file; choose another name")
    }
    for input in inputs where FileStatus(path: input)?.isSameFile(as: target) == true {
      throw Self.refusal(
        .outputIsInput,
        "'\(path)' is the input '\(input)'; an input is never written, choose another name")
    }
    if !overwrite { throw .exists(path) }
  }

  /// The error for an ending that is none of `endings`.
  static func unknownEnding(_ path: String, _ endings: [String]) -> CutroomError {
    let list = endings.map { ".\($0)" }.joined(separator: ", ")
    return refusal(
      .outputExtension, "the ending of '\(path)' says nothing that can be written; use \(list)")
  }

  /// The ending of a path in small letters, without the dot; empty for none.
  static func ending(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  private static func refusal(_ code: DiagnosticCode, _ message: String) -> CutroomError {
    CutroomError(.input, code.rawValue, message)
  }

  /// Writes all of it.
  func write(_ text: String) throws(CutroomError) { try write(Data(text.utf8)) }

  /// Writes all of it.
  func write(_ bytes: [UInt8]) throws(CutroomError) { try write(Data(bytes)) }

  private func write(_ data: Data) throws(CutroomError) {
    var file = OutputFile(target: path)
    do {
      try data.write(to: URL(filePath: file.temporary))
    } catch {
      let error = error as NSError
      let system = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
      guard system.domain == NSPOSIXErrorDomain else {
        throw CutroomError(
          .output, "output.write", "cannot write '\(path)': \(error.localizedDescription)")
      }
      let number = Int32(clamping: system.code)
      throw CutroomError(writing: path, FileError(number: number, action: "write '\(path)'"))
    }
    try file.commit(overwrite: overwrite)
  }
}
