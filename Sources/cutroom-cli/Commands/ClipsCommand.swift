import Cutroom

/// What `trim` and `join` have in common: a composition that no file holds.
struct ClipsCommand {
  static let print = Option("print", help: "print the composition instead of exporting it")
  static let options =
    [Option.output, ExportOptions.mode, ExportOptions.cut] + ExportRun.options + [print]

  private let document: CompositionDocument
  private let file: String
  /// `nil` where the composition is only printed.
  private let export: ExportRun?

  /// Reads the flags; `file` is what findings are about.
  init(
    _ document: CompositionDocument, file: String, inputs: [String], _ arguments: ParsedArguments
  ) throws(UsageError) {
    var document = document
    if arguments.has(Self.print) {
      let overrides = try ExportOptions(arguments).overrides
      document.export.mode = overrides.mode ?? document.export.mode
      document.export.cut = overrides.cut ?? document.export.cut
      for option in [Option.output] + ExportRun.options where arguments.has(option) {
        throw .conflict("--print", "--\(option.name)")
      }
      export = nil
    } else {
      export = try ExportRun(arguments, inputs: inputs)
    }
    self.document = document
    self.file = file
  }

  func run(in session: Session) -> Outcome {
    guard let export else {
      return Outcome(
        .done, json: ["ok": true, "composition": CompositionWriter.json(document)],
        text: CompositionWriter.text(document))
    }
    return export.run(in: session) {
      var checked = Engine.check(document: document, baseDirectory: "")
      checked.path = file
      return checked
    }
  }
}

/// The command `cutroom trim MEDIA --from T --to T -o OUT`.
struct TrimCommand: Command {
  static let name = "trim"
  static let summary = "cut a part out of a media file"
  static let usage = "MEDIA --from T --to T -o OUT"
  static let from = Option("from", value: "T", help: "where the part begins (default: the start)")
  static let to = Option("to", value: "T", help: "where it ends, not included (default: the end)")
  static let options = [from, to] + ClipsCommand.options
  static let details = """
    A composition of one clip, without a file. What can be copied is copied, the rest is rendered;
    '--mode' says otherwise. Times have the forms of composition files: 1.5, 36f, 00:01:02.5.
    """

  private let command: ClipsCommand

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let path = try arguments.operand("MEDIA")
    let from = try arguments.time(of: Self.from)
    let to = try arguments.time(of: Self.to)
    if from == nil && to == nil {
      throw UsageError(
        code: "usage.missing-option", message: "option '--from T' or '--to T' is missing")
    }
    command = try ClipsCommand(
      .trimming(path, from: from, to: to), file: path, inputs: [path], arguments)
  }

  func run(in session: Session) -> Outcome { command.run(in: session) }
}

/// The command `cutroom join MEDIA… -o OUT`.
struct JoinCommand: Command {
  static let name = "join"
  static let summary = "put media files one after the other"
  static let usage = "MEDIA… -o OUT"
  static let options = ClipsCommand.options
  static let details = """
    A composition of one clip for each file, without a file. Size, rate and sound are those of the
    first; files with equal codec parameters are copied, others are rendered.
    """

  private let command: ClipsCommand

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let paths = try arguments.operands(atLeast: 1, "MEDIA")
    command = try ClipsCommand(.joining(paths), file: paths[0], inputs: paths, arguments)
  }

  func run(in session: Session) -> Outcome { command.run(in: session) }
}
