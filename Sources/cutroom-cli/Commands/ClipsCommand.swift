import Cutroom

/// What `trim` and `join` have in common: a composition that no file holds.
struct ClipsCommand {
  static let print = Option("print", help: "print the composition instead of exporting it")
  static let mainOnly = Option(
    "main-only", help: "leave further audio tracks, data and the timecode out")
  static let options =
    [Option.output, ExportOptions.mode, ExportOptions.cut, ExportOptions.like, mainOnly]
    + ExportRun.options + [print]

  private let document: CompositionDocument
  private let file: String
  /// `nil` where the composition is only printed.
  private let export: ExportRun?

  /// Reads the flags; `file` is what findings are about.
  init(
    _ document: CompositionDocument, file: String, inputs: [String], _ arguments: ParsedArguments
  ) throws(UsageError) {
    var document = document
    document.export.like = try ExportOptions(arguments).like
    if arguments.has(Self.mainOnly) { document.export.tracks = .main }
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
    return export.run(in: session, reword: ClipsSuggestion.reworded) {
      var checked = Engine.check(document: document, baseDirectory: "")
      checked.path = file
      return checked
    }
  }
}

/// The command `cutroom trim MEDIA --from T --to T -o OUT`.
struct TrimCommand: Command {
  static let name = "trim"
  static let summary = "cut parts out of a media file"
  static let usage = "MEDIA --from T --to T -o OUT"
  static let from = Option(
    "from", value: "T", isRepeatable: true, help: "where a part begins (default: the start)")
  static let to = Option(
    "to", value: "T", isRepeatable: true, help: "where it ends, not included (default: the end)")
  static let options = [from, to] + ClipsCommand.options
  static let details = """
    A composition of one clip for each part, without a file. What can be copied is copied, the rest
    is rendered; '--mode' says otherwise. Times have the forms of composition files: 1.5, 36f,
    00:01:02.5. Of several parts, the first may do without '--from', the last without '--to'.

    examples:
      cutroom trim talk.mp4 --from 00:01:30 --to 00:05:00 -o part.mp4
      cutroom trim talk.mp4 --to 60 --from 120 --to 180 --from 300 -o short.mp4
      cutroom trim talk.mp4 --from 90 --mode passthrough --cut keyframe -o quick.mp4
      cutroom trim talk.mp4 --from 90 --to 95 --print
    """

  private let command: ClipsCommand

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let path = try arguments.operand("MEDIA")
    command = try ClipsCommand(
      .trimming(path, parts: try Self.parts(arguments)), file: path, inputs: [path], arguments)
  }

  /// The parts in the order of the command line: '--from' begins one, '--to' ends it.
  private static func parts(_ arguments: ParsedArguments) throws(UsageError) -> [ExportRange] {
    var parts: [ExportRange] = []
    var open: ExportRange?
    for occurrence in arguments.occurrences where [from, to].contains(occurrence.option) {
      let (option, text) = (occurrence.option, occurrence.value)
      let time = try ParsedArguments.time(text, "--\(option.name)")
      switch (option == from, open) {
      case (true, nil): open = ExportRange(in: time)
      case (false, let begun?):
        parts.append(ExportRange(in: begun.in, out: time))
        open = nil
      case (false, nil) where parts.isEmpty: parts.append(ExportRange(out: time))
      case (true, _): throw missing("--to", before: "--from \(text)")
      case (false, nil): throw missing("--from", before: "--to \(text)")
      }
    }
    if let open { parts.append(open) }
    guard !parts.isEmpty else {
      throw UsageError(
        code: "usage.missing-option", message: "option '--from T' or '--to T' is missing")
    }
    return parts
  }

  private static func missing(_ option: String, before other: String) -> UsageError {
    UsageError(
      code: "usage.missing-option",
      message:
        "'\(option)' is missing before '\(other)': parts stand in a row, each with both, but "
        + "for the start of the first and the end of the last")
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
    first, or of the file that '--like' names. Files with equal codec parameters are copied; of
    others the largest set that is coded alike is copied, and the rest rendered to join it.

    examples:
      cutroom join one.mp4 two.mp4 three.mp4 -o all.mp4
      cutroom join phone.mov camera.mp4 --like camera.mp4 -o all.mp4
      cutroom join part-*.mkv --mode passthrough -o all.mkv
    """

  private let command: ClipsCommand

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let paths = try arguments.operands(atLeast: 1, "MEDIA")
    command = try ClipsCommand(.joining(paths), file: paths[0], inputs: paths, arguments)
  }

  func run(in session: Session) -> Outcome { command.run(in: session) }
}
