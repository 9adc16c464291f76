import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Data that cameras record beside the picture, and timecodes.
///
/// The GoPro file has packets of `gpmd` that last 1.001 s each, a timecode track from 19:26:48:04
/// (29.97, not dropping), and a track `fdsc` that nothing writes.
@Suite(.needsFFmpeg)
struct DataTrackTests {
  private static let camera = "tracks/gopro-tmcd-gpmd-fdsc-2997.mp4"

  private func packets(_ url: URL, _ keys: [String]) throws -> [[String]] {
    let probed = try ProbedFile(url, shows: ["packets"], options: ["-select_streams", "d"])
    let index = probed.streams.first { $0["codec_tag_string"] == "gpmd" }?["index"]
    return probed.packets.filter { $0["stream_index"] == index }.map { packet in
      keys.map { packet[$0] ?? "" }
    }
  }

  @Test("packets of data are cut by their times", .needsSamples, arguments: ["mp4", "mov"])
  func dataIsCut(_ ending: String) throws {
    try withTemporaryDirectory { folder in
      let clips = try sample(Self.camera, #""in": "15f", "out": "165f""#)
      let made = try Text(clips: clips).export(to: "o.\(ending)", in: folder)
      // 15 frames are 0.5005 s: half of the first packet.
      let places = try packets(made.url, ["pts", "duration", "size"])
      #expect(
        places == [
          ["0", "501", "7768"], ["501", "1001", "7824"], ["1502", "1001", "7604"],
          ["2503", "1001", "7780"], ["3504", "1001", "7744"], ["4505", "500", "7828"],
        ])
      let data = try ProbedFile(made.url).streams.first { $0["codec_tag_string"] == "gpmd" }
      #expect(data?["tags.handler_name"] == "GoPro MET")
      #expect(data?["duration"].flatMap(Double.init) == 5.005)
      let warning = made.diagnostics.first { $0.code == "media.tracks-left-out" }
      #expect(warning?.severity == .warning)
      #expect(warning?.message.hasSuffix(#"1 data (fdsc "GoPro SOS")"#) == true)
    }
  }

  @Test(.needsSamples) func dataFollowsJoinsAndSpeeds() throws {
    try withTemporaryDirectory { folder in
      let clips = try [
        sample(Self.camera, #""out": "30f""#), clip("count2997.mp4", #""out": "30f""#),
        sample(Self.camera, #""in": "30f", "out": "90f", "speed": 2, "video": {"fit": "cover"}"#),
      ].joined(separator: ",")
      let made = try Text(clips: clips, export: Text.quick).export(to: "o.mp4", in: folder)
      let places = try packets(made.url, ["pts", "size"])
      #expect(places == [["0", "7768"], ["2002", "7824"], ["2503", "7604"]])
    }
  }

  @Test("containers without data leave it out by name", .needsSamples, arguments: ["mkv", "ts"])
  func dataIsLeftOut(_ ending: String) throws {
    try withTemporaryDirectory { folder in
      let clips = try sample(Self.camera, #""out": "30f""#)
      let made = try Text(clips: clips).export(to: "o.\(ending)", in: folder)
      let warning = made.diagnostics.first { $0.severity == .warning }
      #expect(warning?.message.contains(#"gpmd "GoPro MET""#) == true)
      #expect(try ProbedFile(made.url).format["duration"].flatMap(Double.init) ?? 9 < 1.2)
    }
  }

  // MARK: Timecode

  private func timecode(_ made: Exported) throws -> String? {
    let entry = try ProbedFile(made.url).stream("video")
    return entry["tags.timecode"] ?? entry["tags.TIMECODE"]
  }

  @Test(
    "timecodes go on at the in-point",
    arguments: [
      ("tc.mov", #""in": 4, "out": 6"#, "01:00:04:00"),
      ("tcdrop.mov", #""in": "4f", "out": "64f""#, "00:01:00;04"),
      ("tcday.mov", #""in": 2, "out": 6"#, "00:00:01:00"),
    ], ["mov", "mp4", "mkv"])
  func timecodesGoOn(_ file: (name: String, range: String, code: String), _ ending: String) throws {
    try withTemporaryDirectory { folder in
      for (index, export) in ["", Text.quick].enumerated() {
        let made = try Text(clips: try clip(file.name, file.range), export: export).export(
          to: "\(index).\(ending)", in: folder)
        #expect(try timecode(made) == file.code)
      }
    }
  }

  @Test(
    "timecodes that the result cannot have are left out, and that is said",
    arguments: [
      (#"{"in": 1, "out": 3, "speed": 2}"#, "o.mov", "the clip does not play as its source"),
      (#"{"in": 1, "out": 3}"#, "o.ts", "'mpegts' has none"),
      (#"{"in": 1, "out": 3}"#, "30.mov", "the result has another rate"),
    ])
  func timecodesAreLeftOut(_ clipText: String, name: String, reason: String) throws {
    try withTemporaryDirectory { folder in
      let clips = try clip("tc.mov", String(clipText.dropFirst().dropLast()))
      let timeline = name.hasPrefix("30") ? #""frameRate": 30"# : ""
      let made = try Text(clips: clips, timeline: timeline).export(to: name, in: folder)
      #expect(try timecode(made) == nil)
      let note = made.diagnostics.first { $0.code == "media.tracks-left-out" }
      #expect(note?.message.hasSuffix("is left out: " + reason) == true)
    }
  }

  @Test func theCompositionsOwnTimecodeGoesFirst() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip("tc.mov", #""in": 4, "out": 6"#),
        timeline: #""startTimecode": "10:00:00:00""#
      ).export(to: "o.mov", in: folder)
      #expect(try timecode(made) == "10:00:00:00")
    }
  }

  @Test func aCodedTrackNeverDecidesTheLength() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(clips: try clip("tc.mov", #""in": 4, "out": 6"#)).export(
        to: "o.mov", in: folder)
      #expect(try ProbedFile(made.url).format["duration"] == "2.000000")
      let tracks = try ProbedFile(made.url).streams.map { $0["codec_tag_string"] }
      #expect(tracks == ["avc1", "mp4a", "tmcd"])
    }
  }
}
