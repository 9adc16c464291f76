/// An option of a command, as the parser and the help know it.
struct Option: Hashable, Sendable {
  /// The long name without dashes.
  var name: String
  /// A letter for `-x`.
  var short: Character?
  /// What the help calls the value; `nil` for an option without one.
  var value: String?
  /// Whether it may be given more than once.
  var isRepeatable: Bool
  /// The values that are allowed; empty for any.
  var choices: [String]
  /// What it does, in a few words.
  var help: String
  /// Whether the help leaves it out: it is known, and not yet there.
  var isHidden: Bool

  /// Creates an option.
  init(
    _ name: String, short: Character? = nil, value: String? = nil, isRepeatable: Bool = false,
    choices: [String] = [], help: String, isHidden: Bool = false
  ) {
    self.name = name
    self.short = short
    self.value = choices.isEmpty ? value : choices.joined(separator: "|")
    self.isRepeatable = isRepeatable
    self.choices = choices
    self.help = help
    self.isHidden = isHidden
  }

  /// Whether a value follows.
  var takesValue: Bool { value != nil }
}

extension Option {
  static let help = Option("help", short: "h", help: "explain the command")
  static let json = Option("json", help: "print the result as one JSON document")
  static let quiet = Option("quiet", short: "q", help: "print results and errors only")
  static let verbose = Option("verbose", short: "v", help: "say more")
  static let output = Option("output", short: "o", value: "OUT", help: "the file to write")

  static let base = Option(
    "base", value: "FOLDER", help: "where relative paths start (default: beside the composition)")

  /// The options that every command has.
  static let common = [json, quiet, verbose, help]
}
