import CutroomMedia
import CutroomModel

/// The packets of the mixed sound: one continuous encoding from the first to the last sample.
final class RenderedAudio: PacketStream {
  private let audio: AudioPlan
  private let mixer: AudioMixer
  private let progress: ProgressMeter
  private let reportsProgress: Bool
  private var encoder: Encoder?
  private var position: Int64 = 0
  private var isDraining = false

  init(plan: ExportPlan, audio: AudioPlan, progress: ProgressMeter, damage: DamagePolicy) {
    self.audio = audio
    self.progress = progress
    reportsProgress = plan.video == nil
    mixer = AudioMixer(plan: plan, audio: audio, damage: damage)
  }

  /// The largest magnitude so far, 1 for full scale, before the peak policy.
  var peak: Float { mixer.peak }

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
    let sound = try mixer.next(size)
    guard sound.count > 0 else {
      isDraining = true
      _ = try encoder.send(nil)
      return
    }
    let encoding = audio.encoding
    let frame = try sound.frame(
      from: 0, count: sound.count, sampleRate: encoding.sampleRate,
      channelLayout: encoding.channelLayout, sampleFormat: encoding.sampleFormat)
    frame.pts = position
    position += Int64(sound.count)
    _ = try encoder.send(frame)
    if reportsProgress { try progress.report(frames: position) }
  }
}
