import CutroomMedia
import CutroomModel
import Foundation

/// Exports a composition in a folder of its own, so that nothing appears beside it.
///
/// Files that it reads are linked into the folder by their relative paths. What the key `x-needs`
/// names, `{"clip.mp4": "clip.json"}`, is exported there first.
struct SampleWorkshop {
  /// How many folders `..` may lead up.
  private static let depth = 8
  private static let needsLimit = 8

  private let folder: String
  private let cancellation: Cancellation

  /// A workshop in an empty folder, which the caller removes.
  init(folder: String, cancellation: Cancellation) {
    self.folder = folder
    self.cancellation = cancellation
  }

  /// Calls `body` with a workshop in a new folder under `parent`, and removes that after.
  static func with<Result>(
    parent: String?, cancellation: Cancellation,
    _ body: (SampleWorkshop) throws(CutroomError) -> Result
  ) throws(CutroomError) -> Result {
    let parent = parent ?? FileManager.default.temporaryDirectory.path
    let folder = "\(parent)/cutroom-golden-\(UUID().uuidString)"
    try createFolder(folder)
    let result: Swift.Result<Result, CutroomError>
    do throws(CutroomError) {
      result = .success(
        try body(SampleWorkshop(folder: folder, cancellation: cancellation)))
    } catch {
      result = .failure(error)
    }
    do { try FileManager.default.removeItem(atPath: folder) } catch {
      throw CutroomError(
        .output, "golden.folder", "'\(folder)' cannot be removed: \(error.localizedDescription)")
    }
    return try result.get()
  }

  /// Exports the composition at `path`.
  func export(_ path: String, jobs: Int? = nil) throws(CutroomError) -> ExportReport {
    try export(path, output: nil, jobs: jobs, needing: [])
  }

  private func export(
    _ path: String, output: String?, jobs: Int?, needing: [String]
  ) throws(CutroomError) -> ExportReport {
    guard needing.count < Self.needsLimit, !needing.contains(path) else {
      throw CutroomError(
        .input, "golden.needs", "'\(path)' needs itself, by way of its key 'x-needs'")
    }
    let bytes: [UInt8]
    do throws(AssetError) { bytes = try CompositionFile.read(path) } catch {
      throw CutroomError(.input, "golden.composition", error.message)
    }
    let text = SourceText(file: path, bytes: bytes)
    let own = "\(folder)/\(needing.count)-\(UUID().uuidString)"
    let base = own + String(repeating: "/d", count: Self.depth)
    try Self.createFolder(base)
    try makeNeeds(of: text, base: base, needing: needing + [path], jobs: jobs)
    try linkFiles(of: text, base: base)
    let checked = Engine.check(text: text, baseDirectory: base)
    let container = checked.document?.export.container ?? "mp4"
    let ending = Container.named(container)?.fileExtensions.first ?? container
    let planned = Engine.plan(checked, output: output ?? "\(own)/out.\(ending)")
    guard let plan = planned.plan else {
      let errors = planned.diagnostics.filter { $0.severity == .error }
      throw CutroomError(
        .input, "golden.composition",
        "'\(path)' cannot be exported: \(errors.first?.message ?? "there is no plan")",
        diagnostics: planned.diagnostics)
    }
    return try Engine.export(plan, overwrite: true, jobs: jobs, cancellation: cancellation)
  }

  private func makeNeeds(
    of text: SourceText, base: String, needing: [String], jobs: Int?
  ) throws(CutroomError) {
    guard let needs = JSONValue(text)?["x-needs"] else { return }
    for need in needs.members ?? [] {
      let parts = need.key.split(separator: "/", omittingEmptySubsequences: false)
      guard let maker = need.value.text, !parts.contains(".."), !parts.contains("") else {
        throw CutroomError(
          .input, "golden.needs",
          "'x-needs' of '\(text.file)' has '\(need.key)'; it maps file names beside the "
            + "composition to compositions that make them")
      }
      let target = "\(base)/\(need.key)"
      try Self.createFolder(Self.parent(of: target))
      _ = try export(
        Self.joined(Self.parent(of: text.file), maker), output: target, jobs: jobs,
        needing: needing)
    }
  }

  /// Links files by the relative paths that the composition has for them.
  private func linkFiles(of text: SourceText, base: String) throws(CutroomError) {
    let (document, _) = CompositionReader.readPartially(
      text, commonKeys: MetadataKeyCheck.commonKeys, keyProblem: MetadataKeyCheck.problem)
    guard let document else { return }
    let manager = FileManager.default
    let folder = Self.absolute(Self.parent(of: text.file))
    for path in document.filePaths {
      guard case .file(let original) = SourcePath(path, in: folder),
        case .file(let link) = SourcePath(path, in: base), original != link,
        manager.fileExists(atPath: original), !manager.fileExists(atPath: link)
      else { continue }
      guard path.split(separator: "/").filter({ $0 == ".." }).count < Self.depth else {
        throw CutroomError(
          .input, "golden.path", "'\(path)' of '\(text.file)' leads up too many folders")
      }
      do {
        try Self.createFolder(Self.parent(of: link))
        try manager.createSymbolicLink(atPath: link, withDestinationPath: original)
      } catch let error as CutroomError {
        throw error
      } catch {
        throw CutroomError(
          .output, "golden.folder", "'\(link)' cannot be made: \(error.localizedDescription)")
      }
    }
  }
}

extension SampleWorkshop {
  static func createFolder(_ path: String) throws(CutroomError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CutroomError(
        .output, "golden.folder",
        "the folder '\(path)' cannot be made: \(error.localizedDescription)")
    }
  }

  /// The folder that a path's last name lies in.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func joined(_ folder: String, _ path: String) -> String {
    path.hasPrefix("/") || folder == "." ? path : "\(folder)/\(path)"
  }

  /// An absolute path without `.` and `..`.
  static func absolute(_ path: String) -> String {
    let whole =
      path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    var names: [Substring] = []
    for name in whole.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return "/" + names.joined(separator: "/")
  }

  /// The path that leads from a folder to a file.
  static func relative(_ path: String, from folder: String) -> String {
    let target = absolute(path).split(separator: "/")
    let start = absolute(folder).split(separator: "/")
    let shared = zip(target, start).prefix { $0 == $1 }.count
    let up = Array(repeating: Substring(".."), count: start.count - shared)
    return (up + target[shared...]).joined(separator: "/")
  }
}

extension CompositionDocument {
  /// Everything in the document that may be a path.
  fileprivate var filePaths: [String] {
    var paths: [String] = []
    for named in sources {
      switch named.source {
      case .file(let path, _, _), .composition(let path): paths.append(path)
      case .color, .generator, .text: break
      }
    }
    let ids = Set(sources.map(\.id))
    for case .clip(let clip) in tracks.flatMap(\.items) where !ids.contains(clip.source) {
      paths.append(clip.source)
    }
    for case .clip(let clip) in tracks.flatMap(\.items) {
      for filter in clip.picture?.filters ?? [] {
        let files = FilterPolicy.readOptions(of: filter.name)
        paths += filter.options.filter { files.contains($0.name) }.map(\.value)
      }
    }
    for item in metadata.items {
      if case .files(let files) = item.value { paths += files }
    }
    return paths
  }
}
