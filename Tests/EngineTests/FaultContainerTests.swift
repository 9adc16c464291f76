import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// The same cuts and joins in every container, and sources whose packets do not say enough.
@Suite(.needsFFmpeg)
struct FaultContainerTests {
  static let containers = ["mp4", "mov", "mkv", "ts"]

  /// The decoded pictures of a fixture by their numbers.
  private func pictures(_ name: String, _ range: Range<Int>) throws -> [String] {
    Array(try DecodedPictures.hashes(Fixtures.file(name))[range])
  }

  @Test(arguments: containers)
  func aCopyFromKeyframeToKeyframeHoldsNothingElse(container: String) throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip("count25.mp4", #""in": "4s", "out": "8s", "audio": false"#),
        export: Text.passthrough
      ).export(to: "cut.\(container)", in: folder)
      #expect(try DecodedPictures.hashes(made.url) == pictures("count25.mp4", 100..<200))
      let probed = try ProbedFile(
        made.url, shows: ["packets"],
        options: ["-select_streams", "v", "-ignore_editlist", "1"]
          .filter { _ in ["mp4", "mov"].contains(container) })
      #expect(probed.packets.count { $0["codec_type"] == "video" } == 100)
    }
  }

  @Test(arguments: containers, ["8s", "7.48s"])
  func anEndLeaksNothingAndHasNoHole(container: String, end: String) throws {
    let count = end == "8s" ? 100 : 87
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip("count25.mp4", #""in": "4s", "out": "\#(end)", "audio": false"#)
      ).export(to: "cut.\(container)", in: folder)
      #expect(try DecodedPictures.numbers(made.url) == Array(100..<100 + count))
      #expect(!made.report.warnings.contains { $0.code == "copy.seam" })
    }
  }

  @Test(arguments: containers)
  func timescalesOfJoinedFilesDoNotMatter(container: String) throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try ["count25.mp4", "tb90.mp4", "count25.mp4"].map { try clip($0) }
          .joined(separator: ","), export: Text.passthrough
      ).export(to: "joined.\(container)", in: folder)
      let once = try pictures("count25.mp4", 0..<250)
      #expect(try DecodedPictures.hashes(made.url) == once + once + once)
      let packets = try ProbedFile(
        made.url, shows: ["packets"], options: ["-select_streams", "v"]
      ).packets
      let decoding = packets.compactMap { $0["dts_time"].flatMap { Double($0) } }
      #expect(zip(decoding.dropFirst(), decoding).allSatisfy { $0 > $1 })
      let shown = packets.compactMap { $0["pts_time"].flatMap { Double($0) } }.sorted()
      #expect(shown.count == 750)
      let steps = zip(shown.dropFirst(), shown).map { (($0 - $1) * 1000).rounded() }
      #expect(Set(steps) == [40])
    }
  }

  @Test(arguments: containers)
  func filesOfOtherParametersAreRenderedToJoinOrRefusedByName(container: String) throws {
    let clips = try [clip("count25.mp4"), clip("base.mp4")].joined(separator: ",")
    try withTemporaryDirectory { folder in
      let refused = try Text(clips: clips, export: Text.passthrough)
        .refusal(to: "no.\(container)", in: folder)
      #expect(refused.contains { $0.hasPrefix("passthrough.parameters") })
      let made = try Text(clips: clips).export(to: "joined.\(container)", in: folder)
      #expect(made.actions["video"] == ["copy", "render"])
      let numbers = Array(0..<250)
      #expect(try DecodedPictures.numbers(made.url) == numbers + numbers)
      let own = try DecodedPictures.hashes(made.url)
      #expect(try Array(own[..<250]) == pictures("count25.mp4", 0..<250))
      let said = try Program.run(
        "ffmpeg", ["-v", "error", "-i", made.url.path, "-map", "0:v", "-f", "null", "-"]
      ).errors
      #expect(said.isEmpty)
    }
  }

  @Test(arguments: containers, [["rot90.mp4", "count25.mp4"], ["count25.mp4", "rot90.mp4"]])
  func turnedAndUprightPicturesAreNeverCopiedTogether(container: String, names: [String]) throws {
    try withTemporaryDirectory { folder in
      let made = try Text(clips: try names.map { try clip($0) }.joined(separator: ","))
        .export(to: "joined.\(container)", in: folder)
      #expect(made.actions["video"]?.contains("render") == true)
      let isTurned = names[0] == "rot90.mp4"
      #expect(try DecodedPictures.hashes(made.url).count == 500)
      // The first half as its own file is shown, turned by its matrix or in its pixels.
      let psnr = try DecodedPictures.psnr(
        made.url, try Fixtures.file(names[0]),
        filters: (
          "trim=end_frame=250,settb=1/1000,setpts=N",
          "settb=1/1000,setpts=N"
        ))
      #expect(psnr > 35)
      let stream = try ProbedFile(made.url).stream("video")
      let size = [stream["width"], stream["height"]]
      #expect([["320", "180"], ["180", "320"]].contains(size), "\(isTurned)")
    }
  }

  @Test(arguments: containers)
  func aConstantRateStaysConstant(container: String) throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip("count2997.mp4", #""in": "60f", "out": "180f", "audio": false"#)
      ).export(to: "cut.\(container)", in: folder)
      let probed = try ProbedFile(made.url, shows: ["packets"], options: ["-select_streams", "v"])
      let stream = probed.stream("video")
      #expect(stream["avg_frame_rate"] == "30000/1001")
      #expect(stream["r_frame_rate"] == "30000/1001")
      let times = probed.packets.compactMap { $0["pts_time"].flatMap { Double($0) } }.sorted()
      #expect(times.count == 120)
      let steps = zip(times.dropFirst(), times).map { $0 - $1 }
      #expect(
        steps.allSatisfy { abs($0 - 1001.0 / 30000) < (container == "mkv" ? 0.0011 : 0.00002) })
    }
  }

  /// AVI says of H.264 only when pictures are decoded.
  @Test(arguments: ["mp4", "mkv"])
  func packetsWithoutPresentationTimesLoseNothing(container: String) throws {
    try withTemporaryDirectory { folder in
      let whole = try Text(clips: try clip("count25.avi", #""audio": false"#))
        .export(to: "whole.\(container)", in: folder)
      #expect(try DecodedPictures.numbers(whole.url) == Array(0..<250))
      let part = try Text(
        clips: try clip("count25.avi", #""in": "3s", "out": "7s", "audio": false"#)
      ).export(to: "part.\(container)", in: folder)
      #expect(try DecodedPictures.numbers(part.url) == Array(75..<175))
    }
  }

  @Test func decodingTimesInPlaceOfPresentationTimesAreAnError() throws {
    try withTemporaryDirectory { folder in
      let text = Text(clips: try clip("noctts.mp4", #""in": "3s", "out": "7s", "audio": false"#))
      let error = #expect(throws: CutroomError.self) {
        try text.export(to: "cut.mp4", in: folder)
      }
      #expect(error?.stableCode == "media.damaged")
      #expect(error?.message.contains("the times at which they are decoded") == true)
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "cut.mp4").path))
    }
  }
}
