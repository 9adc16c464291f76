import CutroomMedia
import Foundation
import Synchronization

/// Where workers take chunks from and leave their packets, in bounded number ahead of the writer.
///
/// The order of results is the plan's, whatever order workers finish in.
final class ChunkBoard: Sendable {
  private struct State {
    var nextChunk = 0
    var consumed = 0
    var finished: [Int: [Packet]] = [:]
    var failure: CutroomError?
    var isClosed = false
    var workers = 0
    var frames: Int64 = 0
  }

  private let state = Mutex(State())
  // Guards waiting: `state` changes only while it is locked.
  private let changed = NSCondition()
  private let count: Int
  private let ahead: Int

  /// A board of `count` chunks, of which at most `ahead` wait finished or in work.
  init(count: Int, ahead: Int) {
    self.count = count
    self.ahead = ahead
  }

  /// Frames that are done, for progress.
  var framesDone: Int64 { state.withLock { $0.frames } }

  private func change<R>(_ body: (inout State) -> R) -> R {
    changed.lock()
    defer {
      changed.broadcast()
      changed.unlock()
    }
    return state.withLock { body(&$0) }
  }

  // MARK: Workers

  func workerBegins() { change { $0.workers += 1 } }
  func workerEnds() { change { $0.workers -= 1 } }
  func countFrame() { state.withLock { $0.frames += 1 } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The next chunk to render; waits while enough is ahead; `nil` when there is none.
  func take() -> Int? {
    changed.lock()
    defer { changed.unlock() }
    while true {
      let answer: Int?? = state.withLock { state in
        if state.isClosed || state.failure != nil || state.nextChunk >= count { return .some(nil) }
        guard state.nextChunk < state.consumed + ahead else { return nil }
        defer { state.nextChunk += 1 }
        return .some(state.nextChunk)
      }
      if let answer { return answer }
      changed.wait()
    }
  }

  func finish(_ chunk: Int, _ packets: [Packet]) { change { $0.finished[chunk] = packets } }
  func fail(_ error: CutroomError) { change { $0.failure = $0.failure ?? error } }

  // MARK: The writer

  /// The packets of a chunk; waits for them, calling `meanwhile` every tenth of a second.
  func packets(
    of chunk: Int, meanwhile: () throws(CutroomError) -> Void
  ) throws(CutroomError) -> [Packet] {
    while true {
      changed.lock()
      let (packets, failure) = state.withLock { state in
        (state.finished.removeValue(forKey: chunk), state.failure)
      }
      if packets == nil, failure == nil {
        _ = changed.wait(until: Date(timeIntervalSinceNow: 0.1))
      }
      changed.unlock()
      if let packets {
        change { $0.consumed += 1 }
        return packets
      }
      if let failure { throw failure }
      try meanwhile()
    }
  }

  /// Tells workers to stop, and waits until all have.
  func close() {
    change { $0.isClosed = true }
    changed.lock()
    while state.withLock({ $0.workers > 0 }) { changed.wait() }
    changed.unlock()
  }
}
