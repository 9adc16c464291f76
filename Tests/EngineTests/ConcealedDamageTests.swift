import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// `damaged: conceal`: the picture before the damage is held, sound is silent, and both are listed.
@Suite(.needsFFmpeg)
struct ConcealedDamageTests {
  private func export(
    _ source: URL, to url: URL, damaged: String = "conceal", jobs: Int = 1
  ) throws -> ExportReport {
    let text = """
      {"format": "cutroom/1", "tracks": [{"clips": [{"source": "\(source.path)"}]}],
       "export": {"mode": "render", "damaged": "\(damaged)",
                  "video": {"codec": "ffv1"}, "audio": {"codec": "pcm_s16le"}}}
      """
    let checked = Engine.check(text: SourceText(file: "a.json", text: text), baseDirectory: "")
    let plan = try #require(
      Engine.plan(checked, output: url.path).plan, "\(checked.diagnostics)")
    return try Engine.export(plan, overwrite: true, jobs: jobs)
  }

  /// count25.mp4 (10 s, a keyframe every two seconds) with one packet overwritten.
  private func damaged(packet number: Int, in folder: URL) throws -> URL {
    let source = try Fixtures.file("count25.mp4")
    let listed = try Program.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size,pts_time,flags",
        "-of", "csv=p=0", source.path,
      ]
    ).lines
    let fields = listed[number].split(separator: ",").map(String.init)
    let (size, position) = (try #require(Int(fields[1])), try #require(Int(fields[2])))
    var bytes = try Data(contentsOf: source)
    // The length of the unit stays, what it holds is nonsense.
    for index in (position + 5)..<(position + size) { bytes[index] = 0xA5 }
    let url = folder.appending(path: "damaged.mp4")
    try bytes.write(to: url)
    return url
  }

  @Test func thePictureBeforeIsHeldToTheNextKeyframe() throws {
    try withTemporaryDirectory { folder in
      let source = try damaged(packet: 60, in: folder)
      let url = folder.appending(path: "out.mkv")
      let report = try export(source, to: url)
      let good = try DecodedPictures.numbers(try Fixtures.file("count25.mp4"))
      let shown = try DecodedPictures.numbers(url)
      #expect(shown.count == good.count)
      let rate = try #require(FrameRate(25))
      let ranges = report.concealed.map {
        Int(rate.frame(at: $0.start))..<Int(rate.frame(at: $0.end))
      }
      #expect(!ranges.isEmpty && ranges.allSatisfy { 50 < $0.lowerBound && $0.upperBound <= 100 })
      let expected = good.indices.map { index in
        let range = ranges.first { $0.contains(index) }
        return good[range.map { $0.lowerBound - 1 } ?? index]
      }
      #expect(shown == expected)
      #expect(report.warnings.contains { $0.code == "media.concealed" })
      // The number of workers changes nothing.
      let again = folder.appending(path: "again.mkv")
      #expect(try export(source, to: again, jobs: 3).concealed == report.concealed)
      #expect(try Data(contentsOf: url) == Data(contentsOf: again))
    }
  }

  @Test func theSameIsAnErrorByDefault() throws {
    try withTemporaryDirectory { folder in
      let source = try damaged(packet: 60, in: folder)
      let url = folder.appending(path: "out.mkv")
      let error = #expect(throws: CutroomError.self) {
        try export(source, to: url, damaged: "error")
      }
      #expect(error?.stableCode == "media.damaged")
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }
  }

  @Test func whatIsConcealedIsNotCopied() throws {
    let text = """
      {"format": "cutroom/1", "tracks": [{"clips": [{"source": "\(try Fixtures.file("count25.mp4").path)"}]}],
       "export": {"damaged": "conceal"}}
      """
    let checked = Engine.check(text: SourceText(file: "a.json", text: text), baseDirectory: "")
    let plan = try #require(Engine.plan(checked, output: "a.mp4").plan)
    for chunk in plan.video?.chunks ?? [] {
      #expect(chunk.action == .render(reasons: ["damage.concealed"]))
    }
  }

  @Test func aTruncatedFileIsHeldAndSilentToItsPlannedEnd() throws {
    try withTemporaryDirectory { folder in
      let whole = folder.appending(path: "whole.mkv")
      try Program.ffmpeg([
        "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25", "-f", "lavfi", "-i",
        "sine=frequency=440:sample_rate=48000", "-t", "10", "-c:v", "libx264", "-g", "25", "-c:a",
        "pcm_s16le", "-movflags", "faststart", "-f", "mov", whole.path,
      ])
      let bytes = try Data(contentsOf: whole)
      let cut = folder.appending(path: "cut.mov")
      try bytes.prefix(bytes.count * 6 / 10).write(to: cut)
      let url = folder.appending(path: "out.mkv")
      let report = try export(cut, to: url)
      #expect(report.concealed.contains { $0.kind == "video" && $0.end == 10 })
      #expect(report.concealed.contains { $0.kind == "audio" && $0.end == 10 })
      #expect(try DecodedPictures.hashes(url).count == 250)
      let sound = try DecodedSound(url)
      #expect(sound.peak(from: 9, to: 10) == 0)
      #expect(sound.peak(from: 1, to: 2) > 0.1)
    }
  }
}

struct DecodingTaintTests {
  @Test func everythingUpToTheNextKeyframeIsSuspect() {
    var taint = DecodingTaint()
    // Decoding order of I P B B, twice: presentation 0 3 1 2, 4 7 5 6.
    for (tick, isKeyframe) in [(0, true), (3, false), (1, false), (2, false)] {
      taint.sent(Int64(tick), isKeyframe: isKeyframe, failed: tick == 3)
    }
    for tick in [4, 7, 5, 6] { taint.sent(Int64(tick), isKeyframe: tick == 4, failed: false) }
    let unusable = (0...7).filter { taint.isUnusable($0, isCorrupt: false) }
    #expect(unusable == [1, 2, 3])
    #expect(taint.first(after: 0, before: 4) == 1)
    taint.forget(through: 4)
    #expect(taint.first(after: .min, before: .max) == nil)
  }

  @Test func aCorruptPictureTaintsWhatWasDecodedAfterIt() {
    var taint = DecodingTaint()
    for tick in 0..<6 { taint.sent(Int64(tick), isKeyframe: tick == 0 || tick == 5, failed: false) }
    let unusable = [(1, false), (2, true), (3, false), (4, false), (5, false)].filter {
      taint.isUnusable($0.0, isCorrupt: $0.1)
    }
    #expect(unusable.map(\.0) == [2, 3, 4])
  }
}
