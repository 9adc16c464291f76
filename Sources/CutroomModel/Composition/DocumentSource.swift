/// A source with the id that clips use.
public struct NamedSource: Hashable, Sendable {
  /// The key in `sources`.
  public var id: String
  /// What it is.
  public var source: SourceDescription

  /// Creates a named source.
  public init(id: String, source: SourceDescription) {
    self.id = id
    self.source = source
  }
}

/// Where pictures and sound come from.
public enum SourceDescription: Hashable, Sendable {
  /// A media file or still; the path as written.
  case file(path: String, video: StreamChoice?, audio: StreamChoice?)
  /// A picture of one colour without an end.
  case color(Color)
  /// A libavfilter source such as `smptehdbars` or `sine=frequency=1000`.
  case generator(GeneratorSource)
  /// Lettering without an end.
  case text(TextSource)
  /// Another composition file.
  case composition(path: String)
}

/// One stream of several of a kind.
public enum StreamChoice: Hashable, Sendable {
  /// The index among the streams of its kind.
  case index(Int)
  /// The first stream with this language.
  case language(String)
}

/// A libavfilter source filter.
public struct GeneratorSource: Hashable, Sendable {
  /// The filter and its options as written: `name=option=value:option=value`.
  public var filter: String
  /// The picture's size; `nil` for sound.
  public var size: PixelSize?
  /// The picture's rate.
  public var frameRate: FrameRate?
  /// How long it lasts; `nil` for no end.
  public var duration: TimeExpression?

  /// Creates a generator.
  public init(
    filter: String, size: PixelSize? = nil, frameRate: FrameRate? = nil,
    duration: TimeExpression? = nil
  ) {
    self.filter = filter
    self.size = size
    self.frameRate = frameRate
    self.duration = duration
  }
}

/// Lettering, shaped and drawn by libass.
public struct TextSource: Hashable, Sendable {
  /// How lines lie to each other.
  public enum Alignment: String, Hashable, Sendable, CaseIterable {
    case left, center, right
  }

  /// The text; newlines start new lines.
  public var text: String
  /// The font's family name.
  public var font: String = "DejaVu Sans"
  /// The font size in timeline pixels.
  public var size: Rational = 48
  /// The letters' colour.
  public var color: Color = .white
  /// How lines lie to each other.
  public var align: Alignment = .center
  /// The colour of a box behind the letters.
  public var box: Color?
  /// The colour of a line around the letters.
  public var outline: Color?
  /// How wide that line is, in timeline pixels; `nil` for a sixteenth of the size.
  public var outlineWidth: Rational?

  /// Creates lettering with the default look.
  public init(text: String) { self.text = text }
}
