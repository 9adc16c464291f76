public import CutroomModel

/// What an export will do: for each stream, which stretches are copied and which rendered.
///
/// A value. The same plan gives the same bytes with any number of workers: the chunk grid is part
/// of it.
public struct ExportPlan: Sendable {
  /// The resolved timeline.
  public let timeline: Timeline
  /// The part of the timeline that is exported; the output's time 0 is its start.
  public let start: Rational
  /// How long the result is.
  public let duration: Rational
  /// The container, by its name in the composition file.
  public var containerName: String { container.name }
  /// Where the result goes.
  public let output: String
  /// What was said while planning: warnings and notes.
  public let diagnostics: [Diagnostic]
  /// The picture; `nil` for none.
  package let video: VideoPlan?
  /// The sound; `nil` for none.
  package let audio: AudioPlan?
  package let container: Container
  package let document: CompositionDocument
  package let assets: [String: AssetInfo]
  /// The folder that relative paths of the composition start from.
  package let baseDirectory: String
  package let optimizesForNetworkUse: Bool
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
