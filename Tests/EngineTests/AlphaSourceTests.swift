import CutroomMedia
import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Sources with transparency, each a box that is half transparent at its right.
@Suite(.needsFFmpeg)
struct AlphaSourceTests {
  /// 64×36: a red box from (16, 8) to (48, 28), opaque at the left of 32, half transparent at the
  /// right of it, nothing elsewhere.
  private static let box =
    "color=red:s=64x36:r=25:d=0.4,format=rgba,"
    + "geq=r=255:g=0:b=0:a='if(between(X,16,47)*between(Y,8,27),if(lt(X,32),255,128),0)'"

  struct Kind: Sendable, CustomTestStringConvertible {
    var name: String
    var arguments: [String]
    /// How far colours may be off.
    var tolerance = 3
    /// Whether half transparency is kept.
    var isGradual = true
    var testDescription: String { name }
  }

  static let kinds = [
    Kind(name: "a.png", arguments: ["-frames:v", "1", "-pix_fmt", "rgba"]),
    Kind(
      name: "a.webp",
      arguments: ["-frames:v", "1", "-c:v", "libwebp", "-lossless", "1", "-pix_fmt", "bgra"]),
    Kind(
      name: "a.gif",
      arguments: [
        "-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse=alpha_threshold=64",
      ], isGradual: false),
    Kind(
      name: "a.mov",
      arguments: [
        "-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le", "-q:v", "1",
      ], tolerance: 6),
    Kind(name: "b.mov", arguments: ["-c:v", "qtrle", "-pix_fmt", "argb"]),
    Kind(
      name: "a.webm",
      arguments: ["-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-crf", "10", "-b:v", "0"],
      tolerance: 10),
    Kind(
      name: "b.webm",
      arguments: [
        "-c:v", "libvpx", "-auto-alt-ref", "0", "-pix_fmt", "yuva420p", "-crf", "4", "-b:v", "4M",
      ],
      tolerance: 12),
    Kind(name: "a.mkv", arguments: ["-c:v", "ffv1", "-pix_fmt", "yuva420p"], tolerance: 4),
  ]

  @Test(arguments: kinds)
  func whatIsBelowShowsThrough(_ kind: Kind) throws {
    try withTemporaryDirectory { folder in
      let file = folder.appending(path: kind.name)
      try Program.ffmpeg(["-f", "lavfi", "-i", Self.box] + kind.arguments + [file.path])
      let text = layers(
        background: "#0000FF", sources: #""a": {"path": "\#(file.path)"}"#,
        """
        {"kind": "video", "clips": [{"source": "a", "duration": "5f"}]}
        """)
      for format in ["yuv444p", "yuv420p", "yuv420p10le"] {
        let frame = try drawing(text, format).frame(at: Rational(2, 25))
        let half = kind.isGradual ? [128.0, 0, 127] : [255, 0, 0]
        let places: [(Int, Int, [Double])] = [
          (4, 4, [0, 0, 255]), (60, 30, [0, 0, 255]), (22, 18, [255, 0, 0]), (42, 18, half),
        ]
        for (x, y, wanted) in places {
          let seen = frame.rgb(x, y)
          for (a, b) in zip(seen, wanted) {
            #expect(abs(a - b) <= Double(kind.tolerance), "\(format) (\(x), \(y)): \(seen)")
          }
        }
      }
    }
  }

  @Test(
    .needsSamples,
    arguments: [
      ("alpha/prores4444-1080p25-alpha-tmcd.mov", 0), ("alpha/vp9-alpha-720p60.webm", 1),
      ("images/png-rgba-watermark.png", 0),
    ])
  func realFilesLetWhatIsBelowThrough(_ name: String, seconds: Int) throws {
    let path = try ProbeFolder.path(name)
    func text(_ background: String) -> String {
      layers(
        size: "[320, 180]", background: background, sources: #""a": {"path": "\#(path)"}"#,
        #"{"kind": "video", "clips": [{"source": "a", "duration": "1f", "in": \#(seconds)}]}"#)
    }
    let (black, white) = try (picture(0, of: text("#000000")), picture(0, of: text("#FFFFFF")))
    let clear = zip(black.planes[0], white.planes[0]).filter { $0 == 16 && $1 == 235 }.count
    let solid = zip(black.planes[0], white.planes[0]).filter { abs(Int($0) - Int($1)) <= 2 }.count
    #expect(clear > 1000 && solid > 100, "\(name): \(clear) clear, \(solid) solid")
    // What is drawn never is darker on white.
    #expect(zip(black.planes[0], white.planes[0]).allSatisfy { Int($0) <= Int($1) + 1 })
  }

  @Test(arguments: [
    #""scale": 0.37"#, #""scale": 1.7"#, #""rotation": 20"#, #""scale": 0.5, "rotation": 20"#,
    #""scale": {"keyframes": [{"at": 0, "value": 0.4}, {"at": 1, "value": 0.7}]}"#,
    #""position": {"keyframes": [{"at": 0, "value": [31.3, 18.4]}, {"at": 1, "value": [40, 18]}]}"#,
    #""fit": "none", "position": [30, 18]"#,
  ])
  func coloursThatNobodySeesShowAtNoEdge(_ video: String) throws {
    try withTemporaryDirectory { folder in
      let file = folder.appending(path: "a.png")
      // A white disc with a soft edge; what is transparent around it is blue.
      let disc =
        "color=white:s=64x36:r=25:d=0.04,format=rgba,"
        + "geq=r='if(lt(hypot(X-32,Y-18),12.5),255,0)':g='if(lt(hypot(X-32,Y-18),12.5),255,0)':"
        + "b=255:a='clip((12.5-hypot(X-32,Y-18))*255,0,255)'"
      try Program.ffmpeg(["-f", "lavfi", "-i", disc, "-frames:v", "1", file.path])
      for format in ["yuv444p", "yuv420p", "yuv420p10le"] {
        let text = layers(
          background: "#FFFFFF", sources: #""a": {"path": "\#(file.path)"}"#, track("a", video))
        let frame = try drawing(text, format).frame(at: Rational(3, 25))
        // White on white: nothing to be seen.
        #expect(DrawnPicture(luma: frame).planes[0].allSatisfy { $0 >= 232 }, "\(format)")
        let gray = format == "yuv420p10le" ? 512 : 128
        for (x, y) in [(20, 18), (26, 9), (31, 18), (40, 26), (44, 18)] {
          #expect(abs(frame.sample(plane: 1, x, y) - gray) <= gray / 32, "\(format) (\(x), \(y))")
        }
      }
    }
  }
}
