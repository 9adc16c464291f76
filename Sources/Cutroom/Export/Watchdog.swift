import Foundation
import Synchronization

/// What everybody who works on an export did last, and how often anything was done.
final class WorkMonitor: Sendable {
  /// Something that was done.
  enum Step: Sendable {
    /// A frame of the result was drawn and given to the encoder.
    case frame(Int64)
    /// So many frames, or samples where there is no picture, went into the file.
    case written(Int64)
    /// The work on the result's bytes is done, and it is being finished.
    case finishing

    var text: String {
      switch self {
      case .frame(let number): "made frame \(number)"
      case .written(let count): "wrote up to \(count)"
      case .finishing: "began to finish the file"
      }
    }
  }

  private struct State {
    var moves: Int64 = 0
    var steps: [String: Step] = [:]
  }

  private let state = Mutex(State())

  /// Says that `worker` did something.
  func did(_ step: Step, _ worker: String) {
    state.withLock { state in
      state.moves += 1
      state.steps[worker] = step
    }
  }

  /// How often anything was done.
  var moves: Int64 { state.withLock { $0.moves } }

  /// What everybody did last, by name.
  var summary: [String] {
    state.withLock { $0.steps }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }
  }
}

/// Says so when nothing moves for long: an encoder may be slow, a disk or a decoder may hang.
///
/// It stops nothing; whoever hears it may cancel.
final class Watchdog: Sendable {
  private let isOver = Mutex(false)
  private let changed = NSCondition()

  /// Watches `monitor` from a thread of its own until ``stop()``.
  ///
  /// `report` gets the whole seconds without a move, once every `limit`, and what everybody did
  /// last.
  init(
    _ monitor: WorkMonitor, limit: TimeInterval = 30,
    report: @escaping @Sendable (_ seconds: Int, _ state: [String]) -> Void
  ) {
    let thread = Thread { [self] in
      var moves = monitor.moves
      var since = Date()
      var said = 0
      while wait(min(1, limit / 4)) {
        let now = monitor.moves
        if now != moves {
          (moves, since, said) = (now, Date(), 0)
          continue
        }
        let still = Date().timeIntervalSince(since)
        guard Int(still / limit) > said else { continue }
        said = Int(still / limit)
        report(Int(still), monitor.summary)
      }
    }
    thread.start()
  }

  /// Waits; `false` when it is over.
  private func wait(_ seconds: TimeInterval) -> Bool {
    changed.lock()
    defer { changed.unlock() }
    if isOver.withLock({ $0 }) { return false }
    _ = changed.wait(until: Date(timeIntervalSinceNow: seconds))
    return !isOver.withLock { $0 }
  }

  /// Ends watching.
  func stop() {
    changed.lock()
    isOver.withLock { $0 = true }
    changed.broadcast()
    changed.unlock()
  }
}
