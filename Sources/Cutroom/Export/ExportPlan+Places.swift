import CutroomModel

extension ExportPlan {
  /// The error with the place of the clip that lies at `time` of the result.
  func located(
    _ error: CutroomError, _ kind: TimelineTrack.Kind, at time: Rational
  ) -> CutroomError {
    var pointer: String?
    for track in timeline.tracks where track.kind == kind && pointer == nil {
      guard let index = track.segmentIndex(at: start + time), !track.segments[index].isEmpty else {
        continue
      }
      pointer = track.segments[index].pointer
    }
    var located = error
    located.diagnostics = [
      Diagnostic(.error, error.stableCode, error.message, at: pointer ?? "")
    ]
    return located
  }
}
