import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Tracks of subtitles of the result, as ffmpeg reads them back.
@Suite(.needsFFmpeg)
struct SubtitleTrackTests {
  /// The recipe of a fault: a cue from 1 to 5 seconds, one from 6 to 7.
  static let early = """
    1
    00:00:01,000 --> 00:00:05,000
    early

    2
    00:00:06,000 --> 00:00:07,000
    late

    """

  /// The lines of a stream, as `1.000-5.000 early`.
  static func lines(_ url: URL, stream: Int = 0) throws -> [String] {
    let text = try Program.ffmpeg([
      "-copyts", "-i", url.path, "-map", "0:s:\(stream)", "-f", "srt", "-",
    ]).text
    return text.split(separator: "\n\n").compactMap { block in
      let rows = block.split(whereSeparator: \.isNewline)
      guard rows.count > 2 else { return nil }
      let times = rows[1].components(separatedBy: " --> ").map(seconds)
      return "\(times[0])-\(times[1]) " + rows[2...].joined(separator: "|")
    }
  }

  private static func seconds(_ time: String) -> String {
    let parts = time.replacing(",", with: ".").split(separator: ":").compactMap { Double($0) }
    return String(format: "%.3f", parts.reduce(0) { $0 * 60 + $1 })
  }

  private func withFiles(
    _ files: [String: String], _ body: (URL) throws -> Void
  ) throws {
    try withTemporaryDirectory { folder in
      for (name, text) in files {
        try Data(text.utf8).write(to: folder.appending(path: name))
      }
      try body(folder)
    }
  }

  /// Ten seconds of pictures with a track of subtitles over them.
  private func text(
    _ lines: String, _ track: String = "", export: String = Text.quick, folder: URL
  ) throws -> Text {
    let sources = ["s.srt", "s.ass", "s.vtt"].filter {
      FileManager.default.fileExists(atPath: folder.appending(path: $0).path)
    }.map { name in
      let path = JSONValue.string(folder.appending(path: name).path).encoded()
      return "\"\(name.suffix(3))\": \(path)"
    }
    return Text(
      tracks: """
        {"clips": [\(try clip("count25.mp4"))]},
        {"id": "lines", "kind": "subtitle"\(track.isEmpty ? "" : ", " + track), "clips": [\(lines)]}
        """,
      export: export,
      more: "\"sources\": {\((sources + [#""t": {"text": "Title"}"#]).joined(separator: ", "))}")
  }

  struct Mapping: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var clip: String
    var lines: [String]

