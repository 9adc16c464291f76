import CutroomMedia
import Foundation
import Synchronization

/// Reads packets of a file on a thread of its own, a bounded number ahead of who needs them.
///
/// Reading and writing then overlap. The thread ends with the file, with an error, or when this
/// object goes.
final class ReadAhead {
  /// What reader and consumer share.
  private final class Channel: Sendable {
    struct State {
      var batches: [[Packet]] = []
      var bytes = 0
      var hasEnded = false
      var failure: LibAVError?
      var isAbandoned = false
    }

    let state = Mutex(State())
    /// Guards waiting: `state` changes only while it is locked.
    let changed = NSCondition()

    func change<R>(_ body: (inout State) -> R) -> R {
      changed.lock()
      defer {
        changed.broadcast()
        changed.unlock()
      }
      return state.withLock { body(&$0) }
    }

    /// Waits until `condition` holds.
    func wait(_ condition: (borrowing State) -> Bool) {
      changed.lock()
      while !state.withLock({ condition($0) }) { changed.wait() }
      changed.unlock()
    }
  }

  private static let batchSize = 128
  private static let limit = 8 << 20
  private let channel = Channel()
  private var current: [Packet] = []
  private var position = 0

  /// Begins to read; nobody else may use `demuxer` from now on.
  init(_ demuxer: Demuxer) {
    let channel = channel
    let thread = Thread { Self.run(demuxer, channel) }
    thread.stackSize = 2 << 20
    thread.start()
  }

  deinit { channel.change { $0.isAbandoned = true } }

  /// The next packet; `nil` at the end.
  func next() throws(LibAVError) -> Packet? {
    while position >= current.count {
      channel.wait { !$0.batches.isEmpty || $0.hasEnded }
      let (batch, failure) = channel.change { state -> ([Packet]?, LibAVError?) in
        guard !state.batches.isEmpty else { return (nil, state.failure) }
        let batch = state.batches.removeFirst()
        state.bytes -= batch.reduce(0) { $0 + $1.size }
        return (batch, nil)
      }
      if let failure { throw failure }
      guard let batch else { return nil }
      current = batch
      position = 0
    }
    defer { position += 1 }
    return current[position]
  }

  private static func run(_ demuxer: Demuxer, _ channel: Channel) {
    do throws(LibAVError) {
      while true {
        var batch: [Packet] = []
        batch.reserveCapacity(batchSize)
        var bytes = 0
        while batch.count < batchSize, bytes < limit / 4, let packet = try demuxer.read() {
          batch.append(packet)
          bytes += packet.size
        }
        let isLast = batch.isEmpty
        channel.wait { $0.isAbandoned || $0.bytes < limit }
        let isAbandoned = channel.change { state in
          if isLast { state.hasEnded = true } else { state.batches.append(batch) }
          state.bytes += bytes
          return state.isAbandoned
        }
        if isLast || isAbandoned { return }
      }
    } catch {
      channel.change {
        $0.failure = error
        $0.hasEnded = true
      }
    }
  }
}
