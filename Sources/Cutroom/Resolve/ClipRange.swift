import CutroomModel

/// The source range of a clip, exact, and how it plays.
struct ClipRange {
  /// Where the range starts in the source; the time of the picture of a frozen clip.
  var start: Rational
  /// How long the range is in the source; 0 for a frozen clip.
  var duration: Rational
  /// How long the clip lasts on the timeline.
  var length: Rational = .zero
  /// In which order it is shown.
  var playback = TrackSegment.Playback.forward
  /// Where the source ends, if the range goes beyond that.
  var limit: Rational?

  /// Source seconds per second of the timeline.
  var speed: Rational { duration / length }
}

extension Resolver {
  /// The source range of `clip`, checked against its source; `nil` where it has none.
  mutating func range(
    of clip: Clip, _ kind: DocumentTrack.Kind, _ source: ResolvedSource, _ pointer: String
  ) -> ClipRange? {
    if let time = clip.freeze { return frozenRange(of: clip, at: time, kind, source, pointer) }
    let start = clip.in.map { seconds($0, at: pointer + "/in") }
    let out = clip.out.map { seconds($0, at: pointer + "/out") }
    let duration = clip.duration.map { length($0, at: pointer + "/duration") }
    guard start != .some(nil), out != .some(nil), duration != .some(nil) else { return nil }
    guard
      let written = span(
        start: start ?? nil, out: out ?? nil, duration: duration ?? nil, clip, kind, source, pointer
      )
    else { return nil }
    let span = unrounded(written, clip, kind, source)
    guard check(span, clip, source, pointer),
      var range = played(span, clip, pointer)
    else { return nil }
    guard !source.isFailed else { return range }
    guard isInside(&range, clip, kind, source, pointer) else { return nil }
    noteGrid(of: clip, range, kind, source, pointer)
    if range.limit == nil { noteLengths(of: clip, range, kind, source, pointer) }
    return range
  }

  /// The range with its length on the timeline, by its speed or by the length it shall fit.
  private mutating func played(
    _ span: ClipRange, _ clip: Clip, _ pointer: String
  ) -> ClipRange? {
    var range = span
    range.playback = clip.isReversed ? .reversed : .forward
    if let fit = clip.fitDuration {
      guard let length = length(fit, at: pointer + "/fitDuration") else { return nil }
      guard length > .zero else {
        findings.add(
          .time, .error, .rangeEmpty, "the clip shall fit 0s, but must last longer",
          at: pointer + "/fitDuration")
        return nil
      }
      range.length = length
    } else {
      guard clip.speed > .zero else {
        findings.add(
          .time, .error, .shapeValue, "the speed is \(clip.speed), but must be more than 0",
          at: pointer + "/speed")
        return nil
      }
      range.length = span.duration / clip.speed
    }
    guard range.length.isStorable, range.speed.isStorable else {
      reportOverflow(at: pointer)
      return nil
    }
    return range
  }

  private mutating func frozenRange(
    of clip: Clip, at time: TimeExpression, _ kind: DocumentTrack.Kind, _ source: ResolvedSource,
    _ pointer: String
  ) -> ClipRange? {
    let start = length(time, at: pointer + "/freeze")
    let held = clip.duration.flatMap { length($0, at: pointer + "/duration") }
    guard let start, let held else { return nil }
    guard held > .zero else {
      findings.add(
        .time, .error, .rangeEmpty, "the picture is held for 0s, but must be held longer",
        at: pointer + "/duration")
      return nil
    }
    let range = ClipRange(start: start, duration: .zero, length: held, playback: .frozen)
    guard !source.isFailed else { return range }
    if kind == .video, clip.picture != nil, source.picture == nil {
      findings.add(
        .media, .error, .mediaNoStream, "'\(source.id)' has no picture for a video track",
        at: pointer + "/source")
      return nil
    }
    if kind != .audio, let picture = source.picture {
      if let end = picture.end, start >= end {
        findings.add(
          .time, .error, .rangePastEnd,
          "the picture at \(start.inSeconds) cannot be held: '\(source.id)' ends at "
            + end.inSeconds, at: pointer + "/freeze")
        return nil
      }
      if let grid = source.grid { noteOffGrid(start, "freeze", pointer + "/freeze", grid) }
    }
    return range
  }

