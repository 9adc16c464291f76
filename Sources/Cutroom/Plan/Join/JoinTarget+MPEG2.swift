import CutroomMedia
import CutroomModel

extension JoinTarget {
  /// The headers that MPEG-2 repeats before its keyframes become the source's.
  static func joiningMPEG2(_ request: JoinRequest) -> Result<JoinTarget, JoinFailure> {
    guard let stream = request.track.stream, let sequence = MPEG2Sequence(stream.extradata) else {
      return .failure("join.parameters")
    }
    var flags = "+qscale+cgop"
    if !sequence.isProgressive { flags += "+ildct+ilme" }
    let quality = max(1, min(31, Int(clamping: (request.wanted.crf ?? 2).rounded)))
    let options = [
      CodecOption(name: "flags", value: flags),
      CodecOption(name: "global_quality", value: String(quality * 118)),
      // Closed groups do not go with keyframes where scenes change.
      CodecOption(name: "sc_threshold", value: "1000000000"),
      CodecOption(name: "bf", value: stream.videoDelay > 0 ? "2" : "0"),
    ]
    return joined(
      request, options: options, form: .sequence(sequence), depth: \.reorderDelay)
  }
}
