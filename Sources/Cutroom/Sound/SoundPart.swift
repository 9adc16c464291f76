import CutroomModel

/// A segment of an audio track in samples, with everything that shapes it.
struct SoundPart {
  /// The index of the segment in its track.
  var segment: Int
  /// The index of the source.
  var source: Int
  /// The first sample on the timeline, transitions included.
  var start: Int64
  /// The first sample after it.
  var end: Int64
  /// What to add to a position on the timeline to get one of the reader.
  var offset: Int64
  /// How its source is played.
  var play: Play
  /// How loud it is.
  var level: Level
  /// What its channels are made of; empty for as they are.
  var channels: [ChannelSetting]
  /// Filters on its clip, which are fed with the clip's sound on the timeline.
  var filters: [FilterSetting]
  /// Whether its start is a hard cut, not a transition.
  var startsHard = true
  /// Whether its end is a hard cut.
  var endsHard = true

  /// How a source is played.
  struct Play: Hashable {
    /// Source seconds per second of the timeline.
    var speed: Rational = 1
    var isReversed = false
    /// Whether the pitch stays at another speed.
    var keepsPitch = false
  }

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
    let crossFades = crossFades(of: track, sample)
    return track.segments.indices.compactMap { index in
      let segment = track.segments[index]
      guard let source = segment.source, segment.playback != .frozen else { return nil }
      let play = Play(
        speed: segment.speed, isReversed: segment.playback == .reversed,
        keepsPitch: segment.speed != .one && segment.sound.pitch == .keep)
      var part = SoundPart(
        segment: index, source: source, start: sample(segment.start), end: sample(segment.end),
        offset: 0, play: play, level: level(segment, track, rate),
        channels: segment.sound.channels, filters: segment.sound.filters)
      part.level.fades = ownFades(segment, sample)
      if let transition = incoming[index] {
        part.start = sample(transition.start)
        part.startsHard = false
      }
      if let transition = outgoing[index] {
        part.end = sample(transition.end)
        part.endsHard = false
      }
      part.level.fades += crossFades[index] ?? []
      part.offset = offset(segment, part, rate)
      return part.start < part.end ? part : nil
    }
  }

  /// The gains and the pan of a segment; a clip's keyframes count in clip time, a track's from the
  /// timeline's start.
  private static func level(
    _ segment: TimelineSegment, _ track: TimelineTrack, _ rate: Int
  ) -> Level {
    func clipPosition(_ time: Rational) -> Rational {
      let exact = segment.time(ofClipTime: time) * Rational(rate)
      // Of a length that no fraction holds, the start is as good as any.
      return exact.isValid ? exact : Rational((segment.start * Rational(rate)).floor)
    }
    let sound = segment.sound
    var level = Level()
    level.gain = Float((sound.gain.fixed?.factor ?? 1) * (track.gain.fixed?.factor ?? 1))
    level.gains = [
      Automation(sound.gain, position: clipPosition, value: \.factor),
      Automation(track.gain, position: { $0 * Rational(rate) }, value: \.factor),
    ].compactMap(\.self)
    level.pan = Float(sound.pan.fixed?.doubleValue ?? 0)
    level.pans = Automation(sound.pan, position: clipPosition, value: \.doubleValue)
    return level
  }

  /// The fades of transitions by segment: of those beside the cut, and of all parts of their clips
  /// that lie in the span.
  private static func crossFades(
    of track: TimelineTrack, _ sample: (Rational) -> Int64
  ) -> [Int: [Fade]] {
    var fades: [Int: [Fade]] = [:]
    for transition in track.transitions {
      var fade = Fade(
        start: sample(transition.start), end: sample(transition.end), isRising: false,
        curve: transition.sound)
      var index = transition.from
      repeat {
        fades[index, default: []].append(fade)
        index -= 1
      } while index >= 0 && track.segments[index].end > transition.start
      fade.isRising = true
      index = transition.to
      repeat {
        fades[index, default: []].append(fade)
        index += 1
      } while index < track.segments.count && track.segments[index].start < transition.end
    }
    return fades
  }

  /// The clip's own fades, as far as they touch the segment.
  private static func ownFades(
    _ segment: TimelineSegment, _ sample: (Rational) -> Int64
  ) -> [Fade] {
    let sound = segment.sound
    var fades: [Fade] = []
    if sound.fadeIn > .zero, sound.fadeIn > segment.clipRange.lowerBound {
      fades.append(
        Fade(
          start: sample(segment.time(ofClipTime: .zero)),
          end: sample(segment.time(ofClipTime: sound.fadeIn)), isRising: true, curve: sound.curve))
    }
    let fadeOut = segment.clipLength - sound.fadeOut
    if sound.fadeOut > .zero, fadeOut < segment.clipRange.upperBound {
      fades.append(
        Fade(
          start: sample(segment.time(ofClipTime: fadeOut)),
          end: sample(segment.time(ofClipTime: segment.clipLength)), isRising: false,
          curve: sound.curve))
    }
    return fades
  }

  /// From positions on the timeline to positions of a reader at the part's speed, which are source
  /// times divided by the speed; of a reversed source they count down from 0.
  private static func offset(
    _ segment: TimelineSegment, _ part: SoundPart, _ rate: Int
  ) -> Int64 {
    // A reader that keeps the pitch counts on the timeline.
    if part.play.keepsPitch { return 0 }
    let begin = part.play.isReversed ? -segment.sourceEnd : segment.sourceStart
    return Int64(clamping: ((begin / segment.speed - segment.start) * Rational(rate)).rounded)
  }
}
