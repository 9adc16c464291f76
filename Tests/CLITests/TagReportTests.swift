import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Program.hasFFmpeg, "needs the programs ffmpeg and ffprobe"))
struct TagReportTests {
  /// A folder with `a.mp4`.
  private func withMedia(_ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      try FileManager.default.copyItem(
        at: try Fixtures.file("count25.mp4"), to: directory.appending(path: "a.mp4"))
      try body(directory)
    }
  }

  private func document(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func lintEndsWithStatus3WhereItHasAWarning() throws {
    try withMedia { directory in
      let clean = try Binary.run("tag", "a.mp4", "--lint", "--json", in: directory)
      #expect(clean.status == 0, "\(clean.messages)")
      #expect(try document(clean.results)["ok"] as? Bool == true)
      _ = try Binary.run(
        "tag", "a.mp4", "--set", "creationDate=25.10.2023", "--set", "make=Acme", in: directory)
      let run = try Binary.run("tag", "a.mp4", "--lint", "--json", in: directory)
      #expect(run.status == 3)
      let result = try document(run.results)
      #expect(result["ok"] as? Bool == false)
      let codes = (result["diagnostics"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
      #expect(codes?.contains("lint.date") == true)
      #expect(codes?.contains("lint.privacy") == true)
      let text = try Binary.run("tag", "a.mp4", "--lint", in: directory)
      #expect(text.status == 3)
      #expect(text.messages.contains("a.mp4: warning[lint.date]"))
    }
  }

  @Test func helpNamesTheUsualKeysAndAMisnomerIsAnswered() throws {
    try withMedia { directory in
      let help = try Binary.run("tag", "--help", in: directory)
      for key in ["title", "artist", "album", "creationDate", "trackNumber", "--id3-separator"] {
        #expect(help.results.contains(key), "\(key)")
      }
      let run = try Binary.run("tag", "a.mp4", "--set", "year=2024", in: directory)
      #expect(run.status == 2)
      #expect(run.messages.contains("did you mean 'creationDate'?"), "\(run.messages)")
      let same = try Binary.run("tag", "a.mp4", "--set", "title=T", "-o", "a.mp4", in: directory)
      #expect(same.status == 2)
      #expect(same.messages.contains("output.exists"), "\(same.messages)")
    }
  }

  @Test func anEmptyFileIsCalledEmpty() throws {
    try withTemporaryDirectory { directory in
      for name in ["e.mp4", "e.mp3", "e.flac"] {
        try Data().write(to: directory.appending(path: name))
        for command in ["probe", "tag"] {
          let run = try Binary.run(command, name, in: directory)
          #expect(run.status != 0)
          #expect((run.results + run.messages).contains("'\(name)' is empty"), "\(command)")
        }
      }
    }
  }

  @Test func anotherFilesItemsAreTakenOverAndReported() throws {
    try withMedia { directory in
      try FileManager.default.copyItem(
        at: directory.appending(path: "a.mp4"), to: directory.appending(path: "b.mp4"))
      _ = try Binary.run(
        "tag", "a.mp4", "--set", "title=One", "--set", "artist=Me", in: directory)
      let run = try Binary.run(
        "tag", "b.mp4", "--copy-from", "a.mp4", "--set", "title=Two", "--json", in: directory)
      #expect(run.status == 0, "\(run.messages)")
      let result = try document(run.results)
      let items = try #require(result["items"] as? [[String: Any]])
      let values = Dictionary(
        items.map { ($0["key"] as? String ?? "", $0["values"] as? [String] ?? []) }
      ) { $1 }
      #expect(values["title"] == ["Two"])
      #expect(values["artist"] == ["Me"])
      let outcomes = try #require(result["outcomes"] as? [[String: Any]])
      #expect(outcomes.count == 3)
      #expect(outcomes.allSatisfy { $0["outcome"] as? String == "exact" })
    }
  }

  @Test func lossesAreErrorsWhereThatIsAskedFor() throws {
    try withMedia { directory in
      let arguments = ["tag", "a.mp4", "--set", "id3/PRIV:x=y", "--json"]
      let kept = try Binary.run(arguments: arguments, in: directory)
      #expect(kept.status == 0)
      #expect(try document(kept.results)["outcomes"] != nil)
      let run = try Binary.run(
        arguments: arguments + ["--metadata-loss", "error"], in: directory)
      #expect(run.status == 2)
      #expect(run.results.contains("metadata.loss"))
      let text = """
        {"format": "cutroom/1", "tracks": [{"clips": [{"source": "a.mp4", "out": "1s"}]}],
         "metadata": {"items": {"id3/PRIV:x": "y"}}}
        """
      try text.write(
        to: directory.appending(path: "c.json"), atomically: true, encoding: .utf8)
      let export = try Binary.run(
        "export", "c.json", "-o", "o.mp4", "--metadata-loss", "error", "--json", in: directory)
      #expect(export.status == 2, "\(export.results)")
      #expect(export.results.contains("metadata.loss"))
      #expect(!FileManager.default.fileExists(atPath: directory.appending(path: "o.mp4").path))
      let warned = try Binary.run("export", "c.json", "-o", "o.mp4", in: directory)
      #expect(warned.status == 0, "\(warned.messages)")
    }
  }
}
