package import CutroomMedia
package import CutroomModel

/// One picture, sound or other stream of a file, with its exact place in source time.
package struct AssetTrack: Sendable {
  /// What a stream carries.
  package enum Kind: String, Hashable, Sendable {
    case video, audio, subtitle, data
  }

  /// The transfer of a picture with a high dynamic range.
  package enum HDRTransfer: String, Hashable, Sendable {
    case hlg, pq
  }

  /// What it carries.
  package var kind: Kind
  /// libavformat's index of the stream.
  package var streamIndex: Int
  /// The index among the streams of its kind, cover art not counted.
  package var indexOfKind: Int
  /// FFmpeg's name of the codec.
  package var codec: String
  /// Seconds per tick of the stream's timestamps.
  package var timeBase: Rational
  /// The source time of the first presented frame or sample.
  package var start: Rational
  /// The end of the last presented frame or sample in source time.
  package var end: Rational
  /// Whether the first picture, which starts late by the coder's reordering, is shown from 0.
  package var extendsFirstFrame = false
  /// An ISO 639-2 language, where one is stated.
  package var language: String?
  /// Whether the container calls it the default of its kind.
  package var isDefault = false
  /// What must agree for packets of two files to be joined by copying.
  package var signature = ""
  /// The number of presented frames or packets, where it is known without decoding.
  package var frameCount: Int64?
  /// The number of keyframes.
  package var keyframeCount: Int?
  /// The stream as libavformat describes it; `nil` in a description that no file stands behind.
  package var stream: StreamInfo?
  /// Places at which reading can begin, in order, of a file that has no table of its packets and
  /// counts their times from its start.
  package var seekPoints: [SeekPoint] = []
  /// Picture properties, on a video track.
  package var picture: Picture?
  /// Sound properties, on an audio track.
  package var sound: Sound?

  /// How long it lasts.
  package var duration: Rational { end - start }

  /// Creates a track.
  package init(
    kind: Kind, streamIndex: Int, indexOfKind: Int = 0, codec: String, timeBase: Rational,
    start: Rational, end: Rational, picture: Picture? = nil, sound: Sound? = nil
  ) {
    self.kind = kind
    self.streamIndex = streamIndex
    self.indexOfKind = indexOfKind
    self.codec = codec
    self.timeBase = timeBase
    self.start = start
    self.end = end
    self.picture = picture
    self.sound = sound
  }

  /// A packet in its file.
  package struct SeekPoint: Hashable, Sendable {
    /// When it is presented, in ticks of the stream.
    package var tick: Int64
    /// Where it lies, in bytes from the file's start.
    package var position: Int64
  }

  /// What a video track says about its pictures.
  package struct Picture: Hashable, Sendable {
    /// The coded size in its own pixels.
    package var size: PixelSize
    /// The size after the aspect ratio of the pixels and the rotation, in square pixels.
    package var displaySize: PixelSize
    /// Width over height of a pixel; 1 when nothing is stated.
    package var sampleAspectRatio: Rational = 1
    /// Degrees to turn clockwise for display: 0, 90, 180 or 270.
    package var rotation = 0
    /// Whether the picture is mirrored left to right before it is turned.
    package var isFlipped = false
    /// The nine values of the display matrix, where it is not the identity.
    package var displayMatrix: [Int32]?
    /// The average rate, exact; `nil` for a still or where none can be told.
    package var frameRate: Rational?
    /// The rate that a timeline takes from it: the average, for a variable rate the nearest usual.
    package var nominalFrameRate: FrameRate?
    /// Whether its frames last differently long.
    package var isVariableFrameRate = false
    /// FFmpeg's name of the pixel format.
    package var pixelFormat: String?
    /// FFmpeg's names of the colour tags; `nil` where unspecified.
    package var colorPrimaries: String?
    package var colorTransfer: String?
    package var colorMatrix: String?
    package var colorRange: String?
    /// The constant rate that timestamps were rounded from, where the ticks are too coarse for it:
    /// frame n then starts at `roundedGridStart + n / roundedGrid`, near its timestamp.
    package var roundedGrid: FrameRate?
    /// The source time of the grid's first frame.
    package var roundedGridStart: Rational = 0
    /// The ticks from one timestamp that may be to the next: more than 1 where times were rounded to
    /// milliseconds before they were counted in ticks.
    package var roundedGridGrain: Rational = 1
    /// How far timestamps lie from that grid, in grains.
    package var roundedGridOffsets: ClosedRange<Rational> = .zero ... .zero
    /// Whether fields instead of whole pictures were taken.
    package var isInterlaced = false
    /// Whether pictures have an alpha channel.
    package var hasAlpha = false

    /// Degrees to turn clockwise where mirroring comes last, as FFmpeg's programs state it.
    package var turnBeforeMirroring: Int { isFlipped ? (360 - rotation) % 360 : rotation }

    /// HLG or PQ, by the transfer tag.
    package var hdr: HDRTransfer? {
      switch colorTransfer {
      case "arib-std-b67": .hlg
      case "smpte2084": .pq
      default: nil
      }
    }

    /// Creates picture properties; the display size is `size` until told otherwise.
    package init(size: PixelSize, displaySize: PixelSize? = nil) {
      self.size = size
      self.displaySize = displaySize ?? size
    }
  }

  /// What an audio track says about its samples.
  package struct Sound: Hashable, Sendable {
    /// Samples per second.
    package var sampleRate: Int
    /// The number of channels.
    package var channelCount: Int
    /// FFmpeg's name of the layout; the usual one for the count where none is stated.
    package var channelLayout: String
    /// Samples per packet; 0 where it varies.
    package var frameSize = 0

    /// Creates sound properties.
    package init(sampleRate: Int, channelCount: Int, channelLayout: String) {
      self.sampleRate = sampleRate
      self.channelCount = channelCount
      self.channelLayout = channelLayout
    }
  }
}
