import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Whose coding a join of unlike files has, and what a plan says of the whole.
@Suite(.needsFFmpeg)
struct LikeTests {
  /// 3 s of `count25`, 8.8 s of the same in the profile Baseline.
  private func text(_ export: String = "") throws -> Text {
    Text(
      clips: try [clip("count25.mp4", #""out": 3"#), clip("base.mp4", #""in": 1.2"#)]
        .joined(separator: ","), export: export)
  }

  private func actions(_ plan: ExportPlan) -> [String] {
    plan.jsonValue["streams"]?.elements?.first?["chunks"]?.elements?.compactMap { chunk in
      guard let action = chunk["action"]?.text, let frames = chunk["frames"] else { return nil }
      return "\(action) \(frames.encoded())"
    } ?? []
  }

  private func like(_ name: String) throws -> String {
    "\"like\": " + JSONValue.string(try Fixtures.file(name).path).encoded()
  }

  @Test func theLargestPartGivesTheCodingAndThatIsSaid() throws {
    let plan = try text().plan("/tmp/o.mp4")
    // The keyframe after 1.2 s lies at 2 s, 18 frames after the cut at 1.28 s of the frame grid.
    #expect(actions(plan).last?.hasPrefix("copy 20") == true)
    #expect(actions(plan).first == "render 75")
    let note = plan.diagnostics.first { $0.code == "copy.choice" }
    #expect(note?.message.contains("base.mp4', the largest part that is coded alike") == true)
    #expect(note?.message.contains("profile 578≠100") == true)
  }

  @Test func likenessForcesTheOtherCoding() throws {
    let plan = try text(try like("count25.mp4")).plan("/tmp/o.mp4")
    #expect(actions(plan) == ["copy 75", "render 110", "render 110"])
    let note = plan.diagnostics.first { $0.code == "copy.choice" }
    #expect(note?.message.contains("count25.mp4', as asked for") == true)
  }

  @Test("a joined result plays, whosever coding it has", arguments: ["count25.mp4", "base.mp4"])
  func joinedResults(_ name: String) throws {
    try withTemporaryDirectory { folder in
      let made = try text(try like(name)).export(to: "o.mp4", in: folder)
      #expect(try DecodedPictures.numbers(made.url) == Array(0..<75) + Array(30..<250))
    }
  }

  @Test func whatIsUnlikeIsNotCopied() throws {
    let clips = try clip("count25.mp4", #""in": 2, "out": 4"#)
    let plan = try Text(clips: clips, export: try like("base.mp4")).plan("/tmp/o.mp4")
    #expect(actions(plan) == ["render 50"])
    let demanded = Text(clips: clips, export: try like("base.mp4") + ", " + Text.passthrough)
    #expect(throws: Refusal.self) { try demanded.plan("/tmp/o.mp4") }
  }

  @Test(
    "totals of a plan",
    arguments: [
      (#""in": 2, "out": 4"#, "o.mp4", 100.0, 50, 0), (#""in": 2"#, "o.wav", 0.0, 0, 384_000),
      (#""in": 1.2, "out": 4"#, "o.mp4", 71.4, 50, 20),
    ])
  func totals(
    _ range: String, _ name: String, _ percent: Double, copied: Int64, rendered: Int64
  ) throws {
    try withTemporaryDirectory { folder in
      let text = Text(clips: try clip("count25.mp4", range))
      let totals = try text.plan(folder.appending(path: name).path).totals
      #expect([totals.copied, totals.rendered] == [copied, rendered])
      #expect(abs(totals.copiedPercent - percent) < 0.05)
      let made = try text.export(to: name, in: folder)
      let bytes = try #require(
        try FileManager.default.attributesOfItem(atPath: made.url.path)[.size] as? Int64)
      #expect(totals.expectedBytes > bytes / 2 && totals.expectedBytes < bytes * 2, "\(bytes)")
    }
  }
}
