/// A track of a composition: segments without gap or overlap, the first of which starts at 0.
///
/// A value: `var` is what can be edited, a copy is a snapshot, and undoing is keeping one. An edit
/// that is refused throws an ``EditError`` and leaves the track as it was.
///
///     var track = CompositionTrack(id: 1, kind: .video)
///     try track.insert(0..<4, of: a)              // | A       |
///     try track.insert(1..<3, of: c, at: 2)       // | A  | C  | A  |
///     try track.remove(3..<5)                     // | A  |C|A |
///
/// Positions are exact seconds (``Rational``); the same operations take ``MediaTime``s.
public struct CompositionTrack: Hashable, Sendable, Identifiable {
  /// What a track carries.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case video, audio, subtitle
  }

  /// Its number in the composition.
  public let id: TrackID
  /// What it carries.
  public let kind: Kind
  /// A name for people, and for edits of a document.
  public var name: String?
  /// Whether it takes part.
  public var isEnabled = true
  /// Its language, as ISO 639-2/T.
  public var language: String?
  /// Its language, as BCP 47.
  public var extendedLanguage: String?
  /// How its pictures lie on the canvas where nothing else says it.
  ///
  /// Inserting does not set it: of several sources with different ones, none is right.
  public var preferredTransform = PictureTransform.identity
  /// The factor on its sound where nothing else says it, 0 or more.
  public var preferredVolume: Rational = 1
  /// The segments in order; the first starts at 0, each next where the one before ends.
  public internal(set) var segments: [TrackSegment] = []
  /// The timescale that was set; see ``naturalTimescale``.
  var givenTimescale: Int32?

  /// Creates an empty track.
  public init(id: TrackID, kind: Kind, name: String? = nil) {
    self.id = id
    self.kind = kind
    self.name = name
  }

  // MARK: Queries

  /// The end of the last segment.
  public var duration: Rational { segments.last?.range.upperBound ?? .zero }

  /// The timescale for its times: the first source's, 600 where there is none.
  ///
  /// Setting it overrides that; 0 and less takes the override back.
  public var naturalTimescale: Int32 {
    get { givenTimescale ?? segments.lazy.compactMap { $0.source?.timescale }.first ?? 600 }
    set { givenTimescale = newValue > 0 ? newValue : nil }
  }

  /// The display size of the first pictures; `nil` where nothing shows any.
  public var naturalSize: PixelSize? {
    segments.lazy.compactMap { $0.source?.naturalSize }.first
  }

  /// The index of the segment that holds `time`; `nil` outside of the track.
  ///
  /// A binary search.
  public func segmentIndex(at time: Rational) -> Int? {
    guard time.isValid, time >= .zero, time < duration else { return nil }
    return firstIndex(endingAfter: time)
  }

  /// The segment that holds `time`, else the nearest one; `nil` for an empty track.
  public func segment(at time: Rational) -> TrackSegment? {
    guard let last = segments.last, time.isValid else { return nil }
    return time < duration ? segments[firstIndex(endingAfter: max(time, .zero))] : last
  }

  /// The segments that share any time with `range`.
  public func segments(in range: Range<Rational>) -> ArraySlice<TrackSegment> {
    guard range.isNumeric, !range.isEmpty, range.upperBound > .zero else { return [] }
    let first = firstIndex(endingAfter: max(range.lowerBound, .zero))
    let end = firstIndex(startingFrom: range.upperBound)
    return segments[first..<max(first, end)]
  }

  /// What is shown at `time`: the source and the time in it; `nil` where there is nothing.
  public func content(at time: Rational) -> (source: SourceTrack, time: Rational)? {
    guard let index = segmentIndex(at: time), let source = segments[index].source,
      let sourceTime = segments[index].sourceTime(at: time)
    else { return nil }
    return (source, sourceTime)
  }

  /// The first segment that ends after `time`; the count where none does.
  func firstIndex(endingAfter time: Rational) -> Int {
    firstIndex { $0.range.upperBound > time }
  }

  /// The first segment that starts at `time` or later; the count where none does.
  func firstIndex(startingFrom time: Rational) -> Int {
    firstIndex { $0.range.lowerBound >= time }
  }

  private func firstIndex(where isBehind: (TrackSegment) -> Bool) -> Int {
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(segments[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  // MARK: The normal form

  /// The same track with as few segments as show the same.
  ///
  /// Neighbouring empty segments become one, and so do parts of one source that go on in time at
  /// the same speed and with the same settings; empty segments at the end fall away. Two tracks
  /// show the same exactly if their normal forms are equal.
  ///
  /// | A | A     |   |   | B |   |  →  | A         |       | B |
  public func normalized() -> CompositionTrack {
    var result = self
    var count: Int
    // Near the end of 128 bits three parts may have a sum where the first two have none.
    repeat {
      count = result.segments.count
      result.segments = Self.joined(result.segments)
    } while result.segments.count < count
    if result.segments.last?.isEmpty == true { result.segments.removeLast() }
    return result
  }

  private static func joined(_ segments: [TrackSegment]) -> [TrackSegment] {
    var result: [TrackSegment] = []
    result.reserveCapacity(segments.count)
    for segment in segments {
      if let whole = result.last?.joined(with: segment) {
        result[result.count - 1] = whole
      } else {
        result.append(segment)
      }
    }
    return result
  }

  // MARK: Validation

  /// Refuses segments that are no track: which do not follow each other from 0, have no length, or
  /// show what their source does not have.
  ///
  /// Throws the error of the first one that is wrong. No segments are an empty track.
  public static func validate(_ segments: [TrackSegment], kind: Kind) throws(EditError) {
    var end = Rational.zero
    for (index, segment) in segments.enumerated() {
      guard segment.range.lowerBound == end else {
        throw .notContiguous(segment: index, start: segment.range.lowerBound, expected: end)
      }
      try segment.check(index)
      if let source = segment.source, source.kind != kind {
        throw .wrongKind(asked: source.kind, track: kind)
      }
      end = segment.range.upperBound
    }
  }

  /// Puts other segments in the place of all; they must pass ``validate(_:kind:)``.
  public mutating func replaceSegments(with segments: [TrackSegment]) throws(EditError) {
    try Self.validate(segments, kind: kind)
    self.segments = segments
  }
}
