import Cutroom

/// The command `cutroom presets`.
struct PresetsCommand: Command {
  static let name = "presets"
  static let summary = "list the named sets of export settings"
  static let usage = ""
  static let options: [Option] = []
  static let details = """
    'cutroom export --preset NAME' takes one in the place of the composition's export.video and
    export.audio. A picture that is larger than the preset's frame is scaled down into it; nothing
    is ever scaled up.
    """

  init(_ arguments: ParsedArguments) throws(UsageError) {
    _ = try arguments.operands(exactly: [])
  }

  func run(in session: Session) -> Outcome {
    let presets = ExportPreset.all
    let width = presets.map(\.name.count).max() ?? 0
    let lines = presets.map { preset in
      let name = preset.name + String(repeating: " ", count: width - preset.name.count)
      return "\(name)  \(preset.summary) (\(preset.makes))"
    }
    return Outcome(
      .done, json: ["ok": true, "presets": .array(presets.map(\.jsonValue))],
      text: lines.joined(separator: "\n"))
  }
}
