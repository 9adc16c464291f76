public import CutroomModel
import Foundation

/// A composition that was read, resolved and checked.
public struct CheckedComposition: Sendable {
  /// The file's path as given; empty for a composition that is in memory.
  public var path: String
  /// The text it was read from, for showing the lines of findings.
  public var text: SourceText?
  /// The document as written; `nil` where it is not well formed.
  public var document: CompositionDocument?
  /// The timeline; `nil` where an error was found.
  public var timeline: Timeline?
  /// All findings: syntax, shape, references, time, media, capability, each by place.
  public var diagnostics: [Diagnostic]
  /// The folder that relative paths start from.
  public var baseDirectory: String
  /// The files by resolved path, as the timeline's sources name them.
  package var assets: [String: AssetInfo] = [:]

  /// Whether something was found that prevents an export.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

extension Engine {
  /// Reads the composition file at `path`, examines its sources, and checks all of it.
  ///
  /// Relative paths start from the folder `baseDirectory`, without one from the file's own. `like`
  /// stands for the composition's `export.like`; it starts from the working directory.
  public static func check(
    path: String, baseDirectory: String? = nil, like: String? = nil
  ) -> CheckedComposition {
    let baseDirectory = baseDirectory ?? directory(of: path)
    var checked = CheckedComposition(
      path: path, diagnostics: [], baseDirectory: baseDirectory)
    do throws(AssetError) {
      let text = SourceText(file: path, bytes: try CompositionFile.read(path))
      return check(
        text: text, baseDirectory: baseDirectory, nested: NestedCompositions(path: path),
        like: like.map(absolute)
      ) { path throws(AssetError) in try AssetInfo.open(path) }
    } catch {
      checked.diagnostics = [error.diagnostic]
      return checked
    }
  }

  /// Reads a composition from memory, examines its sources, and checks all of it.
  ///
  /// Relative paths start from the folder `baseDirectory`.
  public static func check(text: SourceText, baseDirectory: String) -> CheckedComposition {
    check(text: text, baseDirectory: baseDirectory) { path throws(AssetError) in
      try AssetInfo.open(path)
    }
  }

  package static func check(
    text: SourceText, baseDirectory: String, open: @escaping AssetOpener
  ) -> CheckedComposition {
    check(
      text: text, baseDirectory: baseDirectory, nested: NestedCompositions(path: text.file),
      open: open)
  }

  static func check(
    text: SourceText, baseDirectory: String, nested: NestedCompositions, like: String? = nil,
    open: @escaping AssetOpener
  ) -> CheckedComposition {
    var checked = CheckedComposition(
      path: text.file, text: text, diagnostics: [], baseDirectory: baseDirectory)
    var (document, found) = CompositionReader.readPartially(
      text, commonKeys: MetadataKeyCheck.commonKeys, keyProblem: MetadataKeyCheck.problem)
    if let like { document?.export.like = like }
    let flaws = found.filter { $0.severity == .error }.map(\.pointer)
    checked.diagnostics = found
    // Without the format, or with a text that is no JSON, the rest means nothing.
    guard let document, !flaws.contains(""), !flaws.contains("/format") else { return checked }
    let resolution = Resolver.resolve(
      document: document, baseDirectory: baseDirectory, flaws: flaws, nested: nested,
      placed: text.placed, open: open)
    checked.document = flaws.isEmpty ? document : nil
    checked.timeline = resolution.timeline
    checked.assets = resolution.assets
    checked.diagnostics = Findings.merged(found, resolution.diagnostics)
    return checked
  }

  /// Examines the sources of a composition that is a value, and checks all of it.
  ///
  /// Findings have pointers as if it were a file, but no places.
  public static func check(
    document: CompositionDocument, baseDirectory: String
  ) -> CheckedComposition {
    let resolution = Resolver.resolve(
      document: document, baseDirectory: baseDirectory, nested: NestedCompositions(path: "")
    ) { path throws(AssetError) in try AssetInfo.open(path) }
    var checked = CheckedComposition(
      path: "", document: document, timeline: resolution.timeline,
      diagnostics: Findings.merged([], resolution.diagnostics), baseDirectory: baseDirectory)
    checked.assets = resolution.assets
    return checked
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// The bytes of a composition file.
enum CompositionFile {
  /// More than a composition may have, so that one too large is recognised.
  private static let limit = (64 << 20) + 1

  static func read(_ path: String) throws(AssetError) -> [UInt8] {
    let manager = FileManager.default
    if manager.fileExists(atPath: path + "/.") {
      throw AssetError(
        path: path, reason: .directory, message: "'\(path)' is a folder, not a composition")
    }
    guard manager.fileExists(atPath: path) else {
      throw AssetError(path: path, reason: .missing, message: "there is no file '\(path)'")
    }
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      return Array(try file.read(upToCount: limit) ?? Data())
    } catch {
      throw AssetError(
        path: path, reason: .unreadable,
        message: "'\(path)' cannot be read: \(error.localizedDescription)")
    }
  }
}
