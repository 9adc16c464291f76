import CutroomMedia
import CutroomModel

/// The packets of the mixed sound: one continuous encoding from the first to the last sample.
final class RenderedAudio: PacketStream {
  private let plan: ExportPlan
  private let audio: AudioPlan
  private let damage: DamagePolicy
  private let progress: ProgressMeter
  private let reportsProgress: Bool
  private var mixer: AudioMixer?
  private var encoder: Encoder?
  private var position: Int64 = 0
  private var isDraining = false
  private var loudnessPlan: LoudnessPlan?
  private var output: ProgramMeter?

  init(plan: ExportPlan, audio: AudioPlan, progress: ProgressMeter, damage: DamagePolicy) {
    self.plan = plan
    self.audio = audio
    self.damage = damage
    self.progress = progress
    reportsProgress = plan.video == nil
  }

  /// How often all samples are made: once more where the loudness is measured first.
  static func passes(_ plan: ExportPlan) -> Int64 { plan.document.sound.loudness == nil ? 1 : 2 }

  /// The largest magnitude so far, 1 for full scale, before the peak policy.
  var peak: Float { mixer?.peak ?? 0 }

  /// How the loudness was treated; `nil` where none was asked for.
  private(set) var loudness: LoudnessOutcome?

  /// What the author should know about the loudness.
  var loudnessWarning: Diagnostic? {
    loudnessPlan?.warning ?? loudness.flatMap(LoudnessPlan.shortfall)
  }

  private func begun() throws(CutroomError) -> AudioMixer {
    if let mixer { return mixer }
    var treatment: AudioMixer.Treatment?
    if let target = plan.document.sound.loudness {
      let made = try LoudnessPlan.make(
        target, policy: plan.document.sound.peak,
        mixer: { AudioMixer(plan: plan, audio: audio, damage: damage, treatment: $0) },
        progress: { position throws(CutroomError) in
          try progress.report(frames: reportsProgress ? position : 0)
        })
      treatment = made.treatment
      loudnessPlan = made
      output = ProgramMeter(
        sampleRate: audio.encoding.sampleRate, channelLayout: audio.encoding.channelLayout)
    }
    let mixer = AudioMixer(plan: plan, audio: audio, damage: damage, treatment: treatment)
    self.mixer = mixer
    return mixer
  }

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
    let size = encoder.frameSize > 0 ? encoder.frameSize : 4096
    let sound = try begun().next(size)
    guard sound.count > 0 else {
      isDraining = true
      loudness = loudnessPlan?.outcome
      if let measured = output?.finish() { loudness?.output = measured }
      _ = try encoder.send(nil)
      return
    }
    output?.add(sound)
    let encoding = audio.encoding
    let frame = try sound.frame(
      from: 0, count: sound.count, sampleRate: encoding.sampleRate,
      channelLayout: encoding.channelLayout, sampleFormat: encoding.sampleFormat)
    frame.pts = position
    position += Int64(sound.count)
    _ = try encoder.send(frame)
    guard reportsProgress else { return }
    try progress.report(frames: position + (Self.passes(plan) - 1) * audio.sampleCount)
  }
}
