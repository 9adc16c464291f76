/// A stretch of a source on a track.
public struct Clip: Hashable, Sendable {
  /// How the pitch of sound goes with its speed.
  public enum Pitch: String, Hashable, Sendable, CaseIterable {
    /// It stays.
    case keep
    /// It rises with the speed, as of a tape.
    case shift
  }

  /// What a range beyond the source's end shows.
  public enum Fill: String, Hashable, Sendable, CaseIterable {
    /// Nothing: such a range is a mistake.
    case error
    /// The last picture; the sound is silence.
    case freeze
    /// The background, and silence.
    case black
    /// The whole source again.
    case loop
  }

  /// An id of `sources`, else a path.
  public var source: String
  /// Start of the source range.
  public var `in`: TimeExpression?
  /// End of the source range, which is not part of it.
  public var out: TimeExpression?
  /// Length of the source range.
  public var duration: TimeExpression?
  /// Place on the timeline.
  public var at: TimeExpression?
  /// How much faster than recorded it plays, above 0.
  public var speed: Rational = 1
  /// The length on the timeline to which the range is stretched or squeezed, instead of a speed.
  public var fitDuration: TimeExpression?
  /// Whether the range plays backwards, picture and sound.
  public var isReversed = false
  /// The source time whose picture is held for ``duration``; the sound is silence.
  public var freeze: TimeExpression?
  /// How the pitch goes with the speed.
  public var pitch: Pitch = .keep
  /// What a range beyond the source's end shows.
  public var fill: Fill = .error
  /// A name for people and for chapters.
  public var name: String?
  /// Whether it takes part; a disabled clip leaves its place empty.
  public var isEnabled = true
  /// Picture settings; `nil` for `"video": false`.
  public var picture: PictureSettings? = PictureSettings()
  /// Sound settings; `nil` for `"audio": false`.
  public var sound: SoundSettings? = SoundSettings()

  /// The whole of a source.
  public init(source: String) { self.source = source }
}
