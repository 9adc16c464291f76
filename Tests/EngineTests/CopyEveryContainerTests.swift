import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Whole files of every kind, exported as they come, and what is said of what stays behind.
@Suite(.needsFFmpeg, .needsSamples) struct CopyEveryContainerTests {
  /// A file, the container to export it to, and how many pictures an independent reader counts.
  struct Case: CustomTestStringConvertible {
    var file: String
    var to: String
    var testDescription: String { "\(file) to \(to)" }
  }

  static let pictures = [
    Case(file: "fragmented/bbb-1080p24-5p1aac-rot90.mp4", to: "mp4"),
    Case(file: "fragmented/timestamps-burned-320x240p60.mp4", to: "mov"),
    Case(file: "legacy/mpeg2-1080p24-mp2-bbb.ts", to: "mkv"),
    Case(file: "hls/ts-cea608/sd-hls0000000000.ts", to: "mp4"),
    Case(file: "legacy/mpeg4-sp-23976-mp3.avi", to: "mp4"),
    Case(file: "editlist/export-ios-720p2999-priming1152.mp4", to: "mp4"),
  ]

  @Test("every picture is copied once", arguments: pictures)
  func everyPictureIsCopiedOnce(_ test: Case) throws {
    try withTemporaryDirectory { folder in
      let exported = try Text(clips: try sample(test.file)).export(
        to: "out.\(test.to)", in: folder)
      #expect(exported.actions["video"] == ["copy"])
      let source = try ProbeFolder.path(test.file)
      let hashes = try Set(pictureHashes(of: source))
      let copied = try pictureHashes(of: exported.url.path)
      #expect(Set(copied).isSubset(of: hashes))
      #expect(copied.count == Int(exported.report.plan.video?.frameCount ?? -1))
    }
  }

  @Test("pictures that need one the edit list hides are not copied without it")
  func hiddenReferencesAreKeptInMind() throws {
    try withTemporaryDirectory { folder in
      let exported = try Text(
        clips: try sample("hevc/iphone-dovi-hlg-720p30-rot90.mov"),
        export: #""video": {"preset": "ultrafast"}"#
      ).export(to: "out.mov", in: folder)
      #expect(exported.actions["video"] == ["render"])
      #expect(try pictureHashes(of: exported.url.path).count == 4)
    }
  }

  private func pictureHashes(of path: String) throws -> [String] {
    let result = try Program.ffmpeg([
      "-i", path, "-map", "0:v:0", "-vsync", "passthrough", "-f", "framehash", "-hash", "md5", "-",
    ])
    return result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      line.split(separator: ",").last.map { $0.filter { !$0.isWhitespace } }
    }
  }

  @Test(
    "sound that nothing cuts is copied into its own container",
    arguments: [
      "audio/mp3-44k-lame3100-vbr-stereo.mp3", "audio/opus-48k-stereo-preskip.opus",
      "audio/vorbis-48k.ogg", "audio/flac-48k-s16-picture.flac", "audio/wav-f32-44k-mono.wav",
    ])
  func uncutSoundIsCopied(_ file: String) throws {
    try withTemporaryDirectory { folder in
      let ending = String(file.split(separator: ".").last ?? "")
      let exported = try Text(clips: try sample(file)).export(to: "out.\(ending)", in: folder)
      #expect(exported.actions["audio"] == ["copy"])
    }
  }

  @Test func floatSamplesStayFloat() throws {
    try withTemporaryDirectory { folder in
      let exported = try Text(
        clips: try sample("audio/wav-f32-44k-mono.wav", #""audio": {"gain": 0.5}"#)
      ).export(to: "out.wav", in: folder)
      let probed = try ProbedFile(exported.url)
      #expect(probed.stream("audio")["codec_name"] == "pcm_f32le")
    }
  }

  @Test func theStartTimecodeIsWrittenAndAdvanced() throws {
    try withTemporaryDirectory { folder in
      let exported = try Text(
        clips: try clip("count25.mp4"), timeline: #""startTimecode": "01:00:00:00""#,
        export: Text.quick + #", "range": {"in": "1.2s", "out": "2s"}"#
      ).export(to: "out.mov", in: folder)
      let result = try Program.run(
        "ffprobe",
        [
          "-v", "error", "-show_entries", "stream_tags=timecode", "-of", "csv=p=0",
          exported.url.path,
        ])
      #expect(result.text.contains("01:00:01:05"))
    }
  }

  @Test func aPictureThatDoesNotDecodeIsAnError() throws {
    try withTemporaryDirectory { folder in
      let text = Text(
        clips: try sample("corrupt/bad-huffman.jpg", #""duration": "1s""#), export: Text.quick)
      #expect(throws: CutroomError.self) { try text.export(to: "out.mp4", in: folder) }
    }
  }

  @Test func theCompositionItselfIsNeverWritten() throws {
    try withTemporaryDirectory { folder in
      let file = folder.appending(path: "edit.mp4")
      let json = Text(clips: try clip("count25.mp4")).json
      try json.write(to: file, atomically: true, encoding: .utf8)
      let planned = Engine.plan(Engine.check(path: file.path), output: file.path)
      #expect(planned.diagnostics.contains { $0.code == "output.is-input" })
      #expect(try String(contentsOf: file, encoding: .utf8) == json)
    }
  }
}
