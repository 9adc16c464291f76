import Cutroom
import Dispatch
import Foundation
import Synchronization

/// What SIGINT and SIGTERM do: end the program at once, or ask long work to stop and clean up.
///
/// Both end in exit status 130. While work cleans up, further signals change nothing.
final class Interruption: Sendable {
  private enum Response {
    /// Nothing needs cleaning up.
    case exit
    /// Asks work to stop; it ends the run.
    case cancel(Cancellation)
    /// Short work that is not stopped half-way.
    case ignore
  }

  private let response = Mutex<Response>(.exit)
  private let onExit: @Sendable () -> Void

  /// Creates the handling; `onExit` ends the program when nothing needs cleaning up.
  init(onExit: @escaping @Sendable () -> Void) { self.onExit = onExit }

  /// Lets a signal ask `cancellation` to stop what runs.
  func cancels(_ cancellation: Cancellation) { response.withLock { $0 = .cancel(cancellation) } }

  /// Lets work that is about to replace a file finish.
  func waitsForCompletion() { response.withLock { $0 = .ignore } }

  /// Does what a signal does.
  func interrupt() {
    let response = response.withLock { $0 }
    switch response {
    case .exit: onExit()
    case .cancel(let cancellation): cancellation.cancel()
    case .ignore: break
    }
  }

  /// Takes over SIGINT and SIGTERM, and ignores SIGPIPE; the caller keeps the returned sources.
  func install() -> [any DispatchSourceSignal] {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "cutroom.signals")
    return [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [self] in interrupt() }
      source.resume()
      return source
    }
  }
}
