import Cutroom
import CutroomMetadata
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Chapters, from the sources or the composition into every container that has them.
///
/// `chap` has three of 0–4–7–10 s, the middle one without a title.
@Suite(.needsFFmpeg)
struct ChapterTests {
  private func chapters(_ url: URL) throws -> [String] {
    try ProbedFile(url).chapters.map { entry in
      let times = ["start_time", "end_time"].map { Double(entry[$0] ?? "") ?? -1 }
      return "\(times[0])–\(times[1]) \(entry["tags.title"] ?? "")"
    }
  }

  @Test(
    "chapters of a cut are clamped and moved",
    arguments: ["mp4", "mov", "m4v", "mkv", "webm", "m4a", "mka", "mp3", "ogg", "flac"])
  func chaptersOfACut(_ ending: String) throws {
    try withTemporaryDirectory { folder in
      let clips = try clip("chap.mkv", #""in": 2, "out": 8"#)
      let made = try Text(clips: clips).export(to: "o.\(ending)", in: folder)
      // Of ID3's chapters without a title ffprobe shows the name of the frame.
      let second = ending == "mp3" ? "2.0–5.0 chp1" : "2.0–5.0 "
      #expect(try chapters(made.url).prefix(2) == ["0.0–2.0 One", second])
      #expect(try chapters(made.url).last?.hasPrefix("5.0–6.0") == true)
      #expect(try chapters(made.url).last?.hasSuffix(" Drei ü") == true)
    }
  }

  @Test(
    "chapters go where their clips go",
    arguments: [
      (#"A{"out": 10, "speed": 2}"#, ["0.0–2.0 One", "2.0–3.5 ", "3.5–5.0 Drei ü"]),
      (#"A{"in": 2, "out": 5, "reverse": true}"#, ["0.0–1.0 ", "1.0–3.0 One"]),
      (#"A{"out": 5}, A{"in": 5, "out": 10}"#, ["0.0–4.0 One", "4.0–7.0 ", "7.0–10.0 Drei ü"]),
      (#"A{"out": 3}, A{"out": 5}"#, ["0.0–7.0 One", "7.0–8.0 "]),
      (#"B{"out": 2}, A{"in": 6, "out": 10}"#, ["2.0–3.0 ", "3.0–6.0 Drei ü"]),
      (
        #"A{"out": 3}, {"transition": "dissolve", "duration": "1s"}, A{"in": 5, "out": 9}"#,
        ["0.0–3.0 One", "3.0–5.0 ", "5.0–7.0 Drei ü"]
      ),
    ], ["mp4", "mkv"])
  func chaptersFollow(_ clips: (text: String, chapters: [String]), _ ending: String) throws {
    try withTemporaryDirectory { folder in
      let path = try [("A{", "chap.mkv"), ("B{", "count25.mp4")].reduce(clips.text) { text, pair in
        let source = JSONValue.string(try Fixtures.file(pair.1).path).encoded()
        return text.replacingOccurrences(of: pair.0, with: "{\"source\": \(source), ")
      }
      let made = try Text(clips: path).export(to: "o.\(ending)", in: folder)
      var expected = clips.chapters
      // In MP4 a chapter without a title and the time before the first one are the same.
      if ending == "mp4", expected[0] == "2.0–3.0 " { expected[0] = "0.0–3.0 " }
      #expect(try chapters(made.url) == expected)
    }
  }

  @Test(
    "listed chapters and those of clips lie in the export's range",
    arguments: [
      (#""clips""#, ["0.0–2.0 A", "2.0–5.0 B"]),
      (#"[{"at": 0, "title": "x"}, {"at": 3, "title": "y"}]"#, ["0.0–1.0 x", "1.0–5.0 y"]),
    ])
  func chaptersInARange(_ list: String, expected: [String]) throws {
    try withTemporaryDirectory { folder in
      let clips = try [
        clip("count25.mp4", #""out": 4, "name": "A""#), clip("count25b.mp4", #""name": "B""#),
      ].joined(separator: ",")
      let text = Text(
        clips: clips, export: Text.quick + #", "range": {"in": 2, "out": 7}"#,
        more: #""chapters": "# + list)
      #expect(try chapters(try text.export(to: "o.mp4", in: folder).url) == expected)
    }
  }

  @Test("a chapter that a cut leaves nothing of goes, and the others keep their titles")
  func collapsedChapters() throws {
    try withTemporaryDirectory { folder in
      let source = folder.appending(path: "a.mka").path
      let made = try Program.run(
        "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=440:d=18", "-c:a", "flac", source])
      #expect(made.status == 0)
      let tagged = folder.appending(path: "a.flac").path
      #expect(try Program.run("ffmpeg", ["-v", "error", "-i", source, tagged]).status == 0)
      // Only starts are known, as Vorbis comments have them.
      let starts = [("A", 0), ("B", 3), ("C", 6), ("D", 9), ("E", 14)].map {
        MetadataChapter(start: Rational(Int64($0.1)), title: $0.0)
      }
      _ = try TagStore.retag(tagged, changes: [.chapters(starts)])
      let clips = try [
        clip(tagged, #""out": 6"#), clip(tagged, #""in": 9, "out": 12"#),
        clip(tagged, #""in": 14"#),
      ].joined(separator: ",")
      for ending in ["mp4", "mka"] {
        let exported = try Text(
          tracks: #"{"kind": "audio", "clips": [\#(clips)]}"#
        ).export(to: "o." + ending, in: folder)
        #expect(
          try chapters(exported.url) == ["0.0–3.0 A", "3.0–6.0 B", "6.0–9.0 D", "9.0–13.0 E"])
      }
    }
  }

  /// Without a header only counting packets tells how long an MP3 file of a variable rate is.
  @Test("chapters of joined MP3 lie where their clips are heard")
  func chaptersOfJoinedMP3() throws {
    try withTemporaryDirectory { folder in
      var clips: [String] = []
      var starts: [Double] = [0]
      for (index, seconds) in ["2.3", "1.1", "1.9"].enumerated() {
        let source = folder.appending(path: "\(index).mp3").path
        let noise = "anoisesrc=d=\(seconds):r=44100:a=0.2,volume='0.1+0.9*mod(t,1)':eval=frame"
        let made = try Program.run(
          "ffmpeg",
          ["-v", "error", "-f", "lavfi", "-i", noise, "-q:a", "4", "-write_xing", "0", source])
        #expect(made.status == 0)
        let raw = folder.appending(path: "raw").path
        _ = try Program.run("ffmpeg", ["-v", "error", "-y", "-i", source, "-f", "s16le", raw])
        let bytes = try Data(contentsOf: URL(filePath: raw)).count
        starts.append((starts.last ?? 0) + Double(bytes / 2) / 44_100)
        clips.append(try clip(source, #""name": "\#(index)""#))
      }
      let made = try Text(
        tracks: #"{"kind": "audio", "clips": [\#(clips.joined(separator: ","))]}"#,
        more: #""chapters": "clips""#
      ).export(to: "o.mp3", in: folder)
      let found = try TagStore.read(made.url.path).chapters
      #expect(found.map(\.title) == ["0", "1", "2"])
      for (chapter, start) in zip(found, starts) {
        #expect(abs(chapter.start.doubleValue - start) <= 0.0262, "\(found) \(starts)")
      }
    }
  }

  @Test(
    "other readers see the same", .enabled(if: Program.path("mkvinfo") != nil, "needs mkvinfo"))
  func mkvinfoAgrees() throws {
    try withTemporaryDirectory { folder in
      let clips = try clip("chap.mkv", #""in": 2, "out": 8"#)
      let made = try Text(clips: clips).export(to: "o.mkv", in: folder)
      let lines = try Program.run("mkvinfo", [made.url.path]).lines
      func values(_ key: String) -> [String] {
        lines.filter { $0.contains(key) }.compactMap { $0.components(separatedBy: ": ").last }
      }
      #expect(
        values("Chapter time start")
          == ["00:00:00.000000000", "00:00:02.000000000", "00:00:05.000000000"])
      #expect(values("Chapter time end").last == "00:00:06.000000000")
      #expect(values("Chapter string").last == "Drei ü")
    }
  }
}
