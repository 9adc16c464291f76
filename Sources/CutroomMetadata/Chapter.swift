public import CutroomModel

/// The start and the title of a chapter.
public struct MetadataChapter: Hashable, Sendable {
  /// Where the chapter begins.
  public var start: Rational
  /// Its title.
  public var title: String

  /// Creates a chapter.
  public init(start: Rational, title: String) {
    self.start = start
    self.title = title
  }

  init(start ticks: UInt64, per second: Int, title: String) {
    self.init(start: Rational(ticks, second), title: title)
  }

  /// The start in whole units of `1 / scale`, rounded down; at least 0.
  package func ticks(per scale: Int64) -> Int64 {
    Int64(clamping: max(0, (start * Rational(scale)).floor))
  }
}
