import CutroomMedia
import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// What files of subtitles say beside their lines: fonts, matrices, styles and regions.
@Suite(.enabled(if: TextRenderer.hasFont("DejaVu Sans"), "the font DejaVu Sans is not installed"))
struct SubtitleStyleTests {
  private static let small = #""frameRate": 25, "size": [160, 90]"#
  private static let fontPath = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"

  /// DejaVu Sans Mono under a name that is installed nowhere.
  private static func renamedFont() throws -> [UInt8] {
    var bytes = Array(try Data(contentsOf: URL(filePath: fontPath)))
    for isWide in [false, true] {
      func coded(_ text: String) -> [UInt8] { text.utf8.flatMap { isWide ? [0, $0] : [$0] } }
      for (old, new) in [
        ("DejaVu Sans Mono", "Brought Along Mo"), ("DejaVuSansMono", "BroughtAlongMo"),
      ] {
        bytes.replace(coded(old), with: coded(new))
      }
    }
    return bytes
  }

  /// The lines of a font in a section `[Fonts]`.
  private static func encoded(_ bytes: [UInt8]) -> String {
    var signs: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (group + [0, 0]).prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      signs += [18, 12, 6, 0].prefix(group.count + 1).map { UInt8(bits >> $0 & 63) + 33 }
    }
    return stride(from: 0, to: signs.count, by: 80).map { start in
      String(decoding: signs[start..<min(start + 80, signs.count)], as: UTF8.self)
    }.joined(separator: "\n")
  }

  private static func script(_ family: String, _ more: String = "") -> String {
    SubtitleTests.script(
      "Style: A,\(family),40,&H00FFFFFF,&H0,&H0,&H0,0,0,0,0,100,100,0,0,1,0,0,7,0,0,0,0",
      "Dialogue: 0,0:00:00.00,0:00:01.00,A,,0,0,0,,ilWM") + more
  }

  private static func picture(_ checked: CheckedComposition) throws -> [[UInt8]] {
    let renderer = try TimelineRenderer(
      timeline: try #require(checked.timeline, "\(checked.diagnostics)"), assets: checked.assets,
      outputFormat: try #require(PixelFormat(name: "yuv444p")), decoderThreads: 1,
      damage: DamagePolicy(conceals: false))
    return DrawnPicture(try renderer.frame(at: 0)).planes
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: fontPath), "no DejaVu Sans Mono"))
  func fontsThatAFileBringsAreUsed() throws {
    let font = try Self.renamedFont()
    let installed = try SubtitleFileTests.check(
      "a.ass", Array(Self.script("DejaVu Sans Mono").utf8)
    ) { checked, _ in try Self.picture(checked) }
    let brought = Self.script(
      "Brought Along Mo", "\n[Fonts]\nfontname: mono_0.ttf\n\(Self.encoded(font))\n")
    try SubtitleFileTests.check("a.ass", Array(brought.utf8)) { checked, _ in
      #expect(checked.diagnostics.isEmpty, "\(checked.diagnostics)")
      #expect(checked.assets.values.first?.subtitles?.fonts.first?.bytes == font)
      let picture = try Self.picture(checked)
      #expect(picture == installed)
    }
    let missing = Self.script("Brought Along Mo")
    try SubtitleFileTests.check("a.ass", Array(missing.utf8)) { checked, _ in
      #expect(checked.diagnostics.map(\.code) == ["media.font"])
      let picture = try Self.picture(checked)
      #expect(picture != installed)
    }
  }

  @Test(
    .needsFFmpeg, .enabled(if: FileManager.default.fileExists(atPath: fontPath), "no DejaVu Mono"))
  func fontsTravelInMatroska() throws {
    try withTemporaryDirectory { folder in
      let font = try Self.renamedFont()
      let text = Self.script(
        "Brought Along Mo", "\n[Fonts]\nfontname: mono_0.ttf\n\(Self.encoded(font))\n")
      try Data(text.utf8).write(to: folder.appending(path: "s.ass"))
      let composition = Text(
        tracks: """
          {"clips": [{"source": "black", "duration": "1s"}]},
          {"kind": "subtitle", "clips": [{"source": \(JSONValue.string(folder.appending(path: "s.ass").path).encoded())}]}
          """, timeline: Self.small, export: Text.quick,
        more: ##""sources": {"black": {"color": "#000"}}"##)
      let film = try composition.export(to: "out.mkv", in: folder)
      #expect(film.diagnostics.isEmpty, "\(film.diagnostics)")
      _ = try Program.ffmpeg([
        "-dump_attachment:t", folder.appending(path: "back.ttf").path, "-i", film.url.path,
        "-map", "0:v", "-f", "null", "-",
      ])
      #expect(try Array(Data(contentsOf: folder.appending(path: "back.ttf"))) == font)
      // The lines and the font alone, to be drawn from there.
      _ = try Program.ffmpeg([
        "-i", film.url.path, "-map", "0:s", "-map", "0:t", "-c", "copy",
        folder.appending(path: "lines.mkv").path,
      ])
      let asset = try AssetInfo.open(folder.appending(path: "lines.mkv").path)
      #expect(asset.subtitles?.fonts.map(\.bytes) == [font])
    }
  }

  @Test func fontsThatCannotBeReadAreNamed() throws {
    let text = Self.script("DejaVu Sans", "\n[Fonts]\nfontname: odd.ttf\nABCDEFGH\nlow\n")
    try SubtitleFileTests.check("a.ass", Array(text.utf8)) { checked, _ in
      let messages = Dictionary(
        checked.diagnostics.map { ($0.code, $0.message) }, uniquingKeysWith: { first, _ in first })
      #expect(messages.keys.sorted() == ["media.font", "media.subtitle-syntax"])
      #expect(messages["media.font"]?.contains("'odd.ttf'") == true)
    }
  }

  /// A header, the canvas and the colour of pure red as limited-range luma and chroma.
  struct Matrix: Sendable, CustomTestStringConvertible {
    var header: String
    var canvas: String
    var red: [UInt8]
    var testDescription: String { "\(header.isEmpty ? "no header" : header) on \(canvas)" }
  }

  /// Red is (81, 90, 240) by BT.601 and (63, 102, 240) by BT.709.
  @Test(arguments: [
    Matrix(header: "", canvas: "bt709", red: [63, 102, 240]),
    Matrix(header: "None", canvas: "bt709", red: [63, 102, 240]),
    Matrix(header: "TV.709", canvas: "bt709", red: [63, 102, 240]),
    Matrix(header: "TV.601", canvas: "bt601-625", red: [81, 90, 240]),
  ])
  func coloursThatNeedNoCorrectionStayAsTheyAre(_ item: Matrix) throws {
    #expect(try Self.fill("0000FF", item) == item.red)
  }

  /// A muted colour stands for the same luma and chroma by either matrix: R 160, G 90, B 60.
  @Test(arguments: [
    Matrix(header: "TV.601", canvas: "bt709", red: [108, 104, 161]),
    Matrix(header: "TV.709", canvas: "bt601-625", red: [104, 108, 160]),
  ])
  func coloursMeanTheLumaAndChromaOfTheScriptsMatrix(_ item: Matrix) throws {
    let drawn = try Self.fill("3C5AA0", item)
    for (got, wanted) in zip(drawn, item.red) {
      #expect(abs(Int(got) - Int(wanted)) <= 1, "\(drawn) is not \(item.red)")
    }
  }

  private static func fill(_ color: String, _ item: Matrix) throws -> [UInt8] {
    let header = item.header.isEmpty ? "" : "YCbCr Matrix: \(item.header)\n"
    let text = SubtitleTests.script(
      "Style: A,DejaVu Sans,20,&H00\(color),&H0,&H0,&H0,0,0,0,0,100,100,0,0,1,0,0,7,0,0,0,0",
      #"Dialogue: 0,0:00:00.00,0:00:01.00,A,,0,0,0,,{\pos(0,0)\p1}m 0 0 l 80 0 80 80 0 80{\p0}"#
    ).replacing("PlayResX", with: header + "PlayResX")
    return try withTemporaryDirectory { folder in
      try Data(text.utf8).write(to: folder.appending(path: "a.ass"))
      let composition = """
        {"format": "cutroom/1",
         "timeline": {"frameRate": 25, "size": [160, 90], "color": "\(item.canvas)"},
         "tracks": [{"kind": "video", "clips": [{"source": "a.ass"}]}]}
        """
      let checked = Engine.check(
        text: SourceText(file: "t.json", text: composition), baseDirectory: folder.path)
      return try picture(checked).map { $0[40 * 160 + 40] }
    }
  }

  // MARK: WebVTT

  private static let styled =
    "WEBVTT\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:top\nwidth:40%\n\n"
    + "00:00.000 --> 00:01.000 region:top line:0\nHi\n"
  private static let plain = "WEBVTT\n\n00:00.000 --> 00:01.000\nthere\n"

  @Test func whatCannotBeDrawnOfWebVTTIsNamed() throws {
    try SubtitleFileTests.check("a.vtt", Array(Self.styled.utf8)) { checked, _ in
      #expect(checked.diagnostics.map(\.code) == ["shape.no-effect"])
      let message = try #require(checked.diagnostics.first?.message)
      for part in ["'line', 'region'", "STYLE (line 3)", "REGION 'top' (line 6)"] {
        #expect(message.contains(part), "\(message)")
      }
    }
  }

  @Test(
    .needsFFmpeg,
    arguments: [
      ("mkv", ["a.vtt"], true), ("mkv", ["a.vtt", "b.vtt"], false), ("webm", ["a.vtt"], false),
      ("mp4", ["a.vtt"], false),
    ])
  func blocksOfWebVTTAreKeptOrNamed(_ ending: String, _ files: [String], isKept: Bool) throws {
    try withTemporaryDirectory { folder in
      try Data(Self.styled.utf8).write(to: folder.appending(path: "a.vtt"))
      try Data(Self.plain.utf8).write(to: folder.appending(path: "b.vtt"))
      let clips = files.map { file in
        "{\"source\": \(JSONValue.string(folder.appending(path: file).path).encoded())}"
      }.joined(separator: ", ")
      let composition = Text(
        tracks: """
          {"clips": [{"source": "black", "duration": "2s"}]},
          {"kind": "subtitle", "clips": [\(clips)]}
          """, timeline: Self.small,
        export: ending == "webm" ? #""video": {"codec": "vp9"}"# : Text.quick,
        more: ##""sources": {"black": {"color": "#000"}}"##)
      let film = try composition.export(to: "out." + ending, in: folder)
      let named = film.diagnostics.filter { $0.message.contains("STYLE (line 3), REGION 'top'") }
      #expect(named.count == (isKept ? 0 : 1), "\(film.diagnostics)")
      #expect(named.allSatisfy { $0.code == "capability.subtitles" && $0.severity == .warning })
      guard isKept else { return }
      let bytes = Array(try Data(contentsOf: film.url))
      let head = "WEBVTT\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:top\nwidth:40%\n"
      #expect(bytes.firstRange(of: Array(head.utf8)) != nil)
    }
  }
}
