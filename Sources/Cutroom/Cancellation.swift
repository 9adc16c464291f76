import Synchronization

/// A request to stop, checked by long work at every packet.
public final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Creates a request that has not been made.
  public init() {}

  /// Makes the request; work stops soon after with ``CutroomError/Code/cancelled``.
  public func cancel() { flag.store(true, ordering: .relaxed) }

  /// Whether the request was made.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Throws if the request was made.
  func check() throws(CutroomError) {
    if isCancelled { throw .cancelled }
  }
}
