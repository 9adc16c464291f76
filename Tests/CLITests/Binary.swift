import Foundation

/// The built program, run as its users run it.
struct Binary {
  /// What a run left.
  struct Run {
    var status: Int32
    var results: String
    var messages: String
  }

  /// The program beside the test bundle.
  static var url: URL {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "cutroom")
  }

  /// Runs it in `directory` until it ends.
  static func run(_ arguments: String..., in directory: URL) throws -> Run {
    try run(arguments: arguments, in: directory)
  }

  /// Runs it in `directory` until it ends.
  static func run(arguments: [String], in directory: URL) throws -> Run {
    let results = directory.appending(path: ".results")
    let messages = directory.appending(path: ".messages")
    let process = try start(arguments, in: directory, results: results, messages: messages)
    process.waitUntilExit()
    return Run(
      status: process.terminationStatus,
      results: try String(contentsOf: results, encoding: .utf8),
      messages: try String(contentsOf: messages, encoding: .utf8))
  }

  /// Starts it, with its output in files.
  static func start(
    _ arguments: [String], in directory: URL, results: URL, messages: URL
  ) throws -> Process {
    for file in [results, messages] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.standardOutput = try FileHandle(forWritingTo: results)
    process.standardError = try FileHandle(forWritingTo: messages)
    try process.run()
    return process
  }
}
