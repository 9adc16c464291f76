import CutroomModel

/// Frames of the result that follow each other and are made alike.
struct FrameStretch {
  /// Where its frames come from.
  enum Content {
    /// Pictures of one file, one for each frame, as they are.
    case plain(JoinPiece)
    /// Whatever the timeline shows, which must be drawn for these reasons.
    case drawn(reasons: [String])
  }

  /// The first frame of the result.
  var first: Int64
  /// The frame after the last.
  var end: Int64
  var content: Content
}

/// A stretch of the result that shows one picture of a file for each frame, unchanged.
struct JoinPiece {
  /// The index in the timeline's sources.
  var source: Int
  var path: String
  var asset: AssetInfo
  var track: AssetTrack
  /// The first frame of the result.
  var first: Int64
  /// The frame after the last.
  var end: Int64
  /// The source time that the first frame shows.
  var sourceStart: Rational
  var rate: FrameRate
  var pointer: String

  /// The source time that a frame of the result shows.
  func sourceTime(ofFrame frame: Int64) -> Rational {
    sourceStart + rate.time(ofFrame: frame - first)
  }

  /// The first frame of the result that shows the picture of that tick or a later one.
  func frame(ofTick tick: Int64) -> Int64 {
    // Where timestamps were rounded, a picture is shown from the earlier of both times on.
    let stamp = track.time(ofTick: tick, origin: asset.origin)
    return first + rate.firstFrame(from: min(exactStart(ofTick: tick), stamp) - sourceStart)
  }

  /// The source time at which the picture of a tick starts, also where it was rounded.
  func exactStart(ofTick tick: Int64) -> Rational {
    let time = track.time(ofTick: tick, origin: asset.origin)
    guard let picture = track.picture, let grid = picture.roundedGrid else { return time }
    let frame = ((time - picture.roundedGridStart) * grid.framesPerSecond).rounded
    return picture.roundedGridStart + grid.time(ofFrame: Int64(clamping: frame))
  }
}

extension Planner {
  /// The stretches of the picture, without gap from the first frame to the last.
  func frameStretches() -> [FrameStretch] {
    let rate = timeline.frameRate
    let count = rate.firstFrame(from: duration)
    let videos = timeline.tracks.filter { $0.kind == .video }
    var bounds: Set<Int64> = [0, count]
    func bound(_ time: Rational) {
      let frame = rate.firstFrame(from: time - start)
      if frame > 0, frame < count { bounds.insert(frame) }
    }
    for track in videos {
      for segment in track.segments { bound(segment.start) }
      bound(track.duration)
      for transition in track.transitions {
        bound(transition.start)
        bound(transition.end)
      }
    }
    let sorted = bounds.sorted()
    var stretches: [FrameStretch] = []
    for (first, end) in zip(sorted, sorted.dropFirst()) {
      append(stretch(first, end, videos), to: &stretches)
    }
    return stretches
  }

  /// Adds a stretch; one that continues the last becomes part of it.
  private func append(_ stretch: FrameStretch, to stretches: inout [FrameStretch]) {
    guard let last = stretches.last else { return stretches.append(stretch) }
    switch (last.content, stretch.content) {
    case (.plain(var piece), .plain(let next))
    where piece.source == next.source && piece.sourceTime(ofFrame: next.first) == next.sourceStart:
      piece.end = next.end
      stretches[stretches.count - 1] = FrameStretch(
        first: last.first, end: stretch.end, content: .plain(piece))
    case (.drawn(let reasons), .drawn(let more)):
      stretches[stretches.count - 1] = FrameStretch(
        first: last.first, end: stretch.end, content: .drawn(reasons: (reasons + more).uniqued()))
    default: stretches.append(stretch)
    }
  }

  private func stretch(_ first: Int64, _ end: Int64, _ tracks: [TimelineTrack]) -> FrameStretch {
    let time = start + timeline.frameRate.time(ofFrame: first)
    var shown: [(track: TimelineTrack, segment: TimelineSegment)] = []
    var reasons: [String] = []
    for track in tracks {
      if track.transitions.contains(where: { $0.start <= time && time < $0.end }) {
        reasons.append("transition")
      }
      if let index = track.segmentIndex(at: time), !track.segments[index].isEmpty {
        shown.append((track, track.segments[index]))
      }
    }
    if reasons.isEmpty {
      if shown.count == 1 {
        if shown[0].track.opacity != 1 { reasons.append("effect.opacity") }
        if let obstacle = effect(shown[0].segment, .video) { reasons.append(obstacle.reason) }
      } else {
        reasons.append(shown.isEmpty ? "gap" : "layers")
      }
    }
    guard reasons.isEmpty else {
      return FrameStretch(first: first, end: end, content: .drawn(reasons: reasons))
    }
    switch joinPiece(shown[0].segment, first, end) {
    case .success(let piece):
      return FrameStretch(first: first, end: end, content: .plain(piece))
    case .failure(let reason):
      return FrameStretch(first: first, end: end, content: .drawn(reasons: [reason.text]))
    }
  }

  /// Why a segment is no piece.
  private struct Reason: Error {
    var text: String
  }

  private func joinPiece(
    _ segment: TimelineSegment, _ first: Int64, _ end: Int64
  ) -> Result<JoinPiece, Reason> {
    guard let source = segment.source,
      case .file(let path, let choice, _) = timeline.sources[source].content,
      let asset = assets[path], !asset.isStill, let track = asset.track(.video, choice),
      let picture = track.picture
    else { return .failure(Reason(text: "source.not-media")) }
    let rate = timeline.frameRate
    let own = picture.roundedGrid?.framesPerSecond ?? picture.frameRate
    guard !picture.isVariableFrameRate else { return .failure(Reason(text: "rate.variable")) }
    guard own == rate.framesPerSecond else { return .failure(Reason(text: "rate.differs")) }
    guard picture.displaySize == timeline.size else {
      return .failure(Reason(text: "size.differs"))
    }
    let piece = JoinPiece(
      source: source, path: path, asset: asset, track: track, first: first, end: end,
      sourceStart: segment.sourceTime(at: start + rate.time(ofFrame: first)), rate: rate,
      pointer: segment.pointer)
    let begins = track.extendsFirstFrame ? .zero : track.start
    guard piece.sourceStart >= begins, piece.sourceTime(ofFrame: end - 1) < track.end else {
      return .failure(Reason(text: "gap"))
    }
    return .success(piece)
  }
}
