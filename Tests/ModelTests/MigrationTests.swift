import Testing

@testable import CutroomModel

/// Files of other versions of the format, with steps that only these tests have.
struct MigrationTests {
  /// A version 0 in which tracks were `layers`, clips had `file` and `from`, and rates were `fps`.
  private static let steps = Migrations([
    .init(version: 0) { document in
      document.rename("layers", to: "tracks")
      document["timeline"]?.rename("fps", to: "frameRate")
      document["tracks"]?.forEach { track in
        track["clips"]?.forEach { clip in
          clip.rename("file", to: "source")
          clip.rename("from", to: "in")
          if clip["muted"]?.kind == .true { clip.add("audio", false) }
          clip["muted"] = nil
        }
      }
    }
  ])

  private static let old = """
    {
      // an old one
      "format": "cutroom/0",
      "timeline": {fps: 25},
      "layers": [
        {"clips": [
          {"file": "a.mov", "from": "1s", "out": "3s", "muted": true}, // the first
          {"file": "b.mov", "from": "oops", "out": "3s"}
        ]}
      ]
    }
    """

  private static func text(_ text: String) -> SourceText {
    SourceText(file: "old.json", bytes: Array(text.utf8), steps)
  }

  @Test func anOlderVersionReadsAsTheCurrentOne() throws {
    let good = Self.old.replacing("oops", with: "2s")
    let (document, findings) = CompositionReader.read(Self.text(good))
    #expect(findings.map(\.severity) == [.note])
    #expect(
      findings.first?.message
        == "the file has the format \"cutroom/0\" and is read as \"cutroom/1\"; 'cutroom fmt' "
        + "writes it so")
    #expect(findings.first?.place == Place(file: "old.json", line: 3, column: 13))
    let read = try #require(document)
    #expect(read.timeline.frameRate == FrameRate(25))
    guard case .clip(let clip)? = read.tracks.first?.items.first else {
      Issue.record("there is no clip")
      return
    }
    #expect(clip.source == "a.mov" && clip.in == .seconds(1) && clip.sound == nil)
    // The same as the file that its author would write today.
    let today = CompositionReader.read(
      SourceText(file: "today.json", text: CompositionWriter.text(read)))
    #expect(today.document == read && today.diagnostics.isEmpty)
  }

  @Test func findingsPointAtWhatTheAuthorWrote() {
    let text = Self.text(Self.old)
    let findings = CompositionReader.read(text).diagnostics.filter { $0.severity == .error }
    #expect(findings.map(\.code) == ["time.syntax"])
    #expect(findings.first?.pointer == "/tracks/0/clips/1/in")
    #expect(findings.first?.place == Place(file: "old.json", line: 8, column: 33))
    // Also where only the pointer is known: a key that was renamed, and one that was put in.
    #expect(text.place(ofPointer: "/tracks/0/clips/0/in")?.column == 33)
    #expect(
      text.place(ofPointer: "/tracks/0/clips/0/audio")
        == Place(file: "old.json", line: 7, column: 7))
  }

  @Test func theCanonicalTextIsOfTheCurrentVersionAndKeepsComments() {
    let canonical = CanonicalText(Self.text(Self.old.replacing("oops", with: "2s"))).text
    #expect(
      canonical == """
        {
          // an old one
          "format": "cutroom/1",
          "timeline": {"frameRate": 25},
          "tracks": [
            {
              "clips": [
                {"source": "a.mov", "in": 1, "out": 3, "audio": false}, // the first
                {"source": "b.mov", "in": 2, "out": 3}
              ]
            }
          ]
        }

        """)
  }

  @Test(arguments: [
    (
      "cutroom/2",
      "\"format\" is the text \"cutroom/2\", a later version of the format than this program "
        + "reads, which is \"cutroom/1\"; use a later Cutroom for this file"
    ),
    (
      "cutroom/999999999",
      "\"format\" is the text \"cutroom/999999999\", a later version of the format than this "
        + "program reads, which is \"cutroom/1\"; use a later Cutroom for this file"
    ),
    ("cutroom/0", "\"format\" is the text \"cutroom/0\", but this version reads \"cutroom/1\""),
    ("cutroom/1.5", "\"format\" is the text \"cutroom/1.5\", but this version reads \"cutroom/1\""),
    ("otio", "\"format\" is the text \"otio\", but this version reads \"cutroom/1\""),
  ])
  func otherVersionsAreAnError(format: String, message: String) {
    let text = SourceText(file: "x.json", text: "{\"format\": \"\(format)\", \"tracks\": []}")
    let (document, findings) = CompositionReader.read(text)
    #expect(document == nil && findings.map(\.message) == [message])
    #expect(findings.first?.place == Place(file: "x.json", line: 1, column: 12))
  }

  @Test func aVersionBetweenNeedsItsStep() {
    let gap = Migrations([.init(version: -1) { _ in }])
    let text = SourceText(
      file: "x.json", bytes: Array("{\"format\": \"cutroom/0\", \"tracks\": []}".utf8), gap)
    #expect(text.originalFormat == nil && CompositionReader.read(text).document == nil)
  }

  @Test func versionsHaveNumbers() {
    #expect(Migrations.current == 1)
    #expect(Migrations.version("cutroom/12") == 12)
    for name in ["cutroom/", "cutroom/+1", "cutroom/１", "cutroom/1234567890", "other/1"] {
      #expect(Migrations.version(name) == nil, "\(name)")
    }
  }

  /// Any document goes through a step that changes nothing, and stays what it is.
  @Test func whatAStepLeavesAloneStaysAsItWas() throws {
    let idle = Migrations([.init(version: 0) { _ in }])
    let original = """
      {"format": "cutroom/0", "name": "a \\"b\\" \\u00e9", 'x-mine': [1, {"y": null}, [], {}],
       "tracks": [{"clips": [{"source": 'a.mov', "in": 1.50, "out": "3s", "enabled": false}]}]}
      """
    let old = SourceText(file: "a", bytes: Array(original.utf8), idle)
    let new = SourceText(file: "b", text: original.replacing("cutroom/0", with: "cutroom/1"))
    #expect(CompositionReader.read(old).document == CompositionReader.read(new).document)
    #expect(CanonicalText(old).text == CanonicalText(new).text)
  }
}
