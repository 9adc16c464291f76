/// What a video encoder is to make.
package struct VideoEncoderSettings: Hashable, Sendable {
  /// FFmpeg's name of the encoder: "libx264".
  package var encoder: String
  package var width: Int
  package var height: Int
  package var format: PixelFormat
  package var timeBase: TimeBase
  /// Frames per second, as numerator and denominator; `nil` for a varying rate.
  package var frameRate: TimeBase?
  package var sampleAspectRatio = TimeBase(1, 1)
  package var colorTags = ColorTags()
  package var gopSize: Int?
  package var bitRate: Int64?
  package var maxBFrames: Int?
  package var threads = 1
  /// Whether parameter sets go to the container instead of the stream.
  package var globalHeader = true
  package var isBitExact = true
  package var profile: String?
  /// The container's four characters, where they matter to the encoder.
  package var codecTag: String?
  /// The encoder's and libavcodec's own options.
  package var options: [KeyValue] = []

  /// Settings with the defaults above.
  package init(
    encoder: String, width: Int, height: Int, format: PixelFormat, timeBase: TimeBase,
    frameRate: (Int32, Int32)? = nil
  ) {
    self.encoder = encoder
    self.width = width
    self.height = height
    self.format = format
    self.timeBase = timeBase
    self.frameRate = frameRate.map { TimeBase($0.0, $0.1) }
  }
}

/// What an audio encoder is to make.
package struct AudioEncoderSettings: Hashable, Sendable {
  /// FFmpeg's name of the encoder: "aac".
  package var encoder: String
  package var sampleRate: Int
  package var channelLayout: String
  package var sampleFormat: String
  package var bitRate: Int64?
  package var globalHeader = true
  package var isBitExact = true
  package var options: [KeyValue] = []

  /// Settings with the defaults above; ticks are samples.
  package init(
    encoder: String, sampleRate: Int, channelLayout: String, sampleFormat: String,
    bitRate: Int64? = nil
  ) {
    self.encoder = encoder
    self.sampleRate = sampleRate
    self.channelLayout = channelLayout
    self.sampleFormat = sampleFormat
    self.bitRate = bitRate
  }
}

/// What libav says about an encoder.
package struct EncoderInfo: Hashable, Sendable {
  package var name: String
  /// FFmpeg's name of what it makes: "h264".
  package var codecName: String
  package var kind: MediaKind
  /// Whether it runs without special devices.
  package var isAvailable: Bool
  package var isExperimental: Bool
  /// Empty where any will do.
  package var pixelFormats: [PixelFormat]
  /// Empty where any will do.
  package var sampleFormats: [String]
  /// Empty where any will do.
  package var sampleRates: [Int]
  /// In frames per second; empty where any will do.
  package var frameRates: [TimeBase]
  /// Empty where any will do.
  package var channelLayouts: [String]
}
