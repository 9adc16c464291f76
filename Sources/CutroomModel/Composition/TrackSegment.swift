/// A stretch of a composition track: a range of a source, or nothing.
///
///     source   ────┤ sourceRange ├──────────
///                   ╲           ╲
///     track    ──────┤   range   ├──────────
///
/// Both ranges are exact; the rate is their quotient. Splitting divides both at one point each, so
/// that the rate of the parts is the rate of the whole and no sum ever rounds.
public struct TrackSegment: Hashable, Sendable {
  /// In which order the source range is shown.
  public enum Playback: String, Hashable, Sendable, CaseIterable {
    /// From its start to its end.
    case forward
    /// From its end to its start.
    case reversed
    /// One picture, the one at the start of a source range without length.
    case frozen
  }

  // Tracks have thousands of segments, which move with every edit.
  var sharedSource: Shared<SourceTrack>?
  var sharedClip: Shared<ClipPart>?

  /// What is shown; `nil` for an empty segment.
  public internal(set) var source: SourceTrack? {
    get { sharedSource?.value }
    set { sharedSource = newValue.map(Shared.init) }
  }
  /// The stretch of the source; `0..<0` for an empty segment.
  public internal(set) var sourceRange: Range<Rational>
  /// The place on the track.
  public internal(set) var range: Range<Rational>
  /// In which order the source range is shown.
  public internal(set) var playback: Playback
  /// The clip it is a part of, with its settings.
  public var clip: ClipPart? {
    get { sharedClip?.value }
    set { sharedClip = newValue.map(Shared.init) }
  }

  /// Creates a segment that shows `sourceRange` over `range`.
  ///
  /// Whether that is allowed is checked when it is put on a track.
  public init(
    _ source: SourceTrack, _ sourceRange: Range<Rational>, over range: Range<Rational>,
    playback: Playback = .forward, clip: ClipPart? = nil
  ) {
    self.sharedSource = Shared(source)
    self.sharedClip = clip.map(Shared.init)
    self.sourceRange = sourceRange
    self.range = range
    self.playback = playback
  }

  /// Creates an empty segment.
  public init(emptyOver range: Range<Rational>) {
    self.sourceRange = 0..<0
    self.range = range
    self.playback = .forward
  }

  /// Creates a segment from a mapping as AVFoundation has them; an empty one without a source.
  ///
  /// Throws ``EditError/segmentDuration(segment:duration:)``,
  /// ``EditError/sourceStart(segment:start:)`` or ``EditError/sourceDuration(segment:duration:)``
  /// where a time is negative, infinite, indefinite or invalid.
  public init(_ source: SourceTrack?, mapping: TimeMapping) throws(EditError) {
    let (target, from) = (mapping.target, mapping.source)
    guard let range = target.seconds else {
      throw .segmentDuration(segment: 0, duration: target.duration.seconds ?? .invalid)
    }
    guard let source else {
      self.init(emptyOver: range)
      return
    }
    guard let start = from.start.seconds, start >= .zero, from.start.epoch == 0 else {
      throw .sourceStart(segment: 0, start: from.start.seconds ?? .invalid)
    }
    guard let sourceRange = from.seconds else {
      throw .sourceDuration(segment: 0, duration: from.duration.seconds ?? .invalid)
    }
    self.init(source, sourceRange, over: range)
  }

  /// A piece to be inserted: `sourceRange` at its own speed, or stretched to `duration`.
  ///
  /// A frozen piece shows the picture at the range's start.
  public static func media(
    _ source: SourceTrack, _ sourceRange: Range<Rational>, duration: Rational? = nil,
    playback: Playback = .forward, clip: ClipPart? = nil
  ) -> TrackSegment {
    let start = sourceRange.lowerBound
    let length = duration ?? sourceRange.duration
    return TrackSegment(
      source, playback == .frozen ? start..<start : sourceRange,
      over: Range(start: .zero, duration: length) ?? 0..<0, playback: playback, clip: clip)
  }

  /// A piece to be inserted: nothing, for `duration` seconds.
  public static func empty(_ duration: Rational) -> TrackSegment {
    TrackSegment(emptyOver: Range(start: .zero, duration: duration) ?? 0..<0)
  }

  /// Whether nothing is shown.
  public var isEmpty: Bool { sharedSource == nil }
  /// The length on the track.
  public var duration: Rational { range.duration }

  /// Source seconds per second of the track: 0 for a frozen picture, `nil` for an empty segment.
  public var rate: Rational? {
    if isEmpty { return nil }
    return playback == .frozen ? .zero : sourceRange.duration / range.duration
  }

  /// The mapping with 64-bit values; `nil` where these do not hold it exactly, and for a reversed
  /// segment, which mappings cannot express.
  public var mapping: TimeMapping? {
    guard playback != .reversed, let target = range.timeRange else { return nil }
    guard !isEmpty else { return TimeMapping(emptyAt: target) }
    return sourceRange.timeRange.map { TimeMapping(source: $0, target: target) }
  }

  /// The source time that is shown at `time` of the track; `nil` for an empty segment.
  ///
  /// Also outside of the segment, as transitions need it.
  public func sourceTime(at time: Rational) -> Rational? {
    guard let rate else { return nil }
    let distance = (time - range.lowerBound) * rate
    return playback == .reversed
      ? sourceRange.upperBound - distance : sourceRange.lowerBound + distance
  }
}

/// What a segment has from the clip it is a part of: the settings, and which part it is.
public struct ClipPart: Hashable, Sendable {
  /// A name for people and for chapters.
  public var name: String?
  /// How its picture is placed.
  public var picture: PictureSettings
  /// How it sounds.
  public var sound: ResolvedSound
  /// What it shows beyond its source's ends.
  public var fill: Clip.Fill = .error
  /// The JSON pointer of the clip.
  public var pointer: String
  /// Which part of the clip, in clip time: from 0 to the length the clip had when it was laid out.
  ///
  /// Fades and keyframes count in clip time. Splitting divides it like the source range, and scaling
  /// keeps it, so that they stay at the pictures and sounds they were set for.
  public internal(set) var range: Range<Rational>
  /// The length of the whole clip.
  public let length: Rational

  /// Creates the whole of a clip that lasts `length`.
  public init(
    name: String? = nil, picture: PictureSettings = PictureSettings(),
    sound: ResolvedSound = ResolvedSound(), pointer: String = "", length: Rational
  ) {
    self.name = name
    self.picture = picture
    self.sound = sound
    self.pointer = pointer
    self.length = length
    self.range = Range(start: .zero, duration: length) ?? 0..<0
  }

  /// Whether `other` is the part of the same clip that follows.
  func isFollowed(by other: ClipPart) -> Bool {
    var joined = other
    joined.range = range
    return joined == self && range.upperBound == other.range.lowerBound
  }
}