  /// The stream whose end is the clip's own: its picture, else its sound.
  func leadingStream(
    of clip: Clip, _ kind: DocumentTrack.Kind, _ source: ResolvedSource
  ) -> ResolvedSource.Stream? {
    if kind == .subtitle { return source.subtitle ?? source.picture ?? source.sound }
    if kind != .audio, clip.picture != nil, let picture = source.picture { return picture }
    if kind != .video, clip.sound != nil, let sound = source.sound { return sound }
    return source.picture ?? source.sound
  }

  private mutating func span(
    start: Rational?, out: Rational?, duration: Rational?, _ clip: Clip,
    _ kind: DocumentTrack.Kind, _ source: ResolvedSource, _ pointer: String
  ) -> ClipRange? {
    switch (start, out, duration) {
    case (let start?, let out?, _): return ClipRange(start: start, duration: out - start)
    case (nil, let out?, let duration?): return ClipRange(start: out - duration, duration: duration)
    case (_, nil, let duration?): return ClipRange(start: start ?? .zero, duration: duration)
    case (nil, let out?, nil): return ClipRange(start: .zero, duration: out)
    case (_, nil, nil): break
    }
    guard !source.isFailed, let stream = leadingStream(of: clip, kind, source) else { return nil }
    guard let end = stream.end else {
      findings.add(
        .time, .error, .rangeNeedsDuration,
        "'\(source.id)' has no end, so the clip must say how long it lasts", at: pointer,
        fix: "add \"duration\"")
      return nil
    }
    return ClipRange(start: start ?? .zero, duration: end - (start ?? .zero))
  }

  /// The range from the exact start of one picture to that of another, where it names their
  /// timestamps and these are rounded.
  private func unrounded(
    _ span: ClipRange, _ clip: Clip, _ kind: DocumentTrack.Kind, _ source: ResolvedSource
  ) -> ClipRange {
    guard kind == .av || kind == .video, clip.picture != nil, let grid = source.grid else {
      return span
    }
    let start = grid.exactStart(span.start)
    let written = span.start + span.duration
    var end =
      clip.out == nil && clip.duration != nil
      ? start + grid.exactLength(span.duration) : grid.exactStart(written)
    // The source's own end may be a rounded one, too.
    if let limit = leadingStream(of: clip, kind, source)?.end, written <= limit {
      end = min(end, limit)
    }
    return ClipRange(start: start, duration: end - start)
  }

  private mutating func check(
    _ span: ClipRange, _ clip: Clip, _ source: ResolvedSource, _ pointer: String
  ) -> Bool {
    let end = span.start + span.duration
    guard span.start.isStorable, span.duration.isStorable, end.isStorable else {
      reportOverflow(at: pointer)
      return false
    }
    let key = clip.in == nil ? (clip.out == nil ? "duration" : "out") : "in"
    guard span.start >= .zero else {
      findings.add(
        .time, .error, .rangeBeforeStart,
        "the range begins at \(span.start.inSeconds), but '\(source.id)' begins at 0s",
        at: pointer + "/" + key)
      return false
    }
    if span.duration > .zero { return true }
    if clip.out == nil && clip.duration == nil {
      findings.add(
        .time, .error, .rangePastEnd,
        "the range begins at \(span.start.inSeconds), but '\(source.id)' ends at "
          + "\((span.start + span.duration).inSeconds)",
        at: pointer + "/" + key)
      return false
    }
    let place = pointer + (clip.out == nil ? "/duration" : "/out")
    if span.duration < .zero {
      findings.add(
        .time, .error, .rangeReversed,
        "the range ends at \(end.inSeconds), before it begins at \(span.start.inSeconds)", at: place
      )
    } else {
      findings.add(
        .time, .error, .rangeEmpty, "the range at \(span.start.inSeconds) has no length", at: place)
    }
    return false
  }

