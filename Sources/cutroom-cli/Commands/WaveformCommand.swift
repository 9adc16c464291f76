import Cutroom

/// The command `cutroom waveform INPUT -o FILE`.
struct WaveformCommand: Command {
  static let name = "waveform"
  static let summary = "draw the sound of a media file or composition, or write its peaks"
  static let usage = "INPUT -o FILE.png|.json"
  static let width = Option(
    "width", value: "N", help: "columns, or peaks of a JSON file (default: 1200)")
  static let height = Option(
    "height", value: "PIXELS", help: "of a picture (default: 120 for each channel)")
  static let block = Option(
    "block", value: "SAMPLES", help: "the samples of a peak, instead of --width; for JSON")
  static let overwrite = Option("overwrite", help: "replace an existing file")
  static let options = [Option.output, width, height, block, overwrite]
  static let details = """
    A column of a picture shows the smallest and largest sample of its time, by channel; what
    exceeds full scale is red. A JSON file has the same numbers, 1 for full scale.
    """

  private let path: String
  private let output: String
  private let overwrites: Bool
  private var settings = WaveformSettings()

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand("INPUT")
    output = try arguments.required(.output)
    overwrites = arguments.has(Self.overwrite)
    if arguments.has(Self.width) && arguments.has(Self.block) {
      throw .conflict("--width", "--block")
    }
    settings.width = try arguments.count(of: Self.width) ?? settings.width
    settings.height = try arguments.count(of: Self.height)
    settings.block = try arguments.count(of: Self.block)
  }

  func run(in session: Session) -> Outcome {
    let input = MediaInput(path: path)
    do throws(CutroomError) {
      let report = try Engine.waveform(
        of: input, output: output, settings: settings, overwrite: overwrites,
        cancellation: session.cancellation())
      return Outcome(.done, json: report.jsonValue, text: report.text)
    } catch {
      return .failure(error, about: input.composition, in: session)
    }
  }
}
