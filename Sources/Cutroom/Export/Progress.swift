import CutroomMedia
import Foundation
import Synchronization

/// How far an export is.
public struct ExportProgress: Sendable, Hashable {
  /// What is being done: `copy`, `render`, `finish`.
  public var stage: String
  /// The part that is done, 0 to 1; never falls, and is 1 exactly once, at the end.
  public var fraction: Double
  /// Frames that are done; samples where there is no picture.
  public var frame: Int64
  /// All of them.
  public var of: Int64
  /// Frames per second so far.
  public var framesPerSecond: Double
  /// Estimated seconds until the end; `nil` at the beginning.
  public var secondsLeft: Double?
  /// Set where nothing has moved for half a minute, and every half minute after that.
  public var stall: Stall?

  /// That nothing moves.
  public struct Stall: Sendable, Hashable {
    /// For how many seconds.
    public var seconds: Int
    /// What everybody did last: `writer wrote up to 120`.
    public var state: [String]

    /// Creates a stall.
    public init(seconds: Int, state: [String]) { (self.seconds, self.state) = (seconds, state) }
  }

  /// Creates a state of an export.
  public init(
    stage: String, fraction: Double, frame: Int64, of: Int64, framesPerSecond: Double,
    secondsLeft: Double?
  ) {
    self.stage = stage
    self.fraction = fraction
    self.frame = frame
    self.of = of
    self.framesPerSecond = framesPerSecond
    self.secondsLeft = secondsLeft
  }

  /// Whether the result has its name.
  public var isFinished: Bool { fraction >= 1 }
}

/// Turns counts of finished work into a rising fraction, and checks for cancellation.
final class ProgressMeter: Sendable {
  private struct State {
    var last = -1.0
    var lastTime = 0.0
  }

  let cancellation: Cancellation
  /// Who did what last.
  let monitor = WorkMonitor()
  private let stage: String
  private let total: Int64
  private let handler: @Sendable (ExportProgress) -> Void
  private let state = Mutex(State())
  private let began = ContinuousClock.now

  /// Reports on `total` frames, at most twenty times a second.
  init(
    total: Int64, stage: String, cancellation: Cancellation,
    handler: @escaping @Sendable (ExportProgress) -> Void
  ) {
    self.total = max(1, total)
    self.stage = stage
    self.cancellation = cancellation
    self.handler = handler
  }

  private var elapsed: Double {
    let parts = (ContinuousClock.now - began).components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }

  /// Says that work begins.
  func begin() { send(fraction: 0, frames: 0, stage: stage, isForced: true) }

  /// Says how many frames are done.
  ///
  /// - Throws: ``CutroomError/cancelled`` when somebody asked to stop.
  func report(frames: Int64) throws(CutroomError) {
    try cancellation.check()
    monitor.did(.written(frames), "writer")
    // The last hundredth is verifying, tagging, syncing and renaming.
    let fraction = 0.99 * Double(min(frames, total)) / Double(total)
    // Looking at the clock costs more than a copied packet.
    guard state.withLock({ fraction >= $0.last + 0.0005 }) else { return }
    send(fraction: fraction, frames: min(frames, total), stage: stage, isForced: false)
  }

  /// Says that packets are written and the file is being finished.
  func finishing() {
    monitor.did(.finishing, "writer")
    send(fraction: 0.99, frames: total, stage: "finish", isForced: true)
  }

  /// Says that nothing moves.
  func stalled(_ seconds: Int, _ summary: [String]) {
    var progress = ExportProgress(
      stage: stage, fraction: max(0, state.withLock { $0.last }), frame: 0, of: total,
      framesPerSecond: 0, secondsLeft: nil)
    progress.stall = ExportProgress.Stall(seconds: seconds, state: summary)
    handler(progress)
  }

  /// Says that the result has its name.
  func end() { send(fraction: 1, frames: total, stage: "finish", isForced: true) }

  private func send(fraction: Double, frames: Int64, stage: String, isForced: Bool) {
    let now = elapsed
    let isDue = state.withLock { state in
      guard fraction > state.last, isForced || now - state.lastTime >= 0.05 else { return false }
      (state.last, state.lastTime) = (fraction, now)
      return true
    }
    guard isDue else { return }
    let speed = now > 0 ? Double(frames) / now : 0
    let left: Double? = fraction > 0.01 ? now * (1 - fraction) / fraction : nil
    handler(
      ExportProgress(
        stage: stage, fraction: fraction, frame: frames, of: total, framesPerSecond: speed,
        secondsLeft: left))
  }
}
