import CutroomMedia
import CutroomModel

/// Why a stretch of a stream cannot be copied.
struct CopyObstacle: Hashable {
  /// The code that passthrough reports.
  var code: DiagnosticCode
  /// The short reason that a plan gives for rendering, such as `cut.not-keyframe`.
  var reason: String
  /// A clause that names what prevents it.
  var message: String
  /// The place in the composition.
  var pointer: String
  /// What would mend it.
  var fix: String?

  init(
    _ code: DiagnosticCode, _ reason: String, _ message: String, at pointer: String,
    fix: String? = nil
  ) {
    self.code = code
    self.reason = reason
    self.message = message
    self.pointer = pointer
    self.fix = fix
  }
}

/// What looking for a way to copy a stream gives.
enum CopyOutcome<Plan> {
  case copied(Plan)
  case refused([CopyObstacle])
}

/// A stretch of one source that would be copied: neighbouring segments that continue each other
/// count as one.
struct CopyPiece {
  var source: Int
  var path: String
  var asset: AssetInfo
  var track: AssetTrack
  /// The stretch in source time.
  var sourceStart: Rational
  var sourceEnd: Rational
  /// Where it starts in the result's time.
  var start: Rational
  var pointer: String

  var duration: Rational { sourceEnd - sourceStart }
  var end: Rational { start + duration }
}

extension Planner {
  /// The pieces of a kind in order of time, or what stands against copying any of them.
  func copyPieces(_ kind: TimelineTrack.Kind) -> (pieces: [CopyPiece], obstacles: [CopyObstacle]) {
    var obstacles: [CopyObstacle] = []
    var pieces: [CopyPiece] = []
    if kind == .audio, document.sound.loudness != nil {
      obstacles.append(
        CopyObstacle(
          .passthroughEffect, "effect.loudness", "the sound is brought to a loudness",
          at: "/audio/loudness"))
    }
    for track in timeline.tracks where track.kind == kind {
      if kind == .video, track.opacity != 1 {
        obstacles.append(
          CopyObstacle(
            .passthroughEffect, "effect.opacity", "the track has an opacity",
            at: track.pointer + "/opacity"))
      }
      if kind == .audio, track.gain != .constant(.unity) {
        obstacles.append(
          CopyObstacle(
            .passthroughEffect, "effect.gain", "the track has a gain", at: track.pointer + "/gain"))
      }
      for transition in track.transitions
      where transition.start < start + duration && transition.end > start {
        obstacles.append(
          CopyObstacle(
            .passthroughTransition, "transition", "a transition must be rendered",
            at: transition.pointer))
      }
      for segment in track.segments {
        guard !segment.isEmpty, let (from, to) = clipped(segment) else { continue }
        // A clip without sound is a hole, not a mix.
        if kind == .audio, let source = segment.source, !hasSound(source) { continue }
        if let obstacle = effect(segment, kind) { obstacles.append(obstacle) }
        guard let piece = piece(segment, from, to, kind) else {
          obstacles.append(
            CopyObstacle(
              .passthroughSource, "source.not-media", "the clip's source is not a media file",
              at: segment.pointer))
          continue
        }
        pieces.append(piece)
      }
    }
    pieces.sort { $0.start < $1.start }
    return (coalesced(pieces), obstacles)
  }

  private func piece(
    _ segment: TimelineSegment, _ from: Rational, _ to: Rational, _ kind: TimelineTrack.Kind
  ) -> CopyPiece? {
    guard let source = segment.source,
      case .file(let path, let video, let audio) = timeline.sources[source].content,
      let asset = assets[path], !asset.isStill,
      let track = kind == .video ? asset.track(.video, video) : asset.track(.audio, audio)
    else { return nil }
    return CopyPiece(
      source: source, path: path, asset: asset, track: track,
      sourceStart: segment.sourceTime(at: from), sourceEnd: segment.sourceTime(at: to),
      start: from - start, pointer: segment.pointer)
  }

  private func coalesced(_ pieces: [CopyPiece]) -> [CopyPiece] {
    var result: [CopyPiece] = []
    for piece in pieces {
      if let last = result.last, last.source == piece.source, last.end == piece.start,
        last.sourceEnd == piece.sourceStart
      {
        result[result.count - 1].sourceEnd = piece.sourceEnd
      } else {
        result.append(piece)
      }
    }
    return result
  }

