import Cutroom

/// The command `cutroom export COMPOSITION -o OUT`.
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "export a composition"
  static let usage = "COMPOSITION -o OUT"
  static let overwrite = Option("overwrite", help: "replace an existing file")
  static let jobs = Option("jobs", value: "N", help: "how many chunks are worked on at once")
  static let report = Option("report", value: "FILE", help: "write the result as JSON to a file")
  static let options =
    [Option.output] + ExportOptions.all
    + [ExportOptions.preset, overwrite, jobs, ProgressMeter.option, report]
  static let details = """
    The file appears under its name only when it is complete and was read back. SIGINT and SIGTERM
    stop the export, leave nothing behind, and end with status 130.
    """

  private let path: String
  private let output: String
  private let export: ExportOptions
  private let overwrites: Bool
  private let jobs: Int?
  private let style: ProgressMeter.Style?
  private let report: ReportFile?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand("COMPOSITION")
    output = try arguments.required(.output)
    export = try ExportOptions(arguments)
    overwrites = arguments.has(Self.overwrite)
    jobs = try arguments.count(of: Self.jobs)
    style = ProgressMeter.style(arguments)
    report = try ReportFile(arguments, Self.report, besides: [path, output])
  }

  func run(in session: Session) -> Outcome {
    let outcome = exported(in: session)
    return outcome.unless(report?.write(outcome.json.encoded(pretty: true) + "\n"))
  }

  private func exported(in session: Session) -> Outcome {
    let checked = Engine.check(path: path)
    if checked.hasErrors { return .invalid(checked, checked.diagnostics, in: session) }
    let planned = Engine.plan(checked, output: output, overrides: export.overrides)
    let findings = planned.diagnostics
    guard let plan = planned.plan else { return .invalid(checked, findings, in: session) }
    session.console.message(session.isJSON ? "" : session.text(findings, of: checked))
    let meter = ProgressMeter(style, in: session)
    do throws(CutroomError) {
      let report = try Engine.export(
        plan, overwrite: overwrites, jobs: jobs, cancellation: session.cancellation(),
        progress: meter.update)
      meter.finish()
      // What was said before the export is not said again.
      let late = report.warnings.filter { warning in
        !findings.contains { $0.code == warning.code && $0.message == warning.message }
      }
      session.console.message(session.isJSON ? "" : session.text(late, of: checked))
      return Outcome(
        .done, json: ResultJSON.document(report.jsonValue, isOK: true, findings: findings),
        text: report.text)
    } catch {
      meter.abandon()
      return .failure(error, about: checked, in: session)
    }
  }
}
