@testable import Cutroom
import CutroomMedia
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Whether an export that differs in one thing is told from its golden, and where.
@Suite struct GoldenTests {
  @Test func anExportEqualsItsOwnGolden() throws {
    try withGoldenFolder { folder in
      let composition = try folder.composition("a", items: #""title": "T""#)
      let golden = try folder.record(composition)
      let report = try Engine.compare(
        output: folder.export(composition, "a.mkv"), golden: golden)
      #expect(report.isEqual, "\(report.text)")
      #expect(report.tiers.map(\.tier) == Tier.allCases)
      #expect(report.result(.plan) == .skipped)
      #expect(report.result(.packets) == .skipped)
      #expect(report.tiers.filter { $0.result == .equal }.count == 6)
      #expect(report.json["ok"] == true)
      let attributes = try FileManager.default.attributesOfItem(atPath: golden)
      #expect((attributes[.size] as? Int ?? .max) < 50_000)
      #expect(!(try String(contentsOfFile: golden, encoding: .utf8)).contains(folder.root.path))
    }
  }

  @Test func aChangedFrameIsNamed() throws {
    try withGoldenFolder { folder in
      let golden = try folder.record(folder.composition("a"))
      let flash = """
        , {"kind": "video", "clips": [{"source": "white", "at": "7f", "duration": "1f"}]}
        """
      let output = try folder.export(folder.composition("b", tracks: flash), "b.mkv")
      let report = try Engine.compare(output: output, golden: golden)
      #expect(!report.isEqual)
      #expect(report.differing == [.frames, .picture])
      #expect(report.detail(.frames).contains("1 of 25 frames differ, the first is frame 7"))
      #expect(report.detail(.picture).contains("frame 7 at 0.28s is the worst"))
      #expect(report.html.contains("data:image/png;base64,"))
      #expect(report.html.contains("frame 7"))
    }
  }

  @Test func aLevelThatIsOffIsMeasured() throws {
    try withGoldenFolder { folder in
      let golden = try folder.record(folder.composition("a"))
      let output = try folder.export(folder.composition("b", gain: "-7dB"), "b.mkv")
      let report = try Engine.compare(output: output, golden: golden)
      #expect(report.differing == [.samples, .sound])
      #expect(report.detail(.sound).contains("channel 0 at 0s by 1.0 dB"))
    }
  }

  @Test func aChangedTimeIsNamed() throws {
    try withGoldenFolder { folder in
      let composition = try folder.composition("a")
      let golden = try folder.record(composition)
      let output = try folder.export(composition, "a.mkv")
      let moved = folder.path("moved.mkv")
      let isDone = try runTool([
        "ffmpeg", "-v", "error", "-i", output, "-c", "copy", "-fflags", "+bitexact",
        "-bsf:v", "setts=ts=if(eq(N\\,5)\\,PTS+9\\,PTS)", moved,
      ])
      try #require(isDone)
      let report = try Engine.compare(output: moved, golden: golden)
      #expect(report.result(.structure) == .differs)
      #expect(report.detail(.structure).contains("packet 5 in order of presentation"))
      #expect(report.detail(.structure).contains("0.209s"))
      #expect(report.result(.frames) == .equal)
    }
  }

  @Test func aChangedTagIsNamed() throws {
    try withGoldenFolder { folder in
      let export = GoldenFolder.lossy(crf: 30)
      let golden = try folder.record(
        folder.composition("a", items: #""title": "One""#, export: export))
      let output = try folder.export(
        folder.composition("b", items: #""title": "Two""#, export: export), "b.mp4")
      let report = try Engine.compare(output: output, golden: golden)
      #expect(report.differing == [.metadata])
      #expect(report.detail(.metadata).contains(#""Two" instead of "One""#))
    }
  }

  @Test func aChangedByteOfACopiedPacketIsNamed() throws {
    try withGoldenFolder { folder in
      _ = try folder.composition(
        "clip", export: #"{"container": "mov", "video": false, "audio": {"codec": "pcm"}}"#)
      let copy = try folder.write(
        """
        {"format": "cutroom/1", "x-needs": {"made/clip.mov": "clip.json"},
         "tracks": [{"kind": "audio", "clips": [{"source": "made/clip.mov"}]}],
         "export": {"container": "mov", "mode": "passthrough"}}
        """, "copy.json")
      let before = try FileManager.default.contentsOfDirectory(atPath: folder.root.path)
      let golden = try folder.record(copy)
      let after = try FileManager.default.contentsOfDirectory(atPath: folder.root.path)
      #expect(Set(after) == Set(before + ["golden"]))

      try FileManager.default.createDirectory(
        at: folder.root.appending(path: "made"), withIntermediateDirectories: true)
      _ = try folder.export(folder.path("clip.json"), "made/clip.mov")
      let output = try folder.export(copy, "copy.mov")
      #expect(try Engine.compare(output: output, golden: golden).result(.packets) == .equal)
      let packets = try positions(output)
      var bytes = try Data(contentsOf: URL(filePath: output))
      bytes[Int(packets[3]) + 10] ^= 1
      try bytes.write(to: URL(filePath: output))
      let report = try Engine.compare(output: output, golden: golden)
      #expect(report.differing == [.packets, .samples])
      #expect(report.detail(.packets).contains("the first is packet 3"))
    }
  }

  private func positions(_ path: String) throws -> [Int64] {
    let demuxer = try Demuxer(path: path)
    var positions: [Int64] = []
    while let packet = try demuxer.read() { positions.append(packet.position) }
    return positions
  }

  @Test func anotherPlanIsNamedWhenCheckedAgain() throws {
    try withGoldenFolder { folder in
      let composition = try folder.composition("a")
      _ = try folder.record(composition)
      let check = { try Engine.checkGoldens(directory: folder.path("golden")) }
      let same = try check()
      #expect(same.isEqual, "\(same.text)")
      #expect(same.results.first?.result(.plan) == .equal)
      try folder.edit(composition) {
        $0.replacing("\"duration\": \"1s\"", with: "\"duration\": \"24f\"")
      }
      let changed = try check()
      #expect(!changed.isEqual)
      let report = try #require(changed.results.first)
      #expect(report.result(.plan) == .differs)
      #expect(report.detail(.plan) == #"/duration is "24/25" instead of "1/1""#)
      #expect(report.detail(.frames).contains("there are 24 instead of 25"))
      #expect(changed.json["results"]?.elements?.first?["name"] == "a")
    }
  }

  @Test func lossyPicturesMayDifferALittleWithOtherLibrariesOnly() throws {
    try withGoldenFolder { folder in
      let golden = try folder.record(
        folder.composition("a", export: GoldenFolder.lossy(crf: 20)))
      let output = try folder.export(
        folder.composition("b", export: GoldenFolder.lossy(crf: 22)), "b.mp4")
      let strict = try Engine.compare(output: output, golden: golden)
      #expect(strict.differing.contains(.frames))
      #expect(strict.result(.picture) == .within)
      try folder.edit(golden) { text in
        let version = text.firstRange(of: "\"ffmpeg\": \"").map { text[$0.upperBound...] }
        return text.replacing(
          "\"ffmpeg\": \"\(version?.prefix { $0 != "\"" } ?? "")\"", with: "\"ffmpeg\": \"4.4\"")
      }
      let tolerant = try Engine.compare(output: output, golden: golden)
      #expect(tolerant.isEqual, "\(tolerant.text)")
      #expect(tolerant.result(.frames) == .within)
      let poor = try folder.export(
        folder.composition("c", gain: "-9dB", export: GoldenFolder.lossy(crf: 51)), "c.mp4")
      let report = try Engine.compare(output: poor, golden: golden)
      #expect(report.differing.contains(.frames))
      #expect(report.differing.contains(.picture))
      #expect(report.differing.contains(.samples))
      #expect(report.differing.contains(.sound))
    }
  }

  @Test func compositionsThatNeedThemselvesAreRefused() throws {
    try withGoldenFolder { folder in
      let path = try folder.write(
        """
        {"format": "cutroom/1", "x-needs": {"a.mp4": "a.json"},
         "tracks": [{"clips": [{"source": "a.mp4"}]}]}
        """, "a.json")
      let error = #expect(throws: CutroomError.self) { try folder.record(path) }
      #expect(error?.stableCode == "golden.needs")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("golden")) == [])
    }
  }
}
