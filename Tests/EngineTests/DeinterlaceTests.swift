import CutroomMedia
import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Interlaced pictures made whole.
@Suite(.needsFFmpeg) struct DeinterlaceTests {
  private static func text(_ name: String, _ settings: String, _ clip: String = "") throws -> String
  {
    let path = JSONValue.string(try Fixtures.file(name).path).encoded()
    return """
      {"format": "cutroom/1", "timeline": {"frameRate": 25, "size": [320, 180]},
       "tracks": [{"kind": "video", "clips": [{"source": \(path), \(clip)
         "video": {\(settings)}}]}]}
      """
  }

  /// How much lines differ from those two lines away against those next to them: high where two
  /// fields show different times.
  private static func combing(_ frame: Frame) -> Double {
    let drawn = DrawnPicture(frame)
    var (near, far) = (0, 0)
    for y in stride(from: 40, to: 140, by: 2) {
      let rows = (0..<3).map { drawn.row(y + $0) }
      for x in 0..<320 {
        near += abs(rows[0][x] - rows[1][x])
        far += abs(rows[0][x] - rows[2][x])
      }
    }
    return Double(near) / Double(max(1, far))
  }

  @Test(arguments: ["fields.mp4", "fields-bff.mov"])
  func interlacedPicturesLoseTheirCombs(name: String) throws {
    let combed = Self.combing(
      try drawing(Self.text(name, #""deinterlace": "never""#)).frame(at: Rational(10, 25)))
    let whole = Self.combing(
      try drawing(Self.text(name, #""deinterlace": "auto""#)).frame(at: Rational(10, 25)))
    #expect(combed > 2 && whole < 1.2, "\(combed) \(whole)")
  }

  @Test func theyAreThoseOfTheFilterOnTheWholeFile() throws {
    let file = try Fixtures.file("fields.mp4")
    let expected = try DecodedPictures.bytes(
      file, filter: "bwdif=mode=0,format=yuv420p", size: 320 * 180 * 3 / 2)
    // A cut in the middle of a group of pictures, its start and its end.
    let text = try Self.text("fields.mp4", #""deinterlace": "auto""#, #""in": "7f", "out": "25f","#)
    let renderer = try drawing(text, "yuv420p")
    for number in [0, 1, 2, 17, 5, 4, 6] {
      let frame = try renderer.frame(at: Rational(Int64(number), 25))
      let isEqual = frame.packedBytes() == expected[number + 7]
      #expect(isEqual, "frame \(number)")
    }
    let backwards = try drawing(
      Self.text(
        "fields.mp4", #""deinterlace": "auto""#, #""in": "7f", "out": "25f", "reverse": true,"#),
      "yuv420p")
    for number in [0, 1, 2, 9, 17] {
      let frame = try backwards.frame(at: Rational(Int64(number), 25))
      let isEqual = frame.packedBytes() == expected[24 - number]
      #expect(isEqual, "frame \(number) backwards")
    }
  }

  @Test func progressivePicturesStayAsTheyAre() throws {
    let plain = try drawing(Self.text("count25.mp4", ""))
    let auto = try drawing(Self.text("count25.mp4", #""deinterlace": "auto""#))
    let always = try drawing(Self.text("count25.mp4", #""deinterlace": "always""#))
    for number in [0, 3] {
      let time = Rational(Int64(number), 25)
      let digest = try plain.frame(at: time).digest()
      #expect(try auto.frame(at: time).digest() == digest)
      #expect(try always.frame(at: time).format?.name == "yuv444p")
    }
  }

  @Test func whatIsNotAskedForIsSaid() throws {
    func findings(_ settings: String) throws -> [String] {
      let path = JSONValue.string(try Fixtures.file("fields.mp4").path).encoded()
      let plan = try Text(
        clips: "{\"source\": \(path), \"video\": {\(settings)}}",
        export: #""mode": "render", "video": {"codec": "ffv1"}"#
      ).plan("a.mkv")
      return plan.diagnostics.map { "\($0.severity) \($0.code) \($0.pointer)" }
    }
    #expect(try findings("") == ["note media.interlaced /tracks/0/clips/0"])
    #expect(try findings(#""deinterlace": "never""#).isEmpty)
    #expect(try findings(#""deinterlace": "auto""#).isEmpty)
    let still = FakeFiles.usual.check(
      tracks: """
        {"kind": "video", "clips": [
          {"source": "logo.png", "duration": 1, "video": {"deinterlace": "auto"}}]}
        """)
    #expect(still.findings(.warning) == ["shape.no-effect /tracks/0/clips/0/video/deinterlace"])
  }

  @Test func copyingIsNoDeinterlacing() throws {
    let path = JSONValue.string(try Fixtures.file("fields.mp4").path).encoded()
    let text = Text(
      clips: "{\"source\": \(path), \"video\": {\"deinterlace\": \"auto\"}}",
      export: Text.passthrough)
    #expect(throws: Refusal.self) { try text.plan("a.mp4") }
    let kept = Text(clips: "{\"source\": \(path)}", export: Text.passthrough)
    #expect(try kept.plan("a.mp4").video?.chunks.count == 1)
  }

  @Test(
    .needsSamples,
    arguments: [
      "interlaced-sar/avchd-1080i25-ac3.mts", "pro/prores422-1080i2997-bff.mov",
    ])
  func realFilesAreMadeWhole(name: String) throws {
    let path = try ProbeFolder.path(name)
    let checked = Engine.check(
      text: SourceText(
        file: "t.json",
        text: """
          {"format": "cutroom/1", "tracks": [{"kind": "video", "clips": [
            {"source": \(JSONValue.string(path).encoded()), "video": {"deinterlace": "auto"}}]}]}
          """), baseDirectory: "")
    let timeline = try #require(checked.timeline)
    let format = try #require(PixelFormat(name: "yuv420p"))
    func renderer() throws -> TimelineRenderer {
      try TimelineRenderer(
        timeline: timeline, assets: checked.assets, outputFormat: format, decoderThreads: 1,
        damage: DamagePolicy(conceals: false))
    }
    let (a, b) = (try renderer(), try renderer())
    let digests = try (0..<4).map {
      try a.frame(at: timeline.frameRate.time(ofFrame: $0)).digest()
    }
    #expect(try b.frame(at: timeline.frameRate.time(ofFrame: 3)).digest() == digests[3])
    #expect(try b.frame(at: timeline.frameRate.time(ofFrame: 1)).digest() == digests[1])
    #expect(Set(digests).count > 1)
  }
}
