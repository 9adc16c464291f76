import CutroomMedia
import CutroomModel
import Foundation

/// What a picture or a waveform is made of: a media file, or a composition.
public enum MediaInput: Sendable {
  /// The path of a media file.
  case file(String)
  /// A composition that was checked.
  case composition(CheckedComposition)

  /// Tells by the first bytes of the file at `path` which of the two it is.
  ///
  /// A composition is examined whole; a media file is opened only when it is used. What cannot be
  /// read counts as a media file.
  public init(path: String) {
    if Self.looksLikeComposition(path) {
      self = .composition(Engine.check(path: path))
    } else {
      self = .file(path)
    }
  }

  /// The composition, where it is one.
  public var composition: CheckedComposition? {
    if case .composition(let checked) = self { checked } else { nil }
  }

  /// The files that are read.
  var inputs: [String] {
    switch self {
    case .file(let path): [path]
    case .composition(let checked): [checked.path] + checked.assets.keys.sorted()
    }
  }

  private static func looksLikeComposition(_ path: String) -> Bool {
    guard FileStatus(path: path)?.kind == .regular else { return false }
    if path.lowercased().hasSuffix(".json") || path.lowercased().hasSuffix(".json5") {
      return true
    }
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    let start: Data
    do { start = try file.read(upToCount: 512) ?? Data() } catch { return false }
    var bytes = [UInt8](start)[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    bytes = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard !bytes.contains(0) else { return false }
    return bytes.first == UInt8(ascii: "{") || bytes.starts(with: Array("//".utf8))
      || bytes.starts(with: Array("/*".utf8))
  }
}

extension CheckedComposition {
  /// The timeline.
  ///
  /// - Throws: ``CutroomError`` with all findings where there is none.
  func requireTimeline() throws(CutroomError) -> Timeline {
    if !hasErrors, let timeline { return timeline }
    let first = diagnostics.first { $0.severity == .error }
    throw CutroomError(
      .input, first?.code ?? "input",
      "'\(path)' is not valid: \(first?.message ?? "it has no timeline")", diagnostics: diagnostics)
  }
}

extension AssetError {
  /// The error of an operation on one file.
  var operationError: CutroomError {
    CutroomError(
      reason == .unsupported || reason == .encrypted ? .unsupported : .media, code.rawValue,
      message)
  }
}
