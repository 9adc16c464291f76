import Foundation

/// ffmpeg's arguments for each fixture, without the output's name.
///
/// An argument `{name}` stands for the path of another fixture.
enum FixtureRecipes {
  static let all: [String: [String]] = counting.merging(cuts) { $1 }.merging(sounds) { $1 }
    .merging(pictures) { $1 }

  // MARK: Counting pictures with tones

  private static let bars =
    "geq=lum='if(bitand(floor(N/pow(2\\,floor(X/20)))\\,1)\\,235\\,16)':cb=128:cr=128,"
    + "scale=320:180:flags=neighbor"

  private static func tones(_ seconds: Int) -> String {
    "aevalsrc=exprs='0.25*sin(2*PI*(200+100*floor(t))*t)':s=48000:d=\(seconds)"
  }

  private static func count(
    _ rate: String, group: Int, reordered: Int = 2, seconds: Int = 10, _ more: [String] = []
  ) -> [String] {
    [
      "-f", "lavfi", "-i", "color=black:s=320x2:r=\(rate):d=\(seconds),format=yuv420p,\(bars)",
      "-f", "lavfi", "-i", tones(seconds), "-c:v", "libx264", "-preset", "veryfast", "-crf", "12",
      "-g", "\(group)", "-keyint_min", "\(group)", "-sc_threshold", "0", "-bf", "\(reordered)",
      "-threads", "1", "-c:a", "aac", "-b:a", "96k",
    ] + more + ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"]
  }

  private static func x265(_ parameters: [String]) -> [String] {
    let fixed = ["log-level=error", "keyint=50", "min-keyint=50", "scenecut=0", "pools=1"]
    return [
      "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
      (fixed + parameters).joined(separator: ":"), "-tag:v", "hvc1",
    ]
  }

  /// Counting pictures without sound.
  private static func coded(_ more: [String]) -> [String] {
    ["-f", "lavfi", "-i", "color=black:s=320x2:r=25:d=10,format=yuv420p,\(bars),setsar=1"]
      + more + ["-g", "50", "-threads", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]
  }

  private static let counting: [String: [String]] = [
    "mpeg25.mp4": coded([
      "-c:v", "mpeg2video", "-q:v", "2", "-bf", "2", "-sc_threshold", "1000000000",
    ]),
    "mpegfields25.ts": coded([
      "-c:v", "mpeg2video", "-q:v", "2", "-bf", "2", "-sc_threshold", "1000000000", "-top", "1",
      "-flags", "+ildct+ilme",
    ]),
    "mpeg425.mp4": coded(["-c:v", "mpeg4", "-q:v", "2", "-bf", "0"]),
    "vp925.webm": coded([
      "-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0", "-cpu-used", "8", "-deadline", "realtime",
    ]),
    "av125.mp4": coded(["-c:v", "libsvtav1", "-preset", "12", "-crf", "20"]),
    "prores25.mov": coded(["-c:v", "prores_ks", "-profile:v", "1", "-pix_fmt", "yuv422p10le"]),
    "fields25.mp4": count(
      "25", group: 50, ["-flags", "+ildct+ilme", "-x264opts", "tff=1"]),
    "count25.mp4": count("25", group: 50),
    "count25b.mp4": count("25", group: 50, ["-metadata", "title=B"]),
    "count25_nobf.mp4": count("25", group: 50, reordered: 0),
    "count30.mp4": count("30", group: 60),
    "count2997.mp4": count("30000/1001", group: 60),
    "count23976.mp4": count("24000/1001", group: 48),
    "count5994.mp4": count("60000/1001", group: 120),
    "count24.mp4": count("24", group: 250, seconds: 40),
    "ten25.mp4": count("25", group: 50, ["-pix_fmt", "yuv420p10le"]),
    "open25.mp4": count("25", group: 50, ["-x264-params", "open-gop=1"]),
    "hevc25.mp4": count("25", group: 50, x265(["open-gop=0"])),
    "hevcopen25.mp4": count("25", group: 50, x265(["open-gop=1"])),
    "hevcten25.mp4": count("25", group: 50, x265(["open-gop=0"]) + ["-pix_fmt", "yuv420p10le"]),
    "second25.mp4": count("25", group: 50, ["-x264-params", "sps-id=1"]),
    "vfr.mp4": [
      "-f", "lavfi", "-i",
      "color=black:s=320x2:r=30:d=10,format=yuv420p,\(bars),"
        + "select='if(lt(t\\,5)\\,1\\,not(mod(n\\,3)))'",
      "-f", "lavfi", "-i", tones(10), "-vsync", "vfr", "-c:v", "libx264", "-crf", "12", "-g", "60",
      "-bf", "2", "-c:a", "aac", "-video_track_timescale", "90000",
    ],
  ]

  // MARK: Variations of them

