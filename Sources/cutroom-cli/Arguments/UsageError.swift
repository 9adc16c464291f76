import Cutroom

/// A mistake on the command line.
struct UsageError: Error, Hashable {
  /// The stable code, such as `usage.unknown-option`.
  var code: String
  /// One sentence that quotes what was written.
  var message: String
  /// What would mend it.
  var fix: String?

  /// The finding to report.
  var diagnostic: Diagnostic { Diagnostic(.error, code, message, at: "", fix: fix) }

  static func unknownOption(_ option: String, of options: [Option]) -> UsageError {
    let options = options.filter { !$0.isHidden }
    let names = options.map { "--\($0.name)" } + options.compactMap { $0.short.map { "-\($0)" } }
    let known = Suggestion.nearest(to: option, in: names)
    return UsageError(
      code: "usage.unknown-option", message: "unknown option '\(option)'",
      fix: known.map { "did you mean '\($0)'?" })
  }

  static func unknownCommand(_ name: String, of names: [String]) -> UsageError {
    let known = Suggestion.nearest(to: name, in: names)
    return UsageError(
      code: "usage.unknown-command", message: "unknown command '\(name)'",
      fix: known.map { "did you mean '\($0)'?" } ?? "the commands are \(list(names))")
  }

  static func missingCommand(_ names: [String]) -> UsageError {
    UsageError(
      code: "usage.missing-command", message: "no command was given",
      fix: "the commands are \(list(names)); 'cutroom --help' explains them")
  }

  static func missingValue(_ spelling: String, _ placeholder: String) -> UsageError {
    UsageError(
      code: "usage.missing-value", message: "option '\(spelling)' needs a value: \(placeholder)")
  }

  static func unexpectedValue(_ spelling: String, _ value: String) -> UsageError {
    UsageError(
      code: "usage.unexpected-value",
      message: "option '\(spelling)' takes no value, but '\(value)' was given")
  }

  static func repeated(_ spelling: String) -> UsageError {
    UsageError(
      code: "usage.repeated-option", message: "option '\(spelling)' may be given only once")
  }

  static func invalidValue(
    _ spelling: String, _ value: String, expected: String, fix: String? = nil
  ) -> UsageError {
    UsageError(
      code: "usage.invalid-value",
      message: "'\(value)' is not a value of '\(spelling)': expected \(expected)", fix: fix)
  }

  static func missingOption(_ spelling: String, _ placeholder: String) -> UsageError {
    UsageError(
      code: "usage.missing-option",
      message: "option '\(spelling) \(placeholder)' is missing")
  }

  static func missingArgument(_ placeholder: String) -> UsageError {
    UsageError(code: "usage.missing-argument", message: "\(placeholder) is missing")
  }

  static func unexpectedArgument(_ argument: String) -> UsageError {
    UsageError(code: "usage.unexpected-argument", message: "unexpected argument '\(argument)'")
  }

  static func conflict(_ first: String, _ second: String) -> UsageError {
    UsageError(
      code: "usage.conflict", message: "'\(first)' and '\(second)' exclude each other")
  }

  static func unavailable(_ what: String) -> UsageError {
    UsageError(
      code: "usage.unavailable", message: "\(what) is not available in this version of cutroom")
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
