import Foundation
import TestSupport
import Testing

/// A second of generated pictures and sound.
private func composition(seconds: Int = 1, size: String = "[64, 36]") -> String {
  """
  {
    "format": "cutroom/1",
    "timeline": {"frameRate": 25, "size": \(size), "sampleRate": 48000, "channelLayout": "stereo"},
    "sources": {
      "pattern": {"generator": "testsrc2", "size": \(size), "frameRate": 25},
      "tone": {"generator": "sine=frequency=440"}
    },
    "tracks": [
      {"id": "v", "kind": "video", "clips": [{"source": "pattern", "duration": "\(seconds)s"}]},
      {"id": "a", "kind": "audio", "clips": [{"source": "tone", "duration": "\(seconds)s"}]}
    ],
    "export": {"video": {"codec": "h264", "preset": "ultrafast"}, "audio": {"codec": "aac"}}
  }
  """
}

private func withComposition(
  _ text: String = composition(), _ body: (URL) throws -> Void
) throws {
  try withTemporaryDirectory { directory in
    try Data(text.utf8).write(to: directory.appending(path: "a.json"))
    try body(directory)
  }
}

private func document(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

private func files(in directory: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: directory.path)
    .filter { $0 != ".results" && $0 != ".messages" }.sorted()
}

struct ExportCommandTests {
  @Test func anExportIsOneDocumentAndOneFile() throws {
    try withComposition { directory in
      let run = try Binary.run(
        "export", "a.json", "-o", "a.mp4", "--json", "--report", "r.json", in: directory)
      #expect(run.status == 0)
      #expect(run.messages.isEmpty)
      let result = try document(run.results)
      #expect(result["ok"] as? Bool == true)
      #expect(result["output"] as? String == "a.mp4")
      #expect(result["duration"] as? String == "1/1")
      #expect((result["streams"] as? [Any])?.count == 2)
      #expect(result["warnings"] is [Any])
      #expect(result["metadata"] is [Any])
      #expect(result["seconds"] is Double)
      #expect(try files(in: directory) == ["a.json", "a.mp4", "r.json"])
      let report = try String(contentsOf: directory.appending(path: "r.json"), encoding: .utf8)
      #expect(report == run.results)
    }
  }

