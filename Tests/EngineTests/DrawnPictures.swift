import CutroomMedia
import CutroomModel
import Testing

@testable import Cutroom

/// What draws the pictures of a composition that a test has written.
func drawing(_ text: String, _ format: String = "yuv444p") throws -> TimelineRenderer {
  let checked = Engine.check(text: SourceText(file: "t.json", text: text), baseDirectory: "")
  let timeline = try #require(checked.timeline, "\(checked.diagnostics)")
  return try TimelineRenderer(
    timeline: timeline, assets: checked.assets,
    outputFormat: try #require(PixelFormat(name: format)), decoderThreads: 1,
    damage: DamagePolicy(conceals: false))
}

/// Frame `number` of a composition of 25 frames a second, drawn alone.
func picture(_ number: Int64, of text: String) throws -> DrawnPicture {
  DrawnPicture(try drawing(text).frame(at: Rational(number, 25)))
}

/// The pixels of a picture of 8 bits without subsampling.
struct DrawnPicture {
  var width: Int
  var planes: [[UInt8]]

  init(_ frame: Frame) {
    width = frame.width
    let bytes = frame.packedBytes()
    let size = frame.width * frame.height
    planes = (0..<3).map { Array(bytes[$0 * size..<($0 + 1) * size]) }
  }

  /// Luma and chroma of a pixel.
  subscript(_ x: Int, _ y: Int) -> [Int] { planes.map { Int($0[y * width + x]) } }

  /// The luma of a row.
  func row(_ y: Int) -> [Int] { planes[0][y * width..<(y + 1) * width].map { Int($0) } }
}
