@testable import Cutroom
import CutroomModel
import Foundation
import Testing

@Suite("Probing real files", .enabled(if: ProbeFolder.isThere, ProbeFolder.note))
struct ProbeMediaTests {
  /// Files whose packets contradict their headers.
  private static let contradictory = [
    "corrupt/fuzz-m4a-a.m4a", "corrupt/mozilla-bug-1185230.mp4",
    "corrupt/truncated-after-moov-2h-stbl.m4b",
  ]

  @Test("Agreement with ffprobe", arguments: ProbeFolder.names)
  func everyFileAgreesWithFFprobe(_ name: String) throws {
    let path = try ProbeFolder.path(name)
    let started = ContinuousClock.now
    let file = try #require(Engine.probe(paths: [path]).files.first)
    #expect(ContinuousClock.now - started < .seconds(5))
    let expected = try FFprobeReport.of(path)
    let streams = (expected.streams ?? []).filter {
      ["video", "audio"].contains($0.codec_type) && $0.disposition?.attached_pic != 1
        && $0.codec_name != nil
    }
    guard let info = file.info else {
      #expect(streams.isEmpty, "\(file.problem?.message ?? "")")
      return
    }
    let tracks = info.tracks.filter(\.kind.isMedia)
    #expect(tracks.map(\.streamIndex) == streams.map(\.index))
    for (track, stream) in zip(tracks, streams) {
      compareProperties(track, stream)
      if !info.isStill && !Self.contradictory.contains(name) {
        compareTimes(track, stream, expected.shown(stream.index), info.origin)
      }
    }
  }

  private func compareProperties(_ track: AssetTrack, _ stream: FFprobeReport.Stream) {
    #expect(track.codec == stream.codec_name)
    #expect(!track.signature.isEmpty)
    if let picture = track.picture {
      #expect(picture.size == PixelSize(width: stream.width ?? 0, height: stream.height ?? 0))
      if let turned = (stream.side_data_list ?? []).compactMap(\.rotation).first {
        #expect(picture.turnBeforeMirroring == (360 - turned) % 360)
      }
    }
    if let sound = track.sound {
      #expect(String(sound.sampleRate) == stream.sample_rate)
      #expect(sound.channelCount == stream.channels)
    }
  }

