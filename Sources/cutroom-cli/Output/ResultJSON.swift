import Cutroom

/// The JSON forms that all commands share.
enum ResultJSON {
  /// `{"ok": false, "diagnostics": […]}`, and what the libraries underneath said last.
  static func failure(
    _ diagnostics: [Diagnostic], file: String? = nil, details: [String] = []
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("ok", false),
      .init("diagnostics", .array(diagnostics.map { value(of: $0, file: file) })),
    ]
    if !details.isEmpty { members.append(.init("details", .array(details.map(JSONValue.string)))) }
    return .object(members)
  }

  /// A result with `ok` in front, and what there was to say about it behind.
  static func document(_ result: JSONValue, isOK: Bool, findings: [Diagnostic]) -> JSONValue {
    guard case .object(var members) = result else {
      return ["ok": .bool(isOK), "result": result]
    }
    if !members.contains(where: { $0.key == "ok" }) {
      members.insert(.init("ok", .bool(isOK)), at: 0)
    }
    if !findings.isEmpty && !members.contains(where: { $0.key == "diagnostics" }) {
      members.append(.init("diagnostics", .array(findings.map { value(of: $0) })))
    }
    return .object(members)
  }

  /// The document of a run that failed after its work was done.
  static func adding(_ failure: Diagnostic, to document: JSONValue) -> JSONValue {
    guard case .object(var members) = document else { return Self.failure([failure]) }
    var findings: [JSONValue] = []
    for index in members.indices.reversed() {
      if members[index].key == "ok" { members[index].value = false }
      if members[index].key == "diagnostics", case .array(let values) = members[index].value {
        findings = values
        members.remove(at: index)
      }
    }
    return .object(members + [.init("diagnostics", .array(findings + [value(of: failure)]))])
  }

  /// One finding, with the file that it is about.
  static func value(of diagnostic: Diagnostic, file: String? = nil) -> JSONValue {
    guard diagnostic.place == nil, let file, case .object(let members) = diagnostic.jsonValue else {
      return diagnostic.jsonValue
    }
    return .object(members + [.init("file", .string(file))])
  }
}
