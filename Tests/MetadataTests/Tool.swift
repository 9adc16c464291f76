import Foundation
import Testing

/// A program that reads files independently of ours.
enum Tool {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  static func isThere(_ name: String) -> Bool { path(name) != nil }

  static func note(_ name: String) -> Comment { "needs the program \(name)" }

  private static func path(_ name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { $0 + "/" + name }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  static func run(_ name: String, _ arguments: [String]) throws -> Result {
    let folder = try TemporaryFolder()
    let (out, err) = (folder.url.appending(path: "out"), folder.url.appending(path: "err"))
    for url in [out, err] { try Data().write(to: url) }
    let process = Process()
    process.executableURL = URL(filePath: try #require(path(name)))
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: err)
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      output: try text(out), errors: try text(err))
  }

  /// `Data(contentsOf:)` leaks a page for an empty file.
  private static func text(_ url: URL) throws -> String {
    let handle = try FileHandle(forReadingFrom: url)
    return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
  }

  /// FFmpeg's hash of the packets of every stream that is no cover.
  static func streamHash(_ url: URL) throws -> String {
    let arguments = ["-v", "error", "-i", url.path, "-map", "0:V?", "-map", "0:a?", "-c", "copy"]
    return try run("ffmpeg", arguments + ["-f", "streamhash", "-"]).output
  }
}

/// A folder that goes away with its owner.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "cutroom-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
    let file = url.appending(path: name)
    try Data(bytes).write(to: file)
    return file
  }
}
