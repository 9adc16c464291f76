import CutroomModel

extension ExportPlan {
  /// The timecode of the result's first frame as text; `nil` where none is wanted.
  ///
  /// The timeline's start timecode, advanced by the start of the export's range.
  var startTimecode: String? {
    guard video != nil, let start = timeline.startTimecode,
      let first = start.frame(at: timeline.frameRate)
    else { return nil }
    let number = first + timeline.frameRate.frame(at: self.start)
    return Timecode(frame: number, at: timeline.frameRate, isDropFrame: start.isDropFrame)?.text
  }
}
