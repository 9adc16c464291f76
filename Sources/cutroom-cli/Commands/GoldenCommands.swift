import Cutroom

/// The command `cutroom golden record COMPOSITION… -d DIR`.
struct GoldenRecordCommand: Command {
  static let name = "golden record"
  static let summary = "export compositions and record what came out"
  static let usage = "COMPOSITION… -d DIR"
  static let directory = Option("directory", short: "d", value: "DIR", help: "the goldens' folder")
  static let options = [directory]
  static let details = """
    Writes DIR/NAME.golden.json for each composition NAME.json, in place of an older one. The files
    that a composition names in "x-needs", such as {"clip.mp4": "clip.json"}, are exported first.
    """

  private let paths: [String]
  private let directory: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try arguments.operands(atLeast: 1, "COMPOSITION")
    directory = try arguments.required(Self.directory)
  }

  func run(in session: Session) throws(CutroomError) -> Outcome {
    let report = try Engine.recordGoldens(
      compositions: paths, directory: directory, cancellation: session.cancellation(),
      progress: session.say)
    return Outcome(
      .done, json: ResultJSON.document(report.json, isOK: true, findings: []), text: report.text)
  }
}

/// The command `cutroom golden check DIR`.
struct GoldenCheckCommand: Command {
  static let name = "golden check"
  static let summary = "export again and compare with what was recorded"
  static let usage = "DIR"
  static let html = Option("html", value: "FILE", help: "write a page that shows the differences")
  static let junit = Option("junit", value: "FILE", help: "write the results as JUnit XML")
  static let options = [html, junit]
  static let details = "Ends with status 3 if one of the results differs."

  private let directory: String
  private let html: ReportFile?
  private let junit: ReportFile?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    directory = try arguments.operand("DIR")
    html = try ReportFile(arguments, Self.html, besides: [directory])
    junit = try ReportFile(arguments, Self.junit, besides: [directory])
  }

  func run(in session: Session) throws(CutroomError) -> Outcome {
    let report = try Engine.checkGoldens(
      directory: directory, cancellation: session.cancellation(), progress: session.say)
    let outcome = Outcome(
      report.isEqual ? .done : .differs,
      json: ResultJSON.document(report.json, isOK: report.isEqual, findings: []),
      text: report.text)
    return outcome.unless(html?.write(report.html)).unless(junit?.write(report.junit))
  }
}
