import Cutroom

/// The command `cutroom plan COMPOSITION -o OUT`.
struct PlanCommand: Command {
  static let name = "plan"
  static let summary = "print what would be copied and what rendered, and why; writes nothing"
  static let usage = "COMPOSITION -o OUT"
  static let options = [Option.output, .base] + ExportOptions.all

  private let path: String
  private let base: String?
  private let output: String
  private let export: ExportOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand("COMPOSITION")
    base = try arguments.folder(of: .base)
    output = try arguments.required(.output)
    export = try ExportOptions(arguments)
  }

  func run(in session: Session) -> Outcome {
    let checked = Engine.check(path: path, baseDirectory: base, like: export.like)
    if checked.hasErrors { return .invalid(checked, checked.diagnostics, in: session) }
    let planned = Engine.plan(checked, output: output, overrides: export.overrides)
    let findings = planned.diagnostics
    guard let plan = planned.plan else { return .invalid(checked, findings, in: session) }
    return Outcome(
      .done, json: ResultJSON.document(plan.jsonValue, isOK: true, findings: findings),
      text: plan.text, messages: session.text(findings, of: checked))
  }
}
