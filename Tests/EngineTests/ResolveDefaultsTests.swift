import Cutroom
import CutroomModel
import Testing

@Suite("Defaults of the timeline")
struct ResolveDefaultsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var tracks: String
    var extra = ""
    var rate: Rational = 25
    var size = [320, 180]
    var color = TimelineColor.bt709
    var sound = "48000 stereo"
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "the first picture clip gives size and rate",
      tracks: #"{"clips": [{"source": "ntsc.mp4"}, {"source": "a.mp4"}]}"#,
      rate: Rational(30000, 1001), size: [640, 480]),
    Case(
      name: "a still gives the size only",
      tracks: #"{"clips": [{"source": "logo.png", "duration": 1}, {"source": "ntsc.mp4"}]}"#,
      rate: Rational(30000, 1001), size: [100, 60]),
    Case(
      name: "what is stated stands",
      tracks: #"{"clips": [{"source": "ntsc.mp4"}]}"#,
      extra: """
        "timeline": {"frameRate": 24, "size": [64, 36], "sampleRate": 44100, "channelLayout": "mono",
          "color": "bt601-625"},
        """,
      rate: 24, size: [64, 36], color: .bt601PAL, sound: "44100 mono"),
    Case(
      name: "without pictures 25 and 1920x1080, without sound 48000 stereo",
      tracks: #"{"kind": "video", "clips": [{"source": "blue", "duration": 1}]}"#,
      extra: """
        "sources": {"blue": {"color": "#00f"}},
        """, size: [1920, 1080]),
    Case(
      name: "the first sound clip gives rate and layout",
      tracks:
        #"{"kind": "audio", "clips": [{"source": "mono.wav"}]}, {"clips": [{"source": "a.mp4"}]}"#,
      sound: "22050 mono"),
    Case(
      name: "a disabled track gives nothing",
      tracks:
        #"{"enabled": false, "clips": [{"source": "ntsc.mp4"}]}, {"clips": [{"source": "a.mp4"}]}"#),
    Case(
      name: "a generator gives what it states",
      tracks: #"{"kind": "video", "clips": [{"source": "bars"}]}"#,
      extra: """
        "sources": {"bars": {"generator": "smptehdbars", "size": [64, 48], "frameRate": 30, "duration": "1s"}},
        """,
      rate: 30, size: [64, 48]),
    Case(
      name: "HLG stays HLG", tracks: #"{"clips": [{"source": "hlg.mov"}]}"#, color: .bt2020HLG),
    Case(name: "PQ stays PQ", tracks: #"{"clips": [{"source": "pq.mov"}]}"#, color: .bt2020PQ),
    Case(
      name: "a variable rate gives the nearest usual one",
      tracks: #"{"clips": [{"source": "vfr.mp4"}]}"#, rate: Rational(30000, 1001)),
  ]

  @Test("Defaults", arguments: cases)
  func defaultsComeFromTheFirstClips(_ item: Case) throws {
    let checked = FakeFiles.usual.check(tracks: item.tracks, item.extra)
    let timeline = try #require(checked.timeline, "\(checked.diagnostics)")
    #expect(timeline.frameRate.framesPerSecond == item.rate)
    #expect([timeline.size.width, timeline.size.height] == item.size)
    #expect(timeline.color == item.color)
    #expect("\(timeline.sampleRate) \(timeline.channelLayout)" == item.sound)
  }

  @Test func aVariableRateIsSaid() {
    let checked = FakeFiles.usual.check(clips: #"{"source": "vfr.mp4"}"#)
    #expect(checked.findings(.note) == ["media.variable-rate /tracks/0/clips/0/source"])
  }

  @Test func chaptersOfSourcesAreMapped() {
    var files = FakeFiles.usual
    files.assets["a.mp4"]?.chapters = [
      AssetChapter(start: 0, end: 4, title: "One"), AssetChapter(start: 4, end: 10, title: "Two"),
    ]
    let checked = files.check(
      clips: #"{"gap": "1s"}, {"source": "a.mp4", "in": "3s", "out": "6s"}"#)
    #expect(
      checked.timeline?.chapters == [
        TimelineChapter(start: 1, title: "One"), TimelineChapter(start: 2, title: "Two"),
      ])
  }

  @Test func theJSONHasTheKeysOfTheContract() throws {
    let checked = FakeFiles.usual.check(
      clips: #"{"source": "a.mp4", "in": "3s", "out": "7s"}, {"source": "silent.mp4", "out": "1s"}"#
    )
    let text = try #require(checked.timeline).jsonValue.encoded()
    #expect(text.hasPrefix(#"{"timeline":{"duration":"5/1","frameRate":"25/1","size":[320,180],"#))
    #expect(
      text.contains(
        #"{"source":"a.mp4","sourceStart":"3/1","sourceDuration":"4/1","start":"0/1","duration":"4/1","speed":"1/1"}"#
      ))
    #expect(text.contains(#"{"empty":true,"start":"4/1","duration":"1/1"}"#))
  }

  @Test func pathsAreLiteralAndRelativeToTheirFile() {
    let paths: [(String, String, String?)] = [
      ("a%03d.png", "/x", "/x/a%03d.png"), ("-i.mp4", "", "-i.mp4"),
      ("/abs #1.mov", "/x", "/abs #1.mov"),
      ("c:/d.mp4", "x", "x/c:/d.mp4"), ("file:///tmp/a%20b.mp4", "/x", "/tmp/a b.mp4"),
      ("file://localhost/a", "", "/a"), ("file://elsewhere/a", "", nil), ("http://h/a", "", nil),
    ]
    for (text, base, expected) in paths {
      #expect(Resolver.filePath(of: text, in: base) == expected, "\(text)")
    }
  }
}
