import CutroomMedia
import CutroomModel
import Testing

@testable import Cutroom

/// Keyframes of places, sizes and opacities, to the frame.
@Suite struct LayerMotionTests {
  /// A square of 16 pixels.
  static let square = #""fit": "none", "crop": {"right": 48, "bottom": 20}"#

  private static func keys(_ first: String, _ second: String, _ curve: String) -> String {
    """
    {"keyframes": [{"at": "5f", "value": \(first)},
                   {"at": "25f", "value": \(second), "curve": "\(curve)"}]}
    """
  }

  /// How far the way is gone at frame `number`.
  private static func weight(_ number: Int, _ curve: KeyframeCurve) -> Double {
    let p = min(max(Double(number - 5) / 20, 0), 1)
    return switch curve {
    case .hold: p < 1 ? 0 : 1
    case .linear: p
    case .easeIn: p * p
    case .easeOut: 2 * p - p * p
    case .easeInOut: 3 * p * p - 2 * p * p * p
    }
  }

  @Test(arguments: KeyframeCurve.allCases, ["yuv444p", "yuv420p"])
  func aSquareIsWhereTheCurveSaysAtEveryFrame(_ curve: KeyframeCurve, format: String) throws {
    let text = layers(
      track(
        "white",
        Self.square + #", "position": \#(Self.keys("[10, 9]", "[51, 24.5]", curve.rawValue))"#))
    let renderer = try drawing(text, format)
    for number in 0..<25 {
      let seen = try DrawnPicture(luma: renderer.frame(at: Rational(number, 25))).whiteness
      let weight = Self.weight(number, curve)
      #expect(abs(seen.area - 256) < 1.5, "frame \(number): \(seen)")
      #expect(abs(seen.x - (10 + 41 * weight)) < 0.03, "frame \(number): \(seen)")
      #expect(abs(seen.y - (9 + 15.5 * weight)) < 0.03, "frame \(number): \(seen)")
    }
  }

  @Test func anEdgeBetweenPixelsCoversThemInPart() throws {
    let moving = #""position": {"keyframes": [{"at": 0, "value": [20.25, 18]}]}"#
    let constant = try picture(0, of: layers(track("white", Self.square + ", " + moving)))
    // The same at all times: on whole pixels, as a place without keyframes.
    #expect(constant.row(18)[11...13] == [16, 235, 235])
    let moves =
      #""position": {"keyframes": [{"at": 0, "value": [20.25, 18]}, {"at": 1, "value": [30, 18]}]}"#
    let row = try picture(0, of: layers(track("white", Self.square + ", " + moves))).row(18)
    // From 12.25 to 28.25.
    #expect(row[11] == 16 && row[29] == 16)
    #expect(abs(row[12] - (16 + 164)) <= 1 && abs(row[28] - (16 + 55)) <= 1)
    #expect(row[13...27].allSatisfy { $0 == 235 })
  }

  @Test(arguments: KeyframeCurve.allCases)
  func opacitiesOfClipAndTrackFollowTheirCurves(_ curve: KeyframeCurve) throws {
    let clip = #""opacity": \#(Self.keys("0.2", "0.9", curve.rawValue))"#
    let own = #""opacity": {"keyframes": [{"at": 0, "value": 1}, {"at": "20f", "value": 0.5}]},"#
    let text = layers(track("white", clip, track: own))
    for format in ["yuv420p", "yuv420p10le"] {
      let renderer = try drawing(text, format)
      for number in 0..<25 {
        let frame = try renderer.frame(at: Rational(number, 25))
        let both =
          (0.2 + 0.7 * Self.weight(number, curve)) * (1 - 0.5 * min(Double(number) / 20, 1))
        let scale = format == "yuv420p" ? 1.0 : 4.0
        let seen = Double(frame.sample(plane: 0, 20, 20))
        #expect(
          abs(seen - (16 + 219 * both) * scale) <= (scale == 1 ? 1 : 2), "\(format) frame \(number)"
        )
      }
    }
  }

  @Test func aPictureGrowsAboutItsAnchorAtEveryFrame() throws {
    // Fitted it covers the canvas; its top left corner stays where it is.
    let text = layers(
      track("white", #""anchor": [0, 0], "scale": \#(Self.keys("0.25", "1", "linear"))"#))
    let renderer = try drawing(text)
    for number in 0..<25 {
      let seen = try DrawnPicture(renderer.frame(at: Rational(number, 25))).whiteness
      let scale = 0.25 + 0.75 * Self.weight(number, .linear)
      #expect(abs(seen.area - 64 * 36 * scale * scale) < 2, "frame \(number): \(seen)")
      #expect(abs(seen.x - 32 * scale) < 0.05 && abs(seen.y - 18 * scale) < 0.05)
    }
  }

  @Test(arguments: ["yuv420p", "yuv444p", "yuv420p10le", "yuv422p10le"])
  func aFrameDoesNotDependOnThoseBeforeIt(_ format: String) throws {
    let text = layers(
      track(
        "pattern",
        #""crop": {"keyframes": [{"at": 0, "value": {"left": 0}}, {"at": 1, "value": {"left": 31, "top": 17}}]}"#
      )
        + ","
        + track(
          "pattern",
          #""scale": \#(Self.keys("0.2", "0.7", "easeIn")), "rotation": \#(Self.keys("0", "77", "easeOut")), "position": \#(Self.keys("[-5, 3]", "[60, 30]", "linear")), "opacity": \#(Self.keys("1", "0.3", "linear"))"#
        )
        + ","
        + track(
          "pattern",
          #""scale": 0.3, "position": \#(Self.keys("[9, 9]", "[41, 23]", "hold")), "blend": "screen""#
        )
    )
    let all = try drawing(text, format)
    let digests = try (0..<25).map { try all.frame(at: Rational($0, 25)).digest() }
    #expect(Set(digests).count == 25)
    for number in [17, 3, 4, 24, 0] {
      let alone = try drawing(text, format).frame(at: Rational(number, 25))
      #expect(alone.digest() == digests[number], "frame \(number)")
      #expect(alone.format?.name == format)
    }
    let backwards = try drawing(text, format)
    for number in (0..<25).reversed() {
      #expect(try backwards.frame(at: Rational(number, 25)).digest() == digests[number])
    }
  }

  @Test func keyframesCountInTheTimeOfTheClip() throws {
    let clip = """
      {"source": "white", "at": "10f", "duration": "20f", "video": {\(Self.square),
        "position": {"keyframes": [{"at": 0, "value": [10, 18]}, {"at": "20f", "value": [50, 18]}]}}}
      """
    let whole = layers(#"{"id": "a", "kind": "video", "clips": [\#(clip)]}"#)
    // A hole within it: the second part goes on where the first one stopped.
    let split = whole.replacing(
      #""tracks""#,
      with:
        #""edits": [{"op": "insertEmpty", "track": "a", "range": {"in": "20f", "out": "25f"}}], "tracks""#
    )
    let (one, two) = try (drawing(whole), drawing(split))
    for number in [10, 15, 19, 20, 29] {
      let at = Rational(number, 25)
      let seen = try DrawnPicture(one.frame(at: at)).whiteness
      #expect(abs(seen.x - Double(10 + 2 * (number - 10))) < 0.03, "frame \(number): \(seen)")
      let later = number < 20 ? at : at + Rational(5, 25)
      #expect(try one.frame(at: at).digest() == two.frame(at: later).digest(), "frame \(number)")
    }
  }
}
