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
        case .value(let packet):
          trimEnd(packet)
          return packet
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

  /// Lets the container hide what the encoder added to fill the last packet.
  private func trimEnd(_ packet: Packet) {
    guard audio.codec == "aac", plan.container.isMatroska, packet.duration > 0,
      packet.duration < audio.packetSize
    else { return }
    packet.skipSamples = (0, Int(audio.packetSize - packet.duration))
  }

  /// Samples of silence to put in front, so that what comes out before time 0 ends with a packet.
  ///
  /// Containers that cannot hide the encoder's delay leave those packets out; a packet that time 0
  /// divides would take sound with it.
  private func lead(_ encoder: Encoder) -> Int {
    let (size, delay) = (encoder.frameSize, encoder.initialPadding)
    guard !plan.container.hidesPriming, !plan.container.isMatroska, size > 0, delay > 0 else {
      return 0
    }
    return (size - delay % size) % size
  }

  /// Samples of silence to put behind the last one: encoders of AC-3 do not give by themselves what
  /// they hold back.
  private func tail(_ encoder: Encoder) -> Int {
    ["ac3", "eac3"].contains(audio.codec) ? encoder.initialPadding : 0
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
      lead: lead(encoder), tail: tail(encoder), damage: damage, progress: progress)
    pump.start()
    self.pump = pump
    return pump
  }
}
