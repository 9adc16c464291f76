import Foundation
import TestSupport
import Testing

@testable import CutroomModel

struct CanonicalTextTests {
  private static func canonical(_ text: String) -> CanonicalText {
    CanonicalText(SourceText(file: "a.json", text: text))
  }

  @Test func commentsStayBesideWhatTheyAreAbout() throws {
    let text = """
      // A trailer.
      {
        format: 'cutroom/1', /* first */
        "x-tool": {a: [1, 2]},
        sources: {
          // the ground
          blue: {color: "#1133aa"}, // blue
        },
        tracks: [
          {clips: [
            /* one
               two */
            {duration: 1.50, source: "blue", "x-note": "keep"}
            // nothing follows
          ]},
        ],
      }
      // The end.

      """
    let canonical = Self.canonical(text)
    #expect(canonical.diagnostics == [])
    let written = try #require(canonical.text)
    #expect(
      written == """
        // A trailer.
        {
          "format": "cutroom/1", /* first */
          "sources": {
            // the ground
            "blue": {"color": "#1133AA"} // blue
          },
          "tracks": [
            {
              "clips": [
                /* one
                two */
                {"source": "blue", "duration": 1.5, "x-note": "keep"}
                // nothing follows
              ]
            }
          ],
          "x-tool": {
            "a": [1, 2]
          }
        }
        // The end.

        """)
    #expect(Self.canonical(written).text == written)
  }

  @Test(arguments: [
    "{format: 'cutroom/1', tracks: [], chapters: 'keep' // default\n}",
    "{format: 'cutroom/1', tracks: [{\n// on by default\nenabled: true, clips: []}]}",
    "{format: 'cutroom/1', tracks: [], sources: {a: {\n// a path\npath: 'a.mp4'}}}",
  ])
  func aCommentThatCannotStayIsRefused(_ text: String) {
    let canonical = Self.canonical(text)
    #expect(canonical.text == nil)
    #expect(canonical.diagnostics.map(\.code) == ["format.comment"])
    #expect(canonical.diagnostics.first?.place != nil)
  }

  @Test func freeKeysStayAlsoWhereNothingElseDoes() throws {
    let text = """
      {format: 'cutroom/1', sources: {a: {path: 'a.mp4', 'x-take': 3}},
       tracks: [{clips: [{source: 'a', video: {'x-mark': 1}}]}]}
      """
    let written = try #require(Self.canonical(text).text)
    #expect(written.contains(#"{"path": "a.mp4", "x-take": 3}"#))
    #expect(written.contains(#""x-mark": 1"#))
    #expect(Self.canonical(written).text == written)
  }

  @Test func everySampleSaysTheSameInItsCanonicalForm() throws {
    for url in try PackageFolder.samples {
      let source = SourceText(file: url.path, bytes: Array(try Data(contentsOf: url)))
      let written = try #require(CanonicalText(source).text, "\(url.lastPathComponent)")
      let again = SourceText(file: url.path, text: written)
      #expect(CompositionReader.read(again).document == CompositionReader.read(source).document)
      #expect(CanonicalText(again).text == written)
      #expect(written.contains("x-needs") == source.bytes.contains(Array("x-needs".utf8)))
    }
  }

  @Test func nothingIsWrittenWhereSomethingIsWrong() {
    let canonical = Self.canonical("{format: 'cutroom/1', trakcs: []}")
    #expect(canonical.text == nil)
    #expect(canonical.diagnostics.map(\.code) == ["shape.unknown-key"])
  }
}
