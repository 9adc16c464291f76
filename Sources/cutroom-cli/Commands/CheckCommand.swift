import Cutroom

/// The command `cutroom check COMPOSITION…`.
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "validate compositions and name every finding with its place"
  static let usage = "COMPOSITION…"
  static let format = Option(
    "format", choices: ["text", "json", "github", "sarif"],
    help: "how findings are printed: for people, for programs, or for CI")
  static let options = [format, Option.base]
  static let details = """
    Reads each composition and the media it uses, and prints all findings of one run as
    FILE:LINE:COLUMN: severity[code]: message. Ends with status 2 if one of them is an error.
    '--format github' prints annotations of a workflow, '--format sarif' a log of SARIF 2.1.0.
    """

  private let paths: [String]
  private let format: String
  private let base: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try arguments.operands(atLeast: 1, "COMPOSITION")
    format = arguments.value(of: Self.format) ?? "text"
    base = try arguments.folder(of: .base)
    if arguments.has(.json), ["github", "sarif"].contains(format) {
      throw .conflict("--json", "--format \(format)")
    }
  }

  func run(in session: Session) -> Outcome {
    let results = paths.map { Engine.check(path: $0, baseDirectory: base).checkedForExport }
    let isOK = !results.contains(where: \.hasErrors)
    let findings = results.flatMap { result in
      result.diagnostics.map { ResultJSON.value(of: $0, file: result.path) }
    }
    var members: [JSONValue.Member] = [
      .init("ok", .bool(isOK)), .init("diagnostics", .array(findings)),
    ]
    if results.count > 1 {
      let files = results.map { result -> JSONValue in
        ["path": .string(result.path), "ok": .bool(!result.hasErrors)]
      }
      members.append(.init("files", .array(files)))
    }
    let document = JSONValue.object(members)
    return Outcome(
      isOK ? .done : .invalid, json: document, text: text(of: results, document, in: session))
  }

  private func text(
    of results: [CheckedComposition], _ document: JSONValue, in session: Session
  ) -> String {
    let files = results.map { result in
      FileFindings(path: result.path, diagnostics: session.shown(result.diagnostics))
    }
    switch format {
    case "json": return document.encoded(pretty: true)
    case "github": return GitHubAnnotations.text(files)
    case "sarif": return SARIF.log(files).encoded(pretty: true)
    default:
      return results.map { text(of: $0, in: session) }.filter { !$0.isEmpty }
        .joined(separator: "\n")
    }
  }

  private func text(of result: CheckedComposition, in session: Session) -> String {
    let findings = session.text(result.diagnostics, of: result)
    if result.hasErrors || session.isQuiet { return findings }
    return (findings.isEmpty ? "" : findings + "\n") + "\(result.path): ok"
  }
}
