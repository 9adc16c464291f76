import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Names, damage and places that other tools stumble over.
@Suite(.needsFFmpeg)
struct FaultFileTests {
  static let names = [
    "it's 100% [x] a;b,c $HOME #1.mp4", "d ir/ü日本/a:b.mp4", "u\u{308}.mp4", "\u{fc}.mp4",
    "-dash.mp4", "new\nline.mp4", "2022-01-26T20:57:04Z.mp4", "count%03d.mp4", "a|b>c.mp4",
    "file:x.mp4", String(repeating: "ü", count: 125) + ".mp4",
  ]

  @Test(arguments: names)
  func everyNameWorksAsInputAndAsOutput(name: String) throws {
    try withTemporaryDirectory { folder in
      let source = folder.appending(path: "in/" + name)
      let target = folder.appending(path: "out/" + name)
      for url in [source, target] {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      try FileManager.default.copyItem(at: try Fixtures.file("count25.mp4"), to: source)
      let relative = JSONValue.string("in/" + name).encoded()
      let checked = Engine.check(
        text: SourceText(
          file: "t.json",
          text: Text(
            clips: "{\"source\": \(relative), \"in\": 4, \"out\": 6}", export: Text.passthrough
          ).json), baseDirectory: folder.path)
      try #require(!checked.hasErrors, "\(checked.diagnostics)")
      let plan = try #require(Engine.plan(checked, output: target.path).plan)
      _ = try Engine.export(plan)
      #expect(try DecodedPictures.numbers(target) == Array(100..<150))
      let left = try FileManager.default.contentsOfDirectory(
        atPath: target.deletingLastPathComponent().path)
      #expect(left.count == 1)
    }
  }

  @Test func aStillWithAPercentSignIsOneFile() throws {
    try withTemporaryDirectory { folder in
      let still = folder.appending(path: "c%03d.jpg")
      try Program.ffmpeg([
        "-f", "lavfi", "-i", "color=0x204080:s=320x180", "-frames:v", "1", "-update", "1",
        still.path,
      ])
      let made = try Text(
        clips: try clip(still.path, #""duration": "2f""#), timeline: #""frameRate": 25"#,
        export: Text.quick
      ).export(to: "still.mp4", in: folder)
      #expect(try DecodedPictures.hashes(made.url).count == 2)
    }
  }

  @Test(arguments: [
    "truncated", "overwritten", "no index", "empty", "short",
  ])
  func damagedFilesAreErrorsAtTheClipThatUsesThem(kind: String) throws {
    try withTemporaryDirectory { folder in
      var bytes = try Data(contentsOf: try Fixtures.file("fs.mp4"))
      switch kind {
      case "truncated": bytes = bytes.prefix(90_000)
      case "overwritten":
        bytes.replaceSubrange(80_000..<80_400, with: [UInt8](repeating: 0, count: 400))
      case "no index": bytes = try Data(contentsOf: Fixtures.file("count25.mp4")).prefix(60_000)
      case "empty": bytes = Data()
      default: bytes = bytes.prefix(100)
      }
      let source = folder.appending(path: "broken.mp4")
      try bytes.write(to: source)
      let began = ContinuousClock.now
      for mode in [Text.quick, ""] {
        let inner = folder.appending(path: "strict")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let errors = try Text(clips: try clip(source.path), export: mode).refusal(in: inner)
        if kind == "overwritten", mode.isEmpty {
          // Packets are copied without looking into them.
          #expect(errors == ["none"])
          continue
        }
        #expect(errors.count == 1)
        #expect(errors[0].hasPrefix("media."), "\(errors)")
        #expect(errors[0].contains("/tracks/0/clips/0"), "\(errors)")
      }
      #expect(ContinuousClock.now - began < .seconds(10))
    }
  }

  @Test func allUnusableSourcesAreNamedAtOnce() throws {
    try withTemporaryDirectory { folder in
      let locked = folder.appending(path: "locked.mp4")
      try Data("x".utf8).write(to: locked)
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: locked.path)
      let paths = [folder.path + "/no.mp4", folder.path, folder.path + "/none.mov", locked.path]
      let clips = try [clip("count25.mp4")] + paths.map { try clip($0) }
      let began = ContinuousClock.now
      let checked = Engine.check(
        text: SourceText(file: "t", text: Text(clips: clips.joined(separator: ",")).json),
        baseDirectory: "/")
      #expect(ContinuousClock.now - began < .seconds(2))
      let errors = checked.diagnostics.filter { $0.severity == .error }
      #expect(errors.map(\.pointer) == (1...4).map { "/tracks/0/clips/\($0)/source" })
    }
  }

  @Test(arguments: [
    (#""in": 20, "duration": 2"#, "range.past-end"), (#""in": 0, "out": 12"#, "range.past-end"),
    (#""in": 3, "out": 3"#, "range.empty"), (#""in": 5, "out": 3"#, "range.reversed"),
    (#""in": -1, "out": 3"#, "time.negative"), (#""duration": 0"#, "range.empty"),
  ])
  func rangesOutsideASourceAreErrors(range: String, code: String) throws {
    try withTemporaryDirectory { folder in
      let errors = try Text(clips: try clip("count25.mp4", range)).refusal(in: folder)
      #expect(errors.count == 1)
      #expect(errors[0].hasPrefix(code), "\(errors)")
    }
  }

  @Test func anExistingTargetAndAMissingFolderAreErrors() throws {
    try withTemporaryDirectory { folder in
      let text = Text(clips: try clip("count25.mp4", #""in": 4, "out": 6"#))
      let target = folder.appending(path: "x.mp4")
      try Data("mine".utf8).write(to: target)
      do {
        _ = try text.export(to: "x.mp4", in: folder)
        Issue.record("an existing file was replaced")
      } catch let error as CutroomError {
        #expect(error.stableCode == "output.exists")
      } catch let refusal as Refusal {
        #expect(refusal.errors == ["output.exists "])
      }
      #expect(try Data(contentsOf: target) == Data("mine".utf8))
      _ = try text.export(to: "x.mp4", in: folder, overwrite: true)
      #expect(try DecodedPictures.numbers(target) == Array(100..<150))
      #expect(throws: Refusal.self) { try text.plan(folder.path + "/no/x.mp4") }
    }
  }

  @Test func theSourceIsNeverTheTarget() throws {
    try withTemporaryDirectory { folder in
      let source = folder.appending(path: "a.mp4")
      let link = folder.appending(path: "b.mp4")
      try FileManager.default.copyItem(at: try Fixtures.file("count25.mp4"), to: source)
      try FileManager.default.linkItem(at: source, to: link)
      for target in ["a.mp4", "b.mp4"] {
        do {
          _ = try Text(clips: try clip(source.path)).plan(folder.path + "/" + target)
          Issue.record("the source would be written")
        } catch let refusal as Refusal {
          #expect(refusal.errors == ["output.is-input "])
        }
      }
    }
  }

  @Test(.enabled(if: Self.program != nil, "needs the program cutroom beside the tests"))
  func aFullDiskIsAnErrorWithoutAFile() throws {
    let program = try #require(Self.program)
    try withTemporaryDirectory { folder in
      let composition = folder.appending(path: "c.json")
      try Data(Text(clips: try clip("count25.mp4"), export: Text.quick).json.utf8)
        .write(to: composition)
      let result = try Program.result(
        of: "bash",
        [
          "-c", "ulimit -f 128; trap '' XFSZ; exec \"$0\" export --json \"$1\" -o \"$2\"", program,
          composition.path, folder.path + "/full.mp4",
        ])
      #expect(result.status == 1)
      #expect(result.text.contains("\"ok\": false"))
      #expect(result.text.contains("output."))
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left == ["c.json"])
    }
  }

  @Test(
    .enabled(if: Self.program != nil, "needs the program cutroom beside the tests"),
    arguments: [("INT", 130), ("TERM", 130), ("KILL", 137)])
  func aStoppedExportLeavesNothingUnderItsName(signal: String, status: Int) throws {
    let program = try #require(Self.program)
    try withTemporaryDirectory { folder in
      let composition = folder.appending(path: "c.json")
      let long = Text(
        tracks: #"{"kind": "video", "clips": [{"source": "bars", "duration": "60s"}]}"#,
        timeline: #""size": [640, 360], "frameRate": 25"#, export: #""mode": "render""#,
        more: #""sources": {"bars": {"generator": "testsrc2", "duration": "60s"}}"#)
      try Data(long.json.utf8).write(to: composition)
      // The signal comes with the fourth line of progress; the rest is read to let it end.
      let script = """
        mkfifo "$1/progress"
        "$0" export --json --progress json "$1/c.json" -o "$1/out.mp4" 2>"$1/progress" &
        program=$!
        exec 3<"$1/progress"
        for line in 1 2 3 4; do read -r text <&3; done
        kill -\(signal) $program
        cat <&3 >"$1/rest"
        wait $program
        status=$?
        rm "$1/progress" "$1/rest"
        exit $status
        """
      let result = try Program.result(of: "bash", ["-c", script, program, folder.path])
      #expect(Int(result.status) == status, "\(result.errors)")
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(!left.contains("out.mp4"))
      if signal != "KILL" { #expect(left == ["c.json"]) }
      // The next run is not disturbed by what a killed one left.
      let short = Text(clips: try clip("count25.mp4", #""in": 4, "out": 6"#))
      try Data(short.json.utf8).write(to: composition)
      let next = try Program.result(
        of: program, ["export", composition.path, "-o", folder.path + "/out.mp4"])
      #expect(next.status == 0, "\(next.errors)")
      #expect(
        try DecodedPictures.numbers(folder.appending(path: "out.mp4")) == Array(100..<150))
    }
  }

  /// The program that was built with the tests.
  private static let program: String? = {
    let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "cutroom").path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()
}
