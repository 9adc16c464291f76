import Foundation
import Testing

@testable import cutroom_cli

struct ConsoleTests {
  private func console(failing code: POSIXErrorCode) -> Console {
    Console { stream, _ in if stream == .results { throw POSIXError(code) } }
  }

  @Test func lostResultsMakeTheRunFail() {
    let program = Program(console: console(failing: .ENOSPC), interruption: Interruption {})
    #expect(program.run(["--version"]) == .failed)
  }

  @Test func aReaderThatWentAwayIsNoFailure() {
    let program = Program(console: console(failing: .EPIPE), interruption: Interruption {})
    #expect(program.run(["--version"]) == .done)
  }

  @Test func anInterruptionAddsNothingToAResult() {
    let captured = CapturedConsole()
    let console = captured.console
    console.result("one")
    console.resultIfNone("two")
    #expect(captured.results == "one\n")
  }
}
