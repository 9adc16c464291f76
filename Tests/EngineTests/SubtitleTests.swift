import CutroomMedia
import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Subtitles drawn into the picture, by their exact times.
@Suite(.enabled(if: TextRenderer.hasFont("DejaVu Sans"), "the font DejaVu Sans is not installed"))
struct SubtitleTests {
  private static let lines = """
    1
    00:00:00,500 --> 00:00:01,000
    One

    2
    00:00:01,041 --> 00:00:01,480
    Two

    """
  private static let cues = """
    WEBVTT

    00:00.500 --> 00:01.000
    One

    00:01.041 --> 00:01.480
    Two

    """

  static func script(_ styles: String, _ events: String) -> String {
    """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: 160
    PlayResY: 90

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, \
    Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, \
    Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
    \(styles)

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    \(events)

    """
  }

  private static func style(_ name: String, font: String = "DejaVu Sans", color: String) -> String {
    "Style: \(name),\(font),20,&H00\(color),&H0,&H0,&H0,0,0,0,0,100,100,0,0,1,0,0,7,0,0,0,0"
  }

  /// A composition of a file over black, at 25 frames a second.
  private static func composition(_ file: String, _ clip: String = "") -> String {
    """
    {"format": "cutroom/1", "timeline": {"frameRate": 25, "size": [160, 90]},
     "tracks": [{"kind": "video", "clips": [{"source": "\(file)"\(clip)}]}]}
    """
  }

  private func check(
    _ text: String, _ file: String, _ clip: String = "", bytes: [UInt8]? = nil,
    _ body: (CheckedComposition) throws -> Void
  ) throws {
    try withTemporaryDirectory { folder in
      try Data(bytes ?? Array(text.utf8)).write(to: folder.appending(path: file))
      try body(
        Engine.check(
          text: SourceText(file: "t.json", text: Self.composition(file, clip)),
          baseDirectory: folder.path))
    }
  }

  private func renderer(_ checked: CheckedComposition) throws -> TimelineRenderer {
    try TimelineRenderer(
      timeline: try #require(checked.timeline, "\(checked.diagnostics)"), assets: checked.assets,
      outputFormat: try #require(PixelFormat(name: "yuv444p")), decoderThreads: 1,
      damage: DamagePolicy(conceals: false))
  }

