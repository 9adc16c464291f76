import Cutroom
import CutroomModel
import Testing

/// A composition of clips and what one track of it becomes.
struct LayoutCase: Sendable, CustomTestStringConvertible {
  var name: String
  var clips: String
  var track = "main.video"
  var segments: [String]
  var testDescription: String { name }
}

@Suite("Laying out tracks")
struct ResolveTests {
  static let layouts = [
    LayoutCase(
      name: "clips follow one another",
      clips:
        #"{"source": "a.mp4", "in": "3s", "out": "7s"}, {"source": "b.mp4", "duration": "1s"}"#,
      segments: ["a.mp4[3/1+4/1]@0/1", "b.mp4[0/1+1/1]@4/1"]),
    LayoutCase(
      name: "any two of in, out and duration give the range",
      clips:
        #"{"source": "a.mp4", "out": "7s", "duration": "2s"}, {"source": "a.mp4", "in": 1, "duration": "36f"}"#,
      segments: ["a.mp4[5/1+2/1]@0/1", "a.mp4[1/1+36/25]@2/1"]),
    LayoutCase(
      name: "a clip without a range is the whole source",
      clips: #"{"source": "a.mp4"}, {"source": "b.mp4", "in": "9s"}"#,
      segments: ["a.mp4[0/1+10/1]@0/1", "b.mp4[9/1+1/1]@10/1"]),
    LayoutCase(
      name: "a gap is a hole, and one at the end is nothing",
      clips: #"{"gap": "1/2"}, {"source": "a.mp4", "out": 1}, {"gap": "5s"}"#,
      segments: ["-[1/2]@0/1", "a.mp4[0/1+1/1]@1/2"]),
    LayoutCase(
      name: "at implies a hole, and what follows comes after it",
      clips: #"{"source": "a.mp4", "out": 1, "at": "2s"}, {"source": "b.mp4", "out": 1}"#,
      segments: ["-[2/1]@0/1", "a.mp4[0/1+1/1]@2/1", "b.mp4[0/1+1/1]@3/1"]),
    LayoutCase(
      name: "at may place a clip before an earlier one",
      clips:
        #"{"source": "a.mp4", "out": 1, "at": "4s"}, {"source": "b.mp4", "out": 1, "at": "1s"}"#,
      segments: ["-[1/1]@0/1", "b.mp4[0/1+1/1]@1/1", "-[2/1]@2/1", "a.mp4[0/1+1/1]@4/1"]),
    LayoutCase(
      name: "boundaries stay exact off the grid",
      clips: #"{"source": "a.mp4", "out": "1/3"}, {"source": "b.mp4", "in": "1/7", "out": "2/7"}"#,
      segments: ["a.mp4[0/1+1/3]@0/1", "b.mp4[1/7+1/7]@1/3"]),
    LayoutCase(
      name: "the sound half has the same segments",
      clips: #"{"source": "a.mp4", "in": "3s", "out": "7s"}, {"source": "silent.mp4", "out": 1}"#,
      track: "main.audio", segments: ["a.mp4[3/1+4/1]@0/1", "-[1/1]@4/1"]),
    LayoutCase(
      name: "sound alone on an av track shows the background",
      clips: #"{"source": "song.mp3", "out": 2}, {"source": "a.mp4", "out": 1, "audio": false}"#,
      segments: ["-[2/1]@0/1", "a.mp4[0/1+1/1]@2/1"]),
    LayoutCase(
      name: "a disabled clip leaves its place empty",
      clips: #"{"source": "a.mp4", "out": 2, "enabled": false}, {"source": "b.mp4", "out": 1}"#,
      segments: ["-[2/1]@0/1", "b.mp4[0/1+1/1]@2/1"]),
    LayoutCase(
      name: "without its picture a clip lasts as long as its sound",
      clips: #"{"source": "long-sound.mp4", "video": false}, {"source": "a.mp4", "out": 1}"#,
      track: "main.audio", segments: ["long-sound.mp4[0/1+3/1]@0/1", "a.mp4[0/1+1/1]@3/1"]),
    LayoutCase(
      name: "stills and colours last as long as they are told",
      clips: #"{"source": "logo.png", "duration": "2s"}, {"source": "a.mp4", "out": 1}"#,
      segments: ["logo.png[0/1+2/1]@0/1", "a.mp4[0/1+1/1]@2/1"]),
  ]

  @Test("Places", arguments: layouts)
  func itemsHaveTheirPlaces(_ layout: LayoutCase) {
    let checked = FakeFiles.usual.check(clips: layout.clips)
    #expect(checked.findings(.error) == [])
    #expect(checked.segments(layout.track) == layout.segments)
  }