  /// What changes the samples of a segment.
  func effect(_ segment: TimelineSegment, _ kind: TimelineTrack.Kind) -> CopyObstacle? {
    func obstacle(_ reason: String, _ message: String, _ key: String) -> CopyObstacle {
      CopyObstacle(.passthroughEffect, reason, message, at: segment.pointer + key)
    }
    if segment.playback == .reversed {
      return obstacle("effect.reverse", "the clip plays backwards", "/reverse")
    }
    if segment.playback == .frozen {
      return obstacle("effect.freeze", "the clip holds a picture", "")
    }
    if segment.speed != .one { return obstacle("effect.speed", "the clip has a speed", "/speed") }
    if kind == .audio {
      let sound = segment.sound
      if sound.gain != .constant(.unity) {
        return obstacle("effect.gain", "the clip has a gain", "/audio/gain")
      }
      if sound.fadeIn > .zero {
        return obstacle("effect.fade", "the clip fades in", "/audio/fadeIn")
      }
      if sound.fadeOut > .zero {
        return obstacle("effect.fade", "the clip fades out", "/audio/fadeOut")
      }
      if sound.pan != 0 { return obstacle("effect.pan", "the clip has a pan", "/audio/pan") }
      if !sound.channels.isEmpty {
        return obstacle("effect.channels", "the clip's channels are mapped", "/audio/channels")
      }
      if !sound.filters.isEmpty {
        return obstacle("effect.filters", "the clip's sound has filters", "/audio/filters")
      }
      return nil
    }
    let picture = segment.picture
    if !picture.filters.isEmpty {
      return obstacle("effect.filters", "the clip has filters", "/video/filters")
    }
    if isDeinterlaced(segment) {
      return obstacle("effect.deinterlace", "the clip is deinterlaced", "/video/deinterlace")
    }
    if picture.opacity != 1 {
      return obstacle("effect.opacity", "the clip has an opacity", "/video/opacity")
    }
    if picture.scale != 1 {
      return obstacle("effect.scale", "the clip has a scale", "/video/scale")
    }
    if picture.rotation != 0 {
      return obstacle("effect.rotation", "the clip is turned", "/video/rotation")
    }
    if picture.crop != .constant(.none) {
      return obstacle("effect.crop", "the clip is cropped", "/video/crop")
    }
    if picture.blend != .normal {
      return obstacle("effect.blend", "the clip is blended with what is below", "/video/blend")
    }
    let center = PictureSettings.Point(
      x: Rational(timeline.size.width, 2), y: Rational(timeline.size.height, 2))
    let isCentred = picture.anchor == PictureSettings().anchor
    if let position = picture.position, position.fixed != center || !isCentred {
      return obstacle("effect.position", "the clip has a position", "/video/position")
    }
    var rest = picture
    (rest.fit, rest.position) = (nil, nil)
    guard rest == PictureSettings() else {
      return obstacle("effect.picture", "the clip's picture is changed", "/video")
    }
    return nil
  }

  /// Whether pictures of a segment may come out changed: of a stream that does not say that it is
  /// progressive, some may be interlaced.
  private func isDeinterlaced(_ segment: TimelineSegment) -> Bool {
    guard let mode = segment.picture.deinterlace, mode != .never else { return false }
    guard mode == .auto, let source = segment.source,
      case .file(let path, let choice, _) = timeline.sources[source].content,
      let stream = assets[path]?.track(.video, choice)?.stream
    else { return true }
    return stream.fieldOrder != "progressive"
  }

  /// Holes and overlaps between pieces; `endsEarly` allows a hole at the very end.
  func coverage(_ pieces: [CopyPiece], kind: String, endsEarly: Bool) -> [CopyObstacle] {
    var obstacles: [CopyObstacle] = []
    var position: Rational = 0
    for piece in pieces {
      if piece.start > position {
        obstacles.append(
          CopyObstacle(
            .passthroughHole, "gap",
            "there is no \(kind) from \(position.secondsText) to \(piece.start.secondsText)",
            at: piece.pointer))
      }
      if piece.start < position {
        obstacles.append(
          CopyObstacle(
            .passthroughMix, kind == "sound" ? "mix" : "layers",
            "more than one clip has \(kind) at \(piece.start.secondsText)", at: piece.pointer))
      }
      position = max(position, piece.end)
    }
    if position < duration, !endsEarly {
      obstacles.append(
        CopyObstacle(
          .passthroughHole, "gap",
          "there is no \(kind) from \(position.secondsText) to \(duration.secondsText)",
          at: "/tracks"))
    }
    return obstacles
  }
}