  @Test func progressLinesGoFromZeroToOne() throws {
    try withComposition { directory in
      let run = try Binary.run(
        "export", "a.json", "-o", "a.mp4", "--progress", "json", in: directory)
      #expect(run.status == 0)
      let shown = try run.messages.split(separator: "\n").map {
        try #require(try document(String($0))["progress"] as? Double)
      }
      #expect(shown.first == 0)
      #expect(shown.last == 1)
      #expect(shown.count { $0 == 1 } == 1)
      #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test func anExistingFileIsKeptWithoutOverwrite() throws {
    try withComposition { directory in
      let output = directory.appending(path: "a.mp4")
      try Data("mine".utf8).write(to: output)
      let refused = try Binary.run("export", "a.json", "-o", "a.mp4", in: directory)
      #expect(refused.status != 0)
      #expect(refused.messages.contains("error[output.exists]"))
      #expect(try Data(contentsOf: output) == Data("mine".utf8))
      let done = try Binary.run("export", "a.json", "-o", "a.mp4", "--overwrite", in: directory)
      #expect(done.status == 0)
      #expect(try Data(contentsOf: output).count > 1000)
      #expect(try files(in: directory) == ["a.json", "a.mp4"])
    }
  }

  @Test func aRangeIsCutOutOfTheTimeline() throws {
    try withComposition { directory in
      let run = try Binary.run(
        "plan", "a.json", "-o", "a.mp4", "--range", "5f..15f", "--json", in: directory)
      #expect(run.status == 0)
      let result = try document(run.results)
      #expect(result["duration"] as? String == "2/5")
      #expect(result["container"] as? String == "mp4")
      #expect(result["summary"] is [String: Any])
      #expect(try files(in: directory) == ["a.json"])
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalLeavesNothingBehind(_ signal: Int32) throws {
    try withComposition(composition(seconds: 3600, size: "[640, 360]")) { directory in
      let process = Process()
      process.executableURL = Binary.url
      process.arguments = ["export", "a.json", "-o", "a.mp4", "--progress", "json", "--json"]
      process.currentDirectoryURL = directory
      let (results, messages) = (Pipe(), Pipe())
      process.standardOutput = results
      process.standardError = messages
      try process.run()
      // The first line says that the work has begun.
      #expect(!messages.fileHandleForReading.availableData.isEmpty)
      kill(process.processIdentifier, signal)
      kill(process.processIdentifier, signal)
      let rest = try messages.fileHandleForReading.readToEnd()
      let text = try results.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus == 130)
      #expect(!String(decoding: rest ?? Data(), as: UTF8.self).contains("\"progress\":1,"))
      #expect(try document(String(decoding: text, as: UTF8.self))["ok"] as? Bool == false)
      #expect(try files(in: directory) == ["a.json"])
    }
  }
}

struct CheckCommandTests {
  @Test func findingsNameTheirPlaceAndShowTheLine() throws {
    let text = composition().replacing("\"source\": \"tone\"", with: "\"source\": \"tnoe\"")
    try withComposition(text) { directory in
      let run = try Binary.run("check", "a.json", in: directory)
      #expect(run.status == 2)
      #expect(run.results.contains(/^a\.json:10:\d+: error\[reference\./.anchorsMatchLineEndings()))
      #expect(run.results.contains("\"tnoe\""))
      #expect(run.results.contains("^"))
      #expect(run.results.contains("tone"))
      let json = try Binary.run("check", "a.json", "--json", in: directory)
      #expect(json.status == 2)
      let result = try document(json.results)
      #expect(result["ok"] as? Bool == false)
      let findings = try #require(result["diagnostics"] as? [[String: Any]])
      let finding = try #require(findings.first { $0["severity"] as? String == "error" })
      #expect(finding["pointer"] as? String == "/tracks/1/clips/0/source")
      #expect(finding["line"] as? Int == 10)
    }
  }

  @Test func everyFileIsChecked() throws {
    try withComposition { directory in
      try Data("{".utf8).write(to: directory.appending(path: "b.json"))
      let run = try Binary.run("check", "b.json", "a.json", "none.json", "--json", in: directory)
      #expect(run.status == 2)
      let result = try document(run.results)
      let files = try #require(result["files"] as? [[String: Any]])
      #expect(files.map { $0["ok"] as? Bool } == [false, true, false])
    }
  }

  @Test func resolvePrintsTheTimeline() throws {
    try withComposition { directory in
      let run = try Binary.run("resolve", "a.json", "--json", in: directory)
      #expect(run.status == 0)
      let result = try document(run.results)
      let timeline = try #require(result["timeline"] as? [String: Any])
      #expect(timeline["duration"] as? String == "1/1")
      #expect(timeline["size"] as? [Int] == [64, 36])
      #expect((result["tracks"] as? [[String: Any]])?.map { $0["id"] as? String } == ["v", "a"])
    }
  }
}

struct TagCommandTests {
  @Test func givenTagsAreReadBack() throws {
    try withComposition { directory in
      let made = try Binary.run("export", "a.json", "-o", "a.mp4", "--quiet", in: directory)
      #expect(made.status == 0)
      let changed = try Binary.run(
        "tag", "a.mp4", "--set", "title=One=two", "--set", "artist=A", "--set", "artist=B",
        "--json", in: directory)
      #expect(changed.status == 0)
      let run = try Binary.run("tag", "a.mp4", "--json", in: directory)
      let items = try #require(try document(run.results)["items"] as? [[String: Any]])
      let values = items.reduce(into: [:]) { values, item in
        values[item["key"] as? String ?? ""] = item["values"] as? [String]
      }
      #expect(values["title"] == ["One=two"])
      #expect(values["artist"] == ["A", "B"])
      let text = try Binary.run("tag", "a.mp4", in: directory)
      #expect(text.results.contains("title (itsk/©nam): One=two\n"))
      #expect(try files(in: directory) == ["a.json", "a.mp4"])
    }
  }

  @Test func whatIsGivenWrongIsInvalidAndChangesNothing() throws {
    try withComposition { directory in
      _ = try Binary.run("export", "a.json", "-o", "a.mp4", "--quiet", in: directory)
      let before = try Data(contentsOf: directory.appending(path: "a.mp4"))
      try Data("OggS".utf8).write(to: directory.appending(path: "sound.jpg"))
      try Data("x".utf8).write(to: directory.appending(path: "b.mp4"))
      let cases: [(arguments: [String], code: String, words: String)] = [
        (["--set", "trackNumber=abc"], "metadata.value", "'trackNumber': 'abc' is not a number"),
        (["--set", "bpm=fast"], "metadata.value", "'bpm'"),
        (["--set", "titel=x"], "metadata.key", "did you mean 'title'?"),
        (["--artwork", "sound.jpg"], "metadata.artwork", "'sound.jpg' is an Ogg file"),
        (["--set", "title=x", "-o", "b.mp3"], "metadata.container", "'b.mp3' is named like mp3"),
        (["--set", "title=x", "-o", "b.mp4"], "output.exists", "'b.mp4' exists"),
      ]
      for (arguments, code, words) in cases {
        let run = try Binary.run(arguments: ["tag", "a.mp4", "--json"] + arguments, in: directory)
        #expect(run.status == 2, "\(arguments)")
        let findings = try document(run.results)["diagnostics"] as? [[String: Any]]
        #expect(findings?.first?["code"] as? String == code)
        #expect((findings?.first?["message"] as? String)?.contains(words) == true)
      }
      #expect(try Data(contentsOf: directory.appending(path: "a.mp4")) == before)
      #expect(try files(in: directory) == ["a.json", "a.mp4", "b.mp4", "sound.jpg"])
    }
  }

  @Test func severalFilesArePrintedAndThoseThatAreNoneNamed() throws {
    try withComposition { directory in
      _ = try Binary.run("export", "a.json", "-o", "a.mp4", "--quiet", in: directory)
      let run = try Binary.run("tag", "a.mp4", "none.mp4", "a.mp4", "--json", in: directory)
      #expect(run.status == 1)
      let files = try #require(try document(run.results)["files"] as? [[String: Any]])
      #expect(files.map { $0["file"] as? String } == ["a.mp4", "none.mp4", "a.mp4"])
      #expect(files.map { $0["ok"] as? Bool } == [true, false, true])
      #expect(try Binary.run("tag", "a.mp4", "a.mp4", in: directory).status == 0)
    }
  }

  @Test func aVersionOfID3IsRefusedForAFileWithout() throws {
    try withComposition { directory in
      _ = try Binary.run("export", "a.json", "-o", "a.mp4", "--quiet", in: directory)
      let run = try Binary.run(
        "tag", "a.mp4", "--set", "title=x", "--id3", "2.3", "--json", in: directory)
      #expect(run.status == 2)
      #expect(try document(run.results)["ok"] as? Bool == false)
    }
  }
}

struct GoldenCommandTests {
  @Test func anExportMatchesItsGoldenUntilTheCompositionChanges() throws {
    try withComposition { directory in
      let recorded = try Binary.run("golden", "record", "a.json", "-d", "golden", in: directory)
      #expect(recorded.status == 0, "\(recorded.messages)")
      #expect(recorded.messages.isEmpty)
      let equal = try Binary.run(
        "golden", "check", "golden", "--json", "--junit", "j.xml", in: directory)
      #expect(equal.status == 0)
      let results = try #require(try document(equal.results)["results"] as? [[String: Any]])
      #expect(results.map { $0["name"] as? String } == ["a"])
      #expect(results.map { $0["ok"] as? Bool } == [true])
      #expect(try files(in: directory) == ["a.json", "golden", "j.xml"])

      _ = try Binary.run("export", "a.json", "-o", "a.mp4", in: directory)
      let compared = try Binary.run("compare", "a.mp4", "golden", in: directory)
      #expect(compared.status == 0)

      let changed = composition().replacing("testsrc2", with: "smptebars")
      try Data(changed.utf8).write(to: directory.appending(path: "a.json"))
      let differs = try Binary.run("golden", "check", "golden", "--json", in: directory)
      #expect(differs.status == 3)
      #expect(try document(differs.results)["ok"] as? Bool == false)
      _ = try Binary.run("export", "a.json", "-o", "a.mp4", "--overwrite", in: directory)
      let page = try Binary.run(
        "compare", "a.mp4", "golden/a.golden.json", "--json", "--html", "d.html", in: directory)
      #expect(page.status == 3)
      let tiers = try #require(try document(page.results)["tiers"] as? [[String: Any]])
      #expect(tiers.contains { $0["result"] as? String == "differs" })
      #expect(try files(in: directory).contains("d.html"))
    }
  }

  @Test func aMissingGoldenIsNeverEqual() throws {
    try withComposition { directory in
      let run = try Binary.run("compare", "a.mp4", "none.golden.json", "--json", in: directory)
      #expect([1, 2, 3].contains(run.status))
      #expect(try document(run.results)["ok"] as? Bool == false)
    }
  }
}
