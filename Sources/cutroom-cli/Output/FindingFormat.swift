import Cutroom

/// The findings of one file.
struct FileFindings {
  /// The file's path as given.
  var path: String
  /// What was found in it.
  var diagnostics: [Diagnostic]

  /// The file that a finding stands in.
  func file(of diagnostic: Diagnostic) -> String {
    guard let file = diagnostic.place?.file, !file.isEmpty else { return path }
    return file
  }
}

/// Findings as annotations of a GitHub workflow.
enum GitHubAnnotations {
  /// A line for each finding: `::error file=…,line=…,col=…,title=code::message`.
  static func text(_ files: [FileFindings]) -> String {
    files.flatMap { file in file.diagnostics.map { line($0, file.file(of: $0)) } }
      .joined(separator: "\n")
  }

  private static func line(_ diagnostic: Diagnostic, _ file: String) -> String {
    var properties = ["file=\(escaped(file, isProperty: true))"]
    if let place = diagnostic.place {
      properties += ["line=\(place.line)", "col=\(place.column)"]
    }
    properties.append("title=\(escaped(diagnostic.code, isProperty: true))")
    let kind = diagnostic.severity == .note ? "notice" : diagnostic.severity.rawValue
    let message = SARIF.sentence(diagnostic)
    return "::\(kind) \(properties.joined(separator: ","))::\(escaped(message, isProperty: false))"
  }

  private static func escaped(_ text: String, isProperty: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// Findings in the Static Analysis Results Interchange Format, version 2.1.0.
enum SARIF {
  /// The log of one run over all files.
  static func log(_ files: [FileFindings]) -> JSONValue {
    let all = files.flatMap { file in file.diagnostics.map { ($0, file.file(of: $0)) } }
    var codes: [String] = []
    var seen: Set<String> = []
    for (diagnostic, _) in all where seen.insert(diagnostic.code).inserted {
      codes.append(diagnostic.code)
    }
    let driver: JSONValue = [
      "name": "cutroom", "version": .string(Help.version), "rules": .array(codes.map(rule)),
    ]
    let run: JSONValue = [
      "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
      "results": .array(all.map { result($0.0, $0.1) }),
    ]
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [run],
    ]
  }

  /// The message, with what would mend it.
  static func sentence(_ diagnostic: Diagnostic) -> String {
    guard let fix = diagnostic.fix else { return diagnostic.message }
    return "\(diagnostic.message) (\(fix))"
  }

  private static func rule(_ code: String) -> JSONValue {
    let summary = DiagnosticCode(rawValue: code)?.summary ?? code
    return ["id": .string(code), "shortDescription": ["text": .string(summary)]]
  }

  private static func result(_ diagnostic: Diagnostic, _ file: String) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("ruleId", .string(diagnostic.code)),
      .init("level", .string(diagnostic.severity.rawValue)),
      .init("message", ["text": .string(sentence(diagnostic))]),
      .init("locations", [location(diagnostic.place, diagnostic.pointer, file)]),
    ]
    if !diagnostic.related.isEmpty {
      let related = diagnostic.related.enumerated().map { index, other -> JSONValue in
        guard case .object(let place) = location(other.place, other.pointer, file) else {
          return .null
        }
        return .object(
          [
            .init("id", .integer(Int64(index + 1))),
            .init("message", ["text": .string(other.message)]),
          ] + place)
      }
      members.append(.init("relatedLocations", .array(related)))
    }
    return .object(members)
  }

  private static func location(_ place: Place?, _ pointer: String, _ file: String) -> JSONValue {
    var physical: [JSONValue.Member] = [
      .init("artifactLocation", ["uri": .string(uri(file))])
    ]
    if let place {
      physical.append(
        .init(
          "region",
          [
            "startLine": .integer(Int64(place.line)), "startColumn": .integer(Int64(place.column)),
          ]))
    }
    var members: [JSONValue.Member] = [.init("physicalLocation", .object(physical))]
    if !pointer.isEmpty {
      members.append(
        .init("logicalLocations", [["fullyQualifiedName": .string(pointer), "kind": "member"]]))
    }
    return .object(members)
  }

  /// A path as a relative reference, or a URL of a file.
  private static func uri(_ path: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    var result = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      if plain.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return result
  }
}
