import CutroomModel

extension Resolver {
  /// Puts the laid-out tracks together, with chapters and the export's range checked.
  mutating func assemble(_ tracks: [LaidOutTrack], _ defaults: TimelineDefaults) -> Timeline {
    checkIDs()
    let settings = document.timeline
    var timeline = Timeline(
      duration: .zero, frameRate: rate, size: defaults.size, background: settings.background,
      color: defaults.color, sampleRate: defaults.sampleRate,
      channelLayout: defaults.channelLayout, startTimecode: settings.startTimecode,
      sources: zip(sources, contents).map(timelineSource), tracks: [])
    checkTimecode()
    let enabled = tracks.filter(\.track.isEnabled)
    for track in enabled { timeline.tracks += halves(of: track) }
    timeline.duration = enabled.map(\.end).max() ?? .zero
    if enabled.allSatisfy(\.isComplete), !findings.hasErrors { applyEdits(to: &timeline) }
    let isComplete = enabled.allSatisfy(\.isComplete) && !findings.hasErrors
    if isComplete && timeline.duration == .zero && !isFlawed("/tracks") && !isMisspelt {
      findings.add(
        .time, .error, .timelineEmpty, "nothing lies on the timeline", at: "/tracks",
        fix: "add a clip to an enabled track")
    }
    let end = isComplete && timeline.duration > .zero ? timeline.duration : nil
    timeline.chapters = chapters(timeline, end: end)
    checkExportRange(end: end)
    return timeline
  }

  /// Whether the tracks may stand under a key that is not known.
  private var isMisspelt: Bool {
    document.tracks.isEmpty
      && flaws.contains { flaw in
        let tokens = flaw.dropFirst().split(separator: "/")
        return tokens.count == 1 && !CompositionFormat.top.keys.contains { $0.name == tokens[0] }
      }
  }

  private func timelineSource(
    _ source: ResolvedSource, _ content: SourceDescription
  ) -> TimelineSource {
    var result = TimelineSource(id: source.id, content: content)
    result.timeline = source.timeline
    if let picture = source.picture, let last = picture.lastPicture {
      result.heldPictures = picture.start...max(picture.start, last)
    }
    return result
  }

  private mutating func checkTimecode() {
    guard let timecode = document.timeline.startTimecode, !isRateGuessed else { return }
    _ = seconds(.timecode(timecode), at: "/timeline/startTimecode")
  }

  /// The id of a track: its own, or one by its place.
  func id(ofTrack index: Int) -> String {
    document.tracks[index].id ?? "track\(index + 1)"
  }

  private mutating func checkIDs() {
    var seen: [String: Int] = [:]
    for index in document.tracks.indices {
      let id = id(ofTrack: index)
      guard let other = seen[id] else {
        seen[id] = index
        continue
      }
      findings.add(
        .reference, .error, .referenceDuplicateID, "another track has the id '\(id)'",
        at: "/tracks/\(index)" + (document.tracks[index].id == nil ? "" : "/id"),
        related: [Diagnostic.Related(message: "the other track", pointer: "/tracks/\(other)")])
    }
  }

  private func halves(of laidOut: LaidOutTrack) -> [TimelineTrack] {
    let id = id(ofTrack: laidOut.index)
    switch laidOut.track.kind {
    case .av:
      return [half(of: laidOut, .video, id + ".video"), half(of: laidOut, .audio, id + ".audio")]
    case .video: return [half(of: laidOut, .video, id)]
    case .audio: return [half(of: laidOut, .audio, id)]
    case .subtitle: return [half(of: laidOut, .subtitle, id)]
    }
  }

  private func half(
    of laidOut: LaidOutTrack, _ kind: TimelineTrack.Kind, _ id: String
  ) -> TimelineTrack {
    let track = laidOut.track
    var half = TimelineTrack(
      id: id, kind: kind, gain: laidOut.gain, opacity: laidOut.opacity, language: track.language,
      name: track.name, pointer: laidOut.pointer)
    (half.isDefault, half.isForced) = (track.isDefault, track.isForced)
    var places: [Range<Int>] = []
    var end = Rational.zero
    for clip in laidOut.clips {
      if clip.start > end {
        half.segments.append(
          TimelineSegment(emptyAt: end, duration: clip.start - end, pointer: laidOut.pointer))
      }
      let first = half.segments.count
      half.segments += clip.segments(kind)
      places.append(first..<half.segments.count)
      end = clip.end
    }
    for transition in laidOut.transitions {
      let sides = [laidOut.clips[transition.from], laidOut.clips[transition.to]]
      let (from, to) = (places[transition.from], places[transition.to])
      guard kind != .subtitle, sides.contains(where: { $0.takesPart(in: kind) }), !from.isEmpty,
        !to.isEmpty
      else { continue }
      var mapped = transition
      mapped.from = from.upperBound - 1
      mapped.to = to.lowerBound
      half.transitions.append(mapped)
    }
    return half
  }

  private mutating func checkExportRange(end: Rational?) {
    guard let range = document.export.range else { return }
    let pointer = "/export/range"
    let start = range.in.flatMap { length($0, at: pointer + "/in") }
    let out = range.out.flatMap { length($0, at: pointer + "/out") }
    if let start { noteOffGrid(start, "in", pointer + "/in", SourceGrid(rate: rate)) }
    if let out, out != end { noteOffGrid(out, "out", pointer + "/out", SourceGrid(rate: rate)) }
    if let start, let out, out <= start {
      let code: DiagnosticCode = out < start ? .rangeReversed : .rangeEmpty
      findings.add(
        .time, .error, code,
        "the range ends at \(out.inSeconds), but begins at \(start.inSeconds)", at: pointer + "/out"
      )
      return
    }
    guard let end else { return }
    if let start, start >= end {
      findings.add(
        .time, .error, .rangePastEnd,
        "the range begins at \(start.inSeconds), but the timeline ends at \(end.inSeconds)",
        at: pointer + "/in")
    } else if let out, out > end {
      findings.add(
        .time, .error, .rangePastEnd,
        "the range ends at \(out.inSeconds), but the timeline at \(end.inSeconds)",
        at: pointer + "/out")
    }
  }
}
