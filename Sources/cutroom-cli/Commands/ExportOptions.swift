import Cutroom

/// The flags with which `plan` and `export` override a composition's `export`.
struct ExportOptions {
  static let mode = Option(
    "mode", choices: ExportSettings.Mode.allCases.map(\.rawValue),
    help: "what is copied and what rendered")
  static let cut = Option(
    "cut", choices: ExportSettings.Cut.allCases.map(\.rawValue),
    help: "where copied stretches may begin")
  static let range = Option(
    "range", value: "A..B", help: "the part of the timeline; either end may be left out")
  static let preset = Option(
    "preset", value: "NAME", help: "a set of export settings; 'cutroom presets' lists them")
  static let like = Option(
    "like", value: "FILE", help: "take size, rates, layout and coding from a media file")
  static let all = [mode, cut, range, preset, like]

  /// What the flags ask for.
  private(set) var overrides = ExportOverrides()
  /// The file that the result is to be like.
  let like: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    like = arguments.value(of: Self.like)
    overrides.mode = arguments.value(of: Self.mode).flatMap(ExportSettings.Mode.init)
    overrides.cut = arguments.value(of: Self.cut).flatMap(ExportSettings.Cut.init)
    if let text = arguments.value(of: Self.range) { overrides.range = try Self.range(text) }
    if let name = arguments.value(of: Self.preset) { overrides.preset = try Self.preset(name) }
  }

  private static func preset(_ name: String) throws(UsageError) -> ExportPreset {
    if let preset = ExportPreset.named(name) { return preset }
    let names = ExportPreset.all.map(\.name)
    throw .invalidValue(
      "--preset", name, expected: "one of " + names.joined(separator: ", "),
      fix: Suggestion.nearest(to: name, in: names).map { "did you mean '\($0)'?" })
  }

  private static func range(_ text: String) throws(UsageError) -> ExportRange {
    guard let dots = text.firstRange(of: "..") else {
      throw .invalidValue("--range", text, expected: "two times, as in '2s..30s'")
    }
    return ExportRange(
      in: try time(text[..<dots.lowerBound]), out: try time(text[dots.upperBound...]))
  }

  private static func time(_ text: Substring) throws(UsageError) -> TimeExpression? {
    text.isEmpty ? nil : try ParsedArguments.time(String(text), "--range")
  }
}
