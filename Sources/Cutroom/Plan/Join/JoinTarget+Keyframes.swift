import CutroomMedia
import CutroomModel

extension JoinTarget {
  /// VP8, VP9, AV1: keyframes say all that decoding needs.
  static func joiningByKeyframes(_ request: JoinRequest) -> Result<JoinTarget, JoinFailure> {
    guard request.track.picture?.hasAlpha != true else { return .failure("join.alpha") }
    return joined(request, options: keyframeOptions(request))
  }

  /// Each picture stands alone.
  static func joiningPictures(_ request: JoinRequest) -> Result<JoinTarget, JoinFailure> {
    guard let stream = request.track.stream else { return .failure("join.parameters") }
    guard request.track.picture?.isInterlaced != true else { return .failure("join.interlaced") }
    guard let options = pictureOptions(stream, request.wanted) else {
      return .failure("join.parameters")
    }
    return joined(request, options: options).flatMap { target in
      // Decoders of FFV1 get the shape of all pictures from the start.
      target.join.encoderSettings == stream.extradata || stream.codecName != "ffv1"
        ? .success(target) : .failure("join.parameters")
    }
  }

  /// A target whose parameters stay the source's, with packets in a form.
  static func joined(
    _ request: JoinRequest, options: [CodecOption], form: PacketForm = .asEncoded,
    depth: (Encoder) -> Int = { _ in 0 }
  ) -> Result<JoinTarget, JoinFailure> {
    guard let stream = request.track.stream, let encoding = request.encoding(options) else {
      return .failure("join.parameters")
    }
    return opened(encoding).flatMap { encoder in
      .success(
        JoinTarget(
          encoding: encoding,
          join: VideoJoin(
            settings: stream.extradata, encoderSettings: encoder.parameters.extradata,
            form: form),
          reorderDepth: depth(encoder)))
    }
  }

  private static func keyframeOptions(_ request: JoinRequest) -> [CodecOption] {
    func option(_ name: String, _ value: String) -> CodecOption {
      CodecOption(name: name, value: value)
    }
    let crf = request.wanted.crf.map { JSONValue.decimal($0.doubleValue).encoded() }
    switch request.track.codec {
    case "vp9":
      return [
        option("deadline", "good"), option("cpu-used", "4"), option("row-mt", "0"),
        option("lag-in-frames", "12"), option("aq-mode", "0"), option("crf", crf ?? "12"),
        option("b", "0"),
      ]
    case "vp8":
      return [
        option("cpu-used", "4"), option("lag-in-frames", "0"), option("crf", crf ?? "6"),
        option("qmin", "0"), option("b", "40000000"),
      ]
    default:
      return [
        option("preset", request.wanted.preset ?? "8"), option("crf", crf ?? "16"),
        option("svtav1-params", "lp=1"),
      ]
    }
  }

  /// The encoder's settings for pictures like the source's; `nil` where there are none.
  private static func pictureOptions(
    _ stream: StreamInfo, _ wanted: VideoExport
  ) -> [CodecOption]? {
    switch stream.codecName {
    case "prores":
      guard (0...5).contains(stream.profile) else { return nil }
      return [
        CodecOption(name: "profile", value: String(stream.profile)),
        CodecOption(name: "vendor", value: "apl0"),
      ]
    case "dnxhd":
      let names = ["dnxhr_lb", "dnxhr_sq", "dnxhr_hq", "dnxhr_hqx", "dnxhr_444"]
      // Profiles of DNxHR; those of DNxHD follow from size, rate and bit rate together.
      guard (1...5).contains(stream.profile) else { return nil }
      return [CodecOption(name: "profile", value: names[Int(stream.profile) - 1])]
    case "mjpeg":
      return [
        CodecOption(name: "flags", value: "+qscale"),
        CodecOption(name: "global_quality", value: String(2 * 118)),
      ]
    case "ffv1":
      guard let codec = Codec.named("ffv1") else { return nil }
      return EncoderOptions.options(codec, wanted)
    case "png": return []
    default: return nil
    }
  }
}
