import Foundation
import TestSupport
import Testing

@testable import cutroom_cli

struct FormatCommandTests {
  private static let text = """
    {format: "cutroom/1", timeline: {frameRate: 25, size: [320, 180]},
     sources: {bars: {generator: "smptebars", size: [320, 180], frameRate: 25, duration: "4s"}},
     tracks: [{id: "main", kind: "video", clips: [
       {source: "bars", in: "1s", out: "2s", name: "a"}, // opening
       {source: "bars", in: "2s", out: "3s", name: "b"}]}]}
    """

  @Test func aFileIsReplacedByItsCanonicalForm() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "a.json")
      try Data(Self.text.utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
      let check = CapturedConsole()
      #expect(check.run(["fmt", "--check", file.path]) == 3)
      #expect(check.results == file.path + "\n")
      #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)

      #expect(CapturedConsole().run(["fmt", file.path]) == 0)
      let written = try String(contentsOf: file, encoding: .utf8)
      #expect(written.contains(#""name": "a"}, // opening"#))
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o640)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.json"])

      let again = CapturedConsole()
      #expect(again.run(["fmt", "--check", file.path]) == 0)
      #expect(again.results.isEmpty)
      let printed = CapturedConsole()
      #expect(printed.run(["fmt", "--stdout", file.path]) == 0)
      #expect(printed.results == written)
    }
  }

  @Test func aFileWithAMistakeIsLeftAlone() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "a.json")
      let text = "{format: 'cutroom/1', tracks: [], chapters: 'keep' // default\n}"
      try Data(text.utf8).write(to: file)
      let console = CapturedConsole()
      #expect(console.run(["fmt", file.path]) == 2)
      #expect(console.messages.contains("error[format.comment]"))
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
      #expect(CapturedConsole().run(["fmt", directory.appending(path: "no.json").path]) == 2)
    }
  }

  /// Many clips that an edit before them shifts are one change, and tracks have an order.
  @Test func aDifferenceIsShort() throws {
    try withTemporaryDirectory { directory in
      let files = ["a.json", "b.json"].map { directory.appending(path: $0).path }
      func text(_ first: String, _ tracks: [String]) -> String {
        let clips = (0..<200).map { "{source: 'red', name: 'c\($0)', duration: '10f'}" }
        let all = [
          "main": "{id: 'main', kind: 'video', clips: [\(first), \(clips.joined(separator: ","))]}",
          "top": "{id: 'top', kind: 'video', clips: [{source: 'red', duration: '1s'}]}",
        ]
        return """
          {format: 'cutroom/1', timeline: {frameRate: 25, size: [64, 36]},
           sources: {red: {color: '#F00'}}, tracks: [\(tracks.compactMap { all[$0] }.joined(separator: ","))]}
          """
      }
      try Data(text("{source: 'red', name: 'x', duration: '20f'}", ["main", "top"]).utf8)
        .write(to: URL(filePath: files[0]))
      try Data(text("{source: 'red', name: 'x', duration: '8f'}", ["top", "main"]).utf8)
        .write(to: URL(filePath: files[1]))
      let console = CapturedConsole()
      #expect(console.run(["diff"] + files) == 3)
      #expect(
        console.results == """
          clip 'c0' and 199 clips after it moved -12 frames
          clip 'x'.duration: "20f" → "8f"
          track 'main' moved above track 'top'

          """)
    }
  }

  @Test func aDifferenceIsToldInWordsOfEditing() throws {
    try withTemporaryDirectory { directory in
      let files = ["a.json", "b.json"].map { directory.appending(path: $0).path }
      try Data(Self.text.utf8).write(to: URL(filePath: files[0]))
      let same = CapturedConsole()
      #expect(CapturedConsole().run(["fmt", files[0]]) == 0)
      try Data(Self.text.utf8).write(to: URL(filePath: files[1]))
      #expect(same.run(["diff"] + files) == 0)
      #expect(same.results.isEmpty)

      let other = Self.text
        .replacing("clips: [", with: "clips: [{source: 'blue', duration: '12f'},")
        .replacing("sources: {", with: "sources: {blue: {color: '#00F'},")
        .replacing("out: \"3s\"", with: "out: \"3.5s\"")
      try Data(other.utf8).write(to: URL(filePath: files[1]))
      let console = CapturedConsole()
      #expect(console.run(["diff"] + files) == 3)
      #expect(
        console.results == """
          source 'blue' added
          clip 'blue' added to track 'main'
          clip 'a' moved +12 frames
          clip 'b' moved +12 frames
          clip 'b'.out: 3 → 3.5

          """)
      let json = CapturedConsole()
      #expect(json.run(["diff", "--json"] + files) == 3)
      let changes = try #require(try json.document()?["changes"] as? [[String: Any]])
      #expect(
        changes.map { $0["change"] as? String } == ["added", "added", "moved", "moved", "changed"])
      #expect(changes.last?["after"] as? String == "/tracks/0/clips/2/out")
    }
  }
}
