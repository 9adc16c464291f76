import CutroomMedia
import CutroomModel

/// How pictures must be encoded to stand in one stream with copied ones.
///
/// The encoder's parameter sets have numbers that the source's do not use, and decoders get both
/// from the start.
struct JoinTarget {
  var encoding: VideoEncoding
  var join: VideoJoin
  /// How far the encoder's decoding order runs ahead of presentation order.
  var reorderDepth: Int

  /// Finds the settings that join with the source; the reason where there are none.
  static func joining(_ request: JoinRequest) -> Result<JoinTarget, JoinFailure> {
    switch request.track.codec {
    case "h264": joiningH264(request)
    case "hevc": joiningHEVC(request)
    case "mpeg2video": joiningMPEG2(request)
    case "vp8", "vp9", "av1": joiningByKeyframes(request)
    case "prores", "dnxhd", "mjpeg", "ffv1", "png": joiningPictures(request)
    default: .failure("join.codec")
    }
  }

  /// The encoder's settings before any frame, for those that are known by opening it once.
  static func opened(_ encoding: VideoEncoding) -> Result<Encoder, JoinFailure> {
    do { return .success(try Encoder(video: try encoding.settings())) } catch {
      return .failure("join.encoder")
    }
  }
}

/// A stream to join with, and what the author wishes.
struct JoinRequest {
  var track: AssetTrack
  var rate: FrameRate
  var wanted: VideoExport
  var color: TimelineColor

  /// The encoder that joins with the source's codec.
  var encoder: String? { Codec.named(track.codec)?.encoder }

  /// Encoder settings with the source's size, pixel format, colours and shape of pixels; `nil`
  /// where these are not known.
  func encoding(_ options: [CodecOption]) -> VideoEncoding? {
    guard let codec = Codec.named(track.codec), let stream = track.stream,
      let picture = track.picture, let format = picture.pixelFormat,
      PixelFormat(name: format) != nil
    else { return nil }
    var encoding = VideoEncoding(
      encoder: codec.encoder, pixelFormat: format, size: picture.size, frameRate: rate,
      color: color, keyframeInterval: codec.keyframeInterval, crf: wanted.crf, bitrate: nil,
      options: options, threads: 1)
    encoding.tags = stream.colorTags
    let ratio = stream.sampleAspectRatio
    encoding.sampleAspectRatio = ratio.0 > 0 ? Rational(ratio.0, ratio.1) : Rational(0, 1)
    return encoding
  }

  /// Constant quality, `standard` unless the author gives one, and a preset.
  func quality(_ standard: Int, preset: String) -> [CodecOption] {
    let crf = JSONValue.decimal((wanted.crf ?? Rational(standard)).doubleValue).encoded()
    return [
      CodecOption(name: "crf", value: crf),
      CodecOption(name: "preset", value: wanted.preset ?? preset),
    ]
  }

  /// What bounds the edges' bit rate, as parameters of x264 and x265: they get what they need, up
  /// to a bound that follows from the source.
  var bounds: [String] {
    guard let rate = track.stream?.bitRate, rate > 0 else { return [] }
    let kilobits = max(4000, rate.multipliedReportingOverflow(by: 8).partialValue / 1000)
    return ["vbv-maxrate=\(kilobits)", "vbv-bufsize=\(kilobits)"]
  }
}

/// Why nothing can be rendered to join with a source, as a plan's reasons.
struct JoinFailure: Error, ExpressibleByStringLiteral {
  var reasons: [String]

  init(reasons: [String]) { self.reasons = reasons }
  init(stringLiteral value: String) { reasons = [value] }
}
