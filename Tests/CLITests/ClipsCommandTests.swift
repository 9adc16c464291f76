import Foundation
import TestSupport
import Testing

private func document(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

/// A folder with `a.mp4`, which counts its 250 frames.
private func withMedia(_ body: (URL) throws -> Void) throws {
  try withTemporaryDirectory { directory in
    try FileManager.default.copyItem(
      at: try Fixtures.file("count25.mp4"), to: directory.appending(path: "a.mp4"))
    try body(directory)
  }
}

@Suite(.enabled(if: Program.hasFFmpeg, "needs the programs ffmpeg and ffprobe"))
struct TrimCommandTests {
  @Test func aPartIsCutOutExactly() throws {
    try withMedia { directory in
      let run = try Binary.run(
        "trim", "a.mp4", "--from", "1.2", "--to", "36f", "-o", "b.mp4", "--json", in: directory)
      #expect(run.status == 0, "\(run.messages)")
      #expect(try document(run.results)["duration"] as? String == "6/25")
      let numbers = try DecodedPictures.numbers(directory.appending(path: "b.mp4"))
      #expect(numbers == Array(30..<36))
    }
  }

  @Test func severalPartsStandInARow() throws {
    try withMedia { directory in
      let run = try Binary.run(
        "trim", "a.mp4", "--to", "4f", "--from", "50f", "--to", "53f", "--from", "248f", "-o",
        "b.mp4", in: directory)
      #expect(run.status == 0, "\(run.messages)")
      let numbers = try DecodedPictures.numbers(directory.appending(path: "b.mp4"))
      #expect(numbers == [0, 1, 2, 3, 50, 51, 52, 248, 249])
    }
  }

  @Test(arguments: [
    (["--mode", "passthrough", "-o", "b.mp4"], "or use '--mode auto'"),
    (
      ["--mode", "passthrough", "--cut", "editList", "-o", "b.mkv"],
      "use '--cut exact' or '--cut keyframe'"
    ),
  ])
  func suggestionsNameOptions(options: [String], words: String) throws {
    try withMedia { directory in
      let run = try Binary.run(
        arguments: ["trim", "a.mp4", "--from", "1", "--to", "2"] + options, in: directory)
      #expect(run.status == 2)
      #expect(run.messages.contains(words), "\(run.messages)")
    }
  }

  @Test func suggestionsAboutACompositionSayWhereItIs() throws {
    try withMedia { directory in
      let source = try Fixtures.file("vfr.mp4").path
      let run = try Binary.run(
        "trim", source, "--from", "1", "--to", "2", "-o", "b.mp4", in: directory)
      #expect(run.messages.contains("in the composition that '--print' prints"), "\(run.messages)")
    }
  }

  @Test func theLikenessOfAFileIsTaken() throws {
    try withMedia { directory in
      try FileManager.default.copyItem(
        at: try Fixtures.file("big30.mp4"), to: directory.appending(path: "l.mp4"))
      let run = try Binary.run(
        "trim", "a.mp4", "--to", "1s", "--like", "l.mp4", "-o", "b.mp4", in: directory)
      #expect(run.status == 0, "\(run.messages)")
      let made = try ProbedFile(directory.appending(path: "b.mp4"))
      let like = try ProbedFile(directory.appending(path: "l.mp4"))
      let picture = [
        "codec_name", "profile", "width", "height", "r_frame_rate", "pix_fmt", "time_base",
      ]
      for key in picture {
        #expect(made.stream("video")[key] == like.stream("video")[key], "\(key)")
      }
      for key in ["codec_name", "sample_rate", "channel_layout"] {
        #expect(made.stream("audio")[key] == like.stream("audio")[key], "\(key)")
      }
    }
  }

  @Test func aPartOnKeyframesIsCopied() throws {
    try withMedia { directory in
      let run = try Binary.run(
        "trim", "a.mp4", "--from", "2s", "--to", "4s", "-o", "b.mp4", "--mode", "passthrough",
        "--report", "r.json", "--quiet", in: directory)
      #expect(run.status == 0, "\(run.messages)")
      let report = try String(contentsOf: directory.appending(path: "r.json"), encoding: .utf8)
      #expect(report.contains("\"copy\""))
      #expect(!report.contains("\"render\""))
    }
  }

  @Test func thePrintedCompositionDoesTheSame() throws {
    try withMedia { directory in
      let run = try Binary.run(
        "trim", "a.mp4", "--from", "2s", "--to", "4s", "--mode", "render", "--print",
        in: directory)
      #expect(run.status == 0)
      try Data(run.results.utf8).write(to: directory.appending(path: "a.json"))
      let resolved = try Binary.run("resolve", "a.json", "--json", in: directory)
      let timeline = try document(resolved.results)["timeline"] as? [String: Any]
      #expect(timeline?["duration"] as? String == "2/1")
      #expect(run.results.contains("\"mode\": \"render\""))
      let json = try Binary.run("trim", "a.mp4", "--to", "4s", "--print", "--json", in: directory)
      #expect(try document(json.results)["composition"] is [String: Any])
    }
  }

  @Test func mistakesEndInStatus2AndLeaveNothing() throws {
    try withMedia { directory in
      let all: [(arguments: [String], code: String)] = [
        (["--from", "2s", "--to", "11s", "-o", "b.mp4"], "range.past-end"),
        (["--from", "3s", "--to", "2s", "-o", "b.mp4"], "range.reversed"),
        (["--from", "x", "-o", "b.mp4"], "usage.invalid-value"),
        (["-o", "b.mp4"], "usage.missing-option"),
        (["--from", "1", "--from", "2", "-o", "b.mp4"], "usage.missing-option"),
        (["--to", "1", "--to", "2", "-o", "b.mp4"], "usage.missing-option"),
        (["--to", "1", "--like", "none.mov", "-o", "b.mp4"], "media.missing"),
        (["--from", "1s"], "usage.missing-option"),
        (["--from", "1s", "-o", "b.mp4", "--print"], "usage.conflict"),
        (["--from", "1s", "-o", "a.mp4", "--overwrite"], "output.is-input"),
        (["--form", "1s", "-o", "b.mp4"], "usage.unknown-option"),
      ]
      for (arguments, code) in all {
        let console = CapturedConsole()
        let path = directory.appending(path: "a.mp4").path
        let inFolder = arguments.map {
          $0.hasSuffix(".mp4") ? directory.appending(path: $0).path : $0
        }
        #expect(console.run(["trim", path, "--json"] + inFolder) == 2, "\(arguments)")
        let findings = try console.document()?["diagnostics"] as? [[String: Any]]
        #expect(findings?.contains { $0["code"] as? String == code } == true, "\(arguments)")
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(files == ["a.mp4"])
    }
  }
}

@Suite(.enabled(if: Program.hasFFmpeg, "needs the programs ffmpeg and ffprobe"))
struct JoinCommandTests {
  @Test func filesStandInARow() throws {
    try withMedia { directory in
      let run = try Binary.run(
        "join", "a.mp4", "a.mp4", "-o", "b.mp4", "--mode", "passthrough", "--json", in: directory)
      #expect(run.status == 0, "\(run.messages)")
      #expect(try document(run.results)["duration"] as? String == "20/1")
      let numbers = try DecodedPictures.numbers(directory.appending(path: "b.mp4"))
      #expect(numbers == Array(0..<250) + Array(0..<250))
    }
  }

  @Test func noFileIsAMistake() throws {
    let console = CapturedConsole()
    #expect(console.run(["join", "-o", "b.mp4"]) == 2)
    #expect(console.messages.contains("MEDIA is missing"))
  }
}

@Suite(.enabled(if: Program.hasFFmpeg, "needs the programs ffmpeg and ffprobe"))
struct FrameCommandTests {
  @Test func theResultNamesWhatWasAskedForAndWhatWasFound() throws {
    try withMedia { directory in
      let run = try Binary.run(
        "frame", "a.mp4", "--at", "3.3", "--at", "0", "-o", "f.png", "--json", in: directory)
      #expect(run.status == 0, "\(run.messages)")
      let frames = try #require(try document(run.results)["frames"] as? [[String: Any]])
      #expect(frames.map { $0["requested"] as? String } == ["33/10", "0/1"])
      #expect(frames.map { $0["actual"] as? String } == ["82/25", "0/1"])
      #expect(frames.map { $0["output"] as? String } == ["f-1.png", "f-2.png"])
      #expect(try DecodedPictures.numbers(directory.appending(path: "f-1.png")) == [82])
      let again = try Binary.run("frame", "a.mp4", "--at", "0", "-o", "f-1.png", in: directory)
      #expect(again.status == 2)
      #expect(again.messages.contains("error[output.exists]"))
    }
  }

  @Test func aCompositionsFindingsAreShownWithTheirLines() throws {
    try withTemporaryDirectory { directory in
      let text =
        "{\"format\": \"cutroom/1\",\n \"tracks\": [{\"clips\": [{\"source\": \"no.mp4\"}]}]}"
      try Data(text.utf8).write(to: directory.appending(path: "c.json"))
      let run = try Binary.run("frame", "c.json", "--at", "0", "-o", "f.png", in: directory)
      #expect(run.status == 2)
      #expect(run.messages.contains("c.json:2:"))
      #expect(run.messages.contains("^"))
    }
  }

  @Test func mistakesAreNamed() throws {
    try withMedia { directory in
      let path = directory.appending(path: "a.mp4").path
      let all: [(arguments: [String], status: Int32, code: String)] = [
        (["frame", path, "--at", "0", "-o", "f.gif"], 2, "output.extension"),
        (["frame", path, "-o", "f.png"], 2, "usage.missing-option"),
        (["frame", path, "--at", "10", "-o", "f.png"], 2, "frame.none"),
        (["frame", path + "x", "--at", "0", "-o", "f.png"], 1, "media.missing"),
        (
          ["frame", path, "--at", "0", "-o", directory.path + "/none/f.png"], 2, "output.directory"
        ),
      ]
      for (arguments, status, code) in all {
        let console = CapturedConsole()
        #expect(console.run(arguments + ["--json"]) == status, "\(arguments)")
        let findings = try console.document()?["diagnostics"] as? [[String: Any]]
        #expect(findings?.contains { $0["code"] as? String == code } == true, "\(arguments)")
      }
    }
  }
}

@Suite(.enabled(if: Program.hasFFmpeg, "needs the programs ffmpeg and ffprobe"))
struct DrawingCommandTests {
  private static let composition = """
    {"format": "cutroom/1", "tracks": [{"id": "main", "clips": [{"source": "a.mp4"}]}]}
    """

  @Test func aTimelineIsShownWithoutColoursInAPipe() throws {
    try withMedia { directory in
      try Data(Self.composition.utf8).write(to: directory.appending(path: "c.json"))
      let run = try Binary.run("show", "c.json", "--width", "72", in: directory)
      #expect(run.status == 0, "\(run.messages)")
      #expect(run.results.contains("main.video"))
      #expect(!run.results.contains("\u{1B}"))
      let lines = run.results.split(separator: "\n").map(String.init)
      #expect(lines.dropLast().allSatisfy { $0.count <= 72 })
      let json = try Binary.run("show", "c.json", "--json", in: directory)
      #expect((try document(json.results)["text"] as? String)?.contains("main.audio") == true)
    }
  }

  @Test func drawingsAppearUnderTheirNamesOnly() throws {
    try withMedia { directory in
      try Data(Self.composition.utf8).write(to: directory.appending(path: "c.json"))
      for ending in ["svg", "png", "html"] {
        let run = try Binary.run("show", "c.json", "-o", "c.\(ending)", "--json", in: directory)
        #expect(run.status == 0, "\(run.messages)")
        #expect(try document(run.results)["output"] as? String == "c.\(ending)")
        let again = try Binary.run("show", "c.json", "-o", "c.\(ending)", in: directory)
        #expect(again.status == 2)
      }
      let other = try Binary.run("show", "c.json", "-o", "c.pdf", in: directory)
      #expect(other.status == 2)
      #expect(other.messages.contains("error[output.extension]"))
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      let own = files.filter { !$0.hasPrefix(".results") && !$0.hasPrefix(".messages") }
      #expect(own.sorted() == ["a.mp4", "c.html", "c.json", "c.png", "c.svg"])
    }
  }

  @Test func peaksAreWrittenAsOneDocument() throws {
    try withMedia { directory in
      let run = try Binary.run(
        "waveform", "a.mp4", "-o", "w.json", "--block", "48000", "--json", in: directory)
      #expect(run.status == 0, "\(run.messages)")
      #expect(try document(run.results)["peaks"] as? Int == 10)
      let text = try String(contentsOf: directory.appending(path: "w.json"), encoding: .utf8)
      let channels = try #require(try document(text)["channels"] as? [[String: [Double]]])
      let peaks = try #require(channels.first?["max"])
      #expect(peaks.count == 10)
      // The encoder overshoots where the tone begins.
      #expect(peaks.dropFirst().allSatisfy { abs($0 - 0.25) < 0.002 })
      let picture = try Binary.run("waveform", "a.mp4", "-o", "w.png", in: directory)
      #expect(picture.status == 0, "\(picture.messages)")
      let stream = try ProbedFile(directory.appending(path: "w.png")).stream("video")
      #expect([stream["width"], stream["height"]] == ["1200", "120"])
    }
  }
}
