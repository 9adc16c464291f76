import Cutroom

/// The command `cutroom diff A B`.
struct DiffCommand: Command {
  static let name = "diff"
  static let summary = "say how one composition differs from another, in words of editing"
  static let usage = "A B"
  static let options: [Option] = []
  static let details = """
    Compares what the compositions say, not how they are spelt: tracks by their ids, clips by their
    names or sources. Where both resolve, it says how far clips moved. Ends with status 3 where they
    differ.
    """

  private let paths: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try arguments.operands(exactly: ["A", "B"])
  }

  func run(in session: Session) -> Outcome {
    let checked = paths.map { Engine.check(path: $0) }
    for one in checked where one.document == nil {
      return .invalid(one, one.diagnostics, in: session)
    }
    let changes = Engine.changes(from: checked[0], to: checked[1])
    let json: JSONValue = [
      "ok": .bool(changes.isEmpty), "changes": .array(changes.map(\.jsonValue)),
    ]
    return Outcome(
      changes.isEmpty ? .done : .differs, json: json,
      text: changes.map(\.sentence).joined(separator: "\n"))
  }
}
