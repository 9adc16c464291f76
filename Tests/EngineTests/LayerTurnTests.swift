import CutroomMedia
import CutroomModel
import Testing

@testable import Cutroom

/// Turned and cropped pictures.
@Suite struct LayerTurnTests {
  /// The samples of `picture` after quarters of a turn clockwise.
  private static func turned(_ picture: DrawnPicture, _ quarters: Int) -> [[UInt8]] {
    var planes = picture.planes
    var (width, height) = (picture.width, picture.height)
    for _ in 0..<quarters {
      planes = planes.map { plane in
        (0..<width).flatMap { x in
          (0..<height).map { y in plane[(height - 1 - y) * width + x] }
        }
      }
      (width, height) = (height, width)
    }
    return planes
  }

  @Test(arguments: [1, 2, 3, 5, -1])
  func quartersOfATurnAreExact(_ quarters: Int) throws {
    let plain = try picture(3, of: layers(track("pattern", #""fit": "none""#)))
    let isUpright = quarters % 2 != 0
    let text = layers(
      size: isUpright ? "[36, 64]" : "[64, 36]",
      track("pattern", #""fit": "none", "rotation": \#(90 * quarters)"#))
    let seen = try picture(3, of: text)
    #expect(seen.planes == Self.turned(plain, (quarters + 4) % 4))
  }

  @Test func aTurnIsAboutTheAnchor() throws {
    // The square of 16 pixels lies with its top left corner at (32, 18), and turns about it.
    let square =
      LayerMotionTests.square + #", "anchor": [0, 0], "position": [32, 18], "rotation": "#
    let places = [(0, 40.0, 26.0), (90, 24, 26), (180, 24, 10), (270, 40, 10)]
    for (angle, x, y) in places {
      let seen = try picture(0, of: layers(track("white", square + "\(angle)"))).whiteness
      #expect(seen.area == 256 && seen.x == x && seen.y == y, "\(angle)°: \(seen)")
    }
  }

  @Test(arguments: [15, 30, 45, 77, 120, 225, -45], ["yuv444p", "yuv420p", "yuv420p10le"])
  func anyTurnKeepsAreaAndMiddle(_ angle: Int, format: String) throws {
    let text = layers(
      size: "[100, 100]",
      #"""
      {"kind": "video", "clips": [{"source": "white", "duration": "1s", "video":
        {"fit": "none", "crop": {"right": 60, "bottom": 60}, "rotation": \#(angle)}}]}
      """#)
    let seen = try DrawnPicture(luma: drawing(text, format).frame(at: 0)).whiteness
    #expect(abs(seen.area - 1600) < 2, "\(seen)")
    #expect(abs(seen.x - 50) < 0.05 && abs(seen.y - 50) < 0.05, "\(seen)")
  }

  @Test func aTurnOf45DegreesStandsOnItsCorner() throws {
    let text = layers(
      size: "[100, 100]",
      track("white", #""fit": "none", "crop": {"right": 60, "bottom": 60}, "rotation": 45"#))
    let seen = try picture(0, of: text)
    // Half of the diagonal of 40 pixels is 28.28.
    for (x, y) in [(50, 50), (50, 23), (50, 76), (23, 50), (76, 50), (37, 37), (62, 62)] {
      #expect(seen[x, y][0] == 235, "(\(x), \(y))")
    }
    for (x, y) in [(50, 20), (50, 79), (20, 50), (79, 50), (32, 32), (67, 67), (0, 0), (99, 0)] {
      #expect(seen[x, y][0] == 16, "(\(x), \(y))")
    }
    // An edge is soft over about a pixel, and nowhere else.
    let soft = (0..<100).filter { (17..<234).contains(seen[$0, 40][0]) }
    #expect((2...4).contains(soft.count), "\(soft)")
  }

  @Test(arguments: ["yuv420p", "yuv444p"])
  func aTurnedPictureShowsWhatItShows(_ format: String) throws {
    // Turned by 30° and, in a composition around it, back again.
    let size = "[160, 90]"
    let pattern =
      #""big": {"generator": "smptehdbars", "size": [160, 90], "frameRate": 25, "duration": "4s"}"#
    let plain = try drawing(
      layers(size: size, sources: pattern, track("big", #""scale": 0.5"#)), format
    ).frame(at: 0)
    let moving = #"{"keyframes": [{"at": 0, "value": 360}, {"at": 1, "value": 400}]}"#
    let turned = try drawing(
      layers(size: size, sources: pattern, track("big", #""scale": 0.5, "rotation": \#(moving)"#)),
      format
    ).frame(at: 0)
    #expect(DrawnPicture(luma: plain).difference(DrawnPicture(luma: turned)) < 1.0)
  }

  @Test func aCropShowsExactlyItsPart() throws {
    let whole = try picture(2, of: layers(track("pattern", #""fit": "none""#)))
    for (left, top, right, bottom) in [(8, 4, 16, 6), (7, 5, 13, 3), (0, 1, 1, 0)] {
      let crop =
        #""crop": {"left": \#(left), "top": \#(top), "right": \#(right), "bottom": \#(bottom)}"#
      let (width, height) = (64 - left - right, 36 - top - bottom)
      let text = layers(
        track("pattern", #""fit": "none", \#(crop), "anchor": [0, 0], "position": [0, 0]"#))
      let seen = try picture(2, of: text)
      for y in 0..<36 {
        let shown = y < height ? Array(whole.row(y + top)[left..<(left + width)]) : []
        // The conversion to YUV may round another way elsewhere.
        let wanted = shown + Array(repeating: 16, count: 64 - shown.count)
        #expect(zip(seen.row(y), wanted).allSatisfy { abs($0 - $1) <= 2 }, "row \(y)")
        #expect(seen.row(y)[shown.count...].allSatisfy { $0 == 16 })
      }
    }
  }

  @Test(arguments: [("contain", 48, 36), ("cover", 64, 48), ("stretch", 64, 36), ("none", 24, 18)])
  func whatIsLeftOfACropIsFitted(_ fit: String, width: Int, height: Int) throws {
    let text = layers(
      track("white", #""fit": "\#(fit)", "crop": {"left": 20, "right": 20, "top": 9, "bottom": 9}"#)
    )
    let seen = try picture(0, of: text).whiteness
    #expect(seen.area == Double(min(width, 64) * min(height, 36)) && seen.x == 32)
    // Without a position it lies on even pixels.
    #expect(abs(seen.y - 18) <= 1)
  }

  @Test(arguments: ["yuv420p", "yuv444p"])
  func zoomingEndsWhereAStillCropIs(_ format: String) throws {
    let source =
      #""big": {"generator": "testsrc2", "size": [320, 180], "frameRate": 25, "duration": "4s"}"#
    let end = #"{"left": 40, "top": 30, "right": 120, "bottom": 60}"#
    let moving =
      #""crop": {"keyframes": [{"at": 0, "value": {}}, {"at": "20f", "value": \#(end)}]}"#
    let one = try drawing(
      layers(size: "[160, 90]", sources: source, track("big", moving)), format)
    let two = try drawing(
      layers(size: "[160, 90]", sources: source, track("big", #""crop": \#(end)"#)), format)
    let whole = try drawing(layers(size: "[160, 90]", sources: source, track("big", "")), format)
    let (last, first) = (Rational(24, 25), Rational.zero)
    #expect(
      try DrawnPicture(luma: one.frame(at: last)).difference(
        DrawnPicture(luma: two.frame(at: last))) < 1.5)
    #expect(
      try DrawnPicture(luma: one.frame(at: first)).difference(
        DrawnPicture(luma: whole.frame(at: first))) < 1.5)
  }

  @Test func sineAndCosineAreThoseOfTheAngle() {
    for (degrees, sine, cosine) in [
      (0, 0.0, 1.0), (30, 0.5, 0.866025403784), (45, 0.707106781187, 0.707106781187), (90, 1, 0),
      (150, 0.5, -0.866025403784), (180, 0, -1), (270, -1, 0), (-30, -0.5, 0.866025403784),
      (765, 0.707106781187, 0.707106781187),
    ] {
      let turn = Turn(degrees: Rational(degrees))
      #expect(abs(turn.sine.doubleValue - sine) < 1e-11, "\(degrees)°")
      #expect(abs(turn.cosine.doubleValue - cosine) < 1e-11, "\(degrees)°")
    }
  }
}
