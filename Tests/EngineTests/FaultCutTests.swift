import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Cuts that other tools make a frame too long, too early, or with a hole.
@Suite(.needsFFmpeg)
struct FaultCutTests {
  @Test func aCopyFromAKeyframeOnStartsWithItsPacket() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip("count25.mp4", #""in": "4s", "out": "8s""#), export: Text.passthrough
      ).export(to: "cut.mp4", in: folder)
      #expect(try DecodedPictures.numbers(made.url) == Array(100..<200))
      let packets = try DecodedPictures.packetHashes(try Fixtures.file("count25.mp4"))
      // Nothing earlier is in the file, neither shown nor hidden.
      let all = try DecodedPictures.packetHashes(made.url, options: ["-ignore_editlist", "1"])
      #expect(all == Array(packets[100..<200]))
      let video = try ProbedFile(made.url).stream("video")
      #expect(video["start_time"] == "0.000000")
      #expect(video["duration"] == "4.000000")
    }
  }

  @Test(arguments: ["mp4", "mov", "mkv"])
  func anEndBetweenKeyframesIsExactInAuto(container: String) throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip("count25.mp4", #""in": "4s", "out": "7.48s""#),
        export: #""video": {"crf": 12, "preset": "ultrafast"}"#
      ).export(to: "cut.\(container)", in: folder)
      #expect(try DecodedPictures.numbers(made.url) == Array(100..<187))
      let probed = try ProbedFile(made.url, shows: ["packets"], options: ["-select_streams", "v"])
      if container == "mkv" {
        #expect(probed.format["duration"]?.hasPrefix("3.48") == true)
      } else {
        #expect(probed.stream("video")["duration"] == "3.480000")
      }
      #expect(probed.packets.count == 87)
    }
  }

  @Test func passthroughEndsExactlyOrNamesThePlace() throws {
    var refused = 0
    for last in 184...189 {
      try withTemporaryDirectory { folder in
        let text = Text(
          clips: try clip("count25.mp4", #""in": "4s", "out": "\#(last)f""#),
          export: Text.passthrough)
        let errors = try text.refusal(to: "cut.mp4", in: folder)
        if errors == ["none"] {
          // Nothing that stays needs what is left out.
          let url = folder.appending(path: "cut.mp4")
          #expect(try DecodedPictures.numbers(url) == Array(100..<last))
        } else {
          refused += 1
          #expect(errors == ["passthrough.cut /tracks/0/clips/0"])
        }
      }
    }
    #expect(refused > 1)
  }

  @Test func passthroughNamesAStartBetweenKeyframes() throws {
    try withTemporaryDirectory { folder in
      let errors = try Text(
        clips: try clip("count25.mp4", #""in": "3s", "out": "8s""#), export: Text.passthrough
      ).refusal(in: folder)
      #expect(errors == ["passthrough.cut /tracks/0/clips/0"])
    }
  }

  @Test func cutsOfATransportStreamNeitherFreezeNorRepeat() throws {
    let source = try Fixtures.file("count25.ts")
    let shown = try SourcePictures(source, filter: SourcePictures.comparing)
    try withTemporaryDirectory { folder in
      let part = try clip("count25.ts", #""in": "5.2s", "out": "8.2s""#)
      let made = try Text(clips: "\(part), \(part)", export: Text.quick)
        .export(to: "cut.mp4", in: folder)
      let first = try #require(shown.times.lastIndex { $0 <= Rational(26, 5) })
      #expect((129...130).contains(first))
      let once = Array(first..<first + 75)
      #expect(try DecodedPictures.numbers(made.url) == once + once)
    }
  }

  @Test func aPartIsExactlyAsLongAsAskedFor() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip("count25.mp4", #""in": "1s", "out": "3s""#), export: Text.quick
      ).export(to: "cut.mp4", in: folder)
      #expect(try DecodedPictures.numbers(made.url) == Array(25..<75))
      let probed = try ProbedFile(made.url)
      #expect(probed.stream("video")["duration"] == "2.000000")
      #expect(probed.stream("audio")["duration"] == "2.000000")
      let exact = try Text(
        clips: try clip("count25.mp4", #""in": "1s", "out": "3s""#), export: Text.lossless
      ).export(to: "cut.mkv", in: folder)
      #expect(try DecodedSound.count(exact.url, channels: 1) == 96000)
    }
  }

  @Test func aVariableRateIsAddressedByTime() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip("vfr.mp4", #""in": "4s", "out": "8s""#),
        timeline: #""frameRate": 30"#, export: Text.quick
      ).export(to: "cut.mp4", in: folder)
      let expected = Array(120..<150) + (150..<240).map { $0 / 3 * 3 }
      #expect(try DecodedPictures.numbers(made.url) == expected)
      #expect(try DecodedSound(made.url).tone(at: 3.4) == 900)
    }
  }

  @Test func twoHundredClipsOfAnotherRateDoNotDrift() throws {
    let one = try clip("count23976.mp4", #""in": 0, "out": "48f@24000/1001", "audio": false"#)
    let text = Text(
      clips: Array(repeating: one, count: 200).joined(separator: ","),
      timeline: #""frameRate": "30000/1001""#,
      export: #"\#(Text.quick), "range": {"in": "11880f", "out": "12000f"}"#)
    try withTemporaryDirectory { folder in
      let plan = try text.plan(folder.path + "/x.mp4")
      let segments = try #require(plan.timeline.tracks.first { $0.kind == .video }).segments
      for (index, segment) in segments.enumerated() {
        #expect(segment.start == Rational(Int64(index) * 48 * 1001, 24000))
        #expect(plan.timeline.frameRate.frame(at: segment.start) == Int64(index) * 60)
      }
      // The last two clips show what the first would.
      let made = try text.export(to: "x.mp4", in: folder)
      let expected = (0..<60).map { $0 * 4 / 5 }
      #expect(try DecodedPictures.numbers(made.url) == expected + expected)
    }
  }

  @Test func aMinuteOfNTSCKeepsPictureAndSoundTogether() throws {
    try withTemporaryDirectory { folder in
      let clicks = folder.appending(path: "clicks.wav")
      try Program.ffmpeg([
        "-f", "lavfi", "-i", "aevalsrc='if(lt(mod(t,10),0.001),0.9,0)':s=48000:d=70", clicks.path,
      ])
      let frames: Int64 = 1798
      let made = try Text(
        tracks: """
          {"kind": "video", "clips": [{"source": "grey", "duration": "\(frames)f"}]},
          {"kind": "audio", "clips": [\(try clip(clicks.path, #""out": "1798f""#))]},
          {"kind": "audio", "clips": [\(try clip("sine900.wav", #""audio": {"gain": 0.05}"#))]}
          """,
        timeline: #""frameRate": "30000/1001", "size": [64, 36], "sampleRate": 48000"#,
        export: Text.lossless, more: ##""sources": {"grey": {"color": "#808080"}}"##
      ).export(to: "minute.mkv", in: folder)
      let sound = try DecodedSound(made.url)
      // 1601.6 samples a frame.
      #expect(sound.count == Int(frames * 16016 / 10))
      for second in stride(from: 0, to: 60, by: 10) {
        let from = max(0, second * 48000 - 100)
        let onset = sound.channels[0][from...].firstIndex { $0 > 0.5 }
        #expect(onset.map { abs($0 - second * 48000) <= 1 } == true)
      }
    }
  }
}
