import CutroomMedia
import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Files of subtitles by the rules of their forms, and what is said where they break them.
@Suite(.enabled(if: TextRenderer.hasFont("DejaVu Sans"), "the font DejaVu Sans is not installed"))
struct SubtitleFileTests {
  /// A file, the codes of its findings with their lines, and what is shown when in ticks.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var file: String
    var bytes: [UInt8]
    var findings: [String]
    var shown: [String]
    var testDescription: String { name }

    init(_ name: String, _ file: String, _ text: String, _ findings: [String], _ shown: [String]) {
      self.init(name, file, bytes: Array(text.utf8), findings, shown)
    }

    init(
      _ name: String, _ file: String, bytes: [UInt8], _ findings: [String], _ shown: [String]
    ) {
      (self.name, self.file, self.bytes) = (name, file, bytes)
      (self.findings, self.shown) = (findings, shown)
    }
  }

  static func check<R>(
    _ file: String, _ bytes: [UInt8], _ body: (CheckedComposition, URL) throws -> R
  ) throws -> R {
    try withTemporaryDirectory { folder in
      try Data(bytes).write(to: folder.appending(path: file))
      let text = """
        {"format": "cutroom/1", "timeline": {"frameRate": 25, "size": [160, 90]},
         "tracks": [{"kind": "video", "clips": [{"source": "\(file)"}]}]}
        """
      return try body(
        Engine.check(text: SourceText(file: "t.json", text: text), baseDirectory: folder.path),
        folder)
    }
  }

  private static func shown(_ checked: CheckedComposition) -> [String] {
    let script = checked.assets.values.compactMap(\.subtitles).first
    return script?.lines.map { "\($0.start)-\($0.end) \($0.text)" } ?? []
  }

  /// `times:2` for the code `media.subtitle-times` and the line 2.
  private static func findings(_ checked: CheckedComposition) -> [String] {
    checked.diagnostics.filter { $0.code.hasPrefix("media.subtitle-") }.map { finding in
      let words = finding.message.split(separator: " ")
      return finding.code.dropFirst("media.subtitle-".count) + ":" + words[1]
    }
  }

  private static let good = "2\n00:00:09,000 --> 00:00:10,000\ngood\n"
  private static let shownGood = "9000-10000 good"

  private static func cues(_ text: String) -> String {
    "WEBVTT\n\n" + text + "\n\n00:09.000 --> 00:10.000\ngood\n"
  }

  private static func events(_ lines: String) -> String {
    SubtitleTests.script(
      "Style: A,DejaVu Sans,20,&H00FFFFFF,&H0,&H0,&H0,0,0,0,0,100,100,0,0,1,0,0,7,0,0,0,0",
      lines + "\nDialogue: 0,0:00:09.00,0:00:10.00,A,,0,0,0,,good")
  }

  @Test(arguments: [
    Case(
      "SubRip, ends before it begins", "a.srt",
      "1\n00:00:02,000 --> 00:00:01,000\nback\n\n" + good, ["times:2"], [shownGood]),
    Case(
      "SubRip, ends when it begins", "a.srt",
      "1\n00:00:02,000 --> 00:00:02,000\nnever\n\n" + good, ["times:2"], [shownGood]),
    Case(
      "SubRip, times without milliseconds", "a.srt",
      "1\n00:00:01 --> 00:00:02\nlost\n\n" + good, ["syntax:2"], [shownGood]),
    Case(
      "SubRip, milliseconds of two digits", "a.srt",
      "1\n00:00:01,50 --> 00:00:02,000\nodd\n\n" + good, ["syntax:2"], ["1050-2000 odd", shownGood]),
    Case(
      "SubRip, text before all times", "a.srt",
      "hello\n1\n00:00:01,000 --> 00:00:02,000\na\n\n" + good,
      ["syntax:1"], ["1000-2000 a", shownGood]),
    Case(
      "SubRip, settings of another form", "a.srt",
      "1\n00:00:01,000 --> 00:00:02,000 align:left\na\n\n" + good, ["syntax:2"],
      ["1000-2000 a", shownGood]),
    Case(
      "SubRip, lines at once", "a.srt",
      "1\n00:00:08,000 --> 00:00:09,500\na\n\n" + good, ["overlap:6"],
      ["8000-9500 a", shownGood]),
    Case(
      "SubRip, lines in another order", "a.srt",
      good + "\n1\n00:00:01,000 --> 00:00:02,000\na\n", ["order:6"], ["1000-2000 a", shownGood]),
    Case(
      "SubRip with an arrow in its text", "a.srt",
      "1\n00:00:01,000 --> 00:00:02,000\n5 --> 6\n7\n\n" + good, [],
      [#"1000-2000 5 --> 6\N7"#, shownGood]),
    Case(
      "SubRip with returns and without numbers", "a.srt",
      "00:00:01,000 --> 00:00:02,000\r\na\r\nb\r\n\r\n00:00:09,000 --> 00:00:10,000\r\ngood", [],
      [#"1000-2000 a\Nb"#, shownGood]),
    Case(
      "WebVTT, ends before it begins", "a.vtt", cues("00:02.000 --> 00:01.000\nback"), ["times:3"],
      [shownGood]),
    Case(
      "WebVTT, times without milliseconds", "a.vtt", cues("name\n00:01 --> 00:02\nlost"),
      ["syntax:4"], [shownGood]),
    Case(
      "WebVTT, times with commas", "a.vtt", cues("00:01,000 --> 00:02,000\nlost"), ["syntax:3"],
      [shownGood]),
    Case(
      "WebVTT, neither cue nor comment", "a.vtt", cues("NOTE fine\n\nstray words"), ["syntax:5"],
      [shownGood]),
    Case(
      "WebVTT, a style after cues", "a.vtt",
      cues("00:01.000 --> 00:02.000\na\n\nSTYLE\n::cue { color: red }"), ["syntax:6"],
      ["1000-2000 a", shownGood]),
    Case(
      "WebVTT, unknown settings and regions", "a.vtt",
      cues("00:01.000 --> 00:02.000 foo:1 region:top\na"), ["syntax:3", "style:3"],
      ["1000-2000 a", shownGood]),
    Case(
      "WebVTT, a cue begins before the one above", "a.vtt",
      cues("00:09.500 --> 00:09.600\na"), ["order:6"], [shownGood, "9500-9600 a"]),
    Case(
      "WebVTT, cues at once are fine", "a.vtt", cues("00:08.500 --> 00:09.600\na"), [],
      ["8500-9600 a", shownGood]),
    Case(
      "WebVTT, times of a stream", "a.vtt",
      "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\n00:09.000 --> 00:10.000\ngood\n",
      ["syntax:2"], [shownGood]),
    Case(
      "ASS, ends before it begins", "a.ass",
      events("Dialogue: 0,0:00:02.00,0:00:01.00,A,,0,0,0,,back"), ["times:12"], ["900-1000 good"]),
    Case(
      "ASS, too few fields", "a.ass", events("Dialogue: 0,0:00:02.00,0:00:03.00"), ["syntax:12"],
      ["900-1000 good"]),
    Case(
      "ASS, no times", "a.ass", events("Dialogue: 0,soon,0:00:03.00,A,,0,0,0,,lost"),
      ["syntax:12"], ["900-1000 good"]),
    Case(
      "ASS, milliseconds", "a.ass",
      events("Dialogue: 0,0:00:01.500,0:00:02.255,A,,0,0,0,,fine"), ["syntax:12"],
      ["150-225 fine", "900-1000 good"]),
    Case(
      "ASS, an unknown style", "a.ass",
      events("Dialogue: 0,0:00:01.00,0:00:02.00,Nope,,0,0,0,,a"), ["style:12"],
      ["100-200 a", "900-1000 good"]),
    Case(
      "ASS, what is not shown", "a.ass", events("Picture: 0,0:00:01.00,0:00:02.00,A,,0,0,0,,a.png"),
      ["syntax:12"], ["900-1000 good"]),
    Case(
      "ASS, comments are fine", "a.ass",
      events("Comment: 0,0:00:01.00,0:00:02.00,A,,0,0,0,,a\n; more"), [], ["900-1000 good"]),
  ])
  func linesThatBreakARuleAreNamed(_ item: Case) throws {
    try Self.check(item.file, item.bytes) { checked, _ in
      #expect(Self.findings(checked) == item.findings, "\(checked.diagnostics)")
      #expect(Self.shown(checked) == item.shown)
      let severities = Set(checked.diagnostics.map(\.severity))
      #expect(severities.isSubset(of: [.warning]))
      let named = checked.diagnostics.filter { $0.code.hasPrefix("media.subtitle-") }
      let places = named.compactMap(\.place)
      #expect(places.allSatisfy { $0.file.hasSuffix("/" + item.file) })
      #expect(
        places.map { "\($0.line)" } == item.findings.map { $0.components(separatedBy: ":")[1] })
    }
  }

  @Test func columnsStandAsTheFormatStatesThem() throws {
    let text = """
      [Script Info]
      ScriptType: v4.00
      [V4 Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour
      Style: A,DejaVu Sans,20,255
      [Events]
      Format: Marked, Style, Start, End, Text
      Dialogue: Marked=0,A,0:00:01.00,0:00:02.00,one, two

      """
    try Self.check("a.ssa", Array(text.utf8)) { checked, _ in
      #expect(checked.diagnostics.isEmpty, "\(checked.diagnostics)")
      #expect(Self.shown(checked) == ["100-200 one, two"])
    }
  }

  @Test func moreFindingsThanAnyoneReadsAreCounted() throws {
    let text =
      String(repeating: "1\n00:00:02,000 --> 00:00:01,000\nback\n\n", count: 40) + Self.good
    try Self.check("a.srt", Array(text.utf8)) { checked, _ in
      #expect(checked.diagnostics.count == 17)
      #expect(checked.diagnostics.last?.message.hasPrefix("24 more lines of '") == true)
      #expect(checked.diagnostics.last?.message.hasSuffix("from line 66 on") == true)
    }
  }

  // MARK: Encodings and sizes

  private static let accents = "1\n00:00:01,000 --> 00:00:02,000\nGrüße 日本\n"

  private static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
    (isLittle ? [0xFF, 0xFE] : [0xFE, 0xFF])
      + text.utf16.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
        return isLittle ? [low, high] : [high, low]
      }
  }

  @Test(arguments: [
    Case("UTF-8", "a.srt", accents, [], []),
    Case("UTF-8 with a mark", "a.srt", "\u{FEFF}" + accents, [], []),
    Case("UTF-16, little end first", "a.srt", bytes: utf16(accents, isLittle: true), [], []),
    Case("UTF-16, big end first", "a.srt", bytes: utf16(accents, isLittle: false), [], []),
    Case("by its content alone", "a.txt", accents, [], []),
  ])
  func encodingsAreToldByTheirMarks(_ item: Case) throws {
    try Self.check(item.file, item.bytes) { checked, _ in
      #expect(Self.shown(checked) == ["1000-2000 Grüße 日本"], "\(checked.diagnostics)")
    }
  }

  @Test(arguments: [
    Case(
      "Latin 1", "a.srt", bytes: Array("1\n00:00:01,000 --> 00:00:02,000\nGr".utf8) + [0xFC, 0x0A],
      ["3"], []),
    Case(
      "UTF-16 without a mark", "a.srt", bytes: Array(utf16(accents, isLittle: true).dropFirst(2)),
      ["1"], []),
    Case(
      "half a pair", "a.vtt",
      bytes: utf16("WEBVTT\n\n", isLittle: true) + [0x3D, 0xD8, 0x0A, 0x00], ["3"], []),
  ])
  func otherEncodingsAreErrorsThatNameTheLine(_ item: Case) throws {
    try Self.check(item.file, item.bytes) { checked, _ in
      let finding = try #require(checked.diagnostics.first)
      #expect(finding.code == "media.unreadable" && finding.severity == .error)
      #expect(finding.message.hasPrefix("line \(item.findings[0]) of '"))
      #expect(finding.message.contains("/\(item.file)' is not in UTF-8"))
    }
  }

  @Test(arguments: ["a.srt", "a.sub"])
  func textsThatAreTooLargeAreRefusedUnread(_ file: String) throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: file)
      let head = file == "a.srt" ? Self.accents : "{0}{25}Hello\n{50}{75}there\n{100}{125}x\n"
      try Data(head.utf8).write(to: url)
      let handle = try FileHandle(forWritingTo: url)
      // A hole in the file: it has no bytes on the disk.
      try handle.truncate(atOffset: 3 << 30)
      try handle.close()
      let error = #expect(throws: AssetError.self) { try AssetInfo.open(url.path) }
      #expect(error?.message.hasSuffix("there are more than 32 MB of text") == true)
    }
  }
}
