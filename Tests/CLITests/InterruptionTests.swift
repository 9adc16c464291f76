import Cutroom
import Synchronization
import Testing

@testable import cutroom_cli

struct InterruptionTests {
  private final class Exits: Sendable {
    let count = Mutex(0)
    func interruption() -> Interruption { Interruption { self.count.withLock { $0 += 1 } } }
  }

  @Test func aSignalEndsTheProgramWhenNothingNeedsCleaningUp() {
    let exits = Exits()
    exits.interruption().interrupt()
    #expect(exits.count.withLock { $0 } == 1)
  }

  @Test func aSignalCancelsLongWorkAndASecondOneChangesNothing() {
    let exits = Exits()
    let interruption = exits.interruption()
    let cancellation = Cancellation()
    interruption.cancels(cancellation)
    #expect(!cancellation.isCancelled)
    interruption.interrupt()
    interruption.interrupt()
    #expect(cancellation.isCancelled)
    #expect(exits.count.withLock { $0 } == 0)
  }

  @Test func aSignalLetsAReplacementFinish() {
    let exits = Exits()
    let interruption = exits.interruption()
    interruption.waitsForCompletion()
    interruption.interrupt()
    #expect(exits.count.withLock { $0 } == 0)
  }
}
