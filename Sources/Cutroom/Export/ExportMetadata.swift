import CutroomMetadata
import CutroomModel

/// The metadata of an export: chosen before it begins, written when the samples are.
struct ExportMetadata {
  private let plan: ExportPlan

  init(plan: ExportPlan) throws(CutroomError) {
    self.plan = plan
  }

  /// Chapters that the muxer writes.
  var chaptersForMuxer: [TimelineChapter] { plan.chapters }

  /// Tags that can only be written while muxing, in libavformat's keys.
  var forMuxer: [(String, String)] { [] }

  /// Writes tags into the finished file under its temporary name.
  func write(
    to path: String
  ) throws(CutroomError) -> (outcomes: [JSONValue], warnings: [Diagnostic]) {
    ([], [])
  }
}
