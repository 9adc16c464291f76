import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Subtitles of media files, which travel along with the pictures.
@Suite(.needsFFmpeg)
struct SubtitleTravelTests {
  /// The recipe of a fault: ten seconds of pictures with cues from 1 to 5 and from 6 to 7 seconds.
  private func source(_ name: String, in folder: URL, language: String = "nob") throws -> URL {
    let lines = folder.appending(path: "s.srt")
    try Data(SubtitleTrackTests.early.utf8).write(to: lines)
    let url = folder.appending(path: name)
    _ = try Program.ffmpeg([
      "-y", "-i", try Fixtures.file("count25.mp4").path, "-i", lines.path, "-map", "0:v", "-map",
      "1",
      "-c", "copy", "-c:s", name.hasSuffix("mkv") ? "srt" : "mov_text", "-metadata:s:s",
      "language=\(language)", "-disposition:s", "forced", url.path,
    ])
    return url
  }

  @Test(
    "lines are cut and shifted with the clip in every mode",
    arguments: ["mp4", "mkv"],
    [Text.passthrough + #", "cut": "keyframe""#, "", Text.quick])
  func aCut(_ ending: String, _ export: String) throws {
    try withTemporaryDirectory { folder in
      let file = try source("sub." + ending, in: folder)
      let text = Text(clips: try clip(file.path, #""in": 4, "out": 8"#), export: export)
      let exported = try text.export(to: "out." + ending, in: folder)
      let lines = try SubtitleTrackTests.lines(exported.url)
      #expect(lines == ["0.000-1.000 early", "2.000-3.000 late"])
      let stream = try ProbedFile(exported.url).stream("subtitle")
      #expect(stream["tags.language"] == "nob")
      if ending == "mkv" { #expect(stream["disposition.forced"] == "1") }
      let planned = exported.report.plan.furtherSubtitles
      #expect(planned.map(\.isCopied) == [true])
    }
  }

  @Test func aJoinOfUnlikeContainersConvertsLines() throws {
    try withTemporaryDirectory { folder in
      let clips = try ["a.mp4", "b.mkv"].map { name in
        try clip(source(name, in: folder).path, #""in": 4, "out": 6.5"#)
      }
      for ending in ["mp4", "mkv"] {
        let exported = try Text(clips: clips.joined(separator: ",")).export(
          to: "out." + ending, in: folder)
        #expect(
          try SubtitleTrackTests.lines(exported.url) == [
            "0.000-1.000 early", "2.000-2.500 late", "2.500-3.500 early", "4.500-5.000 late",
          ])
      }
    }
  }

  @Test func tracksOfOtherLanguagesStandBesideEachOther() throws {
    try withTemporaryDirectory { folder in
      let clips = try [("a.mkv", "nob"), ("b.mkv", "fra")].map { name, language in
        try clip(source(name, in: folder, language: language).path, #""in": 4, "out": 6"#)
      }
      let exported = try Text(clips: clips.joined(separator: ",")).export(
        to: "out.mkv", in: folder)
      let languages = try ProbedFile(exported.url).streams.filter {
        $0["codec_type"] == "subtitle"
      }.map { $0["tags.language"] }
      #expect(languages == ["nob", "fra"])
      #expect(try SubtitleTrackTests.lines(exported.url) == ["0.000-1.000 early"])
      #expect(try SubtitleTrackTests.lines(exported.url, stream: 1) == ["2.000-3.000 early"])
    }
  }

  @Test func aTrackOfTheCompositionTakesTheirPlace() throws {
    try withTemporaryDirectory { folder in
      let file = try source("sub.mkv", in: folder)
      let text = Text(
        tracks: "{\"clips\": [\(try clip(file.path))]}, "
          + "{\"kind\": \"subtitle\", \"clips\": [\(try clip(file.path, #""in": 1"#))]}")
      let exported = try text.export(to: "out.mkv", in: folder)
      #expect(exported.report.plan.furtherSubtitles.count == 1)
      #expect(
        try SubtitleTrackTests.lines(exported.url) == ["0.000-4.000 early", "5.000-6.000 late"])
    }
  }

  @Test(
    "they are left out where they are not wanted, or not held",
    arguments: [("mkv", #""tracks": "main""#), ("ts", "")])
  func leftOut(_ ending: String, _ export: String) throws {
    try withTemporaryDirectory { folder in
      let file = try source("sub.mkv", in: folder)
      let exported = try Text(clips: try clip(file.path), export: export).export(
        to: "out." + ending, in: folder)
      #expect(try ProbedFile(exported.url).stream("subtitle").isEmpty)
      let note = exported.diagnostics.first { $0.code == "media.tracks-left-out" }
      #expect(note?.message.contains("1 subtitle (nob)") == true)
    }
  }

  @Test(
    "lines of real files lie where ffmpeg finds them, from the first picture on", .needsSamples,
    arguments: [
      ("subs-ass.mkv", 1, "0.000-0.433 This is the first subtitle."),
      ("subs-srt.mkv", 1, "0.000-1.000 This is the first subtitle."),
      (
        "multi-audio-multi-subs.mkv", 7,
        "0.042-2.000 A jobb oldaladon láthatod...|...tudod mit..."
      ),
    ])
  func realFiles(_ name: String, count: Int, line: String) throws {
    try withTemporaryDirectory { folder in
      let exported = try Text(clips: try sample("tracks/" + name)).export(
        to: "out.mkv", in: folder)
      #expect(exported.report.plan.furtherSubtitles.count == count)
      #expect(try SubtitleTrackTests.lines(exported.url) == [line])
    }
  }
}
