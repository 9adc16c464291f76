import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Every container with its first codecs, read back by another reader.
@Suite(.needsFFmpeg)
struct ContainerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var ending: String
    var video: String?
    var audio: String?
    /// ffprobe's count of decoded pictures.
    var frames: Int { video == nil ? 0 : 50 }
    var testDescription: String { ending }

    init(_ ending: String, _ video: String?, _ audio: String?) {
      (self.ending, self.video, self.audio) = (ending, video, audio)
    }
  }

  static let composition = """
    {"format": "cutroom/1",
     "timeline": {"frameRate": 25, "size": [160, 90], "sampleRate": 48000},
     "sources": {"p": {"generator": "testsrc2=size=160x90:rate=25", "duration": "2s"},
                 "s": {"generator": "sine=frequency=440:sample_rate=48000", "duration": "2s"}},
     "tracks": [{"id": "v", "kind": "video", "clips": [{"source": "p", "duration": "2s"}]},
                {"id": "a", "kind": "audio", "clips": [{"source": "s", "duration": "2s"}]}]}
    """

  static func export(
    to path: String, preset: String? = nil, text: String = composition, overwrite: Bool = false
  ) throws -> ExportReport {
    var overrides = ExportOverrides()
    overrides.preset = preset.flatMap { ExportPreset.named($0) }
    let checked = Engine.check(text: SourceText(file: "a.json", text: text), baseDirectory: "")
    let planned = Engine.plan(checked, output: path, overrides: overrides)
    let plan = try #require(planned.plan, "\(planned.diagnostics)")
    return try Engine.export(plan, overwrite: overwrite)
  }

  @Test(arguments: [
    Case("mp4", "h264", "aac"), Case("m4v", "h264", "aac"), Case("mov", "h264", "aac"),
    Case("mkv", "h264", "aac"), Case("mka", nil, "aac"), Case("m4a", nil, "aac"),
    Case("webm", "vp9", "opus"), Case("mp3", nil, "mp3"), Case("flac", nil, "flac"),
    Case("wav", nil, "pcm_s16le"), Case("aiff", nil, "pcm_s16be"), Case("caf", nil, "pcm_s16le"),
    Case("ogg", nil, "vorbis"), Case("opus", nil, "opus"), Case("ts", "h264", "aac"),
    Case("mxf", "mpeg2video", "pcm_s16le"), Case("avi", "mpeg4", "mp3"),
    Case("nut", "h264", "aac"), Case("gif", "gif", nil), Case("apng", "apng", nil),
  ])
  func isWrittenAndReadsBack(_ one: Case) throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "out." + one.ending)
      _ = try Self.export(to: url.path)
      let listed = try Program.run(
        "ffprobe",
        [
          "-v", "error", "-count_frames", "-show_entries", "stream=codec_name,nb_read_frames",
          "-of",
          "csv=p=0", url.path,
        ]
      ).text
      // MPEG-TS lists streams twice, MXF ends lines with its side data.
      let lines = Set(
        listed.split(separator: "\n").filter { $0.contains(",") }.map { line in
          line.split(separator: ",").prefix(2).joined(separator: ",")
        })
      #expect(lines.count == [one.video, one.audio].compactMap(\.self).count)
      if let video = one.video { #expect(lines.contains("\(video),50")) }
      if let audio = one.audio { #expect(lines.contains { $0.hasPrefix(audio + ",") }) }
      // A decoder that complains says so on standard error.
      let complaints = try Program.run(
        "ffmpeg", ["-v", "error", "-i", url.path, "-f", "null", "-"])
      #expect(complaints.errors.isEmpty)
    }
  }

  @Test func av1PresetsNeitherHangNorChatter() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "out.webm")
      let report = try Self.export(to: url.path, preset: "av1")
      #expect(report.plan.duration == 2)
      #expect(try ProbedFile(url).stream("video")["codec_name"] == "av1")
    }
  }

  @Test func gifFramesKeepTheSumOfTheirTimes() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "out.gif")
      let text = Self.composition.replacing("\"frameRate\": 25", with: "\"frameRate\": 30")
      let report = try Self.export(to: url.path, text: text)
      #expect(report.plan.diagnostics.contains { $0.code == "capability.rate" })
      let times = try Program.run(
        "ffprobe", ["-v", "error", "-show_entries", "packet=pts", "-of", "csv=p=0", url.path]
      ).text.split(separator: "\n").compactMap { Int($0.prefix { $0 != "," }) }
      #expect(times.count == 60)
      #expect(times == (0..<60).map { Int((Rational($0 * 100, 30)).rounded) })
    }
  }

  @Test func picturesOfAGifAreCloseToTheSource() throws {
    try withTemporaryDirectory { folder in
      let gif = folder.appending(path: "out.gif")
      _ = try Self.export(to: gif.path)
      let source = folder.appending(path: "source.mkv")
      try Program.ffmpeg([
        "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25", "-vf", "format=yuv420p", "-frames:v",
        "50", "-c:v", "ffv1", source.path,
      ])
      let quality = try DecodedPictures.psnr(
        gif, source, filters: ("settb=1/25,setpts=N,format=gbrp", "settb=1/25,setpts=N,format=gbrp")
      )
      #expect(quality > 30)
    }
  }
}
