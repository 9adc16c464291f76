import CutroomModel
import Foundation

/// Where the path or URL that an author wrote leads.
enum SourcePath: Hashable {
  /// A file, opened literally.
  case file(String)
  /// A URL of a scheme that is not read.
  case unsupported(scheme: String)
  /// A `file://` URL that names no file here.
  case malformed(String)

  /// Resolves `text` against the folder of the file that names it.
  ///
  /// Only a full `scheme://` makes a URL; every other character is an ordinary one.
  init(_ text: String, in baseDirectory: String) {
    guard let scheme = Self.scheme(of: text) else {
      self = .file(Self.joined(text, baseDirectory))
      return
    }
    guard scheme == "file" else {
      self = .unsupported(scheme: scheme)
      return
    }
    let rest = text.dropFirst("file://".count)
    guard let slash = rest.firstIndex(of: "/") else {
      self = .malformed("it has no path")
      return
    }
    let host = rest[..<slash].lowercased()
    guard host.isEmpty || host == "localhost" else {
      self = .malformed("its host is '\(host)', which is not this computer")
      return
    }
    guard let path = String(rest[slash...]).removingPercentEncoding, !path.utf8.contains(0) else {
      self = .malformed("its percent-encoding is not valid UTF-8")
      return
    }
    self = .file(path)
  }

  private static func scheme(of text: String) -> String? {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
    let scheme = text[..<colon]
    guard let first = scheme.first, first.isASCII, first.isLetter,
      scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    else { return nil }
    return scheme.lowercased()
  }

  private static func joined(_ path: String, _ base: String) -> String {
    guard !path.hasPrefix("/"), !base.isEmpty, base != "." else { return path }
    return base.hasSuffix("/") ? base + path : base + "/" + path
  }
}

extension Resolver {
  /// The file that `text` names, seen from the folder `baseDirectory`; `nil` where it names none.
  package static func filePath(of text: String, in baseDirectory: String) -> String? {
    if case .file(let path) = SourcePath(text, in: baseDirectory) { path } else { nil }
  }
}
