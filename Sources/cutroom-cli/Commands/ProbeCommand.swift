import Cutroom

/// The command `cutroom probe MEDIA…`.
struct ProbeCommand: Command {
  static let name = "probe"
  static let summary = "print streams, exact times, keyframes, signature and metadata"
  static let usage = "MEDIA…"
  static let whyNotCopy = Option(
    "why-not-copy", help: "what keeps two files from being joined by copying, field by field")
  static let options: [Option] = [whyNotCopy]

  private let paths: [String]
  private let compares: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    compares = arguments.has(Self.whyNotCopy)
    paths =
      compares
      ? try arguments.operands(exactly: ["MEDIA", "MEDIA"])
      : try arguments.operands(atLeast: 1, "MEDIA")
  }

  func run(in session: Session) throws(CutroomError) -> Outcome {
    if compares {
      let comparison = try Engine.compareForCopying(paths[0], paths[1])
      return Outcome(
        .done, json: ResultJSON.document(comparison.jsonValue, isOK: true, findings: []),
        text: comparison.text)
    }
    let report = Engine.probe(paths: paths)
    return Outcome(
      report.isComplete ? .done : .failed,
      json: ResultJSON.document(report.jsonValue, isOK: report.isComplete, findings: []),
      text: report.text)
  }
}
