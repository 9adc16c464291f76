import CutroomModel

/// A clip with its exact place, and what it shows there piece by piece.
struct PlacedClip {
  var clip: Clip
  /// Its index among the items of its track.
  var item: Int
  var source: Int
  /// What it shows, from clip time 0 to ``length``, without gap or overlap.
  var pieces: [ClipPiece]
  var start: Rational
  var duration: Rational
  /// The clip time at ``start``: more than 0 where an overlapping transition took from it.
  var clipStart: Rational = .zero
  /// How long it was before an overlapping transition took from it.
  var length: Rational
  /// Source seconds per second of the timeline; 0 for a frozen clip.
  var speed: Rational
  var picture = PictureSettings()
  var sound = ResolvedSound()
  var showsPicture: Bool
  var sounds: Bool
  /// Whether it shows subtitles.
  var showsText: Bool
  var pointer: String

  var end: Rational { start + duration }

  /// Whether it shows anything, or sounds, on a track of a kind.
  func takesPart(in kind: TimelineTrack.Kind) -> Bool {
    switch kind {
    case .video: showsPicture
    case .audio: sounds
    case .subtitle: showsText
    }
  }
}

/// A stretch of a clip that shows one range of its source in one way.
struct ClipPiece {
  /// The source range; without length where a picture is held, `nil` where nothing is shown.
  var source: Range<Rational>?
  var playback: TrackSegment.Playback
  /// Where it starts, in clip time.
  var start: Rational
  /// How long it lasts, in clip time.
  var duration: Rational

  var end: Rational { start + duration }
}

extension PlacedClip {
  /// The segments of the clip on a track of `kind`.
  func segments(_ kind: TimelineTrack.Kind) -> [TimelineSegment] {
    guard takesPart(in: kind) else {
      return [TimelineSegment(emptyAt: start, duration: duration, pointer: pointer)]
    }
    var segments: [TimelineSegment] = []
    for piece in pieces {
      let from = max(piece.start, clipStart)
      let to = min(piece.end, clipStart + duration)
      guard from < to else { continue }
      segments.append(segment(piece, from, to, kind))
    }
    return segments
  }

  private func segment(
    _ piece: ClipPiece, _ from: Rational, _ to: Rational, _ kind: TimelineTrack.Kind
  ) -> TimelineSegment {
    let place = start + (from - clipStart)
    guard let range = piece.source, piece.playback != .frozen || kind != .audio else {
      return TimelineSegment(emptyAt: place, duration: to - from, pointer: pointer)
    }
    var segment = TimelineSegment(
      source: source, sourceStart: range.lowerBound, start: place, duration: to - from,
      picture: kind == .audio ? PictureSettings() : picture,
      sound: kind == .audio ? sound : ResolvedSound(), name: clip.name, pointer: pointer)
    segment.playback = piece.playback
    segment.fill = clip.fill
    segment.clipRange = from..<to
    segment.clipLength = length
    segment.speed = piece.playback == .frozen ? .zero : speed
    segment.sourceDuration = (to - from) * segment.speed
    switch piece.playback {
    case .forward: segment.sourceStart += (from - piece.start) * speed
    case .reversed: segment.sourceStart += (piece.end - to) * speed
    case .frozen: break
    }
    return segment
  }
}

extension Resolver {
  /// How often a source may be repeated to fill a range.
  private static let loopLimit = 100_000

  /// What a clip shows over its range: the source, and what fills up a source that is too short.
  mutating func pieces(
    of range: ClipRange, _ clip: Clip, _ source: ResolvedSource, _ pointer: String
  ) -> [ClipPiece]? {
    if range.playback == .frozen {
      return [
        ClipPiece(
          source: range.start..<range.start, playback: .frozen, start: .zero,
          duration: range.length)
      ]
    }
    let end = range.start + range.duration
    guard let limit = range.limit else {
      return [
        ClipPiece(
          source: range.start..<end, playback: range.playback, start: .zero,
          duration: range.length)
      ]
    }
    var parts: [(source: Range<Rational>?, playback: TrackSegment.Playback, length: Rational)] = []
    if clip.fill == .loop {
      guard range.duration / limit <= Rational(Self.loopLimit) else {
        findings.add(
          .time, .error, .rangePastEnd,
          "'\(source.id)' would be repeated more than \(Self.loopLimit) times",
          at: pointer + "/fill")
        return nil
      }
      var rest = range.duration
      var from = range.start - Rational((range.start / limit).floor) * limit
      while rest > .zero {
        let length = min(rest, limit - from)
        parts.append((from..<from + length, range.playback, length))
        rest -= length
        from = .zero
      }
    } else {
      let own = max(.zero, limit - range.start)
      if own > .zero { parts.append((range.start..<limit, range.playback, own)) }
      let held = clip.fill == .freeze ? source.picture.flatMap(\.lastPicture) : nil
      parts.append((held.map { $0..<$0 }, held == nil ? .forward : .frozen, range.duration - own))
    }
    if range.playback == .reversed { parts.reverse() }
    var pieces: [ClipPiece] = []
    var time = Rational.zero
    for part in parts {
      let length = part.length / range.speed
      pieces.append(
        ClipPiece(source: part.source, playback: part.playback, start: time, duration: length))
      time += length
    }
    return pieces
  }
}
