import CutroomMedia
import CutroomModel

extension VideoEncoding {
  /// What the encoder is opened with; ticks are frames.
  func settings() throws(CutroomError) -> VideoEncoderSettings {
    guard let format = PixelFormat(name: pixelFormat) else {
      throw CutroomError(.unsupported, "capability.pixel-format", "unknown format \(pixelFormat)")
    }
    let rate = frameRate.framesPerSecond
    let numerator = Int32(clamping: rate.numerator)
    let denominator = Int32(clamping: rate.denominator)
    var settings = VideoEncoderSettings(
      encoder: encoder, width: size.width, height: size.height, format: format,
      timeBase: TimeBase(denominator, numerator), frameRate: (numerator, denominator))
    var tags = color.tags
    if format.name.hasPrefix("yuvj") { tags.range = "pc" }
    if format.isRGB || format.name == "pal8" {
      tags.matrix = nil
      tags.range = "pc"
    }
    settings.colorTags = self.tags ?? tags
    if let ratio = sampleAspectRatio {
      settings.sampleAspectRatio = TimeBase(
        Int32(clamping: ratio.numerator), Int32(clamping: ratio.denominator))
    }
    settings.gopSize = keyframeInterval
    settings.bitRate = bitrate.map(Int64.init)
    settings.threads = threads
    settings.options = options.map { option in
      let says = option.name == "x265-params" && !option.value.contains("master-display")
      let light = says ? light.x265Parameters : ""
      return KeyValue(option.name, option.value + (light.isEmpty ? "" : ":" + light))
    }
    return settings
  }
}

extension AudioEncoding {
  /// What the encoder is opened with; ticks are samples.
  func settings() -> AudioEncoderSettings {
    var settings = AudioEncoderSettings(
      encoder: encoder, sampleRate: sampleRate, channelLayout: channelLayout,
      sampleFormat: sampleFormat, bitRate: bitrate.map(Int64.init))
    settings.options = options.map { KeyValue($0.name, $0.value) }
    return settings
  }
}

extension CutroomError {
  /// An encoder that does not open or refuses a frame.
  init(encoder: String, _ error: LibAVError) {
    self.init(
      .unsupported, "capability.encoder", "the encoder '\(encoder)' failed: \(error.reason)",
      details: error.log)
  }
}
