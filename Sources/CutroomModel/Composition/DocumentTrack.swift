/// A track as written.
public struct DocumentTrack: Hashable, Sendable {
  /// What a track carries.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case av, video, audio, subtitle
  }

  /// The id that edits and reports use.
  public var id: String?
  /// What it carries.
  public var kind: Kind = .av
  /// A name for people.
  public var name: String?
  /// An ISO 639-2 or BCP 47 language.
  public var language: String?
  /// Whether it takes part.
  public var isEnabled = true
  /// Whether players show its subtitles unless others are chosen.
  public var isDefault = false
  /// Whether its subtitles are shown whatever is chosen: of signs and of foreign speech.
  public var isForced = false
  /// The factor on all its sound; 1 when absent.
  public var gain: Animated<Gain> = .constant(.unity)
  /// The factor on all its opacity, 0...1.
  public var opacity: Animated<Rational> = 1
  /// Clips, gaps and transitions in order.
  public var items: [TrackItem] = []

  /// An empty track.
  public init() {}
}

/// What lies on a track.
///
/// Its JSON pointer is `/tracks/T/clips/I`.
public enum TrackItem: Hashable, Sendable {
  case clip(Clip)
  case transition(TransitionItem)
  /// Nothing, for a while.
  case gap(TimeExpression, at: TimeExpression?)
}

/// A transition between the clips before and after it.
public struct TransitionItem: Hashable, Sendable {
  /// Where the span lies relative to the cut.
  public enum Alignment: String, Hashable, Sendable, CaseIterable {
    case center, start, end
  }

  /// `dissolve`, or another name of the format.
  public var name: String
  /// The length of the span.
  public var duration: TimeExpression
  /// Where the span lies.
  public var alignment: Alignment = .center
  /// Whether the second clip is pulled to the front instead of using handles.
  public var isOverlapping = false
  /// The shape of the sound's cross-fade.
  public var sound: FadeCurve = .equalPower

  /// Creates a transition.
  public init(name: String, duration: TimeExpression) {
    self.name = name
    self.duration = duration
  }
}
