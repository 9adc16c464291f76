/// The description of the composition file, version 1.
package enum CompositionFormat {
  /// The name of the format.
  package static let name = "cutroom/1"

  /// The whole file.
  package static let top = ObjectFormat(
    "composition", "A composition: what is on the timeline, how it is exported, its metadata",
    [
      KeyFormat("format", .word([name]), required: true, "The format and its version"),
      KeyFormat("name", .text, "The program's name"),
      KeyFormat("timeline", .object(timeline), "The canvas"),
      KeyFormat("sources", .map(source), "The sources by the ids that clips use"),
      KeyFormat("tracks", .list(.object(track)), required: true, "The tracks, bottom to top"),
      KeyFormat("edits", .list(edit), "Editing operations on the laid-out tracks, in order"),
      KeyFormat(
        "chapters", .either([.word(["keep", "clips"]), .list(.object(chapter))]),
        default: "keep",
        "The chapters: those of the sources (keep), one per clip by its name (clips), or a list"),
      KeyFormat("audio", .object(soundPolicy), "How the sum of all sound is treated"),
      KeyFormat("metadata", .object(metadata), "The metadata of the result"),
      KeyFormat("export", .object(export), "How it is exported"),
    ])

  static let timeline = ObjectFormat(
    "timeline", "The canvas; what is absent is taken from the first picture and sound clip",
    [
      KeyFormat("frameRate", .frameRate, "Frames per second"),
      KeyFormat("size", .size, "Width and height in square pixels"),
      KeyFormat("background", .color, default: "#000000", "What shows where nothing is drawn"),
      KeyFormat("color", .cases(TimelineColor.self), "The colour space"),
      KeyFormat("sampleRate", .integer(1...768_000, unit: "samples per second"), "The sample rate"),
      KeyFormat("channelLayout", .word(ChannelLayoutName.all), "FFmpeg's name of the layout"),
      KeyFormat("startTimecode", .timecode, "The timecode of the first frame"),
    ])

  static let chapter = ObjectFormat(
    "chapter", "The start of a chapter",
    [
      KeyFormat("at", .time, required: true, "When it starts"),
      KeyFormat("title", .text, required: true, "What it is called"),
    ])

  static let soundPolicy = ObjectFormat(
    "soundPolicy", "How the sum of all sound is treated",
    [
      KeyFormat(
        "declick", .time, default: "2ms", "The fade at hard cuts where the sound jumps; 0 for none"),
      KeyFormat(
        "peak", .cases(SoundPolicy.Peak.self), default: "limit",
        "What happens to samples beyond full scale"),
      KeyFormat("loudness", .object(loudness), "The loudness that the whole is brought to"),
    ])

  static let loudness = ObjectFormat(
    "loudness", "A loudness by EBU R 128",
    [
      KeyFormat(
        "integrated", .rational(-70...(-5)), required: true, "The integrated loudness in LUFS"),
      KeyFormat("truePeak", .rational(-9...0), default: -1, "The highest true peak in dBTP"),
    ])

  // MARK: Sources

  /// The kinds of sources; the first key of each says which one it is.
  static let sourceKinds = [file, generator, color, text, composition]

  static let source = ValueFormat.either([.path] + sourceKinds.map { .object($0) })

  static let file = ObjectFormat(
    "fileSource", "A media file or still",
    [
      KeyFormat("path", .path, required: true, "The file, relative to this one"),
      KeyFormat("video", stream, "The picture stream: its index, or its language"),
      KeyFormat("audio", stream, "The sound stream: its index, or its language"),
    ])

  private static let stream = ValueFormat.either([.integer(0...9999, unit: ""), .name])

  static let generator = ObjectFormat(
    "generatorSource", "A source filter of libavfilter",
    [
      KeyFormat("generator", .name, required: true, "The filter and its options"),
      KeyFormat("size", .size, "The picture's size"),
      KeyFormat("frameRate", .frameRate, "The picture's rate"),
      KeyFormat("duration", .time, "How long it lasts; without it, it has no end"),
    ])

  static let color = ObjectFormat(
    "colorSource", "A picture of one colour without an end",
    [KeyFormat("color", .color, required: true, "The colour")])

  static let text = ObjectFormat(
    "textSource", "Lettering without an end",
    [
      KeyFormat("text", .text, required: true, "The text; line ends begin new lines"),
      KeyFormat("font", .name, default: "DejaVu Sans", "The font's family"),
      KeyFormat(
        "size", .rational(0...10_000, isAbove: true), default: 48, "Its size in timeline pixels"),
      KeyFormat("color", .color, default: "#FFFFFF", "The letters' colour"),
      KeyFormat(
        "align", .cases(TextSource.Alignment.self), default: "center", "How lines lie to each other"
      ),
      KeyFormat("box", .color, "The colour of a box behind the letters"),
      KeyFormat("outline", .color, "The colour of a line around the letters"),
      KeyFormat(
        "outlineWidth", .rational(0...100, isAbove: true),
        "How wide that line is, in timeline pixels; by default a sixteenth of the size"),
    ])

  static let composition = ObjectFormat(
    "compositionSource", "Another composition",
    [KeyFormat("composition", .path, required: true, "The file, relative to this one")])
}

/// The channel layouts that FFmpeg knows by name.
enum ChannelLayoutName {
  static let all = [
    "mono", "stereo", "2.1", "3.0", "3.0(back)", "4.0", "quad", "quad(side)", "3.1", "5.0",
    "5.0(side)", "4.1", "5.1", "5.1(side)", "6.0", "6.0(front)", "hexagonal", "6.1", "6.1(back)",
    "6.1(front)", "7.0", "7.0(front)", "7.1", "7.1(wide)", "7.1(wide-side)", "octagonal",
    "hexadecagonal", "downmix", "22.2",
  ]
}
