public import CutroomModel
import Foundation

/// A composition file in its canonical form.
public struct FormattedComposition: Sendable {
  /// The file's path as given.
  public var path: String
  /// What it held.
  public var source: SourceText?
  /// The canonical text; `nil` where an error was found.
  public var text: String?
  /// What is wrong with it, and which comments could not be kept.
  public var diagnostics: [Diagnostic]

  /// Whether the file holds its canonical form already.
  public var isCanonical: Bool { text.map { Array($0.utf8) } == source?.bytes && text != nil }
}

extension Engine {
  /// Reads the composition file at `path` and spells it canonically; nothing is written.
  public static func format(path: String) -> FormattedComposition {
    do throws(AssetError) {
      return format(SourceText(file: path, bytes: try CompositionFile.read(path)))
    } catch {
      return FormattedComposition(
        path: path, diagnostics: [error.diagnostic])
    }
  }

  /// Spells a composition canonically.
  public static func format(_ source: SourceText) -> FormattedComposition {
    let canonical = CanonicalText(
      source, commonKeys: MetadataKeyCheck.commonKeys, keyProblem: MetadataKeyCheck.problem)
    return FormattedComposition(
      path: source.file, source: source, text: canonical.text, diagnostics: canonical.diagnostics)
  }

  /// Replaces the file of a composition by its canonical form; the file is whole at every time.
  ///
  /// Links are followed, and the file keeps its permissions.
  public static func write(_ formatted: FormattedComposition) throws(CutroomError) {
    guard let text = formatted.text, !formatted.isCanonical else { return }
    let target = URL(filePath: formatted.path).resolvingSymlinksInPath().path
    var output = OutputFile(target: target)
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: target)
      try Data(text.utf8).write(to: URL(filePath: output.temporary))
      if let permissions = attributes[.posixPermissions] {
        try FileManager.default.setAttributes(
          [.posixPermissions: permissions], ofItemAtPath: output.temporary)
      }
    } catch {
      throw CutroomError(
        .output, "output.write", "cannot write '\(formatted.path)': \(error.localizedDescription)")
    }
    try output.commit(overwrite: true)
  }
}
