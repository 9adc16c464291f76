import Cutroom
import CutroomModel
import Testing

/// Speed, direction, held pictures, and what fills up a source that is too short.
struct ResolvePlaybackTests {
  private let files = FakeFiles.usual

  struct Row: Sendable, CustomTestStringConvertible {
    var clip: String
    var video: [String]
    var audio: [String]
    var testDescription: String { clip }

    init(_ clip: String, _ video: [String], _ audio: [String]? = nil) {
      (self.clip, self.video, self.audio) = (clip, video, audio ?? video)
    }
  }

  @Test(arguments: [
    Row(#""speed": "3/2""#, ["a.mp4[0+10]@0+20/3"]),
    Row(#""speed": "1/2", "in": 1, "out": 3"#, ["a.mp4[1+2]@0+4"]),
    Row(#""speed": 1.25, "duration": 5"#, ["a.mp4[0+5]@0+4"]),
    Row(#""fitDuration": "1/3", "in": 2, "duration": "1s""#, ["a.mp4[2+1]@0+1/3"]),
    Row(#""reverse": true, "in": 2, "out": 5"#, ["a.mp4<[2+3]@0+3"]),
    Row(#""reverse": true, "speed": 3, "in": 2, "out": 5"#, ["a.mp4<[2+3]@0+1"]),
    Row(#""freeze": "1s", "duration": "2s""#, ["a.mp4=[1+0]@0+2"], ["-@0+2"]),
    Row(
      #""in": 8, "out": 12, "fill": "freeze""#, ["a.mp4[8+2]@0+2", "a.mp4=[249/25+0]@2+2"],
      ["a.mp4[8+2]@0+2", "-@2+2"]),
    Row(
      #""in": 8, "out": 12, "fill": "freeze", "reverse": true, "speed": 2"#,
      ["a.mp4=[249/25+0]@0+1", "a.mp4<[8+2]@1+1"], ["-@0+1", "a.mp4<[8+2]@1+1"]),
    Row(#""out": 12, "fill": "black""#, ["a.mp4[0+10]@0+10", "-@10+2"]),
    Row(
      #""in": 8, "duration": 14, "fill": "loop""#,
      ["a.mp4[8+2]@0+2", "a.mp4[0+10]@2+10", "a.mp4[0+2]@12+2"]),
    Row(#""in": 11, "duration": 1, "fill": "loop""#, ["a.mp4[1+1]@0+1"]),
    Row(#""in": 11, "duration": 1, "fill": "freeze""#, ["a.mp4=[249/25+0]@0+1"], ["-@0+1"]),
    Row(#""in": 1, "out": 2, "fill": "loop""#, ["a.mp4[1+1]@0+1"]),
  ])
  func clipsPlayAsAsked(_ row: Row) {
    let checked = files.check(clips: #"{"source": "a.mp4", \#(row.clip)}"#)
    #expect(checked.played("main.video") == row.video)
    #expect(checked.played("main.audio") == row.audio)
    #expect(checked.diagnostics.isEmpty, "\(checked.diagnostics)")
  }

  @Test func sourceTimesFollowTheDirection() throws {
    let checked = files.check(
      clips: #"{"source": "a.mp4", "in": 1, "out": 4, "reverse": true, "speed": "3/2"}"#)
    let segment = try #require(checked.timeline?.tracks[0].segments.first)
    // Half open where it starts: the picture just before 4 s comes first.
    #expect(segment.sourceTime(at: 0) == 4 && segment.sourceTime(at: 2) == 1)
    #expect(segment.sourceTime(at: Rational(1, 25)) == Rational(4) - Rational(3, 50))
    #expect(segment.speed == Rational(3, 2) && segment.playback == .reversed)
  }

  @Test(arguments: [
    (#""fitDuration": 0"#, "shape.value /tracks/0/clips/0/fitDuration"),
    (#""freeze": "10s", "duration": 1"#, "range.past-end /tracks/0/clips/0/freeze"),
    (#""freeze": "1s", "duration": 0"#, "range.empty /tracks/0/clips/0/duration"),
    (#""out": "10000000s", "fill": "loop""#, "range.past-end /tracks/0/clips/0/fill"),
    (#""out": 12"#, "range.past-end /tracks/0/clips/0/out"),
    (
      #""video": {"opacity": {"keyframes": [{"at": "1s", "value": 0}, {"at": "12f", "value": 1}]}}"#,
      "time.keyframe-order /tracks/0/clips/0/video/opacity/keyframes/1/at"
    ),
    (
      #""video": {"crop": {"left": 200, "right": 120}}"#,
      "shape.value /tracks/0/clips/0/video/crop"
    ),
    (
      #""video": {"filters": [{"eqq": {}}]}"#,
      "capability.filter /tracks/0/clips/0/video/filters/0"
    ),
    (
      #""video": {"filters": [{"overlay": {}}]}"#,
      "capability.filter /tracks/0/clips/0/video/filters/0"
    ),
    (
      #""video": {"filters": [{"eq": {"contrst": 1}}]}"#,
      "capability.option /tracks/0/clips/0/video/filters/0/eq/contrst"
    ),
    (
      #""audio": {"filters": [{"movie": {}}]}"#,
      "capability.filter /tracks/0/clips/0/audio/filters/0"
    ),
  ])
  func whatCannotBePlayedIsSaid(clip: String, finding: String) {
    let checked = files.check(clips: #"{"source": "a.mp4", \#(clip)}"#)
    #expect(checked.findings(.error) == [finding])
  }

  @Test func keyframesAndSettingsAreResolved() throws {
    let checked = files.check(
      clips: """
        {"source": "a.mp4", "video": {"rotation": {"keyframes": [{"at": "25f", "value": 90}]},
          "filters": [{"eq": {"contrast": "1.2"}}], "blend": "screen"},
         "audio": {"pan": -0.5, "gain": {"keyframes": [{"at": 0, "value": 0}, {"at": "50f", "value": 1}]}}}
        """)
    #expect(checked.diagnostics.isEmpty, "\(checked.diagnostics)")
    let tracks = try #require(checked.timeline?.tracks)
    let picture = tracks[0].segments[0].picture
    #expect(picture.rotation.keyframes.map(\.at) == [.seconds(1)])
    #expect(picture.blend == .screen && picture.filters.map(\.name) == ["eq"])
    let sound = tracks[1].segments[0].sound
    #expect(sound.gain.keyframes.map(\.at) == [.seconds(0), .seconds(2)])
    #expect(sound.pan == .constant(Rational(-1, 2)))
  }

  @Test func transitionsTakeHandlesAtTheClipsSpeed() {
    func findings(_ second: String) -> [String] {
      files.check(
        clips: """
          {"source": "a.mp4", "out": 5, "speed": 2},
          {"transition": "wipeLeft", "duration": "1s"}, {"source": "b.mp4", \(second)}
          """
      ).findings(.error)
    }
    // Twelve frames before the cut are 24 of the source at speed 2.
    #expect(findings(#""in": "24f", "speed": 2"#).isEmpty)
    #expect(findings(#""in": 1, "speed": 2"#).isEmpty)
    #expect(findings(#""in": "23f", "speed": 2"#) == ["transition.handles /tracks/0/clips/1"])
    #expect(findings(#""in": 5, "out": 9, "reverse": true"#).isEmpty)
    #expect(findings(#""in": 5, "reverse": true"#) == ["transition.handles /tracks/0/clips/1"])
    #expect(findings(#""in": 5, "reverse": true, "fill": "freeze""#).isEmpty)
    #expect(findings(#""freeze": 0, "duration": 2"#).isEmpty)
  }

  @Test func transitionsLieAtTheEdgesOfClipsOfSeveralParts() {
    let checked = files.check(
      clips: """
        {"source": "a.mp4", "in": 8, "out": 12, "fill": "freeze"},
        {"transition": "dissolve", "duration": "2s", "overlap": true}, {"source": "b.mp4", "out": 3}
        """)
    #expect(
      checked.played("main.video") == [
        "a.mp4[8+2]@0+2", "a.mp4=[249/25+0]@2+1", "b.mp4[1+2]@3+2",
      ])
    #expect(checked.transitions("main.video") == ["1>2 2/1+2/1"])
    #expect(checked.timeline?.duration == 5)
  }

  @Test func theResultSaysHowSegmentsPlay() throws {
    let checked = files.check(
      clips: """
        {"source": "a.mp4", "out": 3, "reverse": true, "speed": "3/2"},
        {"source": "a.mp4", "freeze": 1, "duration": 2}
        """)
    let json = try #require(checked.timeline?.jsonValue).encoded()
    #expect(json.contains(#""speed":"3/2","reversed":true"#), "\(json)")
    #expect(json.contains(#""speed":"0/1","freeze":"1/1""#), "\(json)")
  }

  @Test func chaptersFollowTheClips() {
    var files = FakeFiles.usual
    files.assets["a.mp4"]?.chapters = [
      AssetChapter(start: 0, end: 4, title: "One"), AssetChapter(start: 4, end: 10, title: "Two"),
    ]
    let forward = files.check(clips: #"{"source": "a.mp4", "in": 2, "speed": 2}"#)
    #expect(forward.timeline?.chapters.map(\.title) == ["One", "Two"])
    #expect(forward.timeline?.chapters.map(\.start) == [0, 1])
    let backward = files.check(clips: #"{"source": "a.mp4", "in": 2, "reverse": true}"#)
    #expect(backward.timeline?.chapters.map(\.title) == ["Two", "One"])
    #expect(backward.timeline?.chapters.map(\.start) == [0, 6])
    let named = files.check(
      clips: """
        {"source": "a.mp4", "out": 12, "fill": "loop", "name": "First"}, {"gap": 1}, {"source": "b.mp4"}
        """, #""chapters": "clips","#)
    #expect(named.timeline?.chapters.map(\.title) == ["First", "b.mp4"])
    #expect(named.timeline?.chapters.map(\.start) == [0, 13])
  }

  @Test func subtitleTracksAreResolved() {
    let checked = files.check(
      tracks: """
        {"kind": "subtitle", "id": "words", "language": "eng", "clips": [
          {"gap": 1}, {"source": "title", "duration": 2}]}, {"clips": [{"source": "a.mp4"}]}
        """, #""sources": {"title": {"text": "Hello"}},"#)
    #expect(checked.played("words") == ["-@0+1", "title[0+2]@1+2"])
    let wrong = files.check(tracks: #"{"kind": "subtitle", "clips": [{"source": "a.mp4"}]}"#)
    #expect(wrong.findings(.error) == ["media.no-stream /tracks/0/clips/0/source"])
  }
}
