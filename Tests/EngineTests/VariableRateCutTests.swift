import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Cuts of files whose pictures do not last equally long: each keeps its own time.
///
/// The source shows pictures 0 to 149 for a thirtieth of a second each, then every third for a tenth.
@Suite(.needsFFmpeg)
struct VariableRateCutTests {
  struct Case: CustomTestStringConvertible {
    var container: String
    /// In 90000ths of a second.
    var start: Int
    var end: Int
    var testDescription: String { "[\(start), \(end)) to \(container)" }

    /// The numbers of the shown pictures.
    var numbers: [Int] {
      let all = Array(0..<150) + Array(stride(from: 150, to: 300, by: 3))
      let first = all.last { $0 * 3000 <= start } ?? 0
      return all.filter { $0 >= first && $0 * 3000 < end }
    }

    /// When they are shown: the first from the cut on.
    var ticks: [Int] { numbers.map { max(0, $0 * 3000 - start) } }
  }

  @Test(arguments: [
    Case(container: "mp4", start: 270_000, end: 720_000),
    Case(container: "mov", start: 108_000, end: 315_000),
    // Inside a picture.
    Case(container: "mp4", start: 544_500, end: 846_000),
    Case(container: "mp4", start: 360_000, end: 540_000),
    Case(container: "mkv", start: 270_000, end: 720_000),
    // No keyframe lies within.
    Case(container: "mp4", start: 369_000, end: 432_000),
  ])
  func everyPictureKeepsItsTime(_ test: Case) throws {
    try withTemporaryDirectory { folder in
      let range =
        #""in": {"value": \#(test.start), "timescale": 90000}, "#
        + #""out": {"value": \#(test.end), "timescale": 90000}"#
      let made = try Text(clips: try clip("vfr.mp4", range))
        .export(to: "cut.\(test.container)", in: folder)
      #expect(try DecodedPictures.numbers(made.url) == test.numbers)
      #expect(made.report.warnings.isEmpty)
      let shown = try ProbedFile(made.url, shows: ["packets"], options: ["-select_streams", "v"])
        .packets.compactMap { ProbedFile.number($0, "pts") }.sorted()
      let isMovie = test.container != "mkv"
      // Matroska counts milliseconds.
      #expect(shown.map(Int.init) == test.ticks.map { isMovie ? $0 : ($0 + 45) / 90 })
      guard isMovie else { return }
      let video = try ProbedFile(made.url).stream("video")
      #expect(video["time_base"] == "1/90000")
      #expect(video["duration_ts"] == String(test.end - test.start))
    }
  }

  @Test func severalClipsAreCopiedAndKeepTheirTimes() throws {
    try withTemporaryDirectory { folder in
      let clips = try [("1.2s", "3.5s"), ("3s", "8s")].map {
        try clip("vfr.mp4", #""in": "\#($0.0)", "out": "\#($0.1)", "audio": false"#)
      }
      let made = try Text(clips: clips.joined(separator: ",")).export(to: "cut.mp4", in: folder)
      let cuts = [
        Case(container: "", start: 108_000, end: 315_000),
        Case(container: "", start: 270_000, end: 720_000),
      ]
      #expect(try DecodedPictures.numbers(made.url) == cuts.flatMap(\.numbers))
      #expect(made.actions["video"] == ["copy", "render"])
      let shown = try ProbedFile(made.url, shows: ["packets"], options: ["-select_streams", "v"])
        .packets.compactMap { ProbedFile.number($0, "pts") }.sorted()
      #expect(shown.map(Int.init) == cuts[0].ticks + cuts[1].ticks.map { $0 + 207_000 })
      let known = Set(try DecodedPictures.packetHashes(try Fixtures.file("vfr.mp4")))
      let own = try DecodedPictures.packetHashes(made.url)
      #expect(own.filter { known.contains($0) }.count >= 100)
    }
  }

  /// A rate that the author asks for is a rate of equally long pictures.
  @Test func aStatedRateIsRendered() throws {
    try withTemporaryDirectory { folder in
      let plan = try Text(
        clips: try clip("vfr.mp4", #""in": "3s", "out": "8s""#), timeline: #""frameRate": 30"#
      ).plan(folder.path + "/cut.mp4")
      #expect(plan.video?.chunks.first?.action == .render(reasons: ["rate.variable"]))
      #expect(plan.video?.frameCount == 150)
    }
  }
}
