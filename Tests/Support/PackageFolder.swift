package import Foundation

/// Places in the package that tests read from.
package enum PackageFolder {
  /// The folder of Package.swift.
  package static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The samples, in order of their names.
  package static var samples: [URL] {
    get throws {
      let folder = root.appending(path: "compositions")
      return try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil
      )
      .filter { $0.pathExtension == "json" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
  }
}
