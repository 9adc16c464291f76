/// A constant number of frames per second, as an exact positive fraction.
public struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  /// Frames per second.
  public let framesPerSecond: Rational

  /// Creates a rate; `nil` unless it is a positive number of at most 1,000,000 frames per second
  /// whose parts fit 31 bits, as containers store them.
  public init?(_ framesPerSecond: Rational) {
    guard framesPerSecond.isValid, framesPerSecond > .zero,
      framesPerSecond <= Rational(1_000_000),
      framesPerSecond.numerator <= Int128(Int32.max),
      framesPerSecond.denominator <= Int128(Int32.max)
    else { return nil }
    self.framesPerSecond = framesPerSecond
  }

  /// The duration of one frame in seconds.
  public var frameDuration: Rational { Rational.one / framesPerSecond }

  /// The number of the frame that is shown at `time` seconds: the interval [n·d, (n+1)·d) holds it.
  public func frame(at time: Rational) -> Int64 {
    Int64(clamping: (time * framesPerSecond).floor)
  }

  /// The number of the first frame that starts at or after `time` seconds.
  public func firstFrame(from time: Rational) -> Int64 {
    Int64(clamping: (time * framesPerSecond).ceiling)
  }

  /// The start of frame `number` in seconds.
  public func time(ofFrame number: Int64) -> Rational {
    Rational(number) / framesPerSecond
  }

  /// The whole number of frames that timecode counts in a second: 30 for 30000/1001.
  public var nominal: Int64 { Int64(clamping: framesPerSecond.ceiling) }

  /// `numerator/denominator`.
  public var description: String { framesPerSecond.description }
}
