import CutroomModel
import Testing

@testable import Cutroom

struct UnsupportedTests {
  struct Use: CustomTestStringConvertible, Sendable {
    var text: String
    var pointer: String
    var testDescription: String { text }

    init(_ text: String, _ pointer: String) { (self.text, self.pointer) = (text, pointer) }

    /// A key of the only clip.
    static func clip(_ text: String, _ key: String) -> Use {
      Use("tracks: [{clips: [{source: 'a', \(text)}]}]", "/tracks/0/clips/0/" + key)
    }
  }

  @Test(arguments: [
    Use.clip("video: {deinterlace: 'always'}", "video/deinterlace"),
    Use("tracks: [{kind: 'subtitle', clips: []}]", "/tracks/0/kind"),
    Use(
      "tracks: [], edits: [{op: 'insert', clip: {source: 'a', video: {deinterlace: 'auto'}}}]",
      "/edits/0/clip/video/deinterlace"),
  ])
  func whatCannotBeDoneIsRefusedAtItsPlace(_ use: Use) throws {
    let text = SourceText(file: "a.json", text: "{format: 'cutroom/1', \(use.text)}")
    let read = CompositionReader.read(text)
    #expect(read.diagnostics.isEmpty, "\(read.diagnostics)")
    let findings = Unsupported.findings(in: try #require(read.document))
    #expect(findings.map(\.pointer) == [use.pointer])
    #expect(findings.map(\.code) == ["unsupported"])
  }

  @Test func whatDoesNotTakePartIsNotRefused() throws {
    let text = SourceText(
      file: "a.json",
      text: """
        {format: 'cutroom/1', tracks: [
          {enabled: false, kind: 'subtitle', clips: []},
          {clips: [{source: 'a', enabled: false, video: {deinterlace: 'auto'}}]}]}
        """)
    let document = try #require(CompositionReader.read(text).document)
    #expect(Unsupported.findings(in: document).isEmpty)
  }

  @Test func onlyPlanningRefuses() throws {
    let text = """
      {"format": "cutroom/1", "sources": {"a": {"color": "#123"}}, "tracks": [{"clips": [
        {"source": "a", "duration": "2s", "video": {"deinterlace": "auto"}}]}]}
      """
    let checked = Engine.check(text: SourceText(file: "a.json", text: text), baseDirectory: "")
    #expect(checked.diagnostics.isEmpty && checked.timeline?.duration == 2)
    let planned = Engine.plan(checked, output: "a.mp4")
    #expect(planned.plan == nil)
    #expect(planned.diagnostics.map(\.code) == ["unsupported"])
    #expect(planned.diagnostics.map(\.pointer) == ["/tracks/0/clips/0/video/deinterlace"])
    #expect(planned.diagnostics.first?.place?.line == 2)
  }
}