  private static func copy(_ name: String, _ more: [String] = []) -> [String] {
    ["-i", "{\(name)}", "-c", "copy"] + more
  }

  private static func sound(_ source: String, on name: String = "count25.mp4") -> [String] {
    [
      "-i", "{\(name)}", "-f", "lavfi", "-i", source, "-map", "0:v", "-map", "1:a", "-c:v", "copy",
      "-c:a", "aac",
    ]
  }

  /// `count25` with tones of its length instead of its sound; the one in `nob` is a comment.
  private static func sounds(_ tracks: [(language: String, tone: Int)]) -> [String] {
    let inputs = tracks.flatMap { track in
      ["-f", "lavfi", "-i", "sine=\(track.tone):r=48000:d=10"]
    }
    let labels = tracks.enumerated().flatMap { index, track in
      ["-map", "\(index + 1):a", "-metadata:s:a:\(index)", "language=\(track.language)"]
        + (track.language == "nob" ? ["-disposition:a:\(index)", "comment"] : [])
    }
    return ["-i", "{count25.mp4}"] + inputs + ["-map", "0:v"] + labels
      + ["-c:v", "copy", "-c:a", "aac"]
  }

  /// `count25` with chapters from and to a second.
  private static func chapters(_ list: [(from: Int, to: Int, title: String?)]) -> [String] {
    let text = list.map { chapter in
      "[CHAPTER]\nTIMEBASE=1/1\nSTART=\(chapter.from)\nEND=\(chapter.to)\n"
        + (chapter.title.map { "title=\($0)\n" } ?? "")
    }
    let data = Data((";FFMETADATA1\n" + text.joined()).utf8).base64EncodedString()
    return [
      "-i", "{count25.mp4}", "-f", "ffmetadata", "-i", "data:text/plain;base64," + data, "-map",
      "0", "-map_chapters", "1", "-c", "copy",
    ]
  }

  private static let cuts: [String: [String]] = [
    "count25.ts": copy("count25.mp4"),
    "count2997.mkv": copy("count2997.mp4", ["-an"]),
    "ms2997.mp4": copy("count2997.mkv", ["-video_track_timescale", "90000"]),
    "ms30.flv": copy("count30.mp4", ["-an"]),
    "hevc25.ts": copy("hevc25.mp4"),
    "count25.avi": copy("count25.mp4"),
    "noctts.mp4": copy("count25.mp4", ["-bsf:v", "setts=pts=DTS:dts=DTS"]),
    "tb90.mp4": copy("count25.mp4", ["-video_track_timescale", "90000"]),
    "neg.mp4": copy("count25.mp4", ["-movflags", "negative_cts_offsets"]),
    "fs.mp4": copy("count25.mp4", ["-movflags", "+faststart"]),
    "rot90.mp4": copy("count25.mp4", ["-metadata:s:v:0", "rotate=90"]),
    "rot270.mp4": copy("count25.mp4", ["-metadata:s:v:0", "rotate=270"]),
    "a441.mp4": ["-i", "{count25.mp4}", "-c:v", "copy", "-c:a", "aac", "-ar", "44100"],
    "loc.mp4": copy(
      "count25.mp4",
      [
        "-metadata", "creation_time=2024-01-02T03:04:05Z", "-metadata",
        "location=+48.8577+002.295/", "-metadata", "title=Here",
      ]),
    "ma.mp4": sounds([("eng", 400), ("nob", 900)]),
    "ma3.mp4": sounds([("eng", 400), ("fra", 700), ("nob", 900)]),
    "ma.mkv": copy("ma.mp4", ["-map", "0", "-metadata:s:a:1", "title=Kommentar"]),
    "chap.mkv": chapters([(0, 4, "One"), (4, 7, nil), (7, 10, "Drei ü")]),
    "rot180.mp4": copy("count25.mp4", ["-metadata:s:v:0", "rotate=180"]),
    "big30.mp4": [
      "-i", "{count25.mp4}", "-t", "4", "-vf", "scale=640:360", "-r", "30", "-c:v", "libx264",
      "-profile:v", "main", "-g", "30", "-ar", "44100", "-ac", "2", "-c:a", "aac",
      "-video_track_timescale", "90000",
    ],
    "base.mp4": [
      "-i", "{count25.mp4}", "-c:v", "libx264", "-profile:v", "baseline", "-g", "50", "-c:a",
      "copy",
    ],
    "tc.mov": copy("count25.mp4", ["-timecode", "01:00:00:00"]),
    "tcdrop.mov": copy("count2997.mp4", ["-timecode", "00:00:59;28"]),
    "tcday.mov": copy("count25.mp4", ["-timecode", "23:59:59:00"]),
    "alonger.mp4": sound("sine=440:d=10.4"),
    "ashort.mp4": sound("sine=440:d=9.2"),
    "a7.mp4": sound("sine=440:d=7"),
    "noaudio.mp4": [
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2", "-c:v", "libx264", "-preset",
      "ultrafast",
    ],
    "sync.mp4": [
      "-f", "lavfi", "-i",
      "color=black:s=320x180:r=25:d=4,"
        + "drawbox=t=fill:c=white:enable='gte(t,2)'",
      "-f", "lavfi", "-i", "aevalsrc='if(gte(t,2),0.8*sin(2*PI*1000*t),0)':s=48000:d=4",
      "-c:v", "libx264", "-c:a", "aac",
    ],
  ]

