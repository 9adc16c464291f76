package import Foundation
import Synchronization

/// Media files that ffmpeg makes from recipes when a test first asks for them.
///
/// They lie in one folder of the build, named by the recipes and ffmpeg's version, and serve every
/// test and every later run. Pictures of the `count` files spell their own number in 16 bars; their
/// sound is a tone of 200 Hz plus 100 Hz per second.
package enum Fixtures {
  private static let locks = Mutex<[String: NSLock]>([:])

  /// The folder of all fixtures.
  package static let folder: URL = {
    let version = (try? Program.run("ffmpeg", ["-version"]).lines.first) ?? ""
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    let recipes = FixtureRecipes.all.sorted { $0.key < $1.key }
    for byte in "\(version)\(recipes)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let name = "fixtures-" + String(hash, radix: 16)
    let build = PackageFolder.root.appending(path: ".build")
    let isWritable = FileManager.default.isWritableFile(atPath: build.path)
    return (isWritable ? build : FileManager.default.temporaryDirectory).appending(path: name)
  }()

  /// The fixture of that name, made now where it is not there yet.
  package static func file(_ name: String) throws -> URL {
    let url = folder.appending(path: name)
    let lock = locks.withLock { locks in
      let lock = locks[name] ?? NSLock()
      locks[name] = lock
      return lock
    }
    lock.lock()
    defer { lock.unlock() }
    if FileManager.default.fileExists(atPath: url.path) { return url }
    guard let recipe = FixtureRecipes.all[name] else {
      throw Program.Failure(description: "there is no recipe for '\(name)'")
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let arguments = try recipe.map { part in
      part.hasPrefix("{") && part.hasSuffix("}")
        ? try file(String(part.dropFirst().dropLast())).path : part
    }
    // Another process may make the same file: the first one stays.
    let partial = folder.appending(
      path: "\(ProcessInfo.processInfo.processIdentifier)-partial-\(name)")
    try Program.ffmpeg(arguments + [partial.path])
    if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: partial)
    } else {
      try FileManager.default.moveItem(at: partial, to: url)
    }
    return url
  }
}
