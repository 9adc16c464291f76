import Cutroom

/// The command `cutroom resolve COMPOSITION`.
struct ResolveCommand: Command {
  static let name = "resolve"
  static let summary = "print the timeline: every segment in absolute exact time"
  static let usage = "COMPOSITION"
  static let options = [Option.base]

  private let path: String
  private let base: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand("COMPOSITION")
    base = try arguments.folder(of: .base)
  }

  func run(in session: Session) -> Outcome {
    let checked = Engine.check(path: path, baseDirectory: base)
    guard !checked.hasErrors, let timeline = checked.timeline else {
      return .invalid(checked, checked.diagnostics, in: session)
    }
    return Outcome(
      .done,
      json: ResultJSON.document(timeline.jsonValue, isOK: true, findings: checked.diagnostics),
      text: timeline.text, messages: session.text(checked.diagnostics, of: checked))
  }
}
