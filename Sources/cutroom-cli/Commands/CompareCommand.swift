import Cutroom

/// The command `cutroom compare OUT GOLDEN`.
struct CompareCommand: Command {
  static let name = "compare"
  static let summary = "compare a file with its golden"
  static let usage = "OUT GOLDEN"
  static let html = Option("html", value: "FILE", help: "write a page that shows the differences")
  static let junit = Option("junit", value: "FILE", help: "write the result as JUnit XML")
  static let options = [html, junit]
  static let details = """
    GOLDEN is a golden file, or a folder with one golden in it. Ends with status 3 on a difference.
    """

  private let output: String
  private let golden: String
  private let html: ReportFile?
  private let junit: ReportFile?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let operands = try arguments.operands(exactly: ["OUT", "GOLDEN"])
    (output, golden) = (operands[0], operands[1])
    html = try ReportFile(arguments, Self.html, besides: operands)
    junit = try ReportFile(arguments, Self.junit, besides: operands)
  }

  func run(in session: Session) throws(CutroomError) -> Outcome {
    let report = try Engine.compare(
      output: output, golden: golden, cancellation: session.cancellation())
    let outcome = Outcome(
      report.isEqual ? .done : .differs,
      json: ResultJSON.document(report.json, isOK: report.isEqual, findings: []),
      text: report.text)
    return outcome.unless(html?.write(report.html)).unless(junit?.write(report.junit))
  }
}
