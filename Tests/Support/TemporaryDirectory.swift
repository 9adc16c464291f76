package import Foundation

/// Calls `body` with a new directory that is removed afterwards.
package func withTemporaryDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let directory = FileManager.default.temporaryDirectory
    .appending(path: "cutroom-test-\(UUID().uuidString)").resolvingSymlinksInPath()
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  let result = Swift.Result { try body(directory) }
  try FileManager.default.removeItem(at: directory)
  return try result.get()
}
