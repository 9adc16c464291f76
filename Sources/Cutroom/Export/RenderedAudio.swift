import CutroomMedia
import CutroomModel

/// The packets of the mixed sound: one continuous encoding from the first to the last sample.
final class RenderedAudio: PacketStream {
  private let plan: ExportPlan
  private let audio: AudioPlan
  private let damage: DamagePolicy
  private let progress: ProgressMeter
  private let reportsProgress: Bool
  private var pump: SoundPump?
  private var waiting: [Frame] = []
  private var position = 0
  private var encoder: Encoder?
  private var isDraining = false

  init(plan: ExportPlan, audio: AudioPlan, progress: ProgressMeter, damage: DamagePolicy) {
    self.plan = plan
    self.audio = audio
    self.damage = damage
    self.progress = progress
    reportsProgress = plan.video == nil
  }

  deinit { pump?.close() }

  /// What is known of the sound once all packets were given.
  var outcome: SoundPump.Outcome { pump?.outcome ?? SoundPump.Outcome() }

  private func opened() throws(CutroomError) -> Encoder {
    if let encoder { return encoder }
    do {
      let encoder = try Encoder(audio: audio.encoding.settings())
      self.encoder = encoder
      return encoder
    } catch {
      throw CutroomError(encoder: audio.encoding.encoder, error)
    }
  }

  var parameters: CodecParameters {
    get throws(CutroomError) { try opened().parameters }
  }

  func next() throws(CutroomError) -> Packet? {
    let encoder = try opened()
    do {
      while true {
        switch try encoder.receive() {
        case .value(let packet): return packet
        case .ended: return nil
        case .needsInput: try feed(encoder)
        }
      }
    } catch let error as CutroomError {
      throw error
    } catch let error as LibAVError {
      throw CutroomError(encoder: audio.encoding.encoder, error)
    } catch {
      throw CutroomError(.internal, "internal", "\(error)")
    }
  }

  private func feed(_ encoder: Encoder) throws {
    guard !isDraining else { return }
    if position >= waiting.count {
      waiting = try started(encoder).next()
      position = 0
    }
    guard position < waiting.count else {
      isDraining = true
      _ = try encoder.send(nil)
      return
    }
    let frame = waiting[position]
    position += 1
    _ = try encoder.send(frame)
    guard reportsProgress, let start = frame.pts else { return }
    try progress.report(
      frames: start + Int64(frame.sampleCount) + (SoundPump.passes(plan) - 1) * audio.sampleCount)
  }

  private func started(_ encoder: Encoder) -> SoundPump {
    if let pump { return pump }
    let pump = SoundPump(
      plan: plan, audio: audio, frameSize: encoder.frameSize > 0 ? encoder.frameSize : 4096,
      damage: damage, progress: progress)
    pump.start()
    self.pump = pump
    return pump
  }
}
