import CutroomModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Cutroom

/// Mistakes in compositions that other tools report badly, late, or not at all.
struct FaultDocumentTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    /// The findings that are errors: code and place.
    var findings: [String]
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ findings: String...) {
      (self.name, self.text, self.findings) = (name, text, findings)
    }
  }

  private static func errors(
    _ text: String, base: String = "", planning: Bool = false
  ) -> [String] {
    let source = SourceText(
      file: "a.json",
      text: "{format: 'cutroom/1', sources: {a: {color: '#123'}}, \(text)}")
    let checked = Engine.check(text: source, baseDirectory: base)
    let all = planning ? checked.checkedForExport.diagnostics : checked.diagnostics
    return all.filter { $0.severity == .error }.map { "\($0.code) \($0.pointer)" }
  }

  private static let clip = "{source: 'a', duration: 2}"

  // SPC-1 and SPC-5: each mistake has a code of its own, at its place.
  @Test(arguments: [
    Mistake(
      "overlap", "tracks: [{clips: [\(clip), {source: 'a', at: 1, duration: 1}]}]",
      "track.overlap /tracks/0/clips/1"),
    Mistake(
      "unknown track",
      "tracks: [{id: 'm', clips: [\(clip)]}], edits: [{op: 'insertEmpty', track: 'mm', range: {in: 0, out: 1}}]",
      "reference.unknown-track /edits/0/track"),
    Mistake(
      "no frames a second", "timeline: {frameRate: 0}, tracks: [{clips: [\(clip)]}]",
      "time.rate /timeline/frameRate"),
    Mistake(
      "a rate over zero", "timeline: {frameRate: '1/0'}, tracks: [{clips: [\(clip)]}]",
      "time.rate /timeline/frameRate"),
    Mistake(
      "no size", "timeline: {size: [0, 0]}, tracks: [{clips: [\(clip)]}]",
      "shape.size /timeline/size"),
    Mistake(
      "not a number", "tracks: [{clips: [{source: 'a', duration: NaN}]}]",
      "syntax.number /tracks/0/clips/0/duration"),
    Mistake(
      "a number without end", "tracks: [{clips: [{source: 'a', duration: 1e400}]}]",
      "time.overflow /tracks/0/clips/0/duration"),
    Mistake(
      "beyond 64 bits",
      "tracks: [{clips: [{source: 'a', duration: '9223372036854775808/1'}]}]",
      "time.overflow /tracks/0/clips/0/duration"),
    Mistake(
      "negative gain", "tracks: [{clips: [{source: 'a', duration: 1, audio: {gain: -1}}]}]",
      "shape.gain /tracks/0/clips/0/audio/gain"),
    Mistake(
      "two of a name", "tracks: [{id: 'm', clips: [\(clip)]}, {id: 'm', clips: [\(clip)]}]",
      "reference.duplicate-id /tracks/1/id"),
    // SPC-3: a misspelt key is no key of one's own.
    Mistake(
      "misspelt", "tracks: [{clips: [{source: 'a', durration: 1, 'x-durration': 1}]}]",
      "shape.unknown-key /tracks/0/clips/0/durration"),
  ])
  func everyMistakeHasACodeAtItsPlace(_ mistake: Mistake) {
    #expect(Self.errors(mistake.text) == mistake.findings)
  }

  @Test func aMisspeltKeyGetsASuggestion() throws {
    let text = SourceText(
      file: "a.json",
      text: "{format: 'cutroom/1', tracks: [{clips: [{source: 'a.mp4', durration: 1}]}]}")
    let finding = try #require(
      Engine.check(text: text, baseDirectory: "").diagnostics.first {
        $0.code == "shape.unknown-key"
      })
    #expect(finding.message.contains("duration") || finding.fix?.contains("duration") == true)
  }

  @Test func mistakesOfAllKindsAreReportedInOneRun() {
    let errors = Self.errors(
      """
      timeline: {size: [0, 0]}, tracks: [{clips: [{source: 'b'}, {source: 'a', duration: 1,
        audio: {gain: -1}}]}, {id: 'track1', clips: []}]
      """)
    #expect(errors.contains("shape.size /timeline/size"))
    #expect(errors.contains("shape.gain /tracks/0/clips/1/audio/gain"))
  }

  // SPC-2: the clip without a length is named, not the transition that finds no room in it.
  @Test func theCauseIsNamedAndNotWhatFollowsFromIt() {
    let errors = Self.errors(
      """
      tracks: [{clips: [{source: 'a', duration: 0}, {transition: 'dissolve', duration: 1},
        \(Self.clip)]}]
      """)
    #expect(errors == ["range.empty /tracks/0/clips/0/duration"])
  }

  @Test func aPictureThatNoEncoderTakesIsFoundBeforeTheExport() {
    let errors = Self.errors(
      """
      timeline: {size: [1920, 20000], frameRate: 25}, tracks: [{clips: [\(Self.clip)]}],
      export: {container: 'mp4', video: {codec: 'h264'}}
      """, planning: true)
    #expect(errors.count == 1)
  }

  // CUT-9: four spellings of frame 90 at 30000/1001 are the same time and show the same frame.
  @Test(
    .needsFFmpeg,
    arguments: [
      "'90090/30000'", "3.003", "'90f'", "'00:00:03:00'", "{value: 90090, timescale: 30000}",
    ])
  func everySpellingOfATimeShowsTheSameFrame(_ time: String) throws {
    try withTemporaryDirectory { folder in
      let path = try Fixtures.file("count2997.mp4").path
      let text = SourceText(
        file: "a.json",
        text: """
          {format: 'cutroom/1', tracks: [{kind: 'video', clips: [{source: '\(path)', in: \(time),
            duration: '3f'}]}], export: {mode: 'render', video: {codec: 'ffv1'}}}
          """)
      let checked = Engine.check(text: text, baseDirectory: "")
      #expect(checked.diagnostics.isEmpty, "\(checked.diagnostics)")
      let segment = try #require(checked.timeline?.tracks.first?.segments.first)
      #expect(segment.sourceStart == Rational(3003, 1000))
      let url = folder.appending(path: "out.mkv")
      _ = try Engine.export(try #require(Engine.plan(checked, output: url.path).plan))
      #expect(try DecodedPictures.numbers(url) == [90, 91, 92])
    }
  }

  // TRN-6: a clip that is a frame shorter than the plan assumes is an error, not a lost clip.
  @Test(.needsFFmpeg) func aTransitionBeyondTheEndOfItsClipIsAnError() throws {
    let path = try Fixtures.file("count25.mp4").path
    for (out, duration) in [("'250f'", 1), ("'251f'", 1), ("10.5", 1)] {
      let errors = Self.errors(
        """
        tracks: [{clips: [{source: '\(path)', in: 5, out: \(out)},
          {transition: 'dissolve', duration: \(duration), alignment: 'start'},
          {source: '\(path)', in: 2, out: 4}]}]
        """)
      #expect(errors.count == 1, "\(out): \(errors)")
    }
  }

  // TRN-7: a name that is none is an error with a suggestion, also the word "null".
  @Test(arguments: [("null", "dissolve"), ("disolve", "dissolve"), ("wipeleft2", "wipe")])
  func aTransitionOfNoNameIsAnError(name: String, suggestion: String) throws {
    let text = SourceText(
      file: "a.json",
      text: """
        {format: 'cutroom/1', sources: {a: {color: '#123'}}, tracks: [{clips: [\(Self.clip),
          {transition: '\(name)', duration: 1}, \(Self.clip)]}]}
        """)
    let errors = Engine.check(text: text, baseDirectory: "").diagnostics.filter {
      $0.severity == .error
    }
    #expect(errors.map(\.pointer) == ["/tracks/0/clips/1/transition"])
    let said = errors.map { $0.message + ($0.fix ?? "") }.joined().lowercased()
    #expect(said.contains(suggestion))
  }

  // SPC-6: paths start from the composition's folder, or from the one that is asked for.
  @Test(.needsFFmpeg) func pathsStartWhereTheCallerSays() throws {
    try withTemporaryDirectory { folder in
      let media = folder.appending(path: "media")
      let texts = folder.appending(path: "texts")
      for one in [media, texts] {
        try FileManager.default.createDirectory(at: one, withIntermediateDirectories: true)
      }
      try FileManager.default.copyItem(
        at: try Fixtures.file("count25.mp4"), to: media.appending(path: "a.mp4"))
      let file = texts.appending(path: "a.json")
      try Data(#"{"format": "cutroom/1", "tracks": [{"clips": [{"source": "a.mp4"}]}]}"#.utf8)
        .write(to: file)
      #expect(Engine.check(path: file.path).diagnostics.map(\.code) == ["media.missing"])
      let checked = Engine.check(path: file.path, baseDirectory: media.path)
      #expect(!checked.hasErrors)
      let sources = try #require(checked.timeline?.jsonValue["sources"]?.elements)
      #expect(sources.map { $0["path"]?.text } == [media.path + "/a.mp4"])
    }
  }

  /// What a thread gives another.
  private final class Result: Sendable {
    let planned = Mutex<PlannedExport?>(nil)
  }

  // LNG-3: nothing recurses over clips, and no command line or graph grows with them.
  @Test func tenThousandClipsAreCheckedAndPlannedWithoutRecursion() throws {
    let clips = Array(repeating: "{source: 'a', duration: '3f'}", count: 10_000)
    let text = SourceText(
      file: "a.json",
      text: """
        {format: 'cutroom/1', timeline: {size: [64, 36], frameRate: 25},
         sources: {a: {color: '#123'}}, tracks: [{kind: 'video', clips: [\(clips.joined(separator: ","))]}]}
        """)
    let result = Result()
    let thread = Thread {
      let checked = Engine.check(text: text, baseDirectory: "")
      let planned = Engine.plan(checked, output: "a.mp4")
      result.planned.withLock { $0 = planned }
    }
    // An eighth of the usual stack.
    thread.stackSize = 1 << 20
    let began = Date()
    thread.start()
    while !thread.isFinished, Date().timeIntervalSince(began) < 120 { usleep(10_000) }
    let planned = try #require(result.planned.withLock { $0 })
    #expect(!planned.hasErrors)
    #expect(planned.plan?.duration == 1200)
    #expect(planned.plan?.video?.frameCount == 30_000)
  }
}
