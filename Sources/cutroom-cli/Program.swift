import Cutroom

/// The program: finds the command, runs it, prints what it came to.
struct Program {
  /// Where results and messages go.
  let console: Console
  /// What a signal does.
  let interruption: Interruption
  /// Whether messages go to a terminal.
  var isTerminal = false
  /// What results are written on.
  var screen = Screen()

  /// Runs the command that `arguments`, without the program's name, ask for.
  func run(_ arguments: [String]) -> ExitStatus {
    let isJSON = Self.wantsJSON(arguments)
    let outcome = outcome(of: arguments)
    if isJSON {
      console.result(outcome.json.encoded(pretty: true))
    } else {
      console.message(outcome.messages)
      if outcome.isVerbatim {
        console.result(outcome.text)
        return console.hasLostResults && outcome.status == .done ? .failed : outcome.status
      }
      // Names and metadata of files must not drive the terminal.
      let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
      console.result(lines.map { DiagnosticText.printable(String($0)) }.joined(separator: "\n"))
    }
    return console.hasLostResults && outcome.status == .done ? .failed : outcome.status
  }

  /// Whether the result is to be one JSON document, also when the command line is wrong.
  static func wantsJSON(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--\(Option.json.name)")
  }

  private func outcome(of arguments: [String]) -> Outcome {
    let isNamed = CommandList.isNamed(in: arguments)
    if !isNamed && arguments.contains("--version") {
      return Outcome(
        .done, json: ["ok": true, "version": .string(Help.version)],
        text: "cutroom \(Help.version)")
    }
    if !isNamed && Self.wantsHelp(arguments) || arguments == ["help"] {
      return help(Help.program(CommandList.all))
    }
    if arguments.first == "help" {
      return outcome(of: Array(arguments.dropFirst()) + ["--help"])
    }
    if Self.wantsHelp(arguments), let group = CommandList.group(in: arguments) {
      return help(group.map(Help.command).joined(separator: "\n\n"))
    }
    do throws(UsageError) {
      let (command, rest) = try CommandList.find(in: arguments)
      return outcome(of: command, rest)
    } catch {
      return .usage(error, command: nil)
    }
  }

  private func outcome(of command: any Command.Type, _ arguments: [String]) -> Outcome {
    if Self.wantsHelp(arguments) { return help(Help.command(command)) }
    let parsed: ParsedArguments
    let runnable: any Command
    do throws(UsageError) {
      parsed = try ArgumentParser(options: command.allOptions).parse(arguments)
      if parsed.has(.quiet) && parsed.has(.verbose) { throw .conflict("--quiet", "--verbose") }
      runnable = try command.init(parsed)
    } catch {
      return .usage(error, command: command.name)
    }
    let session = Session(
      console: console, interruption: interruption, isJSON: parsed.has(.json),
      isQuiet: parsed.has(.quiet), isVerbose: parsed.has(.verbose), isTerminal: isTerminal,
      screen: screen)
    do throws(CutroomError) {
      return try runnable.run(in: session)
    } catch {
      return .failure(error, in: session)
    }
  }

  private func help(_ text: String) -> Outcome {
    Outcome(.done, json: ["ok": true, "help": .string(text)], text: text)
  }

  private static func wantsHelp(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }
}
