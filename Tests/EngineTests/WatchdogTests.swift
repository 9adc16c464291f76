import Foundation
import Synchronization
import Testing

@testable import Cutroom

struct WatchdogTests {
  private final class Log: Sendable {
    let lines = Mutex<[(Int, [String])]>([])
  }

  @Test func whoeverDidSomethingLastIsNamedWhenNothingMoves() {
    let (monitor, log) = (WorkMonitor(), Log())
    monitor.did(.frame(7), "picture worker 1")
    monitor.did(.written(5), "writer")
    let watchdog = Watchdog(monitor, limit: 0.2) { seconds, state in
      log.lines.withLock { $0.append((seconds, state)) }
    }
    let began = Date()
    while log.lines.withLock({ $0.isEmpty }), Date().timeIntervalSince(began) < 30 {
      usleep(10_000)
    }
    watchdog.stop()
    let first = log.lines.withLock { $0.first }
    #expect(first?.1 == ["picture worker 1 made frame 7", "writer wrote up to 5"])
  }

  @Test func nothingIsSaidWhileWorkMoves() {
    let (monitor, log) = (WorkMonitor(), Log())
    let watchdog = Watchdog(monitor, limit: 20) { seconds, state in
      log.lines.withLock { $0.append((seconds, state)) }
    }
    for number in 0..<20 {
      monitor.did(.frame(Int64(number)), "worker")
      usleep(10_000)
    }
    watchdog.stop()
    #expect(log.lines.withLock { $0.isEmpty })
    #expect(monitor.moves == 20)
  }
}
