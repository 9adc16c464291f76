import CutroomMedia
import CutroomModel
import Foundation
import Synchronization

/// Mixes the sound of a plan on a thread of its own, a little ahead of whoever encodes it.
///
/// What it gives does not depend on how far ahead it is.
final class SoundPump: Sendable {
  /// What is known once all is mixed.
  struct Outcome: Sendable {
    /// The largest magnitude before the peak policy, 1 for full scale.
    var peak: Float = 0
    /// How the loudness was treated; `nil` where none was asked for.
    var loudness: LoudnessOutcome?
    /// What the author should know about the loudness.
    var warning: Diagnostic?
  }

  private struct State {
    var batches: [[Frame]] = []
    var failure: CutroomError?
    var outcome = Outcome()
    var isFinished = false
    var isClosed = false
    var isRunning = false
  }

  private let state = Mutex(State())
  // Guards waiting: `state` changes only while it is locked.
  private let changed = NSCondition()
  private let plan: ExportPlan
  private let audio: AudioPlan
  private let damage: DamagePolicy
  private let progress: ProgressMeter
  private let frameSize: Int
  /// Samples of silence before the first one.
  private let lead: Int
  /// Samples of silence after the last one.
  private let tail: Int
  /// Batches that may wait, and samples of one.
  private static let ahead = 8
  private static let batchLength = 8192

  /// A pump of frames of `frameSize` samples, with `lead` samples of silence before time 0 and
  /// `tail` ones after the end.
  init(
    plan: ExportPlan, audio: AudioPlan, frameSize: Int, lead: Int, tail: Int, damage: DamagePolicy,
    progress: ProgressMeter
  ) {
    (self.lead, self.tail) = (lead, tail)
    self.plan = plan
    self.audio = audio
    self.frameSize = frameSize
    self.damage = damage
    self.progress = progress
  }

  /// How often all samples are made: once more where the loudness is measured first.
  static func passes(_ plan: ExportPlan) -> Int64 { plan.document.sound.loudness == nil ? 1 : 2 }

  var outcome: Outcome { state.withLock { $0.outcome } }

  private func change(_ body: (inout State) -> Void) {
    changed.lock()
    state.withLock { body(&$0) }
    changed.broadcast()
    changed.unlock()
  }

  // MARK: Whoever encodes

  /// Begins to mix.
  func start() {
    change { $0.isRunning = true }
    let thread = Thread { [self] in
      work()
      change { $0.isRunning = false }
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// The next frames in order; empty after the last.
  func next() throws(CutroomError) -> [Frame] {
    changed.lock()
    defer { changed.unlock() }
    while true {
      let (batch, failure, isFinished) = state.withLock { state in
        (state.batches.isEmpty ? nil : state.batches.removeFirst(), state.failure, state.isFinished)
      }
      changed.broadcast()
      if let batch { return batch }
      if let failure { throw failure }
      if isFinished { return [] }
      changed.wait()
    }
  }

  /// Tells the thread to stop, and waits until it has.
  func close() {
    change { $0.isClosed = true }
    changed.lock()
    while state.withLock({ $0.isRunning }) { changed.wait() }
    changed.unlock()
  }

  // MARK: The thread

  private func work() {
    do throws(CutroomError) {
      let (mixer, loudness) = try begin()
      mixer.tail = tail
      var position = -Int64(lead)
      while true {
        let batch = try batch(mixer, &position)
        if batch.isEmpty { break }
        guard try hand(batch) else { return }
      }
      var outcome = Outcome(peak: mixer.peak, loudness: loudness?.outcome)
      if let measured = mixer.meter?.finish() { outcome.loudness?.output = measured }
      outcome.warning =
        loudness?.warning ?? outcome.loudness.flatMap(LoudnessPlan.shortfall)
      change { ($0.outcome, $0.isFinished) = (outcome, true) }
    } catch {
      change { $0.failure = error }
    }
  }

  /// The mixer of what is encoded; where a loudness is asked for, after measuring.
  private func begin() throws(CutroomError) -> (AudioMixer, LoudnessPlan?) {
    guard let target = plan.document.sound.loudness else {
      return (AudioMixer(plan: plan, audio: audio, damage: damage), nil)
    }
    let reportsProgress = plan.video == nil
    let loudness = try LoudnessPlan.make(
      target, policy: plan.document.sound.peak,
      mixer: { AudioMixer(plan: plan, audio: audio, damage: damage, treatment: $0) },
      progress: { position throws(CutroomError) in
        if state.withLock({ $0.isClosed }) { throw .cancelled }
        try progress.report(frames: reportsProgress ? position : 0)
      })
    let mixer = AudioMixer(
      plan: plan, audio: audio, damage: damage, treatment: loudness.treatment)
    mixer.meter = ProgramMeter(
      sampleRate: audio.encoding.sampleRate, channelLayout: audio.encoding.channelLayout)
    return (mixer, loudness)
  }

  private func batch(
    _ mixer: AudioMixer, _ position: inout Int64
  ) throws(CutroomError) -> [Frame] {
    var frames: [Frame] = []
    for _ in 0..<max(1, Self.batchLength / frameSize) {
      guard
        let frame = try mixer.frame(
          frameSize, silence: position < 0 ? lead : 0, sampleFormat: audio.encoding.sampleFormat)
      else { break }
      frame.pts = position
      position += Int64(frame.sampleCount)
      frames.append(frame)
    }
    return frames
  }

  /// Leaves frames for whoever encodes; waits while enough is ahead; `false` when nobody wants more.
  private func hand(_ batch: [Frame]) throws(CutroomError) -> Bool {
    try progress.cancellation.check()
    changed.lock()
    defer { changed.unlock() }
    while true {
      let isTaken: Bool? = state.withLock { state in
        if state.isClosed { return false }
        guard state.batches.count < Self.ahead else { return nil }
        state.batches.append(batch)
        return true
      }
      if let isTaken {
        changed.broadcast()
        return isTaken
      }
      changed.wait()
    }
  }
}
