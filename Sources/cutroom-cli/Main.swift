import Cutroom
import Foundation

@main
struct Main {
  static func main() {
    let environment = ProcessInfo.processInfo.environment
    Engine.prepareProgram(usesPlainCode: environment["CUTROOM_SIMD"] == "off")
    let arguments = Array(CommandLine.arguments.dropFirst())
    let console = Console.standard
    let interruption = Interruption {
      // Nothing is half-written: other threads need not be waited for.
      if Program.wantsJSON(arguments) {
        let finding = Diagnostic(.error, "cancelled", "interrupted by a signal", at: "")
        console.resultIfNone(ResultJSON.failure([finding]).encoded(pretty: true))
      }
      _exit(ExitStatus.interrupted.rawValue)
    }
    let sources = interruption.install()
    let program = Program(
      console: console, interruption: interruption, isTerminal: Console.standardErrorIsTerminal,
      screen: .standardOutput)
    let status = withExtendedLifetime(sources) { program.run(arguments) }
    exit(status.rawValue)
  }
}
