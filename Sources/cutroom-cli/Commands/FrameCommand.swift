import Cutroom

/// The command `cutroom frame INPUT --at T -o PICTURE`.
struct FrameCommand: Command {
  static let name = "frame"
  static let summary = "write the exact frame of a media file or composition"
  static let usage = "INPUT --at T -o PICTURE"
  static let at = Option("at", value: "T", isRepeatable: true, help: "the time of a frame")
  static let overwrite = Option("overwrite", help: "replace an existing file")
  static let options = [at, Option.output, overwrite]
  static let details = """
    Writes the picture whose time holds T, as it is displayed: turned, with square pixels. PICTURE
    ends in .png or .jpg; several times give PICTURE-1.png, PICTURE-2.png and so on. A time at or
    past the end is an error. Times have the forms of composition files: 1.5, 36f, 00:01:02.5.
    """

  private let path: String
  private let output: String
  private let times: [TimeExpression]
  private let overwrites: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand("INPUT")
    output = try arguments.required(.output)
    times = try arguments.times(of: Self.at)
    if times.isEmpty { throw .missingOption("--at", "T") }
    overwrites = arguments.has(Self.overwrite)
  }

  func run(in session: Session) -> Outcome {
    let input = MediaInput(path: path)
    do throws(CutroomError) {
      let report = try Engine.frames(
        of: input, at: times, output: output, overwrite: overwrites,
        cancellation: session.cancellation())
      return Outcome(
        .done,
        json: ResultJSON.document(report.jsonValue, isOK: true, findings: report.warnings),
        text: report.text,
        messages: DiagnosticText(file: path).text(session.shown(report.warnings)))
    } catch {
      return .failure(error, about: input.composition, in: session)
    }
  }
}
