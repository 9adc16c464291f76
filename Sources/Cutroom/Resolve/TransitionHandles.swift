import CutroomModel

extension Resolver {
  /// Checks that both sources have material beyond the cut.
  ///
  /// The picture must have all of it, or the sound where there is no picture. Sound beside a
  /// picture may be short: it is followed, or preceded, by silence.
  mutating func checkHandles(
    _ pending: PendingTransition, _ before: Rational, _ after: Rational, _ outgoing: PlacedClip,
    _ incoming: PlacedClip, _ kind: DocumentTrack.Kind
  ) {
    for isSound in [false, true] {
      let lacks = [
        missing(atEndOf: outgoing, after, isSound: isSound).map {
          Lack(place: "after the end of", clip: outgoing, needed: after, missing: $0)
        },
        missing(atStartOf: incoming, before, isSound: isSound).map {
          Lack(place: "before the start of", clip: incoming, needed: before, missing: $0)
        },
      ].compactMap { $0 }
      let leading = lacks.filter { !isSound || kind == .audio || !$0.clip.showsPicture }
      report(pending, leading, isSound: isSound, isError: true)
      let others = lacks.filter { isSound && kind != .audio && $0.clip.showsPicture }
      report(pending, others, isSound: isSound, isError: false)
    }
  }

  /// Material that a transition needs and a source lacks.
  private struct Lack {
    var place: String
    var clip: PlacedClip
    var needed: Rational
    var missing: Rational
  }

  private func stream(of clip: PlacedClip, isSound: Bool) -> ResolvedSource.Stream? {
    guard isSound ? clip.sounds : clip.showsPicture, !sources[clip.source].isFailed else {
      return nil
    }
    return isSound ? sources[clip.source].sound : sources[clip.source].picture
  }

  private func missing(
    atEndOf clip: PlacedClip, _ needed: Rational, isSound: Bool
  ) -> Rational? {
    guard let piece = clip.pieces.last else { return nil }
    return missing(needed, clip, piece, isAfter: piece.playback == .forward, isSound: isSound)
  }

  private func missing(
    atStartOf clip: PlacedClip, _ needed: Rational, isSound: Bool
  ) -> Rational? {
    guard let piece = clip.pieces.first else { return nil }
    return missing(needed, clip, piece, isAfter: piece.playback == .reversed, isSound: isSound)
  }

  /// How much of `needed`, which counts on the timeline, the source lacks after, or before, the
  /// range of a piece.
  private func missing(
    _ needed: Rational, _ clip: PlacedClip, _ piece: ClipPiece, isAfter: Bool, isSound: Bool
  ) -> Rational? {
    guard let stream = stream(of: clip, isSound: isSound), let range = piece.source,
      piece.playback != .frozen, !stream.isConstant
    else { return nil }
    // What the clip's own filling shows is not missing.
    if !isSound, clip.clip.fill == .freeze || clip.clip.fill == .black { return nil }
    let available: Rational
    if isAfter {
      guard let end = stream.end else { return nil }
      available = max(.zero, end - range.upperBound) / clip.speed
    } else {
      // A clip that begins in the hole before a late track has no material to miss there, but
      // nothing lies before the source's own start.
      let first = range.lowerBound < stream.start ? .zero : stream.start
      available = (range.lowerBound - first) / clip.speed
    }
    return available < needed ? needed - available : nil
  }

  private mutating func report(
    _ pending: PendingTransition, _ lacks: [Lack], isSound: Bool, isError: Bool
  ) {
    guard !lacks.isEmpty else { return }
    let what = isSound ? "sound" : "picture"
    let sentence =
      "the transition "
      + lacks.map { lack in
        "needs \(lack.needed.inSeconds) of \(what) \(lack.place) the range of "
          + "'\(sources[lack.clip.source].id)', but its source has only "
          + "\((lack.needed - lack.missing).inSeconds) there: \(lack.missing.inSeconds) are missing"
      }.joined(separator: "; and it ")
    guard isError else {
      return findings.add(
        .media, .note, .mediaLengthMismatch, sentence + ", and silent", at: pending.pointer)
    }
    let missing = lacks.map(\.missing).max() ?? .zero
    let frames = (missing * rate.framesPerSecond).ceiling
    findings.add(
      .time, .error, .transitionHandles, sentence, at: pending.pointer,
      fix: "shorten the \(lacks.count > 1 ? "clips" : "clip") or the transition by \(frames) "
        + "frame\(frames == 1 ? "" : "s"), or set \"overlap\": true",
      related: lacks.map { lack in
        Diagnostic.Related(message: "this clip", pointer: lack.clip.pointer)
      })
  }
}
