import Cutroom

/// The command `cutroom show COMPOSITION`.
struct ShowCommand: Command {
  static let name = "show"
  static let summary = "draw the timeline, here or into a file"
  static let usage = "COMPOSITION [-o FILE.svg|.png|.html]"
  static let width = Option(
    "width", value: "N", help: "columns of letters, or pixels (default: the terminal's, or 1200)")
  static let overwrite = Option("overwrite", help: "replace an existing file")
  static let options = [Option.output, .base, width, overwrite]
  static let details = """
    Shows tracks, clips, transitions, gaps, chapters, the keyframes of sources, and what an export
    would copy and render. Without -o in letters, coloured on a terminal; COLUMNS is their width.
    """

  private let path: String
  private let base: String?
  private let output: String?
  private let width: Int?
  private let overwrites: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand("COMPOSITION")
    base = try arguments.folder(of: .base)
    output = arguments.has(.output) ? try arguments.required(.output) : nil
    width = try arguments.count(of: Self.width)
    overwrites = arguments.has(Self.overwrite)
    if overwrites && output == nil {
      throw UsageError(
        code: "usage.no-effect", message: "'--overwrite' has no effect where nothing is written",
        fix: "add -o FILE")
    }
  }

  func run(in session: Session) -> Outcome {
    let checked = Engine.check(path: path, baseDirectory: base)
    if checked.hasErrors { return .invalid(checked, checked.diagnostics, in: session) }
    do throws(CutroomError) {
      guard let output else { return try drawn(checked, in: session) }
      let report = try Engine.draw(
        checked, output: output, width: width ?? 1200, overwrite: overwrites)
      let findings = checked.diagnostics + report.warnings
      return Outcome(
        .done, json: ResultJSON.document(report.jsonValue, isOK: true, findings: findings),
        text: report.text, messages: session.text(report.warnings, of: checked))
    } catch {
      return .failure(error, about: checked, in: session)
    }
  }

  private func drawn(
    _ checked: CheckedComposition, in session: Session
  ) throws(CutroomError) -> Outcome {
    let drawing = try Engine.drawing(of: checked)
    let columns = width ?? session.screen.columns
    let json: JSONValue = ["ok": true, "text": .string(drawing.text(columns: columns))]
    var outcome = Outcome(
      .done,
      json: ResultJSON.document(
        json, isOK: true, findings: checked.diagnostics + drawing.warnings),
      text: drawing.text(columns: columns, usesColor: session.screen.usesColor),
      messages: session.text(drawing.warnings, of: checked))
    // The drawing's names are harmless; its colours are the terminal's own codes.
    outcome.isVerbatim = true
    return outcome
  }
}
