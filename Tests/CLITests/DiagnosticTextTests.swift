import Cutroom
import Testing

@testable import cutroom_cli

struct DiagnosticTextTests {
  private let source = SourceText(
    file: "a.json", text: "{\n\t\"export\": {\"mode\": \"pasthrough\"}\n}\n")

  @Test func aFindingShowsItsLineACaretAndAHint() {
    let finding = Diagnostic(
      .error, "value.unknown", "'pasthrough' is no mode", at: "/export/mode",
      place: Place(file: "a.json", line: 2, column: 21), fix: "write \"passthrough\"")
    #expect(
      DiagnosticText(file: "a.json", source: source).text(finding) == """
        a.json:2:21: error[value.unknown]: 'pasthrough' is no mode
           "export": {"mode": "pasthrough"}
                              ^
          help: write "passthrough"
        """)
  }

  @Test func aFindingWithoutAPlaceNamesTheFileOnly() {
    let finding = Diagnostic(.warning, "w", "text", at: "")
    #expect(DiagnosticText(file: "a.json").text(finding) == "a.json: warning[w]: text")
  }

  @Test func aPlaceInAnotherFileShowsNoLine() {
    let finding = Diagnostic(
      .note, "n", "text", at: "", place: Place(file: "b.json", line: 1, column: 1))
    #expect(
      DiagnosticText(file: "a.json", source: source).text(finding) == "b.json:1:1: note[n]: text")
  }

  @Test func controlCharactersNeverReachTheTerminal() {
    let finding = Diagnostic(.error, "e", "a\u{1B}[31m\nb\u{202E}c", at: "", fix: "\u{7}")
    #expect(
      DiagnosticText(file: "f").text(finding)
        == "f: error[e]: a\u{FFFD}[31m b\u{FFFD}c\n  help: \u{FFFD}")
  }

  @Test func relatedPlacesAreShownWhenMoreIsAskedFor() {
    let related = Diagnostic.Related(
      message: "first here", pointer: "/a", place: Place(file: "f", line: 3, column: 4))
    let finding = Diagnostic(.error, "e", "twice", at: "/b", related: [related])
    #expect(
      DiagnosticText(file: "f", isVerbose: true).text(finding)
        == "f: error[e]: twice\n  f:3:4: note: first here")
  }
}
