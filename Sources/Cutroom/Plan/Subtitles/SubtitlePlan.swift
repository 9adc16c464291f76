package import CutroomMedia
package import CutroomModel

/// A track of subtitles of the result, with everything that will be written.
package struct SubtitlePlan: Sendable {
  /// A packet of the result.
  package struct Cue: Hashable, Sendable {
    /// When it appears, in ticks of the result.
    package var start: Int64
    /// When it disappears; not part of it.
    package var end: Int64
    /// What the container stores.
    package var payload: [UInt8]
    /// The name of a cue of WebVTT.
    package var identifier: [UInt8] = []
    /// Where a cue of WebVTT says that it is to be shown.
    package var placement: [UInt8] = []
    /// Whether nothing is shown: containers of the MP4 family fill gaps.
    package var isGap = false
  }

  /// FFmpeg's name of the codec.
  package var codec: String
  /// What the container says of the stream for decoders.
  package var settings: [UInt8]
  /// What is written, in order.
  package var cues: [Cue]
  /// Ticks per second of all times.
  package var ticksPerSecond: Int64
  /// What the container says of it for people and players.
  package var label: StreamLabel
  /// Whether the lines stand as in the sources, and only their times are others.
  package var isCopied: Bool
  /// The streams that they come from, by file.
  package var streams: [String: Set<Int>]
  /// The fonts that ASS is set in, which Matroska holds beside its streams.
  package var fonts: [SubtitleFont] = []
  /// The size of the pictures that they lie on.
  package var canvas: PixelSize
  /// How many lines are shown.
  package var lineCount: Int { cues.count { !$0.isGap } }
}

extension ExportPlan {
  /// The fonts of all tracks of subtitles, each once, as Matroska holds them.
  var fontAttachments: [Muxer.Attachment] {
    furtherSubtitles.flatMap(\.fonts).uniqued().map { font in
      let isOpenType = font.bytes.starts(with: Array("OTTO".utf8))
      return Muxer.Attachment(
        fileName: font.name, mediaType: isOpenType ? "font/otf" : "font/ttf", description: "",
        bytes: font.bytes)
    }
  }
}
