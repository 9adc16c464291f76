/// The number that names a track of a composition for as long as the composition lives.
///
/// The number of a removed track is never given to another one.
public struct TrackID: RawRepresentable, Hashable, Sendable, Comparable {
  /// The number; 1 and more for tracks.
  public let rawValue: Int32

  /// Creates an id from its number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The id of no track: where one is asked for, it means "any that is free".
  public static let invalid = TrackID(rawValue: 0)

  /// Orders by the numbers.
  public static func < (a: TrackID, b: TrackID) -> Bool { a.rawValue < b.rawValue }
}

extension TrackID: ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// Creates an id from its number.
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }

  /// The number.
  public var description: String { "\(rawValue)" }
}
