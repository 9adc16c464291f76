import CutroomMedia
import CutroomModel

/// How pictures must be encoded to stand in one stream with copied ones.
///
/// H.264: the encoder's parameter sets have a number that the source's do not use, and decoders get
/// both from the start.
struct JoinTarget {
  var encoding: VideoEncoding
  var join: VideoJoin
  /// How far the encoder's decoding order runs ahead of presentation order.
  var reorderDepth: Int

  /// Finds the settings that join with `track`; the reason where there are none.
  static func joining(
    _ track: AssetTrack, rate: FrameRate, wanted: VideoExport, color: TimelineColor
  ) -> Result<JoinTarget, JoinFailure> {
    guard track.codec == "h264" else { return .failure("join.codec") }
    guard let stream = track.stream, let sets = H264ParameterSets(stream.extradata),
      let parameters = sets.parameters, let ids = sets.ids
    else { return .failure("join.parameters") }
    guard parameters.isFrameOnly else { return .failure("join.interlaced") }
    if let size = sets.lengthSize, size < 3 { return .failure("join.length") }
    guard let id = (1..<32).first(where: { !ids.contains($0) }),
      let profile = profile(parameters), let picture = track.picture,
      let format = picture.pixelFormat, PixelFormat(name: format) != nil
    else { return .failure("join.parameters") }
    var encoding = VideoEncoding(
      encoder: "libx264", pixelFormat: format, size: picture.size, frameRate: rate, color: color,
      keyframeInterval: Codec.named("h264")?.keyframeInterval ?? 250, crf: wanted.crf,
      bitrate: nil, options: options(track, stream, parameters, profile, id, wanted),
      threads: Codec.named("h264").map { EncoderOptions.threads($0) } ?? 1)
    encoding.tags = stream.colorTags
    encoding.sampleAspectRatio =
      stream.sampleAspectRatio.0 > 0
      ? Rational(stream.sampleAspectRatio.0, stream.sampleAspectRatio.1) : Rational(0, 1)
    return opened(encoding, sets)
  }

  /// Opens the encoder once: its settings are then known.
  private static func opened(
    _ encoding: VideoEncoding, _ sets: H264ParameterSets
  ) -> Result<JoinTarget, JoinFailure> {
    do {
      let encoder = try Encoder(video: try encoding.settings())
      let own = encoder.parameters.extradata
      guard let added = H264ParameterSets(own), let settings = sets.settings(adding: added) else {
        return .failure("join.parameters")
      }
      return .success(
        JoinTarget(
          encoding: encoding,
          join: VideoJoin(settings: settings, encoderSettings: own, lengthSize: sets.lengthSize),
          reorderDepth: encoder.reorderDelay))
    } catch {
      return .failure("join.encoder")
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

  private static func options(
    _ track: AssetTrack, _ stream: StreamInfo, _ parameters: H264SequenceParameters,
    _ profile: String, _ id: Int, _ wanted: VideoExport
  ) -> [CodecOption] {
    let isIntraOnly = parameters.profile >= 110 && parameters.constraints & 0x10 != 0
    var list = [
      "cpu-independent=1", "stitchable=1", "sps-id=\(id)",
      // What counts is likeness to what is copied, not looks: two to five decibels for the same bytes.
      "psy=0", "aq-mode=0",
      "ref=\(max(1, min(3, parameters.referenceFrames)))",
    ]
    switch parameters.reorderDepth ?? stream.videoDelay {
    case _ where isIntraOnly: list.append("keyint=1")
    case 0: list.append("bframes=0")
    case 1: list += ["bframes=3", "b-pyramid=none"]
    default: list.append("bframes=3")
    }
    if stream.bitRate > 0 {
      // Edges get what they need, up to a bound that follows from the source.
      let kilobits = max(
        4000, stream.bitRate.multipliedReportingOverflow(by: 8).partialValue / 1000)
      list += ["vbv-maxrate=\(kilobits)", "vbv-bufsize=\(kilobits)"]
    }
    let quality = JSONValue.decimal((wanted.crf ?? 16).doubleValue).encoded()
    var options = [
      CodecOption(name: "x264-params", value: list.joined(separator: ":")),
      CodecOption(name: "profile", value: profile),
      CodecOption(name: "level", value: String(parameters.level)),
      CodecOption(name: "crf", value: quality),
    ]
    if let preset = wanted.preset { options.append(CodecOption(name: "preset", value: preset)) }
    return options
  }
}

/// Why nothing can be rendered to join with a source, as a plan's reasons.
struct JoinFailure: Error, ExpressibleByStringLiteral {
  var reasons: [String]

  init(reasons: [String]) { self.reasons = reasons }
  init(stringLiteral value: String) { reasons = [value] }
}
