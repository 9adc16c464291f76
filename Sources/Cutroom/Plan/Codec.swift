/// A codec that can be written: which encoder makes it, and with which settings.
package struct Codec: Hashable, Sendable {
  /// How quality is asked for by default.
  package enum Quality: Hashable, Sendable {
    /// Constant quality, with this value unless the composition gives one.
    case constant(Int)
    /// Bits per second: of a picture of 1920×1080 at 30 Hz, of one channel of sound.
    case bitrate(Int)
    /// Every bit is kept, or the profile alone decides.
    case fixed
  }

  /// The name in the composition file, which is libavcodec's name of the codec.
  package var name: String
  /// libavcodec's encoder.
  package var encoder: String
  /// Pixel formats, for sound sample formats: the default first.
  package var formats: [String]
  /// How quality is asked for by default.
  package var quality: Quality = .fixed
  /// Whether each picture stands alone.
  package var isIntraOnly = false
  /// Whether one encoder makes the whole stream, because pictures refer to their number in it.
  package var isUndivided = false
  /// The longest distance of keyframes by default, in frames.
  package var keyframeInterval = 250

  /// Whether its samples are kept to the bit.
  package var isLosslessSound: Bool {
    name == "flac" || name == "alac" || name.hasPrefix("pcm_")
  }

  /// The layouts that every decoder understands, where the encoder takes more or does not tell.
  package var channelLayouts: [String]? {
    switch name {
    case "aac": ["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "7.1(wide)"]
    case "opus", "vorbis": ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"]
    default: nil
    }
  }

  /// Video codecs.
  package static let video: [Codec] = [
    Codec(
      name: "h264", encoder: "libx264",
      formats: ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le"],
      quality: .constant(20)),
    Codec(
      name: "hevc", encoder: "libx265",
      formats: ["yuv420p", "yuv420p10le", "yuv422p", "yuv422p10le", "yuv444p", "yuv444p10le"],
      quality: .constant(22)),
    Codec(
      name: "vp9", encoder: "libvpx-vp9",
      formats: ["yuv420p", "yuv420p10le", "yuv422p", "yuv444p"], quality: .constant(31),
      keyframeInterval: 128),
    Codec(
      name: "vp8", encoder: "libvpx", formats: ["yuv420p"], quality: .bitrate(4_000_000),
      keyframeInterval: 128),
    Codec(
      name: "av1", encoder: "libsvtav1", formats: ["yuv420p", "yuv420p10le"],
      quality: .constant(32)),
    Codec(
      name: "prores", encoder: "prores_ks", formats: ["yuv422p10le", "yuv444p10le"],
      isIntraOnly: true, keyframeInterval: 1),
    Codec(
      name: "ffv1", encoder: "ffv1",
      formats: [
        "yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "bgr0",
      ],
      isIntraOnly: true, keyframeInterval: 1),
    Codec(
      name: "mpeg4", encoder: "mpeg4", formats: ["yuv420p"], quality: .bitrate(8_000_000),
      keyframeInterval: 60),
    Codec(
      name: "mpeg2video", encoder: "mpeg2video", formats: ["yuv420p", "yuv422p"],
      quality: .bitrate(15_000_000), keyframeInterval: 15),
    Codec(
      name: "mjpeg", encoder: "mjpeg", formats: ["yuvj420p", "yuvj422p", "yuvj444p"],
      quality: .bitrate(60_000_000), isIntraOnly: true, keyframeInterval: 1),
    Codec(
      name: "png", encoder: "png", formats: ["rgb24"], isIntraOnly: true, keyframeInterval: 1),
    Codec(name: "gif", encoder: "gif", formats: ["pal8"], keyframeInterval: 250),
    Codec(name: "apng", encoder: "apng", formats: ["rgb24"], isUndivided: true),
    Codec(
      name: "qtrle", encoder: "qtrle", formats: ["rgb24"], isIntraOnly: true,
      keyframeInterval: 1),
    Codec(
      name: "dnxhd", encoder: "dnxhd", formats: ["yuv422p", "yuv422p10le"], isIntraOnly: true,
      keyframeInterval: 1),
  ]

  /// Audio codecs.
  package static let audio: [Codec] = [
    Codec(name: "aac", encoder: "aac", formats: ["fltp"], quality: .bitrate(96_000)),
    Codec(name: "opus", encoder: "libopus", formats: ["flt"], quality: .bitrate(64_000)),
    Codec(name: "mp3", encoder: "libmp3lame", formats: ["fltp"], quality: .bitrate(96_000)),
    Codec(name: "mp2", encoder: "mp2", formats: ["s16"], quality: .bitrate(96_000)),
    Codec(name: "vorbis", encoder: "libvorbis", formats: ["fltp"], quality: .bitrate(80_000)),
    Codec(name: "ac3", encoder: "ac3", formats: ["fltp"], quality: .bitrate(96_000)),
    Codec(name: "eac3", encoder: "eac3", formats: ["fltp"], quality: .bitrate(96_000)),
    Codec(name: "flac", encoder: "flac", formats: ["s16", "s32"]),
    Codec(name: "alac", encoder: "alac", formats: ["s16p", "s32p"]),
    Codec(name: "pcm_s16le", encoder: "pcm_s16le", formats: ["s16"]),
    Codec(name: "pcm_s24le", encoder: "pcm_s24le", formats: ["s32"]),
    Codec(name: "pcm_f32le", encoder: "pcm_f32le", formats: ["flt"]),
    Codec(name: "pcm_s16be", encoder: "pcm_s16be", formats: ["s16"]),
    Codec(name: "pcm_s24be", encoder: "pcm_s24be", formats: ["s32"]),
    Codec(name: "pcm_f32be", encoder: "pcm_f32be", formats: ["flt"]),
  ]

  /// The codec of that name; `pcm` is `pcm_s16le`.
  package static func named(_ name: String) -> Codec? {
    (video + audio).first { $0.name == (name == "pcm" ? "pcm_s16le" : name) }
  }
}