  @Test func idsComeFromTracksOrTheirPlaces() {
    let clip = #""clips": [{"source": "a.mp4"}]"#
    let checked = FakeFiles.usual.check(
      tracks: """
        {"kind": "video", \(clip)}, {\(clip)}, {"id": "m", "kind": "audio", \(clip)},
        {"id": "off", "enabled": false, \(clip)}
        """)
    #expect(
      checked.timeline?.tracks.map(\.id) == ["track1", "track2.video", "track2.audio", "m"])
  }

  @Test func theTimelineEndsWithItsLastItem() {
    let checked = FakeFiles.usual.check(
      tracks: """
        {"clips": [{"source": "a.mp4", "out": "1/3"}, {"gap": "20s"}]},
        {"kind": "audio", "clips": [{"source": "song.mp3", "in": "1s", "out": "3.5s"}]}
        """)
    #expect(checked.timeline?.duration == Rational(5, 2))
  }

  // MARK: Transitions

  struct TransitionCase: Sendable, CustomTestStringConvertible {
    var name: String
    var transition: String
    var transitions: [String]
    var segments = ["a.mp4[1/1+3/1]@0/1", "b.mp4[2/1+3/1]@3/1"]
    var testDescription: String { name }
  }

  static let transitionCases = [
    TransitionCase(
      name: "centred", transition: #""duration": "12f""#, transitions: ["0>1 69/25+12/25"]),
    TransitionCase(
      name: "an odd frame goes after the cut", transition: #""duration": "13f""#,
      transitions: ["0>1 69/25+13/25"]),
    TransitionCase(
      name: "after the cut", transition: #""duration": "1s", "alignment": "start""#,
      transitions: ["0>1 3/1+1/1"]),
    TransitionCase(
      name: "before the cut", transition: #""duration": "1s", "alignment": "end""#,
      transitions: ["0>1 2/1+1/1"]),
    TransitionCase(
      name: "off the grid it is halved exactly", transition: #""duration": "1/3""#,
      transitions: ["0>1 17/6+1/3"]),
    TransitionCase(
      name: "of no length it is a cut", transition: #""duration": "0s""#, transitions: []),
    TransitionCase(
      name: "overlapping, it pulls the second clip",
      transition: #""duration": "1s", "overlap": true"#, transitions: ["0>1 2/1+1/1"],
      segments: ["a.mp4[1/1+62/25]@0/1", "b.mp4[62/25+63/25]@62/25"]),
  ]

  @Test("Transitions", arguments: transitionCases)
  func transitionsLieOnTheirCut(_ item: TransitionCase) {
    let checked = FakeFiles.usual.check(
      clips: """
        {"source": "a.mp4", "in": "1s", "out": "4s"},
        {"transition": "dissolve", \(item.transition)},
        {"source": "b.mp4", "in": "2s", "out": "5s"}
        """)
    #expect(checked.findings(.error) == [])
    for half in ["main.video", "main.audio"] {
      #expect(checked.transitions(half) == item.transitions)
      #expect(checked.segments(half) == item.segments)
    }
  }

  @Test func anOverlapPullsWhatFollowsButNotWhatIsPlaced() {
    let checked = FakeFiles.usual.check(
      clips: """
        {"source": "a.mp4", "out": "3s"}, {"transition": "dissolve", "duration": "1s", "overlap": true},
        {"source": "b.mp4", "out": "3s"}, {"source": "a.mp4", "in": "5s", "out": "6s"},
        {"source": "b.mp4", "at": "8s", "out": "1s"}
        """)
    #expect(checked.findings(.error) == [])
    #expect(checked.timeline?.duration == 9)
    #expect(checked.segments("main.video").dropFirst(2).first == "a.mp4[5/1+1/1]@5/1")
  }

  @Test func missingSoundHandlesAreSilence() {
    let checked = FakeFiles.usual.check(
      clips: """
        {"source": "short.mp4", "out": "1.7s"}, {"transition": "dissolve", "duration": "12f"},
        {"source": "b.mp4", "in": "1s", "out": "2s"}
        """)
    #expect(checked.findings(.error) == [])
    #expect(checked.findings(.note).contains("media.length-mismatch /tracks/0/clips/1"))
  }

  @Test func missingHandlesGiveTheMissingAmount() throws {
    let checked = FakeFiles.usual.check(
      clips: """
        {"source": "a.mp4"}, {"transition": "dissolve", "duration": "12f"}, {"source": "b.mp4"}
        """)
    let finding = try #require(checked.diagnostics.first { $0.code == "transition.handles" })
    #expect(finding.message.contains("0.24s are missing"))
    #expect(checked.timeline == nil)
  }
}
