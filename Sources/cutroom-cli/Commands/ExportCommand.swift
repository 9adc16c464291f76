import Cutroom

/// The command `cutroom export COMPOSITION -o OUT`.
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "export a composition"
  static let usage = "COMPOSITION -o OUT"
  static let options =
    [Option.output, .base] + ExportOptions.all + ExportRun.options
  static let details = """
    The file appears under its name only when it is complete and was read back. SIGINT and SIGTERM
    stop the export, leave nothing behind, and end with status 130.
    """

  private let path: String
  private let base: String?
  private let like: String?
  private let export: ExportRun

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand("COMPOSITION")
    base = try arguments.folder(of: .base)
    like = try ExportOptions(arguments).like
    export = try ExportRun(arguments, inputs: [path])
  }

  func run(in session: Session) -> Outcome {
    export.run(in: session) { Engine.check(path: path, baseDirectory: base, like: like) }
  }
}
