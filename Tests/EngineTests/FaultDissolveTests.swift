import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Dissolves that other tools place early, shorten by accident, or lose a clip in.
@Suite(.needsFFmpeg)
struct FaultDissolveTests {
  private static let greys = ##"""
    "sources": {"a": {"color": "#1B1B1B"}, "b": {"color": "#E1E1E1"}, "c": {"color": "#7E7E7E"}}
    """##

  private static func dissolve(_ duration: String, _ more: String = "") -> String {
    #"{"transition": "dissolve", "duration": "\#(duration)"\#(more)}"#
  }

  @Test func chainedDissolvesFireAtTheirTimes() throws {
    try withTemporaryDirectory { folder in
      let fade = Self.dissolve("0.5s", #", "overlap": true"#)
      let made = try Text(
        tracks: """
          {"kind": "video", "clips": [{"source": "a", "duration": "1s"}, \(fade),
            {"source": "b", "duration": "1s"}, \(fade), {"source": "c", "duration": "1s"}]}
          """, timeline: #""size": [64, 36], "frameRate": 30"#,
        export: #""mode": "render", "video": {"codec": "ffv1"}"#, more: Self.greys
      ).export(to: "chain.mkv", in: folder)
      let luma = try DecodedPictures.bytes(made.url, filter: "extractplanes=y", size: 64 * 36)
        .map { Int($0[0]) }
      #expect(luma.count == 60)
      let (a, b, c) = (luma[0], luma[30], luma[59])
      // The weight at frame k of 15 is k/15: exact within the rounding of eight bits.
      for frame in 0..<60 {
        let (k, from, to) =
          frame < 15
          ? (0, a, b)
          : frame < 30
            ? (frame - 15, a, b)
            : frame < 45
              ? (frame - 30, b, c) : (15, b, c)
        let expected = Double(from) + Double(to - from) * Double(k) / 15
        #expect(abs(Double(luma[frame]) - expected) <= 1.5, "frame \(frame)")
      }
      #expect(luma.allSatisfy { $0 >= 16 })
    }
  }

  @Test func overlappingDissolvesShortenByExactlyTheirLength() throws {
    let lengths = ["1.96", "1.48", "2.2", "1.72", "1.4", "1.84"]
    let fade = Self.dissolve("0.4s", #", "overlap": true"#)
    let clips = try lengths.map { try clip("count25.mp4", #""in": 0, "out": \#($0)"#) }
    try withTemporaryDirectory { folder in
      let text = Text(
        clips: clips.joined(separator: ", \(fade), "),
        export: """
          "mode": "render", "video": {"codec": "h264", "preset": "ultrafast"},
          "audio": {"codec": "flac"}
          """)
      let made = try text.export(to: "chain.mkv", in: folder)
      // 10.6 s less five times 0.4 s.
      #expect(made.report.plan.duration == Rational(86, 10))
      #expect(try DecodedPictures.hashes(made.url).count == 215)
      #expect(try DecodedSound.count(made.url, channels: 1) == 412_800)
    }
  }

  @Test func aDissolveInPlaceUsesHandlesAndKeepsTheLength() throws {
    try withTemporaryDirectory { folder in
      let a = try clip("count25.mp4", #""in": 1, "out": 2"#)
      let b = try clip("count25b.mp4", #""in": 5, "out": 6"#)
      let made = try Text(
        clips: "\(a), \(Self.dissolve("12f")), \(b)", export: Text.lossless
      ).export(to: "place.mkv", in: folder)
      let numbers = try DecodedPictures.numbers(made.url)
      #expect(numbers.count == 50)
      #expect(Array(numbers[..<20]) == Array(25..<45))
      #expect(Array(numbers[31...]) == Array(131..<150))
      let sound = try DecodedSound(made.url)
      #expect(sound.count == 96000)
      #expect(sound.tone(at: 0.3) == 300)
      #expect(sound.tone(at: 1.5) == 700)
    }
  }

  @Test func missingHandlesNameTheMissingAmount() throws {
    try withTemporaryDirectory { folder in
      let clips = try "\(clip("count25.mp4")), \(Self.dissolve("2s")), \(clip("count25b.mp4"))"
      let errors = try Text(clips: clips, export: Text.quick).refusal(in: folder)
      #expect(errors.contains { $0.hasPrefix("transition.handles /tracks/0/clips/1") })
    }
  }

  @Test(arguments: [
    ("10s", "transition.handles"), ("12s", "transition."), ("-1s", "time.negative"),
  ])
  func dissolvesLongerThanAClipOrNegativeAreRefused(duration: String, code: String) throws {
    try withTemporaryDirectory { folder in
      let clips =
        try "\(clip("count25.mp4")), \(Self.dissolve(duration)), \(clip("count25b.mp4"))"
      let errors = try Text(clips: clips, export: Text.quick).refusal(in: folder)
      #expect(errors.first?.hasPrefix(code) == true, "\(errors)")
    }
  }

  @Test func aDissolveOfNoLengthIsAHardCut() throws {
    try withTemporaryDirectory { folder in
      let a = try clip("count25.mp4", #""in": 0, "out": 1"#)
      let b = try clip("count25b.mp4", #""in": 5, "out": 6"#)
      let made = try Text(
        clips: "\(a), \(Self.dissolve("0s")), \(b)", export: Text.quick
      ).export(to: "hard.mp4", in: folder)
      #expect(try DecodedPictures.numbers(made.url) == Array(0..<25) + Array(125..<150))
    }
  }

  @Test func tenCrossFadesOfSoundDoNotDrift() throws {
    let fade = Self.dissolve("0.5s", #", "overlap": true"#)
    let clips = try (0..<11).map { index in
      try clip(index % 2 == 0 ? "count25.mp4" : "count25b.mp4", #""in": 2, "out": 4"#)
    }
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: clips.joined(separator: ", \(fade), "),
        export: #""mode": "render", "video": false, "audio": {"codec": "flac"}"#
      ).export(to: "fades.mkv", in: folder)
      let sound = try DecodedSound(made.url)
      // Eleven times 2 s less ten times 0.5 s.
      #expect(sound.count == 17 * 48000)
      // The middle of the last clip: source second 3, unfaded.
      let source = try DecodedSound(try Fixtures.file("count25.mp4"))
      let alike = DecodedSound.correlation(
        sound.channels[0][768_000..<790_000], source.channels[0][144_000..<166_000])
      #expect(alike > 0.9999)
    }
  }
}