  private func compareTimes(
    _ track: AssetTrack, _ stream: FFprobeReport.Stream, _ packets: [FFprobeReport.Packet],
    _ origin: Rational
  ) {
    // From Vorbis's first packet nothing is heard, whose time Matroska does not put before 0.
    let isVorbis = track.codec == "vorbis" && track.timeBase == Rational(1, 1000)
    let first = isVorbis ? packets.compactMap(\.pts).sorted().dropFirst().first : stream.start_pts
    if let start = first, !track.extendsFirstFrame {
      #expect(track.start + origin == Rational(start) * track.timeBase)
    }
    guard let last = packets.compactMap(\.pts).max() else { return }
    let isFieldCoded = track.picture?.isInterlaced == true
    if let count = track.frameCount, !isFieldCoded { #expect(count == Int64(packets.count)) }
    // The last picture or sample is presented, and nothing is added after the last packet but the
    // rest of a picture whose length no packet tells.
    let lastTime = Rational(last) * track.timeBase
    // Packets of sound may be dropped whole at the end, and part of the one before.
    let dropped = track.kind == .audio ? Rational(1, 20) : .zero
    #expect(track.end + origin + dropped >= lastTime)
    let slack = track.kind == .video ? Rational(1, 5) : Rational(1, 1000)
    let ends = packets.compactMap { packet in packet.pts.map { $0 + (packet.duration ?? 0) } }
    let end = Rational(ends.max() ?? last) * track.timeBase
    if track.end + origin > end + slack {
      // Packets may be without durations, or libavformat may guess too short ones.
      #expect(track.picture?.isVariableFrameRate == true || track.kind == .audio)
    }
  }

  struct Known: Sendable, CustomTestStringConvertible {
    var name: String
    var kind = AssetTrack.Kind.video
    var start: Rational = 0
    var end: Rational
    var rate: Rational?
    var isVariable = false
    var displaySize: [Int]?
    var testDescription: String { name }
  }

  /// Values worked out from the files' boxes by hand.
  static let known = [
    Known(
      name: "h264/timestamps-burned-320x240p60-aac48k.mp4", end: 5, rate: 60,
      displaySize: [320, 240]),
    Known(
      name: "h264/bframes-1080x720p2997-aac44k-mono-audio-empty-edit.mp4",
      end: Rational(1001, 1000),
      rate: Rational(30000, 1001)),
    Known(
      name: "h264/bframes-1080x720p2997-aac44k-mono-audio-empty-edit.mp4", kind: .audio,
      start: Rational(1940, 44100), end: Rational(47064, 44100)),
    Known(name: "editlist/empty-edit-10s-bframes.mp4", start: 10, end: 14, rate: 30),
    Known(name: "editlist/trim-discard-last-frame.mp4", end: Rational(196, 100), rate: 25),
    Known(name: "editlist/multi-2-edits-ends-bframe.mov", end: Rational(175, 100), rate: 24),
    Known(
      name: "hevc/hev1-720p23976-opengop-foreman.mp4", end: Rational(248 * 1001, 24000),
      rate: Rational(24000, 1001)),
    Known(
      name: "fragmented/bbb-1080p24-5p1aac-rot90.mp4", end: Rational(112800, 57600), rate: 24,
      displaySize: [1080, 1920]),
    Known(name: "vpx-av1/vp9-540p60-5p1vorbis.webm", end: 1, rate: 60),
    Known(
      name: "vfr/flir-1080x1440-vfr7-audio-empty-edit.mp4", end: Rational(6812, 600),
      rate: Rational(12600, 1703), isVariable: true),
    Known(
      name: "vfr/flir-1080x1440-vfr7-audio-empty-edit.mp4", kind: .audio,
      start: Rational(8297, 44100), end: Rational(496681, 44100)),
    Known(
      name: "audio/mp3-44k-lame3100-vbr-stereo.mp3", kind: .audio,
      end: Rational(348 * 1152 - 1105 - 1127, 44100)),
    Known(name: "audio/aac-adts-44k-mono.aac", kind: .audio, end: Rational(144 * 1024, 44100)),
    Known(name: "audio/opus-5p1.ogg", kind: .audio, end: 3),
    Known(
      name: "interlaced-sar/sar2x1-640x360p30.mp4", end: 5, rate: 30, displaySize: [1280, 360]),
    Known(
      name: "interlaced-sar/avchd-1080i25-ac3.mts", end: Rational(46800, 90000), rate: 25,
      displaySize: [1920, 1080]),
    Known(name: "images/gif-animated-153x55.gif", end: Rational(3, 2), rate: 10),
    Known(name: "images/jpeg-exif6-rot90.jpg", end: 0, displaySize: [1800, 1200]),
    Known(
      name: "legacy/h263-amrnb-vfr-phone.3gp", end: Rational(1504, 100), rate: Rational(2775, 188),
      isVariable: true, displaySize: [192, 144]),
  ]

  @Test("Known values", arguments: known)
  func tracksHaveTheirExactTimes(_ known: Known) throws {
    let info = try AssetInfo.open(try ProbeFolder.path(known.name))
    let track = try #require(info.track(known.kind))
    #expect(track.start == known.start)
    #expect(track.end == known.end)
    if let rate = known.rate {
      #expect(track.picture?.frameRate == rate)
      #expect(track.picture?.isVariableFrameRate == known.isVariable)
    }
    if let size = known.displaySize {
      #expect(track.picture.map { [$0.displaySize.width, $0.displaySize.height] } == size)
    }
  }

  @Test(
    "Frames on a rounded grid",
    arguments: [
      "vpx-av1/vp8-vorbis-720p24-bbb-30s.webm", "vpx-av1/vp9-540p60-5p1vorbis.webm",
      "alpha/vp9-alpha-720p60.webm", "tracks/subs-srt.mkv", "tracks/multi-audio-multi-subs.mkv",
      "phone/iphone-rot90-568x320-29976-aac44k.mov",
    ])
  func aFrameIsFoundAtItsExactTime(_ name: String) throws {
    let path = try ProbeFolder.path(name)
    let info = try AssetInfo.open(path)
    let track = try #require(info.track(.video))
    let picture = try #require(track.picture)
    let rate = try #require(picture.roundedGrid)
    let times = try FFprobeReport.of(path).shown(track.streamIndex).compactMap(\.pts).sorted()
    let frame = rate.frameDuration
    for (index, expected) in times.enumerated() {
      let time = picture.roundedGridStart + rate.time(ofFrame: Int64(index))
      // Either its exact start or its timestamp finds a frame.
      let stamp = track.time(ofTick: expected, origin: info.origin)
      for within in [time, stamp, time + frame * Rational(1, 2), time + frame * Rational(9, 10)] {
        let limit = track.tick(at: within, origin: info.origin)
        #expect(times.last { $0 <= limit } == expected, "frame \(index)")
      }
      let before = track.tick(before: min(time, stamp), origin: info.origin)
      #expect(times.last { $0 <= before } == (index > 0 ? times[index - 1] : nil))
      let grid = try #require(SourceGrid(picture, tick: track.timeBase))
      #expect(grid.isStart(time) && grid.isStart(stamp), "frame \(index)")
      #expect(grid.frame(at: time) == index && grid.frame(at: stamp) == index)
      #expect(!grid.isStart(time + frame * Rational(1, 2)))
      #expect(grid.isWhole(stamp - track.time(ofTick: times[0], origin: info.origin)))
    }
  }

  @Test func equalFilesHaveEqualSignatures() throws {
    let names = ["1-preroll", "2-midroll", "3-postroll"].map { "concat/same-params-\($0).mp4" }
    let infos = try names.map { try AssetInfo.open(try ProbeFolder.path($0)) }
    for kind in [AssetTrack.Kind.video, .audio] {
      #expect(Set(infos.map { $0.track(kind)?.signature }).count == 1)
    }
    let other = try AssetInfo.open(try ProbeFolder.path("concat/append-v1.mp4"))
    #expect(other.track(.video)?.signature != infos[0].track(.video)?.signature)
  }

  @Test func encryptedFilesAreRefused() throws {
    let path = try ProbeFolder.path("unsupported/encrypted-cenc-clearkey.mp4")
    let error = #expect(throws: AssetError.self) { try AssetInfo.open(path) }
    #expect(error?.reason == .encrypted)
  }

  @Test func whatIsNoFileIsRefused() throws {
    try withTemporaryFolder { folder in
      let cases: [(String, AssetError.Reason)] = [
        (folder.path, .directory), (folder.path + "/none.mp4", .missing), ("", .missing),
      ]
      for (path, reason) in cases {
        let error = #expect(throws: AssetError.self) { try AssetInfo.open(path) }
        #expect(error?.reason == reason)
      }
    }
  }

  private func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "cutroom-probe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
