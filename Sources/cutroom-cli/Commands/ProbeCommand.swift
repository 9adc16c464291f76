import Cutroom

/// The command `cutroom probe MEDIA…`.
struct ProbeCommand: Command {
  static let name = "probe"
  static let summary = "print streams, exact times, keyframes, signature and metadata"
  static let usage = "MEDIA…"
  static let whyNotCopy = Option(
    "why-not-copy", help: "compare two files field by field", isHidden: true)
  static let options: [Option] = [whyNotCopy]

  private let paths: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try arguments.operands(atLeast: 1, "MEDIA")
    if arguments.has(Self.whyNotCopy) { throw .unavailable("the option '--why-not-copy'") }
  }

  func run(in session: Session) -> Outcome {
    let report = Engine.probe(paths: paths)
    return Outcome(
      report.isComplete ? .done : .failed,
      json: ResultJSON.document(report.jsonValue, isOK: report.isComplete, findings: []),
      text: report.text)
  }
}