    init(_ name: String, _ clip: String, _ lines: [String]) {
      (testDescription, self.clip, self.lines) = (name, clip, lines)
    }
  }

  @Test(arguments: [
    Mapping("as it is", #"{"source": "srt"}"#, ["1.000-5.000 early", "6.000-7.000 late"]),
    Mapping(
      "cut at both edges", #"{"source": "srt", "in": 4, "out": 6.5}"#,
      ["0.000-1.000 early", "2.000-2.500 late"]),
    Mapping(
      "shifted", #"{"source": "srt", "in": 4, "out": 7, "at": 1}"#,
      ["1.000-2.000 early", "3.000-4.000 late"]),
    Mapping(
      "twice as fast", #"{"source": "srt", "speed": 2}"#, ["0.500-2.500 early", "3.000-3.500 late"]
    ),
    Mapping(
      "stretched by a half", #"{"source": "srt", "out": 6, "fitDuration": 9}"#,
      ["1.500-7.500 early"]),
    Mapping(
      "backwards", #"{"source": "srt", "reverse": true}"#,
      ["0.000-1.000 late", "2.000-6.000 early"]
    ),
    Mapping(
      "held", #"{"source": "srt", "freeze": 6.5, "duration": 3}"#, ["0.000-3.000 late"]),
    Mapping("held between lines", #"{"source": "srt", "freeze": 5.5, "duration": 3}"#, []),
    Mapping(
      "cut in two that go on", #"{"source": "srt", "out": 3}, {"source": "srt", "in": 3}"#,
      ["1.000-5.000 early", "6.000-7.000 late"]),
    Mapping(
      "a part twice",
      #"{"source": "srt", "in": 4, "out": 5}, {"source": "srt", "in": 4, "out": 5}"#,
      ["0.000-2.000 early"]),
    Mapping("lettering", #"{"source": "t", "duration": 2, "at": 3}"#, ["3.000-5.000 Title"]),
  ])
  func linesFollowTheMapping(_ mapping: Mapping) throws {
    try withFiles(["s.srt": Self.early]) { folder in
      for ending in ["mp4", "mkv"] {
        let text = try text(mapping.clip, folder: folder)
        let exported = try text.export(to: "out.\(ending)", in: folder)
        if mapping.lines.isEmpty {
          #expect(exported.report.plan.furtherSubtitles.map(\.lineCount) == [0])
        } else {
          #expect(try Self.lines(exported.url) == mapping.lines, "\(ending)")
        }
      }
    }
  }

  @Test func linesWithoutLettersLeaveAGap() throws {
    let script = """
      [Script Info]
      ScriptType: v4.00+
      [Events]
      Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
      Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\p1}m 0 0 l 10 0 10 10
      Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\b1}\\h
      Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,seen
      """
    try withFiles(["s.ass": script]) { folder in
      let exported = try text(#"{"source": "ass"}"#, folder: folder)
        .export(to: "out.mp4", in: folder)
      #expect(try Self.lines(exported.url) == ["5.000-6.000 seen"])
      let note = exported.report.plan.diagnostics.first { $0.code == "capability.subtitles" }
      #expect(note?.message.contains("drawings") == true)
    }
  }

  @Test(
    "each container has its own form",
    arguments: [
      ("mp4", "mov_text", "tx3g"), ("mov", "mov_text", "tx3g"), ("m4v", "mov_text", "tx3g"),
      ("mkv", "subrip", ""), ("webm", "webvtt", ""),
    ])
  func containersHaveForms(_ ending: String, codec: String, tag: String) throws {
    try withFiles(["s.srt": Self.early]) { folder in
      let export =
        ending == "webm"
        ? #""mode": "render", "video": {"codec": "vp8", "bitrate": "100k"}"# : Text.quick
      let text = try text(
        #"{"source": "srt"}"#,
        #""language": "fra", "name": "Signes", "default": true, "forced": true"#,
        export: export, folder: folder)
      let exported = try text.export(to: "out.\(ending)", in: folder)
      let stream = try ProbedFile(exported.url).stream("subtitle")
      #expect(stream["codec_name"] == codec)
      #expect(stream["tags.language"] == "fra")
      if tag.isEmpty {
        #expect(stream["tags.title"] == "Signes")
        #expect(stream["disposition.forced"] == "1")
      } else {
        #expect(stream["codec_tag_string"] == tag)
        #expect(stream["duration"] == "10.000000")
      }
      #expect(stream["disposition.default"] == "1")
      #expect(try Self.lines(exported.url) == ["1.000-5.000 early", "6.000-7.000 late"])
    }
  }

  @Test func severalTracksStandInOrder() throws {
    try withFiles(["s.srt": Self.early]) { folder in
      var text = try text(#"{"source": "srt"}"#, #""language": "eng""#, folder: folder)
      text.json = text.json.replacingOccurrences(
        of: #"{"id": "lines""#,
        with: #"{"kind": "subtitle", "language": "fra", "clips": [{"source": "srt", "in": 6}]}, "#
          + #"{"id": "lines""#)
      let exported = try text.export(to: "out.mkv", in: folder)
      let languages = try ProbedFile(exported.url).streams.filter {
        $0["codec_type"] == "subtitle"
      }.map { $0["tags.language"] }
      #expect(languages == ["fra", "eng"])
      #expect(try Self.lines(exported.url) == ["0.000-1.000 late"])
      #expect(try Self.lines(exported.url, stream: 1).count == 2)
      let streams = exported.report.jsonValue["streams"]?.elements ?? []
      #expect(streams.map { $0["kind"] } == ["video", "audio", "subtitle", "subtitle"])
      #expect(streams.last?["lines"] == 2)
    }
  }

  @Test func copiedPicturesStayCopied() throws {
    try withFiles(["s.srt": Self.early]) { folder in
      let text = try text(#"{"source": "srt"}"#, export: Text.passthrough, folder: folder)
      let exported = try text.export(to: "out.mp4", in: folder)
      let source = try DecodedPictures.packetHashes(try Fixtures.file("count25.mp4"))
      #expect(try DecodedPictures.packetHashes(exported.url) == source)
      #expect(try Self.lines(exported.url) == ["1.000-5.000 early", "6.000-7.000 late"])
    }
  }

  @Test("containers without subtitles refuse at the place", arguments: ["ts", "avi", "mxf"])
  func refused(_ ending: String) throws {
    try withFiles(["s.srt": Self.early]) { folder in
      let text = try text(#"{"source": "srt"}"#, folder: folder)
      let checked = Engine.check(
        text: SourceText(file: "t.json", text: text.json), baseDirectory: folder.path)
      let planned = Engine.plan(checked, output: folder.appending(path: "out.\(ending)").path)
      let finding = planned.diagnostics.first { $0.pointer == "/tracks/1/kind" }
      #expect(finding?.code == "capability.container")
      #expect(finding?.severity == .error)
    }
  }

  @Test func linesAtOnceLieSideBySideOrInOneSample() throws {
    let both = """
      1
      00:00:01,000 --> 00:00:04,000
      one

      2
      00:00:02,000 --> 00:00:05,000
      two

      """
    try withFiles(["s.srt": both]) { folder in
      let text = try text(#"{"source": "srt"}"#, folder: folder)
      let mp4 = try text.export(to: "out.mp4", in: folder)
      #expect(
        try Self.lines(mp4.url) == ["1.000-2.000 one", "2.000-4.000 one|two", "4.000-5.000 two"])
      let mkv = try text.export(to: "out.mkv", in: folder)
      #expect(try Self.lines(mkv.url) == ["1.000-4.000 one", "2.000-5.000 two"])
    }
  }

  @Test func italicsAndColoursComeThrough() throws {
    let styled = """
      1
      00:00:01,000 --> 00:00:02,000
      a <i>b</i> <font color="#ff0000">c</font> <b>d</b>

      """
    try withFiles(["s.srt": styled]) { folder in
      let text = try text(#"{"source": "srt"}"#, folder: folder)
      let exported = try text.export(to: "out.mp4", in: folder)
      let script = try Program.ffmpeg([
        "-i", exported.url.path, "-map", "0:s", "-f", "ass", "-",
      ]).text
      let line = try #require(
        script.split(whereSeparator: \.isNewline).last { $0.hasPrefix("Dialogue") })
      for part in [#"\i1}b{"#, #"\b1}d"#, "&HFF&"] {
        #expect(line.uppercased().contains(part.uppercased()), "\(line)")
      }
    }
  }

  @Test func whatAnotherFormLosesIsSaid() throws {
    let events = "Dialogue: 0,0:00:01.00,0:00:02.00,Big,,0,0,0,,{\\pos(1,2)\\b1}Hi{\\b0}\\Nthere"
    let ass = SubtitleTests.script(
      "Style: Big,DejaVu Sans,40,&H0000FFFF,&H0,&H0,&H0,0,-1,0,0,100,100,0,0,1,0,0,7,0,0,0,0",
      events)
    try withFiles(["s.ass": ass]) { folder in
      let text = try text(#"{"source": "ass"}"#, folder: folder)
      let mp4 = try text.export(to: "out.mp4", in: folder)
      let note = mp4.diagnostics.first { $0.code == "capability.subtitles" }
      #expect(note?.message.hasSuffix("fonts and sizes, places and alignments") == true)
      let mkv = try text.export(to: "out.mkv", in: folder)
      #expect(!mkv.diagnostics.contains { $0.code == "capability.subtitles" })
      let script = try Program.ffmpeg(["-i", mkv.url.path, "-map", "0:s", "-f", "ass", "-"]).text
      #expect(script.contains("Style: Big,DejaVu Sans,40,"))
      #expect(script.contains(#"{\pos(1,2)\b1}Hi{\b0}\Nthere"#))
    }
  }
}
