import Cutroom

/// The part that all commands that export have in common: plan, export, report.
struct ExportRun {
  static let overwrite = Option("overwrite", help: "replace an existing file")
  static let jobs = Option("jobs", value: "N", help: "how many chunks are worked on at once")
  static let memory = Option(
    "memory", value: "MB", help: "megabytes that open sources may hold (default: 512)")
  static let report = Option("report", value: "FILE", help: "write the result as JSON to a file")
  static let metadataLoss = Option(
    "metadata-loss", choices: ["warn", "error"],
    help: "what it means that an item of metadata does not arrive whole")
  static let options = [overwrite, jobs, memory, ProgressMeter.option, report, metadataLoss]

  private let output: String
  private let overrides: ExportOverrides
  private let overwrites: Bool
  private let jobs: Int?
  private let memory: Int
  private let style: ProgressMeter.Style?
  private let report: ReportFile?
  private let refusesLoss: Bool

  /// Reads the flags; `inputs` are the files that the command reads.
  init(_ arguments: ParsedArguments, inputs: [String]) throws(UsageError) {
    output = try arguments.required(.output)
    overrides = try ExportOptions(arguments).overrides
    overwrites = arguments.has(Self.overwrite)
    jobs = try arguments.count(of: Self.jobs)
    memory = min(try arguments.count(of: Self.memory) ?? 512, 1 << 20)
    style = ProgressMeter.style(arguments)
    refusesLoss = arguments.value(of: Self.metadataLoss) == "error"
    report = try ReportFile(arguments, Self.report, besides: inputs + [output])
  }

  /// Exports what `check` gives; `reword` brings findings into the command's own words.
  func run(
    in session: Session, reword: (Diagnostic) -> Diagnostic = { $0 },
    _ check: () -> CheckedComposition
  ) -> Outcome {
    let outcome = exported(check(), in: session, reword)
    return outcome.unless(report?.write(outcome.json.encoded(pretty: true) + "\n"))
  }

  private func exported(
    _ checked: CheckedComposition, in session: Session, _ reword: (Diagnostic) -> Diagnostic
  ) -> Outcome {
    if checked.hasErrors {
      return .invalid(checked, checked.diagnostics.map(reword), in: session)
    }
    let planned = Engine.plan(checked, output: output, overrides: overrides)
    let findings = planned.diagnostics.map(reword)
    guard let plan = planned.plan else { return .invalid(checked, findings, in: session) }
    session.console.message(session.isJSON ? "" : session.text(findings, of: checked))
    let meter = ProgressMeter(style, in: session)
    do throws(CutroomError) {
      let report = try Engine.export(
        plan, overwrite: overwrites, jobs: jobs, memory: memory << 20,
        refusesMetadataLoss: refusesLoss, cancellation: session.cancellation(),
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
