extension CompositionFormat {
  static let metadata = ObjectFormat(
    "metadata", "The metadata of the result",
    [
      KeyFormat(
        "inherit", .either([.word(["all", "none", "sharing"]), .object(inheritance)]),
        default: "all", "What is taken over from the sources"),
      KeyFormat(
        "dates", .either([.word(["keep", "shift", "drop"]), .date]), default: "keep",
        "What becomes of dates"),
      KeyFormat(
        "items", .map(metadataValue),
        "Items by common key, or keySpace/key"),
      KeyFormat("remove", .list(.name), "Keys that are not taken over"),
    ])

  static let inheritance = ObjectFormat(
    "inheritance", "One source",
    [KeyFormat("from", .name, required: true, "The source whose metadata is taken over")])

  private static let metadataValue = ValueFormat.either([
    .scalar, .list(.scalar, least: 1), .object(metadataFile),
    .list(.object(metadataFile), least: 1),
  ])

  static let metadataFile = ObjectFormat(
    "metadataFile", "A picture",
    [KeyFormat("file", .path, required: true, "The picture's file")])

  // MARK: Export

  static let export = ObjectFormat(
    "export", "How a composition is exported",
    [
      KeyFormat(
        "container", .word(ExportName.containers), "By default from the output's extension"),
      KeyFormat(
        "mode", .cases(ExportSettings.Mode.self), default: "auto",
        "Whether samples are copied where they can be (auto), all (passthrough), or none (render)"),
      KeyFormat(
        "cut", .cases(ExportSettings.Cut.self), default: "exact",
        "Where copied stretches may begin"),
      KeyFormat("range", .object(range), "A part of the timeline"),
      KeyFormat("video", .either([.object(video), .never]), "The picture; false for none"),
      KeyFormat("audio", .either([.object(audio), .never]), "The sound; false for none"),
      KeyFormat(
        "like", .path,
        "A file, or the id of a source, whose size, rates, layout and coding the result takes"),
      KeyFormat(
        "tracks", .cases(ExportSettings.Tracks.self), default: "keep",
        "Whether further tracks of the sources are taken along (keep), or the main ones alone"),
      KeyFormat(
        "optimizeForNetworkUse", .flag, default: true, "Whether 'moov' stands at the front"),
      KeyFormat(
        "damaged", .cases(ExportSettings.Damage.self), default: "error",
        "What to do about sources that do not decode"),
    ],
    rules: [.notBothFalse("video", "audio")])

  static let range = ObjectFormat(
    "range", "A part of the timeline, with either end open",
    [
      KeyFormat("in", .time, "Its start; by default the timeline's"),
      KeyFormat("out", .time, "Its end, which is not part of it; by default the timeline's"),
    ])

  static let video = ObjectFormat(
    "videoExport", "How the picture is encoded",
    [
      KeyFormat("codec", .word(ExportName.videoCodecs), "The codec, or copy"),
      KeyFormat("encoder", .name, "A particular encoder of FFmpeg"),
      KeyFormat("crf", .rational(0...63), "Constant quality"),
      KeyFormat("preset", .name, "The encoder's preset"),
      KeyFormat("bitrate", .bitrate, "Bits per second"),
      KeyFormat("keyframeInterval", .length, "The longest distance of keyframes"),
      KeyFormat("pixelFormat", .name, "FFmpeg's name of the pixel format"),
      KeyFormat("options", .map(.scalar), "Options of the encoder in FFmpeg's spelling"),
    ])

  static let audio = ObjectFormat(
    "audioExport", "How the sound is encoded",
    [
      KeyFormat("codec", .word(ExportName.audioCodecs), "The codec, or copy"),
      KeyFormat("encoder", .name, "A particular encoder of FFmpeg"),
      KeyFormat("bitrate", .bitrate, "Bits per second"),
      KeyFormat("options", .map(.scalar), "Options of the encoder in FFmpeg's spelling"),
    ])
}

/// The names that exports use.
enum ExportName {
  static let containers = [
    "mp4", "mov", "m4a", "mkv", "webm", "mp3", "flac", "wav", "ogg", "opus", "m4v", "mka", "aiff",
    "caf", "avi", "mpegts", "mxf", "gif", "apng", "nut", "png-sequence", "jpeg-sequence",
  ]
  static let videoCodecs = [
    "h264", "hevc", "av1", "vp8", "vp9", "mpeg2video", "mpeg4", "prores", "dnxhd", "ffv1", "mjpeg",
    "png", "apng", "gif", "qtrle", "copy",
  ]
  static let audioCodecs = [
    "aac", "alac", "mp2", "mp3", "opus", "vorbis", "flac", "ac3", "eac3", "pcm", "pcm_s16le",
    "pcm_s24le",
    "pcm_f32le", "pcm_s16be", "pcm_s24be", "pcm_f32be", "copy",
  ]
}
