import CutroomMedia
import CutroomModel

extension JoinTarget {
  /// x264 numbers its sets itself.
  static func joiningH264(_ request: JoinRequest) -> Result<JoinTarget, JoinFailure> {
    guard let stream = request.track.stream, let sets = H264ParameterSets(stream.extradata),
      let parameters = sets.parameters, let ids = sets.ids
    else { return .failure("join.parameters") }
    guard parameters.isFrameOnly || fieldOrder(stream) != nil else {
      return .failure("join.interlaced")
    }
    if let size = sets.lengthSize, size < 3 { return .failure("join.length") }
    guard let id = (1..<32).first(where: { !ids.contains($0) }), let profile = profile(parameters),
      let encoding = request.encoding(options(request, stream, parameters, profile, id))
    else { return .failure("join.parameters") }
    return opened(encoding).flatMap { encoder in
      let own = encoder.parameters.extradata
      guard let added = H264ParameterSets(own), let settings = sets.settings(adding: added) else {
        return .failure("join.parameters")
      }
      let form = PacketForm.units(
        lengthSize: sets.lengthSize, sets: added.sequences + added.pictures)
      return .success(
        JoinTarget(
          encoding: encoding,
          join: VideoJoin(settings: settings, encoderSettings: own, form: form),
          reorderDepth: encoder.reorderDelay))
    }
  }

  /// The encoder's name of the source's profile, which nothing rendered may go beyond.
  private static func profile(_ parameters: H264SequenceParameters) -> String? {
    switch parameters.profile {
    case 66: "baseline"
    case 77: "main"
    case 100: "high"
    case 110: "high10"
    case 122: "high422"
    case 244: "high444"
    default: nil
    }
  }

  /// x264's word for the field that comes first; empty for whole pictures, `nil` where it is not
  /// known.
  private static func fieldOrder(_ stream: StreamInfo) -> String? {
    switch stream.fieldOrder {
    case "progressive": ""
    case "tt", "tb": "tff=1"
    case "bb", "bt": "bff=1"
    default: nil
    }
  }

  private static func options(
    _ request: JoinRequest, _ stream: StreamInfo, _ parameters: H264SequenceParameters,
    _ profile: String, _ id: Int
  ) -> [CodecOption] {
    let isIntraOnly = parameters.profile >= 110 && parameters.constraints & 0x10 != 0
    var list = [
      "cpu-independent=1", "stitchable=1", "sps-id=\(id)",
      // Edges are short: what a look ahead would find out does not pay for its memory.
      "rc-lookahead=0", "sync-lookahead=0", "mbtree=0", "ref=1", "b-adapt=0",
      // What counts is likeness to what is copied, not looks: two to five decibels for the same bytes.
      "psy=0", "aq-mode=0",
    ]
    var more: [CodecOption] = []
    if !parameters.isFrameOnly, let order = fieldOrder(stream), !order.isEmpty {
      list.append(order)
      more.append(CodecOption(name: "flags", value: "+ildct+ilme"))
    }
    switch parameters.reorderDepth ?? stream.videoDelay {
    case _ where isIntraOnly: list.append("keyint=1")
    case 0: list.append("bframes=0")
    case 1: list += ["bframes=1", "b-pyramid=none"]
    default: list.append("bframes=2")
    }
    list += request.bounds
    return [
      CodecOption(name: "x264-params", value: list.joined(separator: ":")),
      CodecOption(name: "profile", value: profile),
      CodecOption(name: "level", value: String(parameters.level)),
    ] + more + request.quality(16, preset: "veryfast")
  }
}
