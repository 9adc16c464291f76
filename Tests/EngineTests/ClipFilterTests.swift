import CutroomMedia
import CutroomModel
import TestSupport
import Testing

@testable import Cutroom

/// The pictures of clips with filters.
@Suite struct ClipFilterTests {
  /// A composition of 64×36 pixels, one track over another of mid-grey.
  private static func text(
    _ source: String, _ filters: String, clip: String = #""duration": "20f""#, more: String = "",
    below: String = "#808080"
  ) -> String {
    """
    {"format": "cutroom/1", "timeline": {"frameRate": 25, "size": [64, 36]},
     "sources": {"a": \(source), "below": {"color": "\(below)"},
       "b": {"generator": "testsrc2", "size": [64, 36], "frameRate": 25, "duration": "9s"}},
     "tracks": [
       {"kind": "video", "clips": [{"source": "below", "duration": "3s"}]},
       {"kind": "video", "clips": [
         {"source": "a", \(clip), "video": {"filters": [\(filters)]}}\(more)]}]}
    """
  }

  private static let white = ##"{"color": "#FFFFFF"}"##
  private static let moving =
    #"{"generator": "testsrc2", "size": [64, 36], "frameRate": 25, "duration": "9s"}"#

  @Test func aFilterChangesThePicture() throws {
    let drawn = try picture(0, of: Self.text(Self.white, #"{"lutyuv": {"y": "val/2"}}"#))
    #expect(drawn[10, 10] == [117, 128, 128])
  }

  @Test func filtersWorkInTheirOrder() throws {
    let steps = [#"{"lutyuv": {"y": "val-35"}}"#, #"{"lutyuv": {"y": "val/2"}}"#]
    let one = try picture(0, of: Self.text(Self.white, steps.joined(separator: ", ")))
    let other = try picture(0, of: Self.text(Self.white, steps.reversed().joined(separator: ", ")))
    #expect(one[10, 10][0] == 100 && other[10, 10][0] == 82)
  }

  @Test func oneOpaquePictureIsFilteredOnce() throws {
    let renderer = try drawing(Self.text(Self.white, #"{"lutyuv": {"y": "val/2"}}"#))
    #expect(try renderer.frame(at: 0) === renderer.frame(at: Rational(1, 25)))
  }

  @Test func timeIsThatOfTheClip() throws {
    let filter = #"{"lutyuv": {"y": "16", "enable": "gte(t,0.2)"}}"#
    let text = Self.text(Self.white, filter, clip: #""at": "1s", "duration": "20f""#)
    #expect(try picture(29, of: text)[10, 10][0] == 235)
    #expect(try picture(30, of: text)[10, 10][0] == 16)
    let renderer = try drawing(text)
    let levels = try (25..<35).map {
      DrawnPicture(try renderer.frame(at: Rational($0, 25)))[10, 10][0]
    }
    #expect(levels == Array(repeating: 235, count: 5) + Array(repeating: 16, count: 5))
  }

  @Test func timeBeforeTheClipIsNegativeInATransition() throws {
    let more = #"""
      , {"transition": "dissolve", "duration": "4f"}, {"source": "a", "duration": "1s",
       "video": {"filters": [{"lutyuv": {"y": "16", "enable": "lt(t,0)"}}]}}
      """#
    let text = Self.text(Self.white, #"{"null": {}}"#, more: more)
    // Frames 18 and 19 lie before the cut, with the weights 0 and 1/4.
    let levels = try (17..<22).map { try picture($0, of: text)[10, 10][0] }
    #expect(zip(levels, [235, 235, 180, 235, 235]).allSatisfy { abs($0 - $1) <= 1 }, "\(levels)")
  }

  @Test(arguments: ["colorlevels", "lut3d", "geq", "eq"])
  func coloursAreKeptByFiltersOfOtherFormats(name: String) throws {
    let options = name == "geq" ? #"{"r": "r(X,Y)", "g": "g(X,Y)", "b": "b(X,Y)"}"# : "{}"
    let bars = #"{"generator": "smptehdbars", "size": [64, 36], "frameRate": 25, "duration": "1s"}"#
    let plain = try picture(0, of: Self.text(bars, ""))
    let filtered = try picture(0, of: Self.text(bars, "{\"\(name)\": \(options)}"))
    for x in stride(from: 5, to: 60, by: 9) {
      let (a, b) = (plain[x, 10], filtered[x, 10])
      #expect(zip(a, b).allSatisfy { abs($0 - $1) <= 2 }, "\(x): \(a) \(b)")
    }
  }

  @Test func whatShowsThroughIsKeptByFiltersWithoutAlpha() throws {
    let text = Self.text(
      ##"{"color": "#FFFFFF80"}"##, #"{"eq": {"brightness": -0.2}}, {"lutyuv": {"u": "128"}}"#,
      below: "#000000")
    let plain = try picture(0, of: Self.text(##"{"color": "#FFFFFF80"}"##, "", below: "#000000"))
    #expect(abs(plain[10, 10][0] - 126) <= 1)
    // The white is darker by a fifth of 255, and as transparent as before.
    #expect(abs(try picture(0, of: text)[10, 10][0] - (126 - 26)) <= 1)
  }

  @Test func whatWouldDropAlphaIsRefusedBeforeTheExport() throws {
    let text = Self.text(##"{"color": "#FFFFFF80"}"##, #"{"hqdn3d": {}}"#)
    let checked = Engine.check(text: SourceText(file: "t.json", text: text), baseDirectory: "")
    #expect(
      checked.findings(.error) == ["capability.filter /tracks/1/clips/0/video/filters/0/hqdn3d"])
    let opaque = Self.text(
      ##"{"color": "#FFFFFF80"}"##, #"{"format": {"pix_fmts": "yuv444p"}}, {"hqdn3d": {}}"#)
    #expect(try picture(0, of: opaque)[10, 10][0] == 235)
  }

  @Test func keyedColoursShowWhatLiesBelow() throws {
    for key in ["chromakey", "colorkey"] {
      let filter = "{\"\(key)\": {\"color\": \"#00FF00\", \"similarity\": 0.2}}"
      let green = try picture(0, of: Self.text(##"{"color": "#00FF00"}"##, filter))[9, 9]
      let red = try picture(0, of: Self.text(##"{"color": "#FF0000"}"##, filter))[9, 9]
      #expect(green == [126, 128, 128])
      #expect(zip(red, [63, 102, 240]).allSatisfy { abs($0 - $1) <= 1 }, "\(red)")
    }
  }

  @Test func aChangedSizeIsTheSizeForDisplay() throws {
    // A quarter of the picture fills the canvas; twice as narrow, it is as high as before.
    let quarter = try picture(0, of: Self.text(Self.moving, #"{"crop": {"w": 32, "h": 18}}"#))
    #expect(quarter[1, 18][0] != 126 && quarter[62, 18][0] != 126)
    let narrow = try picture(
      0, of: Self.text(Self.white, #"{"scale": {"w": 32, "h": 36}}, {"setsar": {"sar": 1}}"#))
    #expect(narrow.row(18) == (0..<64).map { (16..<48).contains($0) ? 235 : 126 })
    // libavfilter keeps the shape of a picture that is scaled, by the shape of its pixels.
    let kept = try picture(0, of: Self.text(Self.white, #"{"scale": {"w": 32, "h": 36}}"#))
    #expect(kept.row(18).allSatisfy { $0 == 235 })
  }

  @Test(arguments: [
    #"{"tmix": {"frames": 3}}"#, #"{"tblend": {"all_mode": "average"}}"#, #"{"hqdn3d": {}}"#,
    #"{"lagfun": {}}"#, #"{"deflicker": {}}"#, #"{"atadenoise": {}}"#, #"{"tmedian": {}}"#,
    #"{"fade": {"type": "in", "start_frame": 2, "nb_frames": 8}}"#, #"{"bwdif": {"mode": 0}}"#,
    #"{"noise": {"alls": 20, "allf": "t"}}"#, #"{"yadif": {}}"#,
    #"{"drawbox": {"w": "10", "t": "fill", "enable": "gt(n,5)"}}"#,
    #"{"eq": {"contrast": "1+n/10", "eval": "frame"}}"#, #"{"dedot": {}}"#,
    #"{"shufflepixels": {}}"#,
    #"{"elbg": {}}"#, #"{"vignette": {}}"#,
  ])
  func aPictureDoesNotDependOnWhereDrawingBegan(filter: String) throws {
    let more = #"""
      , {"transition": "wipeLeft", "duration": "6f"}, {"source": "b", "in": "1s", "duration": "1s"}
      """#
    let clip = #""at": "3f", "in": "1s", "duration": "12f""#
    let text = Self.text(Self.moving, filter, clip: clip, more: more)
    let all = try drawing(text)
    let digests = try (0..<22).map { try all.frame(at: Rational($0, 25)).digest() }
    for start in [16, 9, 4] {
      let other = try drawing(text)
      for number in [start, start + 1, start - 1] {
        let digest = try other.frame(at: Rational(Int64(number), 25)).digest()
        #expect(digest == digests[number], "frame \(number) from \(start)")
      }
    }
    let plain = try drawing(Self.text(Self.moving, "", clip: clip, more: more))
    let changed = try (0..<22).filter {
      try plain.frame(at: Rational(Int64($0), 25)).digest() != digests[$0]
    }
    #expect(!changed.isEmpty && changed.allSatisfy { (3..<18).contains($0) }, "\(changed)")
  }

  @Test(arguments: FilterTraits.pure.sorted())
  func filtersWithoutMemoryHaveNone(name: String) throws {
    let needed = [
      "delogo": #""x": 5, "y": 5, "w": 9, "h": 9"#, "geq": #""lum": "lum(X,Y)/2""#,
      "crop": #""w": 30"#, "pad": #""w": 80"#, "format": #""pix_fmts": "yuv444p""#,
      "noformat": #""pix_fmts": "yuv420p""#, "scale": #""w": 32, "h": 20"#,
      "zscale": #""w": 32, "h": 20"#,
      "colormatrix": #""src": "bt601", "dst": "bt709""#,
      "colorspace": #""iall": "bt709", "all": "bt709""#, "removelogo": "",
    ]
    guard needed[name] != "" else { return }
    let text = Self.text(Self.moving, "{\"\(name)\": {\(needed[name] ?? "")}}")
    let all = try drawing(text)
    let digests = try (0..<6).map { try all.frame(at: Rational($0, 25)).digest() }
    let other = try drawing(text)
    for number in [5, 2, 3] {
      let digest = try other.frame(at: Rational(Int64(number), 25)).digest()
      #expect(digest == digests[number], "frame \(number)")
    }
  }

  @Test func memorySeesWhatTheTimelineShows() throws {
    // Means of a frame and the one before, of a picture that gets lighter.
    let text = Self.text(
      Self.white, #"{"fade": {"type": "in", "nb_frames": 10}}, {"tmix": {"frames": 2}}"#)
    let levels = try (0..<12).map { try picture($0, of: text)[10, 10][0] }
    let faded = (0..<12).map { 16 + 219 * Double(min($0, 10)) / 10 }
    for (number, level) in levels.enumerated() {
      let mean = (faded[number] + faded[max(0, number - 1)]) / 2
      #expect(abs(Double(level) - mean) <= 2, "frame \(number): \(level), not \(mean)")
    }
  }

  @Test func noChunkBeginsWithinWhatRemembers() throws {
    func chunks(_ filter: String) throws -> [Int64] {
      let text = Text(
        tracks: """
          {"kind": "video", "clips": [{"source": "a", "duration": "3s"},
            {"source": "a", "in": "3s", "duration": "7s", "video": {"filters": [\(filter)]}},
            {"source": "a", "duration": "2s"}]}
          """, timeline: #""size": [64, 36], "frameRate": 25"#,
        export: #""video": {"codec": "ffv1"}"#,
        more: #"""
          "sources": {"a": {"generator": "testsrc2", "size": [64, 36], "frameRate": 25,
            "duration": "20s"}}
          """#)
      return try text.plan("a.mkv").video?.chunks.map(\.count) ?? []
    }
    #expect(try chunks(#"{"eq": {"contrast": 1.1}}"#) == Array(repeating: 25, count: 12))
    #expect(try chunks(#"{"tmix": {}}"#) == [25, 25, 25, 175, 25, 25])
  }

  @Test func filtersThatChangeTheNumberOfPicturesAreRefused() throws {
    let text = Self.text(Self.moving, #"{"interlace": {}}"#)
    let checked = Engine.check(text: SourceText(file: "t.json", text: text), baseDirectory: "")
    #expect(
      checked.findings(.error) == ["capability.filter /tracks/1/clips/0/video/filters/0/interlace"])
  }

  @Test func whatDependsOnTheProcessorIsSaid() throws {
    let text = Self.text(Self.moving, #"{"gblur": {"sigma": 2}}"#)
    let checked = Engine.check(text: SourceText(file: "t.json", text: text), baseDirectory: "")
    #expect(
      checked.findings(.warning) == ["capability.processor /tracks/1/clips/0/video/filters/0"])
  }
}