  // MARK: Sound

  private static func lavfi(_ source: String, _ more: [String] = []) -> [String] {
    ["-f", "lavfi", "-i", source] + more
  }

  private static let sounds: [String: [String]] = [
    "tone.mp4": [
      "-f", "lavfi", "-i", "sine=440:d=10:sample_rate=48000", "-f", "lavfi", "-i",
      "color=black:s=320x180:r=25:d=10", "-c:v", "libx264", "-g", "25", "-c:a", "aac",
    ],
    "c100.wav": lavfi("aevalsrc='0.8*cos(2*PI*100*t)':s=48000:d=2"),
    "s.mp3": lavfi("sine=440:d=1.003:sample_rate=44100", ["-c:a", "libmp3lame"]),
    "sine440.wav": lavfi("sine=440:sample_rate=48000:d=10"),
    "sine900.wav": lavfi("sine=900:sample_rate=48000:d=2"),
    "loud.wav": lavfi("aevalsrc='0.8*sin(2*PI*440*t)':s=48000:d=4", ["-c:a", "pcm_f32le"]),
    "m.wav": lavfi("sine=440:sample_rate=48000:d=4", ["-ac", "1"]),
    "st441.wav": lavfi("aevalsrc='0.3*sin(2*PI*440*t)|0.3*sin(2*PI*660*t)':s=44100:d=4"),
    "s51.wav": lavfi(
      "sine=1000:sample_rate=48000:d=4",
      ["-af", "pan=5.1|FL=c0|FR=0.5*c0|FC=0.25*c0|LFE=0*c0|BL=0.7*c0|BR=0.3*c0"]),
    "noise9.wav": lavfi("anoisesrc=d=8.904:seed=1:r=48000:a=0.3"),
    "noise11.wav": lavfi("anoisesrc=d=11.5:seed=2:r=48000:a=0.3"),
  ]

  // MARK: Pictures

  /// Fields of a pattern that moves 12 pixels from one to the next.
  private static func fields(_ more: [String], order: String = "tff") -> [String] {
    lavfi(
      "testsrc2=s=320x180:r=50:d=2",
      [
        "-vf",
        "scroll=h=0.0375,interlace=scan=\(order):lowpass=0,setfield=\(order),setparams=colorspace=bt709",
      ] + more)
  }

  private static let pictures: [String: [String]] = [
    "odd.mp4": lavfi(
      "testsrc=s=321x181:r=25:d=1", ["-c:v", "libx264", "-pix_fmt", "yuv444p"]),
    "bars.mp4": lavfi(
      "smptehdbars=s=1280x720:r=25:d=0.2",
      [
        "-c:v", "libx264", "-crf", "5", "-colorspace", "bt709", "-color_primaries", "bt709",
        "-color_trc", "bt709", "-color_range", "tv",
      ]),
    "patch.png": lavfi("color=0xC000C0:s=64x64", ["-frames:v", "1", "-pix_fmt", "rgb24"]),
    "hlg.mp4": lavfi(
      "testsrc2=s=320x180:r=25:d=1",
      [
        "-vf",
        "format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=arib-std-b67:"
          + "colorspace=bt2020nc:range=tv",
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "log-level=error:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc", "-tag:v",
        "hvc1",
      ]),
    "full.mp4": lavfi(
      "color=0x404040:s=320x180:r=25:d=1",
      [
        "-vf", "scale=out_range=full,format=yuvj420p", "-c:v", "libx264", "-crf", "5",
        "-color_range", "pc",
      ]),
    "limited.mp4": lavfi(
      "color=0x404040:s=320x180:r=25:d=1",
      ["-vf", "format=yuv420p", "-c:v", "libx264", "-crf", "5", "-color_range", "tv"]),
    "fields.mp4": fields([
      "-c:v", "libx264", "-crf", "6", "-g", "10", "-bf", "2", "-flags", "+ildct+ilme", "-x264opts",
      "tff=1", "-threads", "1",
    ]),
    "fields-bff.mov": fields(["-c:v", "prores", "-flags", "+ildct"], order: "bff"),
    "percent%03d.jpg": lavfi(
      "color=0x204080:s=320x180", ["-frames:v", "1", "-update", "1"]),
    "scene.png": lavfi("testsrc2=s=320x180", ["-frames:v", "1"]),
  ]
}
