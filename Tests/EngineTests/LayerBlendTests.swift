import CutroomMedia
import CutroomModel
import Testing

@testable import Cutroom

/// The formulas of blending, on known colours.
@Suite struct LayerBlendTests {
  /// By hand, from #4080C0 (64, 128, 192) below and #C06020 (192, 96, 32) above, of 255.
  static let results: [(String, [Int])] = [
    ("normal", [192, 96, 32]),
    // 64·192/255, 128·96/255, 192·32/255
    ("multiply", [48, 48, 24]),
    // the sum without the product
    ("screen", [208, 176, 200]),
    // 2·64·192/255; 255 − 2·127·159/255; 255 − 2·63·223/255
    ("overlay", [96, 97, 145]),
    ("add", [255, 224, 224]),
  ]

  @Test(arguments: results, ["yuv444p", "yuv420p", "yuv420p10le", "yuv422p10le"])
  func coloursAreBlendedByTheFormula(_ result: (String, [Int]), format: String) throws {
    for opacity in [1, 0.5] {
      let text = layers(
        background: "#4080C0", sources: ##""layer": {"color": "#C06020"}"##,
        track(
          "layer", #""blend": "\#(result.0)", "opacity": \#(opacity), "scale": 0.5"#))
      let frame = try drawing(text, format).frame(at: 0)
      let below = [64, 128, 192]
      let wanted = (0..<3).map {
        (Double(below[$0]) * (1 - opacity) + Double(result.1[$0]) * opacity).rounded()
      }
      let seen = frame.rgb(32, 18)
      for (a, b) in zip(seen, wanted) { #expect(abs(a - b) <= 2, "\(opacity): \(seen) \(wanted)") }
      // Beside it nothing changes, to the last digit.
      let plain = try drawing(
        layers(
          background: "#4080C0",
          track("layer", #""scale": 0.001"#)
            .replacing("\"layer\"", with: "\"white\"")), format
      ).frame(at: 0)
      for plane in 0..<3 {
        #expect(frame.sample(plane: plane, 8, 8) == plain.sample(plane: plane, 8, 8))
      }
    }
  }

  @Test func neutralColoursChangeNothingAtAll() throws {
    for (blend, color) in [
      ("multiply", "#FFFFFF"), ("screen", "#000000"), ("add", "#000000"),
    ] {
      let alone = layers(track("pattern", ""))
      let both = layers(
        sources: #""layer": {"color": "\#(color)"}"#,
        track("pattern", "") + "," + track("layer", #""blend": "\#(blend)""#))
      let (one, two) = try (picture(4, of: alone), picture(4, of: both))
      // Colours beyond those of RGB are brought to them.
      #expect(one.difference(two) < 0.35, "\(blend)")
    }
  }

  @Test func layersInATransitionAreBlended() throws {
    let text = layers(
      background: "#4080C0", sources: ##""layer": {"color": "#C06020"}"##,
      """
      {"kind": "video", "clips": [
        {"source": "layer", "duration": "10f", "video": {"blend": "multiply"}},
        {"transition": "dissolve", "duration": "10f"},
        {"source": "layer", "duration": "10f", "video": {"blend": "screen"}}]}
      """)
    let seen = try drawing(text).frame(at: Rational(10, 25)).rgb(32, 18)
    for (a, b) in zip(seen, [128.0, 112, 112]) { #expect(abs(a - b) <= 2, "\(seen)") }
    #expect(
      try drawing(text).frame(at: Rational(1, 25)).rgb(3, 3).map { ($0 / 4).rounded() }
        == [12, 12, 6])
  }
}

extension Frame {
  /// A sample of 8 or 16 bits at a place of luma.
  func sample(plane: Int, _ x: Int, _ y: Int) -> Int {
    guard let format else { return -1 }
    let across = plane == 0 ? x : x >> format.log2ChromaWidth
    let down = plane == 0 ? y : y >> format.log2ChromaHeight
    return withPlane(plane) { bytes, stride in
      guard format.bitDepth > 8 else { return Int(bytes[down * stride + across]) }
      let place = down * stride + 2 * across
      return Int(bytes[place]) + Int(bytes[place + 1]) << 8
    }
  }

  /// Red, green and blue at a place, by BT.709, of 255.
  func rgb(_ x: Int, _ y: Int) -> [Double] {
    let scale = (format?.bitDepth ?? 8) > 8 ? 4.0 : 1
    let sample = (0..<3).map { Double(self.sample(plane: $0, x, y)) / scale }
    let luma = (sample[0] - 16) / 219
    let (blue, red) = ((sample[1] - 128) / 224, (sample[2] - 128) / 224)
    return [
      luma + 1.5748 * red, luma - 0.187324 * blue - 0.468124 * red, luma + 1.8556 * blue,
    ].map { $0 * 255 }
  }
}
