import CutroomModel
import Testing

@testable import Cutroom

struct UnsupportedTests {
  struct Use: CustomTestStringConvertible, Sendable {
    var text: String
    var pointer: String
    var testDescription: String { text }

    init(_ text: String, _ pointer: String) { (self.text, self.pointer) = (text, pointer) }
  }

  @Test(arguments: [
    Use("tracks: [{kind: 'subtitle', clips: []}]", "/tracks/0/kind")
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
          {enabled: false, kind: 'subtitle', clips: []}]}
        """)
    let document = try #require(CompositionReader.read(text).document)
    #expect(Unsupported.findings(in: document).isEmpty)
  }

  @Test func onlyPlanningRefuses() throws {
    let text = """
      {"format": "cutroom/1", "sources": {"a": {"color": "#123"}},
       "tracks": [{"clips": [{"source": "a", "duration": "2s"}]}, {"kind": "subtitle", "clips": []}]}
      """
    let checked = Engine.check(text: SourceText(file: "a.json", text: text), baseDirectory: "")
    #expect(!checked.hasErrors && checked.timeline?.duration == 2)
    let planned = Engine.plan(checked, output: "a.mp4")
    #expect(planned.plan == nil)
    let errors = planned.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.code) == ["unsupported"])
    #expect(errors.map(\.pointer) == ["/tracks/1/kind"])
    #expect(errors.first?.place?.line == 2)
  }
}
