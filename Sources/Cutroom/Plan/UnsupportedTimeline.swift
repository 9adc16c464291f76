import CutroomModel

extension Unsupported {
  /// A finding for what lies on a timeline and cannot be drawn or heard yet.
  static func findings(in timeline: Timeline) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    var seen: Set<String> = []
    func refuse(_ what: String, _ pointer: String) {
      guard seen.insert(pointer).inserted else { return }
      findings.append(
        Diagnostic(
          .error, .unsupported,
          "the format has \(what), but this version cannot export it yet; remove it",
          at: pointer))
    }
    for track in timeline.tracks {
      for segment in track.segments {
        guard let source = segment.source else { continue }
        if segment.speed != .one || segment.playback != .forward {
          refuse("another speed or direction", segment.pointer)
        }
        if timeline.sources[source].timeline != nil {
          refuse("a composition as a source", segment.pointer)
        }
      }
    }
    return findings
  }
}
