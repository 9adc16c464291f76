import CutroomMedia
import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// The pictures of all transitions.
@Suite struct TransitionTests {
  /// A composition of white, the transition over frames 2 to 10, and black, 25 frames a second.
  private static func text(
    _ name: String, size: String = "[64, 36]", color: String = "bt709",
    sources: String = ##""white": {"color": "#FFFFFF"}, "black": {"color": "#000000"}"##,
    first: String = "white", second: String = "black", below: String = "", more: String = ""
  ) -> String {
    """
    {"format": "cutroom/1",
     "timeline": {"frameRate": 25, "size": \(size), "color": "\(color)"},
     "sources": {\(sources)},
     "tracks": [\(below){"kind": "video", "clips": [
       {"source": "\(first)", "in": "1s", "duration": "5f"\(more)},
       {"transition": "\(name)", "duration": "8f"},
       {"source": "\(second)", "in": "1s", "duration": "10f"\(more)}]}]}
    """
  }

  private static let moving = #"""
    "white": {"generator": "testsrc2", "size": [65, 37], "frameRate": 25, "duration": "9s"},
    "black": {"generator": "smptehdbars", "size": [64, 36], "frameRate": 25, "duration": "9s"}
    """#

  @Test func theNamesAreThoseOfXfade() throws {
    let info = try #require(FilterGraph.filterInfo(name: "xfade"))
    let known = try #require(info.options.first { $0.name == "transition" }).constants
    let named = TransitionName.all.map(TransitionName.xfade)
    #expect(Set(named).subtracting(known).isEmpty)
    // One needs an expression, and the dissolve by pixels has no name.
    #expect(Set(known).subtracting(named) == ["custom", "dissolve"])
  }

  @Test(arguments: TransitionName.all, ["yuv420p", "yuv420p10le"])
  func aPictureDoesNotDependOnThoseBeforeIt(name: String, format: String) throws {
    let text = Self.text(name, size: "[64, 36]", sources: Self.moving)
    let all = try drawing(text, format)
    var digests: [String] = []
    for number in 0..<15 { digests.append(try all.frame(at: Rational(number, 25)).digest()) }
    // One drawn first, one after its successor.
    let other = try drawing(text, format)
    for number in [6, 4] {
      #expect(try other.frame(at: Rational(number, 25)).digest() == digests[number], "\(number)")
    }
    // It begins with the outgoing side, and moves on.
    let plain = try drawing(
      text.replacing(#"{"transition": "\#(name)", "duration": "8f"},"#, with: ""), format)
    #expect(try plain.frame(at: Rational(1, 25)).digest() == digests[1])
    #expect(try plain.frame(at: Rational(9, 25)).digest() == digests[9])
    #expect(Set(digests[1..<9]).count >= 7)
  }

  struct Expected: CustomTestStringConvertible, Sendable {
    var name: String
    /// The luma of pixel (x, 18) in frame 1 + k of 8, white going to black.
    var luma: @Sendable (_ x: Int, _ k: Int) -> Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Expected(name: "dissolve") { _, k in 235 - 219 * k / 8 },
    Expected(name: "fade") { _, k in 235 - 219 * k / 8 },
    Expected(name: "fadeBlack") { _, k in max(16, 235 - 219 * k / 4) },
    Expected(name: "fadeWhite") { _, k in k <= 4 ? 235 : 235 - 219 * (k - 4) / 4 },
    Expected(name: "wipeLeft") { x, k in x > 64 - 8 * k ? 16 : 235 },
    Expected(name: "wiperight") { x, k in x > 8 * k ? 235 : 16 },
    Expected(name: "slideLeft") { x, k in x < 64 - 8 * k ? 235 : 16 },
  ])
  func framesHaveTheWeightKOverTheLength(_ expected: Expected) throws {
    let renderer = try drawing(Self.text(expected.name))
    for k in 0..<8 {
      let row = DrawnPicture(try renderer.frame(at: Rational(Int64(k + 1), 25))).row(18)
      // Edges lie within a pixel of where they are expected.
      for x in 0..<64 {
        let near = [x - 1, x, x + 1].map { expected.luma($0, k) }
        #expect(near.contains { abs($0 - row[x]) <= 1 }, "frame \(k), x \(x): \(row[x])")
      }
    }
  }

  @Test(arguments: ["circleCrop", "rectCrop"])
  func whatIsAroundACropIsBlackOfLimitedRange(name: String) throws {
    let drawn = try picture(5, of: Self.text(name, second: "white"))
    #expect(drawn[0, 0] == [16, 128, 128])
    let early = try picture(2, of: Self.text(name, second: "white"))
    #expect(early[32, 18] == [235, 128, 128])
  }

  @Test func transitionsOfSmallPicturesLeaveTheRestAlone() throws {
    let text = Self.text(
      "wipeLeft", below: #"{"kind": "video", "clips": [{"source": "grey", "duration": "1s"}]}, "#,
      more: #", "video": {"scale": 0.5, "opacity": 0.5}"#
    ).replacing("\"sources\": {", with: ##""sources": {"grey": {"color": "#808080"}, "##)
    let drawn = try picture(5, of: text)
    let (grey, light, dark) = (126, 180, 71)
    #expect(abs(drawn[4, 18][0] - grey) <= 1 && abs(drawn[60, 18][0] - grey) <= 1)
    #expect(abs(drawn[24, 18][0] - light) <= 1)
    #expect(abs(drawn[40, 18][0] - dark) <= 1)
  }

  @Test func transitionsLieOverEachOther() throws {
    let under = #"""
      {"kind": "video", "clips": [
        {"source": "white", "in": "1s", "duration": "5f"},
        {"transition": "wipeUp", "duration": "8f"},
        {"source": "black", "in": "1s", "duration": "10f"}]},
      """#
    let text = Self.text("wipeLeft", below: under, more: #", "video": {"scale": 0.5}"#)
    let drawn = try picture(5, of: text)
    #expect(drawn[4, 4][0] == 235 && drawn[4, 32][0] == 16)
    #expect(drawn[24, 18][0] == 235 && drawn[40, 18][0] == 16)
  }

  @Test func tenBitsAreKept() throws {
    let text = Self.text(
      "smoothLeft", color: "bt2020-hlg",
      sources: ##"""
        "white": {"color": "#808080"}, "black": {"color": "#848484"}
        """##)
    let frame = try drawing(text, "yuv420p10le").frame(at: Rational(5, 25))
    #expect(frame.format?.name == "yuv420p10le")
    let bytes = frame.packedBytes()
    let luma = Set(
      stride(from: 0, to: 64 * 36 * 2, by: 2).map { Int(bytes[$0]) + 256 * Int(bytes[$0 + 1]) })
    // Between 504 and 517 there are values that 8 bits do not have.
    #expect(luma.contains { $0 % 4 != 0 })
    #expect((luma.min() ?? 0) >= 503 && (luma.max() ?? 0) <= 518)
  }

  /// Chunks of an exported file begin within the transitions.
  @Test(.needsFFmpeg) func exportsOfAnyNumberOfWorkersAreEqual() throws {
    try withTemporaryDirectory { folder in
      let text = Text(
        tracks: #"""
          {"kind": "video", "clips": [
            {"source": "a", "in": "4s", "duration": "4s"},
            {"transition": "circleOpen", "duration": "3s"},
            {"source": "b", "in": "4s", "duration": "4s"},
            {"transition": "fadeBlack", "duration": "3s"},
            {"source": "a", "in": "4s", "duration": "4s"}]}
          """#, timeline: #""size": [64, 36], "frameRate": 25"#,
        export: #""video": {"codec": "ffv1"}"#,
        more: #"""
          "sources": {
            "a": {"generator": "testsrc2", "size": [64, 36], "frameRate": 25, "duration": "20s"},
            "b": {"generator": "testsrc", "size": [64, 36], "frameRate": 25, "duration": "20s"}}
          """#)
      let one = try text.export(to: "one.mkv", in: folder, jobs: 1)
      let three = try text.export(to: "three.mkv", in: folder, jobs: 3)
      #expect(try Data(contentsOf: one.url) == Data(contentsOf: three.url))
      #expect(one.report.plan.video?.frameCount == 300)
      #expect(one.report.plan.video?.chunks.count ?? 0 > 6)
    }
  }
}
