package import Foundation

/// Programs of others that read files independently of Cutroom.
package enum Program {
  /// What a program left behind.
  package struct Result {
    package var status: Int32
    package var output: Data
    package var errors: String
    /// The standard output as text.
    package var text: String { String(decoding: output, as: UTF8.self) }
    /// The lines of the standard output that are not empty.
    package var lines: [String] { text.split(whereSeparator: \.isNewline).map(String.init) }
  }

  /// A program that ended with another status than 0.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
  }

  /// Whether FFmpeg's programs can be found.
  package static let hasFFmpeg = path("ffmpeg") != nil && path("ffprobe") != nil

  /// The path of a program, or `nil` where it is absent.
  package static func path(_ name: String) -> String? {
    if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { $0 + "/" + name }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// Runs a program to its end, whatever its status.
  package static func result(
    of name: String, _ arguments: [String], in folder: URL? = nil
  ) throws -> Result {
    guard let path = path(name) else { throw Failure(description: "there is no program \(name)") }
    return try withTemporaryDirectory { directory in
      // Files, not pipes: a pipe's ends would be inherited by programs started beside this one.
      let (out, err) = (directory.appending(path: "out"), directory.appending(path: "err"))
      for url in [out, err] { try Data().write(to: url) }
      let process = Process()
      process.executableURL = URL(filePath: path)
      process.arguments = arguments
      process.currentDirectoryURL = folder
      process.standardInput = FileHandle.nullDevice
      let (output, errors) = (
        try FileHandle(forWritingTo: out), try FileHandle(forWritingTo: err)
      )
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      process.waitUntilExit()
      try output.close()
      try errors.close()
      return Result(
        status: process.terminationStatus, output: try contents(of: out),
        errors: String(decoding: try contents(of: err), as: UTF8.self))
    }
  }

  /// `Data(contentsOf:)` leaks a page for every empty file.
  private static func contents(of url: URL) throws -> Data {
    let file = try FileHandle(forReadingFrom: url)
    let data = try file.readToEnd() ?? Data()
    try file.close()
    return data
  }

  /// Runs a program that must succeed.
  @discardableResult
  package static func run(
    _ name: String, _ arguments: [String], in folder: URL? = nil
  ) throws -> Result {
    let result = try result(of: name, arguments, in: folder)
    guard result.status == 0 else {
      throw Failure(
        description: "\(name) \(arguments.joined(separator: " ")): \(result.status)\n"
          + result.errors)
    }
    return result
  }

  /// Runs ffmpeg with few threads, no chatter and no questions.
  @discardableResult
  package static func ffmpeg(_ arguments: [String]) throws -> Result {
    try run("ffmpeg", ["-hide_banner", "-v", "error", "-y", "-nostdin"] + arguments)
  }
}
