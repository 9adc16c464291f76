public import CutroomModel

/// A named set of export settings, as AVFoundation's `AVAssetExportPreset…` names them.
///
/// A preset takes the place of a composition's `export.video` and `export.audio`; a stream that the
/// composition leaves out stays out.
/// Its picture is never larger than the timeline's.
public struct ExportPreset: Hashable, Sendable {
  /// Its name on the command line.
  public var name: String
  /// What it is for, in a few words.
  public var summary: String
  /// The container where the output's name tells none.
  public var container: String
  /// How the picture is encoded; `nil` for sound alone.
  public var video: VideoExport?
  /// How the sound is encoded; `nil` for no sound.
  public var audio: AudioExport?
  /// The landscape frame that the picture is fitted into; `nil` keeps the timeline's size.
  ///
  /// Upright pictures are fitted into the upright frame.
  public var frame: PixelSize?
  /// Whether samples are copied.
  public var mode: ExportSettings.Mode = .render

  /// The preset of that name.
  public static func named(_ name: String) -> ExportPreset? { all.first { $0.name == name } }

  /// The size of a picture of `size` in this preset's frame: scaled down alike in both directions,
  /// never up, to whole even pixels.
  public func size(fitting size: PixelSize) -> PixelSize {
    guard let frame, size.width > 0, size.height > 0 else { return size }
    let isUpright = size.height > size.width
    let width = isUpright ? frame.height : frame.width
    let height = isUpright ? frame.width : frame.height
    let factor = min(Rational(width, size.width), Rational(height, size.height))
    guard factor < 1 else { return size }
    func even(_ side: Int) -> Int {
      max(2, 2 * Int(clamping: (Rational(side) * factor / 2).rounded))
    }
    return PixelSize(width: even(size.width), height: even(size.height))
  }

  /// Puts the preset in the place of a composition's settings.
  func apply(to settings: inout ExportSettings, output: String) {
    settings.mode = mode
    if Container.forFile(output) == nil { settings.container = container }
    if case .settings = settings.video {
      settings.video = video.map { .settings($0) } ?? .none
    }
    if case .settings = settings.audio {
      settings.audio = audio.map { .settings($0) } ?? .none
    }
  }
}

extension ExportPreset {
  /// All presets, in the order of `cutroom presets`.
  public static let all: [ExportPreset] =
    [
      picture("h264-2160p", "plays nearly everywhere, up to 4K", "h264", crf: 20, 3840, 2160),
      picture("h264-1080p", "plays everywhere, up to full HD", "h264", crf: 20, 1920, 1080),
      picture("h264-720p", "plays everywhere, small", "h264", crf: 21, 1280, 720),
      picture("hevc-2160p", "half the size of H.264, up to 4K", "hevc", crf: 22, 3840, 2160),
      picture("hevc-1080p", "half the size of H.264, up to full HD", "hevc", crf: 22, 1920, 1080),
      web("web-vp9", "for browsers, without licences", "vp9", crf: 31),
      web("av1", "the smallest files, slow to make", "av1", crf: 32),
      prores("prores-422", "for further editing", profile: "standard"),
      prores("prores-422-hq", "for further editing and grading", profile: "hq"),
      prores("prores-422-proxy", "small, for editing only", profile: "proxy"),
      sound("m4a", "AAC at 192 kbit/s", "m4a", "aac", bitrate: 192_000),
      sound("m4a-lossless", "ALAC, every bit kept", "m4a", "alac"),
      sound("mp3-192", "MP3 at 192 kbit/s", "mp3", "mp3", bitrate: 192_000),
      sound("mp3-320", "MP3 at 320 kbit/s", "mp3", "mp3", bitrate: 320_000),
      sound("opus-128", "Opus at 128 kbit/s", "opus", "opus", bitrate: 128_000),
      sound("flac", "FLAC, every bit kept", "flac", "flac"),
      sound("wav", "uncompressed, as deep as the sources", "wav", nil),
      pictures("gif", "a looping animation", "gif", "gif", PixelSize(width: 640, height: 640)),
      pictures("apng", "a looping animation without loss", "apng", "apng", nil),
      pictures("png-sequence", "a folder of PNG pictures", "png-sequence", "png", nil),
      pictures("jpeg-sequence", "a folder of JPEG pictures", "jpeg-sequence", "mjpeg", nil),
      ExportPreset(
        name: "passthrough", summary: "nothing is encoded; what would need it is an error",
        container: "mp4", video: VideoExport(), audio: AudioExport(), mode: .passthrough),
    ]

  private static func picture(
    _ name: String, _ summary: String, _ codec: String, crf: Int, _ width: Int, _ height: Int
  ) -> ExportPreset {
    var video = VideoExport()
    (video.codec, video.crf, video.preset) = (codec, Rational(crf), "medium")
    var audio = AudioExport()
    (audio.codec, audio.bitrate) = ("aac", 192_000)
    return ExportPreset(
      name: name, summary: summary, container: "mp4", video: video, audio: audio,
      frame: PixelSize(width: width, height: height))
  }

  private static func web(
    _ name: String, _ summary: String, _ codec: String, crf: Int
  ) -> ExportPreset {
    var video = VideoExport()
    (video.codec, video.crf) = (codec, Rational(crf))
    var audio = AudioExport()
    (audio.codec, audio.bitrate) = ("opus", 128_000)
    return ExportPreset(
      name: name, summary: summary, container: "webm", video: video, audio: audio,
      frame: PixelSize(width: 1920, height: 1080))
  }

  private static func prores(
    _ name: String, _ summary: String, profile: String
  ) -> ExportPreset {
    var video = VideoExport()
    video.codec = "prores"
    video.options = [CodecOption(name: "profile", value: profile)]
    var audio = AudioExport()
    audio.codec = "pcm_s24le"
    return ExportPreset(
      name: name, summary: summary, container: "mov", video: video, audio: audio)
  }

  private static func sound(
    _ name: String, _ summary: String, _ container: String, _ codec: String?, bitrate: Int? = nil
  ) -> ExportPreset {
    var audio = AudioExport()
    (audio.codec, audio.bitrate) = (codec, bitrate)
    return ExportPreset(name: name, summary: summary, container: container, audio: audio)
  }

  private static func pictures(
    _ name: String, _ summary: String, _ container: String, _ codec: String, _ frame: PixelSize?
  ) -> ExportPreset {
    var video = VideoExport()
    video.codec = codec
    return ExportPreset(
      name: name, summary: summary, container: container, video: video, frame: frame)
  }
}
