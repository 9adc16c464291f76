import CutroomMedia
import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Cuts of real files, every shown picture compared with an independent decode.
@Suite(.needsFFmpeg, .needsSamples)
struct RealCutTests {
  private static let clock = "h264/timestamps-burned-320x240p60-aac48k.mp4"

  /// The source is full range, the timeline limited.
  private static let toLimitedRange =
    "scale=in_range=full:out_range=limited:in_color_matrix=smpte170m:out_color_matrix=smpte170m:"
    + "flags=bicubic+accurate_rnd+full_chroma_int+bitexact,format=yuv420p"

  @Test(arguments: [("0.737s", 44), ("2.5s", 150), ("4.2345s", 254)])
  func arbitraryInPointsShowExactlyThePicturesOfAnIndependentDecode(
    start: String, first: Int
  ) throws {
    let source = URL(filePath: try ProbeFolder.path(Self.clock))
    let all = try DecodedPictures.hashes(source)
    #expect(all.count == 300)
    try withTemporaryDirectory { folder in
      let text = Text(
        clips: try sample(Self.clock, #""in": "\#(start)", "duration": "0.5s""#),
        export: Text.lossless)
      let made = try text.export(to: "cut.mkv", in: folder)
      let converted = try DecodedPictures.hashes(source, filter: Self.toLimitedRange)
      #expect(try DecodedPictures.hashes(made.url) == Array(converted[first..<first + 30]))
    }
  }

  @Test func threeCutsInARowFollowEachOtherWithoutRepeatOrLoss() throws {
    let source = URL(filePath: try ProbeFolder.path(Self.clock))
    try withTemporaryDirectory { folder in
      let clips = try [(1, 0.3), (4, 0.25), (2, 0.4)].map { start, length in
        try sample(Self.clock, #""in": \#(start), "duration": \#(length)"#)
      }
      let made = try Text(clips: clips.joined(separator: ","), export: Text.lossless)
        .export(to: "cuts.mkv", in: folder)
      let all = try DecodedPictures.hashes(source, filter: Self.toLimitedRange)
      let expected = all[60..<78] + all[240..<255] + all[120..<144]
      #expect(try DecodedPictures.hashes(made.url) == Array(expected))
      #expect(try DecodedSound.count(made.url, channels: 2) == 48000 * 95 / 100)
    }
  }

  /// The rates of files whose containers count milliseconds.
  private static let grids: [String: Rational] = [
    "vpx-av1/vp9-540p60-5p1vorbis.webm": 60,
    "tracks/multi-audio-multi-subs.mkv": 24,
  ]

  @Test(arguments: [
    "legacy/mpeg4-sp-23976-mp3.avi",
    "vpx-av1/av1-sdr-2997-aac.mp4",
    "h264/bframes-1080x720p2997-aac44k-mono-audio-empty-edit.mp4",
    "editlist/multi-2-edits-ends-bframe.mov", "editlist/trim-discard-last-frame.mp4",
    "editlist/empty-edit-video-1s-audio-priming1024.mp4", "tracks/multi-audio-multi-subs.mkv",
    "editlist/trim-discard-first-keyframe.mp4", "editlist/trim-preroll-sync-only.mp4",
    "hevc/hev1-720p23976-opengop-foreman.mp4",
    "vpx-av1/vp9-540p60-5p1vorbis.webm", "legacy/mpeg2-1080p24-mp2-bbb.ts",
  ])
  func everyFormatShowsThePictureWhoseIntervalHoldsTheTime(name: String) throws {
    let source = URL(filePath: try ProbeFolder.path(name))
    let shown = try SourcePictures(source, grid: Self.grids[name])
    // From the middle on: a seek, then on.
    let start = shown.times[shown.times.count / 2]
    let end = try #require(shown.times.last { $0 < start + Rational(2, 5) })
    try withTemporaryDirectory { folder in
      let text = Text(
        clips: try clip(
          source.path, #""in": "\#(start)", "out": "\#(end)", "audio": false"#),
        export: Text.lossless)
      let made = try text.export(to: "cut.mkv", in: folder)
      let rate = try #require(
        try text.plan(folder.path + "/p.mkv").timeline.frameRate as FrameRate?)
      let hashes = try DecodedPictures.hashes(made.url, filter: SourcePictures.comparing)
      let expected = hashes.indices.map { index in
        shown.hash(at: start + rate.time(ofFrame: Int64(index)))
      }
      #expect(hashes == expected)
    }
  }

  /// Of the five keyframes that the first file lists, only the first is one; behind those of the
  /// second, which begin open groups, decoders lose pictures.
  @Test(
    arguments: [
      (
        "legacy/h263-amrnb-vfr-phone.3gp",
        [Rational(69, 10), 7, Rational(36, 10), Rational(104, 10)]
      ),
      ("h264/opengop-iibbibb-444-1fps-editlist.mp4", [10, 4, 7, 9, 3, 11]),
      ("hls/fmp4-muxed/playlist.m3u8", [Rational(1, 2), 0, Rational(9, 10)]),
    ] as [(String, [Rational])])
  func keyframesThatDoNotTellTheTruthDoNoHarm(name: String, times: [Rational]) throws {
    let source = try ProbeFolder.path(name)
    let shown = try SourcePictures(URL(filePath: source), filter: "null")
    let asset = try AssetInfo.open(source)
    let track = try #require(asset.track(.video))
    let reader = try FrameReader(
      asset: asset, track: track, threads: 1, damage: DamagePolicy(conceals: false))
    for time in times {
      let picture = try #require(try reader.picture(at: time))
      #expect(picture.frame.digest() == shown.hash(at: time), "\(time)")
    }
  }

  /// Ends that are rounded as timestamps are; in the last file, the last picture is held for long.
  @Test(arguments: [
    ("phone/iphone-rot90-568x320-29976-aac44k.mov", Rational(1241, 600)),
    ("tracks/chapters-qt-and-nero.mp4", Rational(90089, 90000)),
    ("vfr/flir-1080x1440-vfr7-audio-empty-edit.mp4", Rational(1703, 150)),
  ])
  func aClipWithoutAnEndGoesToTheFiles(name: String, end: Rational) throws {
    try withTemporaryDirectory { folder in
      let text = Text(
        clips: try sample(name, "\"in\": \"\((end - Rational(1, 2)).doubleValue)s\""),
        export: Text.quick)
      let made = try text.export(to: "end.mp4", in: folder)
      let duration = try AssetInfo.open(made.url.path).duration
      // The last one gets ten pictures a second.
      #expect((duration - Rational(1, 2)).magnitude <= Rational(1, 10), "\(duration)")
    }
  }

  /// Backwards, reading begins anew for each stretch.
  @Test func backwardsNoPictureBehindAnOpenGroupIsLost() throws {
    let source = try ProbeFolder.path("h264/opengop-iibbibb-444-1fps-editlist.mp4")
    let shown = try SourcePictures(URL(filePath: source), filter: "null")
    let asset = try AssetInfo.open(source)
    let reader = try FrameReader(
      asset: asset, track: try #require(asset.track(.video)), threads: 1,
      damage: DamagePolicy(conceals: false))
    for time in [12, 11, 8, 5].map({ Rational($0) }) {
      let pictures = try reader.pictures(before: time, limit: 3)
      let expected = (1...3).reversed().map { shown.hash(at: time - Rational($0)) }
      #expect(pictures.map { $0.frame.digest() } == expected, "before \(time)")
    }
    let picture = try #require(try reader.picture(at: 11))
    try reader.findPrevious(of: picture)
    #expect(reader.previous?.frame.digest() == shown.hash(at: 10))
  }
}

/// The pictures of a file by the time they begin, as ffprobe and ffmpeg have them.
struct SourcePictures {
  /// Source times, rising.
  var times: [Rational] = []
  var hashes: [String] = []

  /// Compares the luma of both sides: a conversion of colour would hide nothing there.
  static let comparing = "extractplanes=y"

  /// `grid` is the rate of a file whose container counts milliseconds.
  init(_ url: URL, filter: String = comparing, grid: Rational? = nil) throws {
    let probed = try ProbedFile(url, shows: ["frames"], options: ["-select_streams", "v:0"])
    let base = probed.streams.first?["time_base"]?.split(separator: "/").compactMap { Int64($0) }
    guard let base, base.count == 2 else { throw Program.Failure(description: "no time base") }
    let isMovie = probed.format["format_name"]?.hasPrefix("mov") ?? false
    let all = try ProbedFile(url)
    let origin =
      isMovie
      ? Rational.zero
      : all.streams.compactMap(Self.start).min() ?? .zero
    let ticks = probed.frames.compactMap {
      ProbedFile.number($0, "pts") ?? ProbedFile.number($0, "best_effort_timestamp")
    }
    times = ticks.map { Rational($0) * Rational(base[0], base[1]) - origin }
    if let grid { times = times.map { Rational(($0 * grid).rounded) / grid } }
    hashes = try DecodedPictures.hashes(url, filter: filter, input: ["-noautorotate"])
  }

  /// The hash of the picture shown at `time`.
  func hash(at time: Rational) -> String {
    guard times.count == hashes.count else {
      return "\(times.count) times for \(hashes.count) pictures"
    }
    return times.lastIndex { $0 <= time }.map { hashes[$0] } ?? "none"
  }

  private static func start(_ stream: ProbedFile.Entry) -> Rational? {
    guard let tick = ProbedFile.number(stream, "start_pts"),
      let base = stream["time_base"]?.split(separator: "/").compactMap({ Int64($0) }),
      base.count == 2, ["video", "audio"].contains(stream["codec_type"])
    else { return nil }
    return Rational(tick) * Rational(base[0], base[1])
  }
}
