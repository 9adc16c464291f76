package import CutroomMedia
public import CutroomModel

/// What an export will do: for each stream, which stretches are copied and which rendered.
///
/// A value. The same plan gives the same bytes with any number of workers: the chunk grid is part
/// of it.
public struct ExportPlan: Sendable {
  /// The resolved timeline.
  public internal(set) var timeline: Timeline
  /// The part of the timeline that is exported; the output's time 0 is its start.
  public let start: Rational
  /// How long the result is.
  public let duration: Rational
  /// The container, by its name in the composition file.
  public var containerName: String { container.name }
  /// Where the result goes.
  public let output: String
  /// What was said while planning: warnings and notes.
  public internal(set) var diagnostics: [Diagnostic]
  /// The picture; `nil` for none.
  package internal(set) var video: VideoPlan?
  /// The sound; `nil` for none.
  package let audio: AudioPlan?
  /// The streams beside them, in order.
  package internal(set) var further: [FurtherStream] = []
  package let container: Container
  package let document: CompositionDocument
  package let assets: [String: AssetInfo]
  /// The folder that relative paths of the composition start from.
  package let baseDirectory: String
  package let optimizesForNetworkUse: Bool
  /// The timecode of the result's first picture; `nil` for none.
  package let startTimecode: String?
  /// Chapters in the result's time.
  package let chapters: [TimelineChapter]
}

/// A stretch of one stream that is made in one way; the unit of all work.
package struct Chunk: Hashable, Sendable {
  /// How it is made.
  package enum Action: Hashable, Sendable {
    /// The packets of a source stand in the result unchanged.
    case copy(CopiedRange)
    /// Decoded, composed, encoded; with the reasons why it was not copied.
    case render(reasons: [String])
  }

  /// How it is made.
  package var action: Action
  /// Where it starts in the result's time.
  package var start: Rational
  /// How long it lasts.
  package var duration: Rational
  /// Its video frames, or its audio samples.
  package var count: Int64
  /// The stretch of a source whose pictures are encoded as they are, where it is rendered to join
  /// copied ones; `nil` where the timeline is drawn.
  package var reencoded: SourceStretch?
  /// When its pictures are presented in ticks of the plan, where they do not last equally long.
  package var ticks: [Int64]?
}

/// A stretch of one stream of a file, from a picture on.
package struct SourceStretch: Hashable, Sendable {
  /// The file.
  package var path: String
  /// The stream in the file.
  package var streamIndex: Int
  /// The source time of the first frame.
  package var start: Rational
}

/// Packets of a source that are copied.
package struct CopiedRange: Hashable, Sendable {
  /// The index in the timeline's sources.
  package var source: Int
  /// The file.
  package var path: String
  /// The stream in the file.
  package var streamIndex: Int
  /// The source time of the stretch's start.
  package var sourceStart: Rational
  /// The first packet's presentation time in the stream's ticks as libavformat gives them.
  package var firstPTS: Int64
  /// No packet presented at or after this tick is copied; `nil` copies to the end.
  package var endPTS: Int64?
  /// What to add to the stream's ticks to get the plan's ticks, after multiplying by `tickFactor`.
  package var tickOffset: Int64
  /// Ticks of the plan per tick of the source's stream.
  package var tickFactor: Int64
  /// Seconds of the source per second of the result; other than 1 only for data.
  package var speed: Rational = 1
  /// Pictures before the stretch that are copied with it, and that an edit list hides.
  package var hidden: Int64 = 0
  /// Whether the first picture, which would count on from what stands before it, is marked as one
  /// that does not.
  package var breaksLink = false
  /// The frames that timestamps stand for, where these are placed on the plan's own frames.
  package var grid: CopiedGrid?
}

/// Equally long frames of a source, and where they lie in the result.
package struct CopiedGrid: Hashable, Sendable {
  /// The exact start of the first copied frame in the stream's ticks.
  package var sourceStart: Rational
  /// The stream's ticks that a frame lasts.
  package var sourceStep: Rational
  /// The first frame's presentation time in the plan's ticks.
  package var start: Int64
  /// The plan's ticks that a frame lasts.
  package var step: Int64
}

/// The picture of an export.
package struct VideoPlan: Sendable {
  /// The codec of the result.
  package var codec: String
  /// Encoder settings; unused where everything is copied.
  package var encoding: VideoEncoding
  /// The chunks in order, without gap.
  package var chunks: [Chunk]
  /// Ticks per second of all presentation times.
  package var ticksPerSecond: Int64
  /// Ticks per frame of a constant rate; `nil` where copied packets bring their own durations.
  package var ticksPerFrame: Int64?
  /// How many frames decoding order may run ahead of presentation order.
  package var reorderDepth: Int
  /// Frames of the result.
  package var frameCount: Int64
  /// The display matrix of copied pictures, where it is not the identity.
  package var displayMatrix: [Int32]?
  /// What joins copied and rendered pictures, where the stream has both.
  package var join: VideoJoin?
}

/// What a stream of copied and rendered pictures needs beside the encoder's settings.
package struct VideoJoin: Hashable, Sendable {
  /// The settings that decoders of the whole stream get: the source's parameter sets and the
  /// encoder's.
  package var settings: [UInt8]
  /// The encoder's own settings, the same in every rendered chunk.
  package var encoderSettings: [UInt8]
  /// How the encoder's packets become like the copied ones.
  package var form: PacketForm
}

/// The form of a stream's packets; `lengthSize` is the bytes of a NAL unit's length, `nil` where
/// start codes separate units, and `sets` the encoder's parameter sets as they stand in the result.
package enum PacketForm: Hashable, Sendable {
  /// As the encoder makes them.
  case asEncoded
  /// With this MPEG-2 header in place of the encoder's.
  case sequence(MPEG2Sequence)
  /// The encoder's own units.
  case units(lengthSize: Int?, sets: [[UInt8]])
  /// HEVC's units, of parameter sets with these numbers.
  case renumberedUnits(lengthSize: Int?, sets: [[UInt8]], numbers: HEVCNumbers)
}

/// How pictures are encoded.
package struct VideoEncoding: Hashable, Sendable {
  package var encoder: String
  package var pixelFormat: String
  package var size: PixelSize
  package var frameRate: FrameRate
  package var color: TimelineColor
  package var keyframeInterval: Int
  package var crf: Rational?
  package var bitrate: Int?
  package var options: [CodecOption]
  package var threads: Int
  /// The colour tags, where they are not those of `color`.
  package var tags: ColorTags?
  /// Width over height of a pixel, where it is stated.
  package var sampleAspectRatio: Rational?
  /// About the brightness of pictures of a high dynamic range.
  package var light = LightMetadata()
}

/// The sound of an export.
package struct AudioPlan: Sendable {
  /// The codec of the result.
  package var codec: String
  package var encoding: AudioEncoding
  /// The chunks in order, without gap.
  package var chunks: [Chunk]
  /// Samples of the result, presented.
  package var sampleCount: Int64
  /// Samples per packet.
  package var packetSize: Int64
  /// An ISO 639-2 language.
  package var language: String?
  /// How the ends of copied packets are made exact.
  package var cut = SoundCut.packets
  /// Samples before the first one that are copied with it and hidden.
  package var runUp: Int64 = 0
}

/// How sound is encoded.
package struct AudioEncoding: Hashable, Sendable {
  package var encoder: String
  package var sampleRate: Int
  package var channelLayout: String
  package var sampleFormat: String
  package var bitrate: Int?
  package var options: [CodecOption]
}
