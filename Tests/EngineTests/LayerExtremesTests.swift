import CutroomMedia
import CutroomModel
import Testing

@testable import Cutroom

/// Sizes, places and angles far from the usual.
@Suite struct LayerExtremesTests {
  static let settings = [
    #""scale": 1000"#, #""scale": 0.0001"#, #""scale": 1000, "rotation": 33.3"#,
    #""scale": 0.0001, "rotation": 33.3"#, #""scale": 1000, "rotation": 90"#,
    #""position": [1000000, 1000000]"#, #""position": [-1000000, -1000000], "rotation": 45"#,
    #""position": [63.9, 35.9], "anchor": [0, 0]"#, #""position": [0, 0], "anchor": [1, 1]"#,
    #""position": [0.1, 0.1], "anchor": [1, 1], "rotation": 1"#,
    #""crop": {"left": 63.5}"#,
    #""crop": {"left": 0.1, "top": 0.1, "right": 63.8, "bottom": 35.8}"#,
    #""crop": {"left": 63.99}, "rotation": 12"#, #""rotation": 999999.123456789"#,
    #""rotation": -0.000001"#, #""fit": "none", "crop": {"left": 63, "top": 35}, "scale": 1000"#,
    #""fit": "stretch", "scale": "1/3", "position": ["1/7", "1/11"]"#,
    #""scale": {"keyframes": [{"at": 0, "value": 0.0001}, {"at": 1, "value": 1000}]}"#,
    #""scale": {"keyframes": [{"at": 0, "value": 1000}, {"at": 1, "value": 0.0001}]}, "rotation": 7"#,
    #""crop": {"keyframes": [{"at": 0, "value": {}}, {"at": 1, "value": {"left": 63.99, "top": 35.99}}]}"#,
    #""position": {"keyframes": [{"at": 0, "value": [-999999, 0]}, {"at": 1, "value": [999999, 36]}]}"#,
    #""rotation": {"keyframes": [{"at": "1/3", "value": "1/7"}, {"at": "999/1000", "value": "1000/3", "curve": "easeInOut"}]}, "scale": "1/97""#,
  ]

  @Test(arguments: settings)
  func nothingIsTooLargeOrTooSmall(_ video: String) throws {
    for (size, format) in [
      ("[64, 36]", "yuv420p"), ("[65, 37]", "yuv444p"), ("[64, 36]", "yuv420p10le"),
      ("[64, 36]", "yuv422p10le"), ("[2, 2]", "yuv420p"),
    ] {
      for blend in ["normal", "add"] {
        let text = layers(
          size: size,
          track("pattern", "")
            + "," + track("pattern", video + #", "blend": "\#(blend)""#))
        let renderer = try drawing(text, format)
        for number in [0, 7, 12, 24] {
          let frame = try renderer.frame(at: Rational(number, 25))
          #expect(frame.format?.name == format, "\(size) \(blend)")
        }
      }
    }
  }

  @Test func aPictureScaledBeyondAllLimitsShowsItsMiddle() throws {
    for video in [#""scale": 1000"#, #""scale": 1000, "rotation": 33"#] {
      let seen = try picture(0, of: layers(size: "[320, 180]", track("white", video)))
      #expect(seen.planes[0].allSatisfy { $0 == 235 })
    }
  }

  @Test func aCropThatLeavesNothingOfLetteringIsAnErrorAtItsPlace() throws {
    let text = layers(
      sources: #""t": {"text": "I", "size": 20}"#, track("t", #""crop": {"left": 600}"#))
    let error = #expect(throws: CutroomError.self) { try drawing(text).frame(at: 0) }
    #expect(error?.diagnostics.first?.pointer == "/tracks/0/clips/0")
    #expect(error?.message.contains("the crop leaves nothing of") == true)
  }
}
