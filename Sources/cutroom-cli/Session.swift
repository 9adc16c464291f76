import Cutroom

/// What a command needs to know of the run it is part of.
struct Session: Sendable {
  /// Where results and messages go.
  let console: Console
  /// What a signal does.
  let interruption: Interruption
  /// Whether the result is one JSON document.
  let isJSON: Bool
  /// Whether only results and errors are printed.
  let isQuiet: Bool
  /// Whether more is said.
  let isVerbose: Bool
  /// Whether messages go to a terminal.
  let isTerminal: Bool
  /// What results are written on.
  let screen: Screen

  /// A request to stop that a signal makes.
  func cancellation() -> Cancellation {
    let cancellation = Cancellation()
    interruption.cancels(cancellation)
    return cancellation
  }

  /// Says what is being done, to somebody who watches.
  func say(_ step: String) {
    if isVerbose || isTerminal && !isQuiet { console.message(step) }
  }

  /// The findings that are shown: with `--quiet` only the errors.
  func shown(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    isQuiet ? diagnostics.filter { $0.severity == .error } : diagnostics
  }

  /// Findings about a composition, as text.
  func text(_ diagnostics: [Diagnostic], of checked: CheckedComposition) -> String {
    DiagnosticText(file: checked.path, source: checked.text, isVerbose: isVerbose)
      .text(shown(diagnostics))
  }
}

/// What a command came to.
struct Outcome {
  /// How the run ends.
  var status: ExitStatus
  /// The document for `--json`.
  var json: JSONValue
  /// The result for people.
  var text: String
  /// What there is to say beside the result.
  var messages: String
  /// Whether the result is printed as it is, also characters that a terminal obeys.
  var isVerbatim = false

  /// Creates an outcome.
  init(_ status: ExitStatus, json: JSONValue, text: String, messages: String = "") {
    self.status = status
    self.json = json
    self.text = text
    self.messages = messages
  }

  /// A composition that cannot be used.
  static func invalid(
    _ checked: CheckedComposition, _ diagnostics: [Diagnostic], in session: Session
  ) -> Outcome {
    Outcome(
      .invalid, json: ResultJSON.failure(diagnostics, file: checked.path), text: "",
      messages: session.text(diagnostics, of: checked))
  }

  /// The same, or a failure where a report beside the result could not be written.
  func unless(_ failure: Diagnostic?) -> Outcome {
    guard let failure else { return self }
    var outcome = self
    outcome.status = status == .done ? .failed : status
    outcome.json = ResultJSON.adding(failure, to: json)
    let text = DiagnosticText(file: "cutroom").text(failure)
    outcome.messages = messages.isEmpty ? text : messages + "\n" + text
    return outcome
  }

  /// A mistake on the command line.
  static func usage(_ error: UsageError, command: String?) -> Outcome {
    let hint = command.map { "cutroom \($0) --help" } ?? "cutroom --help"
    return Outcome(
      .invalid, json: ResultJSON.failure([error.diagnostic]), text: "",
      messages: DiagnosticText(file: "cutroom").text(error.diagnostic)
        + "\n  '\(hint)' explains the usage")
  }

  /// Work that failed; `checked` is the composition that it was about.
  static func failure(
    _ error: CutroomError, about checked: CheckedComposition? = nil, in session: Session
  ) -> Outcome {
    let diagnostics =
      error.diagnostics.contains { $0.severity == .error }
      ? error.diagnostics
      : error.diagnostics + [Diagnostic(.error, error.stableCode, error.message, at: "")]
    let writer = DiagnosticText(
      file: checked?.path ?? "cutroom", source: checked?.text, isVerbose: session.isVerbose)
    let details = error.details.map { "  " + DiagnosticText.printable($0) }
    return Outcome(
      ExitStatus(rawValue: error.exitStatus) ?? .failed,
      json: ResultJSON.failure(diagnostics, file: checked?.path, details: error.details), text: "",
      messages: ([writer.text(session.shown(diagnostics))] + details).joined(separator: "\n"))
  }
}
