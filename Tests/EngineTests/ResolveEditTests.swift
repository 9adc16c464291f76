import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Edits on laid-out tracks, and compositions within compositions.
struct ResolveEditTests {
  private let files = FakeFiles.usual

  private func edited(_ edits: String, _ clips: String? = nil) -> CheckedComposition {
    files.check(
      clips: clips ?? #"{"source": "a.mp4", "out": 4}, {"source": "b.mp4", "in": 2, "out": 5}"#,
      #""edits": [\#(edits)],"#)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var edit: String
    var video: [String]
    var testDescription: String { edit }

    init(_ edit: String, _ video: [String]) { (self.edit, self.video) = (edit, video) }
  }

  @Test(arguments: [
    Row(
      #"{"op": "insert", "track": "main", "clip": {"source": "b.mp4", "in": 1, "out": 3}, "at": 2}"#,
      ["a.mp4[0+2]@0+2", "b.mp4[1+2]@2+2", "a.mp4[2+2]@4+2", "b.mp4[2+3]@6+3"]),
    Row(
      #"{"op": "insert", "clip": {"source": "b.mp4", "in": 1, "out": 3}, "at": 9}"#,
      ["a.mp4[0+4]@0+4", "b.mp4[2+3]@4+3", "-@7+2", "b.mp4[1+2]@9+2"]),
    Row(
      #"{"op": "insert", "clip": {"source": "b.mp4", "out": 3, "speed": 3, "reverse": true}}"#,
      ["a.mp4[0+4]@0+4", "b.mp4[2+3]@4+3", "b.mp4<[0+3]@7+1"]),
    Row(
      #"{"op": "insert", "at": 0, "clip": {"source": "b.mp4", "in": 9, "out": 11, "fill": "freeze"}}"#,
      ["b.mp4[9+1]@0+1", "b.mp4=[249/25+0]@1+1", "a.mp4[0+4]@2+4", "b.mp4[2+3]@6+3"]),
    Row(
      #"{"op": "insertEmpty", "range": {"in": 2, "out": 5}}"#,
      ["a.mp4[0+2]@0+2", "-@2+3", "a.mp4[2+2]@5+2", "b.mp4[2+3]@7+3"]),
    Row(
      #"{"op": "remove", "range": {"in": 3, "out": 6}}"#, ["a.mp4[0+3]@0+3", "b.mp4[4+1]@3+1"]),
    Row(
      #"{"op": "scale", "range": {"in": 2, "out": 6}, "duration": 2}"#,
      ["a.mp4[0+2]@0+2", "a.mp4[2+2]@2+1", "b.mp4[2+2]@3+1", "b.mp4[4+1]@4+1"]),
    Row(
      #"{"op": "remove", "range": {"in": 0, "out": 4}}, {"op": "remove", "range": {"in": 1, "out": 9}}"#,
      ["b.mp4[2+1]@0+1"]),
  ])
  func editsAreApplied(_ row: Row) {
    let checked = edited(row.edit)
    #expect(checked.played("main.video") == row.video)
    #expect(checked.diagnostics.isEmpty, "\(checked.diagnostics)")
    let end = checked.timeline?.tracks.map(\.duration).max()
    #expect(checked.timeline?.duration == end)
  }

  @Test(arguments: [
    (
      #"{"op": "remove", "range": {"in": 0, "out": 1}}, {"op": "remove", "range": {"in": 3, "out": 2}}"#,
      "range.reversed /edits/1/range/out"
    ),
    (
      #"{"op": "scale", "range": {"in": 0, "out": 1}, "duration": 0}"#, "segment.duration /edits/0"
    ),
    (
      #"{"op": "insert", "clip": {"source": "b.mp4", "in": 9, "out": 11}, "at": 0}"#,
      "range.past-end /edits/0/clip/out"
    ),
    (
      #"{"op": "insert", "clip": {"source": "c.mp4"}, "at": 0}"#,
      "media.missing /edits/0/clip/source"
    ),
  ])
  func theFirstEditThatFailsIsAnError(edits: String, finding: String) {
    let checked = edited(edits)
    #expect(checked.findings(.error) == [finding])
    #expect(checked.timeline == nil)
  }

  @Test func anEditOfNothingIsAWarning() {
    let checked = edited(#"{"op": "remove", "range": {"in": 20, "out": 21}}"#)
    #expect(checked.findings(.warning) == ["shape.no-effect /edits/0"])
    #expect(checked.played("main.video") == ["a.mp4[0+4]@0+4", "b.mp4[2+3]@4+3"])
  }

  @Test func transitionsMoveWithTheirCut() {
    let clips = """
      {"source": "a.mp4", "out": 4}, {"transition": "dissolve", "duration": "1s"},
      {"source": "b.mp4", "in": 2, "out": 5}
      """
    let moved = edited(#"{"op": "remove", "range": {"in": 1, "out": 2}}"#, clips)
    #expect(moved.transitions("main.video") == ["1>2 63/25+1/1"])
    #expect(moved.diagnostics.isEmpty, "\(moved.diagnostics)")
    let lost = edited(#"{"op": "remove", "range": {"in": 3, "out": 5}}"#, clips)
    #expect(lost.transitions("main.video").isEmpty)
    #expect(lost.findings(.warning) == ["shape.no-effect /tracks/0/clips/1"])
    let short = edited(#"{"op": "remove", "range": {"in": 0, "out": "3.9s"}}"#, clips)
    #expect(short.findings(.error) == ["transition.too-long /tracks/0/clips/1/duration"])
  }

  // MARK: Nested

  private func check(_ files: [String: String]) throws -> CheckedComposition {
    try withTemporaryDirectory { folder in
      for (name, text) in files {
        let url = folder.appending(path: name)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
      }
      return Engine.check(path: folder.appending(path: "main.json").path)
    }
  }

  private static func scene(_ sources: String, _ clips: String, _ timeline: String = "") -> String {
    """
    {"format": "cutroom/1", "timeline": {\(timeline)}, "sources": {\(sources)},
     "tracks": [{"id": "main", "clips": [\(clips)]}]}
    """
  }

  @Test func compositionsAreSourcesWithDefaultsOfTheirOwn() throws {
    let checked = try check([
      "main.json": Self.scene(
        #""scene": {"composition": "parts/scene.json"}"#, #"{"source": "scene", "in": 1}"#),
      "parts/scene.json": Self.scene(
        #""inner": {"composition": "inner.json"}"#,
        #"{"source": "inner", "speed": 2}, {"source": "inner", "duration": "1s"}"#,
        #""frameRate": 50, "size": [64, 36]"#),
      "parts/inner.json": Self.scene(
        ##""blue": {"color": "#00F"}"##, #"{"source": "blue", "duration": "4s"}"#),
    ])
    #expect(checked.diagnostics.isEmpty, "\(checked.diagnostics)")
    #expect(checked.played("main.video") == ["scene[1+2]@0+2"])
    let timeline = try #require(checked.timeline)
    #expect(
      timeline.frameRate == FrameRate(50) && timeline.size == PixelSize(width: 64, height: 36))
    let scene = try #require(timeline.sources.first?.timeline)
    #expect(scene.duration == 3 && scene.tracks[0].segments.count == 2)
    #expect(scene.sources.first?.timeline?.duration == 4)
  }

  @Test func compositionsThatContainEachOtherAreAnError() throws {
    let checked = try check([
      "main.json": Self.scene(#""b": {"composition": "b.json"}"#, #"{"source": "b"}"#),
      "b.json": Self.scene(#""c": {"composition": "./c.json"}"#, #"{"source": "c"}"#),
      "c.json": Self.scene(#""b": {"composition": "b.json"}"#, #"{"source": "b"}"#),
    ])
    #expect(checked.findings(.error) == ["reference.cycle /sources/b/composition"])
    let finding = try #require(checked.diagnostics.first)
    #expect(finding.place?.file.hasSuffix("c.json") == true)
    #expect(finding.message.contains("b.json → ") && finding.message.contains("c.json → "))
    let own = try check([
      "main.json": Self.scene(#""me": {"composition": "main.json"}"#, #"{"source": "me"}"#)
    ])
    #expect(own.findings(.error) == ["reference.cycle /sources/me/composition"])
  }

  @Test func findingsNameTheFileTheyAreIn() throws {
    let checked = try check([
      "main.json": Self.scene(
        #""b": {"composition": "b.json"}, "c": {"composition": "c.json"}"#,
        #"{"source": "b"}, {"source": "c"}"#),
      "b.json": Self.scene(
        ##""blue": {"color": "#00F"}"##, #"{"source": "blue", "duration": 0}"#),
    ])
    #expect(
      Set(checked.findings(.error)) == [
        "range.empty /tracks/0/clips/0/duration", "media.missing /sources/c/composition",
      ])
    let inner = checked.diagnostics.first { $0.code == "range.empty" }
    #expect(inner?.place?.file.hasSuffix("b.json") == true)
  }
}
