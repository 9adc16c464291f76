import Cutroom
import Foundation

/// The command `cutroom fmt FILE…`.
struct FormatCommand: Command {
  static let name = "fmt"
  static let summary = "write compositions in their canonical form, with their comments"
  static let usage = "FILE…"
  static let check = Option(
    "check", help: "write nothing; end with status 3 if a file would change")
  static let stdout = Option("stdout", help: "print the canonical form instead of writing it")
  static let options = [check, stdout]
  static let details = """
    Keys are put in one order, defaults are left out, times get their shortest form. A file is
    replaced as a whole or not at all; '-' reads standard input and prints. Keys that begin with
    'x-' and comments are kept; a comment at something that is left out is refused.
    """

  private let paths: [String]
  private let isCheck: Bool
  private let isPrinted: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try arguments.operands(atLeast: 1, "FILE")
    isCheck = arguments.has(Self.check)
    isPrinted = arguments.has(Self.stdout) || paths.contains("-")
    if isCheck, arguments.has(Self.stdout) { throw .conflict("--check", "--stdout") }
    if isPrinted, !isCheck, paths.count > 1 { throw .unexpectedArgument(paths[1]) }
  }

  func run(in session: Session) throws(CutroomError) -> Outcome {
    let files = paths.map {
      $0 == "-" ? Engine.format(Self.standardInput()) : Engine.format(path: $0)
    }
    let isWrong = files.contains { $0.text == nil }
    let changed = files.filter { $0.text != nil && !$0.isCanonical }
    let messages = files.flatMap { file in
      let shown = session.shown(file.diagnostics.filter { $0.severity == .error })
      return shown.isEmpty ? [] : [DiagnosticText(file: file.path, source: file.source).text(shown)]
    }.joined(separator: "\n")
    if !isCheck && !isPrinted {
      for file in changed { try Engine.write(file) }
    }
    let status: ExitStatus = isWrong ? .invalid : isCheck && !changed.isEmpty ? .differs : .done
    let findings = files.flatMap { file in
      file.diagnostics.map { ResultJSON.value(of: $0, file: file.path) }
    }
    let json: JSONValue = [
      "ok": .bool(status == .done), "changed": .array(changed.map { .string($0.path) }),
      "diagnostics": .array(findings),
    ]
    let isText = isPrinted && !isCheck
    let lines = changed.map(\.path).joined(separator: "\n")
    var outcome = Outcome(
      status, json: json, text: isText ? files.first?.text ?? "" : session.isQuiet ? "" : lines,
      messages: messages)
    outcome.isVerbatim = isText
    return outcome
  }

  private static func standardInput() -> SourceText {
    SourceText(file: "-", bytes: Array(FileHandle.standardInput.readDataToEndOfFile()))
  }
}
