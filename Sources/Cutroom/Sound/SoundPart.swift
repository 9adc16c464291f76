import CutroomModel

/// A segment of an audio track in samples, with everything that shapes its level.
struct SoundPart {
  /// The index of the segment in its track.
  var segment: Int
  /// The index of the source.
  var source: Int
  /// The first sample on the timeline, transitions included.
  var start: Int64
  /// The first sample after it.
  var end: Int64
  /// What to add to a position on the timeline to get one in the source.
  var offset: Int64
  /// The constant factor.
  var gain: Float
  /// Fades and cross-fades.
  var fades: [Fade]
  /// Whether its start is a hard cut, not a transition.
  var startsHard = true
  /// Whether its end is a hard cut.
  var endsHard = true

  /// The parts of a track at `rate` samples a second, in order.
  ///
  /// Every boundary is rounded once, down, from its exact time, and shared by both neighbours.
  static func parts(of track: TimelineTrack, rate: Int) -> [SoundPart] {
    func sample(_ time: Rational) -> Int64 { Int64(clamping: (time * Rational(rate)).floor) }
    var incoming: [Int: TimelineTransition] = [:]
    var outgoing: [Int: TimelineTransition] = [:]
    for transition in track.transitions {
      outgoing[transition.from] = transition
      incoming[transition.to] = transition
    }
    return track.segments.enumerated().compactMap { index, segment in
      guard let source = segment.source else { return nil }
      let offset = ((segment.sourceStart - segment.start) * Rational(rate)).rounded
      var part = SoundPart(
        segment: index, source: source, start: sample(segment.start), end: sample(segment.end),
        offset: Int64(clamping: offset),
        gain: (segment.sound.gain.fixed ?? .unity).linear
          * (track.gain.fixed ?? .unity).linear,
        fades: [])
      let sound = segment.sound
      if sound.fadeIn > .zero {
        part.fades.append(
          Fade(
            start: part.start, end: sample(segment.start + sound.fadeIn), isRising: true,
            curve: sound.curve))
      }
      if sound.fadeOut > .zero {
        part.fades.append(
          Fade(
            start: sample(segment.end - sound.fadeOut), end: part.end, isRising: false,
            curve: sound.curve))
      }
      if let transition = incoming[index] {
        part.start = sample(transition.start)
        part.startsHard = false
        part.fades.append(
          Fade(
            start: part.start, end: sample(transition.end), isRising: true,
            curve: transition.sound))
      }
      if let transition = outgoing[index] {
        part.end = sample(transition.end)
        part.endsHard = false
        part.fades.append(
          Fade(
            start: sample(transition.start), end: part.end, isRising: false,
            curve: transition.sound))
      }
      return part.start < part.end ? part : nil
    }
  }
}
