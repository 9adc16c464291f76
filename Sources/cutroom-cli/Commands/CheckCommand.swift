import Cutroom

/// The command `cutroom check COMPOSITION…`.
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "validate compositions and name every finding with its place"
  static let usage = "COMPOSITION…"
  static let options: [Option] = []
  static let details = """
    Reads each composition and the media it uses, and prints all findings of one run as
    FILE:LINE:COLUMN: severity[code]: message. Ends with status 2 if one of them is an error.
    """

  private let paths: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try arguments.operands(atLeast: 1, "COMPOSITION")
  }

  func run(in session: Session) -> Outcome {
    let results = paths.map { Engine.check(path: $0) }
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
    let texts = results.map { text(of: $0, in: session) }.filter { !$0.isEmpty }
    return Outcome(
      isOK ? .done : .invalid, json: .object(members), text: texts.joined(separator: "\n"))
  }

  private func text(of result: CheckedComposition, in session: Session) -> String {
    let findings = session.text(result.diagnostics, of: result)
    if result.hasErrors || session.isQuiet { return findings }
    return (findings.isEmpty ? "" : findings + "\n") + "\(result.path): ok"
  }
}
