import CLibAV

/// The lines of a stream of text subtitles with their exact times, in the language of ASS.
package struct SubtitleScript: Sendable {
  /// A line of dialogue.
  package struct Line: Hashable, Sendable {
    /// When it appears, in ticks.
    package var start: Int64
    /// When it disappears, in ticks; not part of it.
    package var end: Int64
    /// Its place among the lines of the script that it was written in.
    package var order: Int64
    /// The fields between times and text: layer, style, name, margins, effect.
    package var settings: String
    /// What is shown, with ASS's commands in braces.
    package var text: String
    /// The packet as it stands in its file; empty for ASS, where it is ``settings`` and ``text``.
    package var payload: [UInt8] = []
    /// The name of a cue of WebVTT.
    package var identifier: [UInt8] = []
    /// Where a cue of WebVTT says that it is to be shown.
    package var placement: [UInt8] = []
  }

  /// FFmpeg's name of the codec.
  package var codec: String
  /// Seconds per tick.
  package var timeBase: TimeBase
  /// The script's information and styles.
  package var header: String
  /// What the container says of the stream for decoders.
  package var codecSettings: [UInt8] = []
  /// The lines in the order of the stream.
  package var lines: [Line] = []
  /// How many lines of a container end before they begin; they are not among ``lines``.
  package var emptyCount = 0
  /// What cues of WebVTT state of their places, by its names, sorted.
  package var settingNames: [String] = []
  /// What is wrong in a file of subtitles.
  package var findings: [SubtitleFinding] = []
  /// What a file of WebVTT says of all its cues, which has no effect on what is drawn.
  package var blocks: [SubtitleBlock] = []
  /// The fonts that come with it.
  package var fonts: [SubtitleFont] = []

  /// Whether the script was written as ASS or SSA, and not made from plain text by libavcodec.
  package var isStyled: Bool { codec == "ass" || codec == "ssa" }

  /// The end of the last line in ticks.
  package var end: Int64 { lines.map(\.end).max() ?? 0 }

  /// The codecs that are read, by FFmpeg's names.
  package static let codecs: Set<String> = [
    "ass", "ssa", "subrip", "webvtt", "mov_text", "text",
  ]

  /// Whether subtitles of FFmpeg's codec `name` are pictures of text.
  package static func isPictures(_ name: String) -> Bool {
    guard let codec = unsafe avcodec_descriptor_get_by_name(name) else { return false }
    return unsafe codec.pointee.props & AV_CODEC_PROP_BITMAP_SUB != 0
  }

  /// The family in which text without a font of its own is set, and which stands in for others.
  package static let usualFamily = "DejaVu Sans"
}

/// Why subtitles cannot be used.
package enum SubtitleProblem: Error, Sendable {
  /// Text in another encoding than UTF-8, first in a line of the file where that is known.
  case encoding(line: Int?)
  /// A file without any times.
  case noTimes
  /// A file without a line that is shown.
  case noLine
  /// More than is read, in words: "more than 100000 lines".
  case tooLarge(String)
  /// libavcodec or libass refuses something.
  case damaged(LibAVError)
}

extension SubtitleScript {
  /// When a line is shown, in whole milliseconds: at those that lie in its exact range.
  func milliseconds(_ line: Line) -> Range<Int64> {
    func rounded(_ tick: Int64) -> Int64 {
      av_rescale_rnd(
        tick, Int64(timeBase.numerator) * 1000, Int64(timeBase.denominator), AV_ROUND_UP)
    }
    let (start, end) = (rounded(line.start), rounded(line.end))
    return start..<max(start, end)
  }
}
