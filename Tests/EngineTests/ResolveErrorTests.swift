import Cutroom
import CutroomModel
import Testing

/// A composition with mistakes, and the errors it gives in order.
struct MistakeCase: Sendable, CustomTestStringConvertible {
  var name: String
  var clips: String
  var extra = ""
  var errors: [String]
  var testDescription: String { name }
}

@Suite("Findings of the resolver")
struct ResolveErrorTests {
  static let mistakes = [
    MistakeCase(
      name: "past the end", clips: #"{"source": "a.mp4", "in": "9s", "out": "12s"}"#,
      errors: ["range.past-end /tracks/0/clips/0/out"]),
    MistakeCase(
      name: "by its duration", clips: #"{"source": "a.mp4", "in": "9s", "duration": "2s"}"#,
      errors: ["range.past-end /tracks/0/clips/0/duration"]),
    MistakeCase(
      name: "in past the end", clips: #"{"source": "a.mp4", "in": "10s"}"#,
      errors: ["range.past-end /tracks/0/clips/0/in"]),
    MistakeCase(
      name: "out before in", clips: #"{"source": "a.mp4", "in": "3s", "out": "2s"}"#,
      errors: ["range.reversed /tracks/0/clips/0/out"]),
    MistakeCase(
      name: "no length", clips: #"{"source": "a.mp4", "in": "3s", "out": "3s"}"#,
      errors: ["range.empty /tracks/0/clips/0/out"]),
    MistakeCase(
      name: "before the start", clips: #"{"source": "a.mp4", "out": "1s", "duration": "2s"}"#,
      errors: ["range.before-start /tracks/0/clips/0/out"]),
    MistakeCase(
      name: "a still without a duration", clips: #"{"source": "logo.png"}"#,
      errors: ["range.needs-duration /tracks/0/clips/0"]),
    MistakeCase(
      name: "overlap", clips: #"{"source": "a.mp4"}, {"source": "b.mp4", "at": "9s"}"#,
      errors: ["track.overlap /tracks/0/clips/1"]),
    MistakeCase(
      name: "every missing file at once, and no follow-on errors",
      clips: """
        {"source": "x.mp4", "out": "36f"}, {"source": "y.mp4"}, {"transition": "dissolve", "duration": 1},
        {"source": "a.mp4", "at": "1s"}
        """,
      errors: ["media.missing /tracks/0/clips/0/source", "media.missing /tracks/0/clips/1/source"]),
    MistakeCase(
      name: "a misspelt source", clips: #"{"source": "bras", "out": "1s"}"#,
      extra: #""sources": {"bars": "a.mp4"},"#,
      errors: ["reference.unknown-source /tracks/0/clips/0/source"]),
    MistakeCase(
      name: "a stream that is not there", clips: #"{"source": "s"}"#,
      extra: #""sources": {"s": {"path": "a.mp4", "audio": 1}},"#,
      errors: ["media.no-stream /sources/s/audio"]),
    MistakeCase(
      name: "a URL", clips: #"{"source": "https://example.org/a.mp4"}"#,
      errors: ["unsupported /tracks/0/clips/0/source"]),
    MistakeCase(
      name: "a timecode that the rate does not have",
      clips: #"{"source": "a.mp4", "in": "00:00:01:25"}"#,
      errors: ["time.timecode /tracks/0/clips/0/in"]),
    MistakeCase(
      name: "overlapping transitions",
      clips: """
        {"source": "a.mp4", "in": 2, "out": 4}, {"transition": "dissolve", "duration": 2},
        {"source": "b.mp4", "in": 2, "out": "3.5s"}, {"transition": "dissolve", "duration": 2},
        {"source": "a.mp4", "in": 2, "out": 4}
        """,
      errors: ["transition.overlap /tracks/0/clips/3"]),
    MistakeCase(
      name: "a transition longer than a clip",
      clips: """
        {"source": "a.mp4", "in": 2, "out": 3}, {"transition": "dissolve", "duration": 3},
        {"source": "b.mp4", "in": 3, "out": 6}
        """,
      errors: ["transition.too-long /tracks/0/clips/1/duration"]),
    MistakeCase(
      name: "a transition over a hole",
      clips: """
        {"source": "a.mp4", "out": 3}, {"transition": "dissolve", "duration": 1},
        {"source": "b.mp4", "in": 3, "out": 6, "at": "4s"}
        """,
      errors: ["transition.neighbours /tracks/0/clips/1"]),
    MistakeCase(
      name: "fades that overlap",
      clips: #"{"source": "a.mp4", "out": 1, "audio": {"fadeIn": "0.6s", "fadeOut": "0.6s"}}"#,
      errors: ["fade.too-long /tracks/0/clips/0/audio/fadeOut"]),
    MistakeCase(
      name: "HDR beside SDR", clips: #"{"source": "hlg.mov"}, {"source": "a.mp4"}"#,
      errors: ["color.mixed-hdr /tracks/0/clips/1/source"]),
    MistakeCase(
      name: "nothing", clips: #"{"gap": "1s"}"#, errors: ["timeline.empty /tracks"]),
    MistakeCase(
      name: "chapters out of order or outside",
      clips: #"{"source": "a.mp4"}"#,
      extra: """
        "chapters": [{"at": "2s", "title": "A"}, {"at": "1s", "title": "B"}, {"at": "10s", "title": "C"}],
        """,
      errors: ["chapter.place /chapters/1/at", "chapter.place /chapters/2/at"]),
    MistakeCase(
      name: "an export range past the end", clips: #"{"source": "a.mp4"}"#,
      extra: #""export": {"range": {"in": "2s", "out": "11s"}},"#,
      errors: ["range.past-end /export/range/out"]),
    MistakeCase(
      name: "an unknown generator", clips: #"{"source": "g", "out": 1}"#,
      extra: #""sources": {"g": {"generator": "smptehdbar"}},"#,
      errors: ["media.generator /sources/g/generator"]),
    MistakeCase(
      name: "a generator that opens files", clips: #"{"source": "g", "out": 1}"#,
      extra: #""sources": {"g": {"generator": "movie=a.mp4"}},"#,
      errors: ["media.generator /sources/g/generator"]),
    MistakeCase(
      name: "mistakes of shape do not hide missing files",
      clips: #"{"source": "a.mp4", "inn": 1}, {"source": "x.mp4", "out": 1}"#,
      errors: ["shape.unknown-key /tracks/0/clips/0/inn", "media.missing /tracks/0/clips/1/source"]),
    MistakeCase(
      name: "artwork that is not there", clips: #"{"source": "a.mp4"}"#,
      extra: #""metadata": {"items": {"artwork": {"file": "/nowhere/cover.jpg"}}},"#,
      errors: ["media.missing /metadata/items/artwork/file"]),
    MistakeCase(
      name: "a time that fits no file",
      clips: """
        {"source": "a.mp4", "in": "1/4611686018427387847", "out": 1},
        {"source": "b.mp4", "in": "1/4611686018427387733", "out": 1}
        """,
      errors: ["time.overflow /tracks/0/clips/1"]),
  ]

  @Test("Mistakes", arguments: mistakes)
  func mistakesAreFoundAtTheirPlace(_ item: MistakeCase) {
    let checked = FakeFiles.usual.check(clips: item.clips, item.extra)
    #expect(checked.findings(.error) == item.errors)
    #expect(checked.timeline == nil)
    #expect(checked.diagnostics.allSatisfy { $0.place != nil })
  }

  @Test func aRangePastTheEndNamesBothNumbers() throws {
    let checked = FakeFiles.usual.check(clips: #"{"source": "a.mp4", "in": "9s", "out": "12s"}"#)
    let finding = try #require(checked.diagnostics.first)
    #expect(finding.message.contains("12s") && finding.message.contains("10s"))
    #expect(finding.place == Place(file: "t.json", line: 3, column: 76))
  }

  @Test func aVideoTrackNeedsPictures() {
    let checked = FakeFiles.usual.check(
      tracks: #"{"kind": "video", "clips": [{"source": "song.mp3"}]}"#)
    #expect(checked.findings(.error) == ["media.no-stream /tracks/0/clips/0/source"])
  }

  @Test func soundHandlesAreNeededWhereThereIsOnlySound() {
    let checked = FakeFiles.usual.check(
      tracks: """
        {"kind": "audio", "clips": [{"source": "song.mp3"},
          {"transition": "dissolve", "duration": "1s"}, {"source": "mono.wav", "in": "2s"}]}
        """)
    #expect(checked.findings(.error) == ["transition.handles /tracks/0/clips/1"])
  }

  @Test func timesOffTheGridAreNotes() throws {
    let checked = FakeFiles.usual.check(clips: #"{"source": "a.mp4", "in": 1.51, "out": "2s"}"#)
    let note = try #require(checked.diagnostics.first)
    #expect(checked.findings(.note) == ["range.off-grid /tracks/0/clips/0/in"])
    #expect(note.message.contains("frame 37, which starts at 1.48s"))
    #expect(checked.timeline != nil)
  }

  @Test func soundThatEndsElsewhereIsANote() {
    for source in ["short.mp4", "long-sound.mp4"] {
      let checked = FakeFiles.usual.check(clips: #"{"source": "\#(source)"}"#)
      #expect(checked.findings(.note) == ["media.length-mismatch /tracks/0/clips/0"])
    }
  }

  @Test func sourcesThatNothingUsesAreNotes() {
    let checked = FakeFiles.usual.check(
      clips: #"{"source": "a.mp4"}"#, #""sources": {"spare": "b.mp4"},"#)
    #expect(checked.findings(.note) == ["shape.no-effect /sources/spare"])
  }

  @Test func settingsWithoutEffectAreWarnings() {
    let checked = FakeFiles.usual.check(
      clips: #"{"source": "silent.mp4", "audio": {"gain": 0.5}}"#)
    #expect(checked.findings(.warning) == ["shape.no-effect /tracks/0/clips/0/audio"])
  }
}