  /// The numbers of the frames on which anything is drawn.
  private func shownFrames(_ checked: CheckedComposition) throws -> [Int64] {
    let renderer = try renderer(checked)
    let count = Int64(((try #require(checked.timeline)).duration * 25).ceiling)
    return try (0..<count).filter { number in
      DrawnPicture(try renderer.frame(at: Rational(number, 25))).planes[0].contains { $0 > 100 }
    }
  }

  /// Frame n starts at n × 40 ms and shows a line where that lies in [start, end).
  @Test(arguments: ["a.srt", "a.vtt"])
  func linesAreShownOnExactlyTheFramesThatStartInThem(_ file: String) throws {
    try check(file == "a.srt" ? Self.lines : Self.cues, file) { checked in
      #expect(checked.diagnostics.isEmpty, "\(checked.diagnostics)")
      #expect(checked.timeline?.duration == Rational(148, 100))
      // 500 ms lies after frame 12 (480 ms), 1000 ms is frame 25; 1041 ms lies after frame 26.
      let got = try shownFrames(checked)
      #expect(got == Array(13...24) + Array(27...36))
    }
  }

  @Test func speedTrimsAndReverseMoveLinesWithTheTimeOfTheSource() throws {
    // Frame n shows source time n × 80 ms: 560…960 ms and 1120…1440 ms.
    try check(Self.lines, "a.srt", #", "speed": 2"#) { checked in
      let got = try shownFrames(checked)
      #expect(got == Array(7...12) + Array(14...18))
    }
    // Frame n shows source time 500 ms + n × 40 ms.
    try check(Self.lines, "a.srt", #", "in": "500ms""#) { checked in
      let got = try shownFrames(checked)
      #expect(got == Array(0...12) + Array(14...24))
    }
    // Frame n shows what lies just before 1480 ms − n × 40 ms: until 1080 ms, and 1000…520 ms.
    try check(Self.lines, "a.srt", #", "reverse": true"#) { checked in
      let got = try shownFrames(checked)
      #expect(got == Array(0...10) + Array(12...24))
    }
  }

  @Test func stylesHaveTheirColoursAndTagsTheirPlaces() throws {
    let text = Self.script(
      Self.style("Red", color: "0000FF") + "\n" + Self.style("Blue", color: "FF0000"),
      #"""
      Dialogue: 0,0:00:00.00,0:00:01.00,Red,,0,0,0,,{\pos(0,0)\p1}m 0 0 l 40 0 40 40 0 40{\p0}
      Dialogue: 0,0:00:00.00,0:00:01.00,Blue,,0,0,0,,{\pos(100,40)\p1}m 0 0 l 40 0 40 40 0 40{\p0}
      """#)
    try check(text, "a.ass") { checked in
      let drawn = DrawnPicture(try renderer(checked).frame(at: 0))
      // Pure red and blue in BT.709 of limited range.
      #expect(drawn[20, 20] == [63, 102, 240])
      #expect(drawn[120, 60] == [32, 240, 118])
      #expect(drawn[80, 20] == [16, 128, 128] && drawn[20, 60] == [16, 128, 128])
    }
  }

  @Test func linesStayInTheirPlacesWhereverDrawingBegins() throws {
    let text = Self.script(
      Self.style("A", color: "FFFFFF"),
      """
      Dialogue: 0,0:00:00.00,0:00:01.00,A,,0,0,0,,One
      Dialogue: 0,0:00:00.40,0:00:02.00,A,,0,0,0,,Two
      Dialogue: 0,0:00:01.40,0:00:02.40,A,,0,0,0,,Three
      """)
    try check(text, "a.ass") { checked in
      let forwards = try renderer(checked)
      let order: [Int64] = [0, 9, 10, 30, 36, 50, 55]
      let pictures = try order.map { DrawnPicture(try forwards.frame(at: Rational($0, 25))).planes }
      for (number, picture) in zip(order, pictures) {
        let alone = DrawnPicture(try renderer(checked).frame(at: Rational(number, 25))).planes
        #expect(alone == picture, "frame \(number)")
      }
      for (number, picture) in zip(order, pictures).reversed() {
        #expect(
          DrawnPicture(try forwards.frame(at: Rational(number, 25))).planes == picture,
          "frame \(number), backwards")
      }
      // After the first line is gone, the second one is still below its place.
      let rows = DrawnPicture(try forwards.frame(at: Rational(30, 25)))
      #expect((0..<15).allSatisfy { rows.row($0).max() == 16 })
    }
  }

  @Test func fontsAndCharactersThatAreMissingAreWarnings() throws {
    let text = Self.script(
      Self.style("A", font: "No Such Font", color: "FFFFFF"),
      #"Dialogue: 0,0:00:00.00,0:00:01.00,A,,0,0,0,,{\fnOther Font}a"# + "\u{10FFFD}")
    try check(text, "a.ass") { checked in
      #expect(checked.diagnostics.map(\.code) == ["media.font"])
      let finding = try #require(checked.diagnostics.first)
      #expect(finding.severity == .warning)
      for part in ["'No Such Font'", "'Other Font'", "'DejaVu Sans' stands in", "U+10FFFD"] {
        #expect(finding.message.contains(part), "\(finding.message)")
      }
      #expect(checked.timeline != nil)
    }
  }

  /// A file that is no subtitle file, and what is said of it.
  struct BrokenFile: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var message: String
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ more: [UInt8] = [], says message: String) {
      (self.name, bytes, self.message) = (name, Array(text.utf8) + more, message)
    }
  }

  private static let cue = "1\n00:00:00,500 --> 00:00:01,500\n"

  @Test(arguments: [
    BrokenFile("empty.srt", "", says: "is empty"),
    BrokenFile("garbage.srt", "not subtitles\n", says: "it has no line with its times"),
    BrokenFile("none.ass", script("", ""), says: "holds no line of subtitles"),
    BrokenFile(
      "latin.srt", cue + "Gr", [0xFC, 0xDF, 0x65, 0x0A],
      says: "/latin.srt' is not in UTF-8"),
    BrokenFile(
      "long.srt", cue + String(repeating: "a ", count: 20_000) + "\n",
      says: "a line of more than 20000 bytes"),
  ])
  func brokenFilesAreErrors(_ broken: BrokenFile) throws {
    try check("", broken.name, bytes: broken.bytes) { checked in
      #expect(checked.timeline == nil)
      #expect(checked.diagnostics.count == 1)
      #expect(
        checked.diagnostics.first?.message.contains(broken.message) == true,
        "\(checked.diagnostics)")
      #expect(checked.diagnostics.first?.pointer == "/tracks/0/clips/0/source")
    }
  }

  @Test func whatHasNoEffectIsSaid() throws {
    let text = "1\n00:00:02,000 --> 00:00:01,500\nA\n\n2\n00:00:02,000 --> 00:00:03,000\nB\n"
    try check(text, "a.srt") { checked in
      #expect(checked.diagnostics.map(\.code) == ["media.subtitle-times"])
    }
    let placed = "WEBVTT\n\n00:00.500 --> 00:01.500 position:10% align:left\nHi\n"
    try check(placed, "a.vtt") { checked in
      #expect(checked.diagnostics.map(\.code) == ["shape.no-effect"])
      #expect(checked.diagnostics.first?.message.contains("'align', 'position'") == true)
    }
  }
}
