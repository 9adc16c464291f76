/// A stretch of a track: a source range, or nothing.
///
/// Where it plays backwards, output time t shows the picture that is presented just before
/// ``sourceTime(at:)``: the source range is open at the end where it starts to play.
///
///     forward    shows the picture whose interval [p, q) holds the source time
///     reversed   shows the picture whose interval (p, q] holds the source time
///     frozen     shows the picture at sourceStart, for as long as it lasts
///
/// So `reverse` of [0s, 1s) at 25 frames a second shows frames 24, 23 … 0: at t = 0 the source time
/// is 1s, and frame 24 is the one presented just before it.
public struct TimelineSegment: Hashable, Sendable {
  /// The index in ``Timeline/sources``; `nil` for an empty segment.
  public var source: Int?
  /// Start of the source range, in source time; the time of the picture of a frozen segment.
  public var sourceStart: Rational
  /// Length of the source range before speed; 0 for a frozen segment.
  public var sourceDuration: Rational
  /// Place on the timeline.
  public var start: Rational
  /// Length on the timeline.
  public var duration: Rational
  /// Source seconds per timeline second: `sourceDuration / duration`, whichever way it plays.
  public var speed: Rational
  /// In which order the source range is shown.
  public var playback: TrackSegment.Playback = .forward
  /// What the clip shows beyond its source's ends, as transitions may need.
  public var fill: Clip.Fill = .error
  /// Which part of the clip this is, in clip time: from 0 to the length the clip was laid out with.
  ///
  /// Fades and keyframes count in clip time. Only edits and what fills up a short source leave a
  /// part of a clip.
  public var clipRange: Range<Rational>
  /// The length of the whole clip.
  public var clipLength: Rational
  /// Picture settings, on a video track; keyframes in seconds.
  public var picture: PictureSettings
  /// Sound settings, on an audio track.
  public var sound: ResolvedSound
  /// A name for people.
  public var name: String?
  /// The JSON pointer of the clip it comes from; of the track for a hole.
  public var pointer: String

  /// End on the timeline; not part of it.
  public var end: Rational { start + duration }
  /// End of the source range.
  public var sourceEnd: Rational { sourceStart + sourceDuration }
  /// Whether nothing lies here.
  public var isEmpty: Bool { source == nil }
  /// Whether samples and pictures come as they are in the source: forwards, at its own speed.
  public var isPlain: Bool { playback == .forward && speed == .one }

  /// Creates a segment that shows a source at its own speed.
  public init(
    source: Int, sourceStart: Rational, start: Rational, duration: Rational,
    picture: PictureSettings = PictureSettings(), sound: ResolvedSound = ResolvedSound(),
    name: String? = nil, pointer: String = ""
  ) {
    self.source = source
    self.sourceStart = sourceStart
    self.sourceDuration = duration
    self.start = start
    self.duration = duration
    self.speed = 1
    self.clipRange = Range(start: .zero, duration: duration) ?? 0..<0
    self.clipLength = duration
    self.picture = picture
    self.sound = sound
    self.name = name
    self.pointer = pointer
  }

  /// Creates an empty segment.
  public init(emptyAt start: Rational, duration: Rational, pointer: String = "") {
    self.source = nil
    self.sourceStart = .zero
    self.sourceDuration = .zero
    self.start = start
    self.duration = duration
    self.speed = 1
    self.clipRange = Range(start: .zero, duration: duration) ?? 0..<0
    self.clipLength = duration
    self.picture = PictureSettings()
    self.sound = ResolvedSound()
    self.name = nil
    self.pointer = pointer
  }

  /// The source time that the segment shows at timeline time `time`; also outside its range,
  /// where transitions use handles.
  ///
  /// In a reversed segment the picture presented just before that time is shown.
  public func sourceTime(at time: Rational) -> Rational {
    switch playback {
    case .forward: sourceStart + (time - start) * speed
    case .reversed: sourceEnd - (time - start) * speed
    case .frozen: sourceStart
    }
  }

  /// The timeline time at which `time` of the clip lies, were this segment as long.
  public func time(ofClipTime time: Rational) -> Rational {
    start + (time - clipRange.lowerBound) * (duration / clipRange.duration)
  }
}

/// How a segment sounds, with every time in seconds.
public struct ResolvedSound: Hashable, Sendable {
  /// The factor on its samples; keyframes in clip time, in seconds.
  public var gain: Animated<Gain>
  /// -1 (left) to 1 (right); keyframes as for ``gain``.
  public var pan: Animated<Rational> = 0
  /// The length of a fade from silence at the clip's start, in clip time.
  public var fadeIn: Rational
  /// The length of a fade to silence at the clip's end, in clip time.
  public var fadeOut: Rational
  /// The shape of both fades.
  public var curve: FadeCurve
  /// How the pitch goes with the speed.
  public var pitch: Clip.Pitch = .keep
  /// libavfilter's filters, in order.
  public var filters: [FilterSetting] = []
  /// What the channels are made of; empty for as they are.
  public var channels: [ChannelSetting] = []

  /// Creates sound settings.
  public init(
    gain: Animated<Gain> = .constant(.unity), fadeIn: Rational = 0, fadeOut: Rational = 0,
    curve: FadeCurve = .linear
  ) {
    self.gain = gain
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.curve = curve
  }

  /// Whether samples pass unchanged, as far as the speed is that of the source.
  public var isIdentity: Bool {
    gain == .constant(.unity) && pan == 0 && fadeIn == .zero && fadeOut == .zero && filters.isEmpty
      && channels.isEmpty
  }
}