  private mutating func isInside(
    _ span: inout ClipRange, _ clip: Clip, _ kind: DocumentTrack.Kind, _ source: ResolvedSource,
    _ pointer: String
  ) -> Bool {
    if kind == .video, clip.picture != nil, source.picture == nil {
      findings.add(
        .media, .error, .mediaNoStream, "'\(source.id)' has no picture for a video track",
        at: pointer + "/source")
      return false
    }
    if kind == .subtitle, source.subtitle == nil {
      findings.add(
        .media, .error, .mediaNoStream, "'\(source.id)' has no subtitles for a subtitle track",
        at: pointer + "/source")
      return false
    }
    guard let limit = leadingStream(of: clip, kind, source)?.end else { return true }
    let end = span.start + span.duration
    guard end > limit else { return true }
    if clip.fill != .error, limit > .zero {
      span.limit = limit
      return true
    }
    let begins = span.start >= limit
    let key = begins && clip.in != nil ? "in" : clip.out != nil ? "out" : "duration"
    let what =
      begins
      ? "the range begins at \(span.start.inSeconds)" : "the range ends at \(end.inSeconds)"
    findings.add(
      .time, .error, .rangePastEnd,
      "\(what), but \(Self.name(of: limit, in: source)) ends at \(limit.inSeconds)",
      at: pointer + "/" + key,
      fix: begins ? nil : "the clip can last at most \((limit - span.start).inSeconds)")
    return false
  }

  /// What of a source ends at `limit`: the whole, or its picture or sound alone.
  private static func name(of limit: Rational, in source: ResolvedSource) -> String {
    let ends = (source.picture?.end, source.sound?.end)
    guard let picture = ends.0, let sound = ends.1, picture != sound else {
      return "'\(source.id)'"
    }
    return "the \(limit == picture ? "picture" : "sound") of '\(source.id)'"
  }

  private mutating func noteGrid(
    of clip: Clip, _ span: ClipRange, _ kind: DocumentTrack.Kind, _ source: ResolvedSource,
    _ pointer: String
  ) {
    guard kind != .audio, clip.picture != nil, let picture = source.picture,
      let grid = source.grid
    else { return }
    if clip.in != nil { noteOffGrid(span.start, "in", pointer + "/in", grid) }
    let end = span.start + span.duration
    if clip.out != nil {
      if end != picture.end { noteOffGrid(end, "out", pointer + "/out", grid) }
    } else if clip.duration != nil, end != picture.end {
      noteOffGrid(span.duration, "duration", pointer + "/duration", grid)
    }
  }

  private mutating func noteLengths(
    of clip: Clip, _ span: ClipRange, _ kind: DocumentTrack.Kind, _ source: ResolvedSource,
    _ pointer: String
  ) {
    guard kind == .av, clip.picture != nil, clip.sound != nil, let sound = source.sound?.end,
      let picture = source.picture?.end
    else { return }
    let end = span.start + span.duration
    let sentence: String
    if sound < end {
      sentence = "its last \((end - max(sound, span.start)).inSeconds) are silent"
    } else if sound > end, clip.out == nil, clip.duration == nil {
      sentence = "the last \((sound - end).inSeconds) of the sound are cut off"
    } else {
      return
    }
    findings.add(
      .media, .note, .mediaLengthMismatch,
      "the picture of '\(source.id)' ends at \(picture.inSeconds) and its sound at "
        + "\(sound.inSeconds); \(sentence)", at: pointer)
  }

  /// Says which frame a time between two frames selects.
  mutating func noteOffGrid(
    _ time: Rational, _ name: String, _ pointer: String, _ grid: SourceGrid
  ) {
    // Without pictures there is no grid to be off.
    guard document.tracks.contains(where: { $0.kind != .audio }) else { return }
    let rate = "at \(grid.rate.text) frames per second"
    let sentence: String
    if ["duration", "gap"].contains(name) {
      guard !grid.isWhole(time) else { return }
      sentence =
        "\(name) \(time.inSeconds) is no whole number of frames \(rate); it ends in the middle of "
        + "frame \(grid.rate.frame(at: time))"
    } else {
      guard time >= grid.start, !grid.isStart(time) else { return }
      let frame = grid.frame(at: time)
      sentence =
        "\(name) \(time.inSeconds) lies between two frames \(rate); it selects frame \(frame), "
        + "which starts at \(grid.time(ofFrame: frame).inSeconds)"
    }
    findings.add(.time, .note, .rangeOffGrid, sentence, at: pointer)
  }
}
