import CutroomMedia
import CutroomModel

/// The packets of a track of subtitles, as they were planned.
final class WrittenSubtitles: PacketStream {
  private let plan: SubtitlePlan
  private var index = 0

  init(_ plan: SubtitlePlan) { self.plan = plan }

  var parameters: CodecParameters {
    get throws(CutroomError) {
      do throws(LibAVError) {
        return try .subtitles(
          codec: plan.codec, settings: plan.settings, width: plan.canvas.width,
          height: plan.canvas.height)
      } catch {
        throw CutroomError(.internal, "internal", error.description)
      }
    }
  }

  func next() throws(CutroomError) -> Packet? {
    guard index < plan.cues.count else { return nil }
    let cue = plan.cues[index]
    index += 1
    do throws(LibAVError) {
      let packet = try Packet(bytes: cue.payload)
      (packet.pts, packet.duration) = (cue.start, cue.end - cue.start)
      packet.isKeyframe = true
      if !cue.identifier.isEmpty { packet.cueIdentifier = cue.identifier }
      if !cue.placement.isEmpty { packet.cueSettings = cue.placement }
      return packet
    } catch {
      throw CutroomError(.internal, "internal", error.description)
    }
  }
}
