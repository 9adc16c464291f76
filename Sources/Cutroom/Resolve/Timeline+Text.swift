public import CutroomModel

extension Timeline {
  /// The timeline as a table for people: a row for each segment.
  public var text: String {
    var lines = [
      "\(duration.secondsText), \(size.width)×\(size.height), "
        + "\(frameRate.framesPerSecond.text) fps, \(color.rawValue), \(sampleRate) Hz, "
        + channelLayout
    ]
    for track in tracks {
      lines.append("\(track.id) (\(track.kind.rawValue))")
      lines += track.segments.map { "  " + row($0) }
      lines += track.transitions.map {
        "  \($0.start.secondsText) – \($0.end.secondsText)  \($0.name)"
      }
    }
    lines += chapters.map { "chapter at \($0.start.secondsText): \($0.title)" }
    return lines.joined(separator: "\n")
  }

  private func row(_ segment: TimelineSegment) -> String {
    let span = "\(segment.start.secondsText) – \(segment.end.secondsText)"
    guard let source = segment.source else { return "\(span)  empty" }
    let name = segment.name.map { "  \"\($0)\"" } ?? ""
    let (start, end) = (segment.sourceStart.secondsText, segment.sourceEnd.secondsText)
    let speed = segment.speed == .one ? "" : " at speed \(segment.speed.text)"
    let shown =
      switch segment.playback {
      case .forward: "\(start) – \(end)\(speed)"
      case .reversed: "\(end) – \(start) backwards\(speed)"
      case .frozen: "\(start) held"
      }
    return "\(span)  \(sources[source].id)  \(shown)\(name)"
  }
}

extension Rational {
  /// A whole number, else a fraction.
  fileprivate var text: String {
    denominator == 1 ? String(numerator) : "\(numerator)/\(denominator)"
  }
}
