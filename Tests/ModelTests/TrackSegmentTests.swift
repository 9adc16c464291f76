import CutroomModel
import Testing

/// What is a list of segments, and what a segment knows.
struct TrackSegmentTests {
  private static func a(
    _ source: Range<Rational>, _ range: Range<Rational>,
    _ playback: TrackSegment.Playback = .forward
  ) -> TrackSegment {
    TrackSegment(Sources.a, source, over: range, playback: playback)
  }

  struct Segments: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var segments: [TrackSegment]
    var error: EditError?
    var number: Int?

    init(
      _ name: String, _ segments: [TrackSegment], _ error: EditError? = nil, _ number: Int? = nil
    ) {
      testDescription = name
      self.segments = segments
      self.error = error
      self.number = number
    }
  }

  static let tables = [
    Segments("in a row", [a(0..<4, 0..<4), a(5..<11, 4..<10)]),
    Segments("none", []),
    Segments("an explicit gap", [a(0..<4, 0..<4), .init(emptyOver: 4..<5), a(5..<10, 5..<10)]),
    Segments(
      "not from 0", [a(0..<3, 1..<4)], .notContiguous(segment: 0, start: 1, expected: 0), -11824),
    Segments(
      "a gap", [a(0..<4, 0..<4), a(5..<10, 5..<10)],
      .notContiguous(segment: 1, start: 5, expected: 4), -11824),
    Segments(
      "an overlap", [a(0..<4, 0..<4), a(5..<12, 3..<10)],
      .notContiguous(segment: 1, start: 3, expected: 4), -11824),
    Segments(
      "no source duration", [a(0..<0, 0..<4)], .sourceDuration(segment: 0, duration: 0), -11827),
    Segments(
      "a source start before 0", [a(-1..<3, 0..<4)], .sourceStart(segment: 0, start: -1), -11826),
    Segments(
      "a source end that is no number", [a(1..<Rational.invalid, 0..<4)],
      .sourceDuration(segment: 0, duration: .invalid), -11827),
    Segments(
      "no duration", [a(0..<4, 0..<0)], .segmentDuration(segment: 0, duration: 0), -11825),
    Segments(
      "an endless duration", [a(0..<4, 0..<Rational.invalid)],
      .segmentDuration(segment: 0, duration: .invalid), -11825),
    Segments(
      "beyond the source", [a(18..<22, 0..<4)],
      .outsideSource(id: "a", asked: 18..<22, available: 0..<20), -11827),
    Segments("a frozen picture", [a(3..<3, 0..<4, .frozen)]),
    Segments(
      "a frozen picture beyond the source", [a(20..<20, 0..<4, .frozen)],
      .outsideSource(id: "a", asked: 20..<20, available: 0..<20), -11827),
    Segments(
      "a frozen stretch", [a(3..<4, 0..<4, .frozen)], .sourceDuration(segment: 0, duration: 1),
      -11827),
    Segments("backwards", [a(3..<4, 0..<4, .reversed)]),
    Segments(
      "another kind", [TrackSegment(Sources.sound, 0..<4, over: 0..<4)],
      .wrongKind(asked: .audio, track: .video)),
  ]

  @Test(arguments: tables)
  func checksSegments(row: Segments) throws {
    var track = try startTrack()
    guard let expected = row.error else {
      try track.replaceSegments(with: row.segments)
      #expect(track.segments == row.segments)
      return
    }
    let error = refusal(of: &track) { (track) throws(EditError) in
      try track.replaceSegments(with: row.segments)
    }
    #expect(error == expected)
    #expect(error?.avFoundationNumber == row.number)
  }

  struct Mapping: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var source: TimeRange
    var target: TimeRange
    var number: Int?
  }

  private static func range(_ start: MediaTime, _ duration: MediaTime) -> TimeRange {
    TimeRange(start: start, duration: duration)
  }
  private static let one = MediaTime(value: 1, timescale: 1)
  private static let minusOne = MediaTime(value: -1, timescale: 1)
  private static let later = MediaTime(value: 1, timescale: 1, epoch: 1)

  static let mappings = [
    Mapping(testDescription: "plain", source: range(one, one), target: range(.zero, one)),
    Mapping(
      testDescription: "negative duration", source: range(one, one), target: range(.zero, minusOne),
      number: -11825),
    Mapping(
      testDescription: "infinite duration", source: range(one, one),
      target: range(.zero, .positiveInfinity), number: -11825),
    Mapping(
      testDescription: "duration below every number", source: range(one, one),
      target: range(.zero, .negativeInfinity), number: -11825),
    Mapping(
      testDescription: "indefinite start", source: range(.indefinite, one),
      target: range(.zero, one), number: -11826),
    Mapping(
      testDescription: "invalid start", source: range(.invalid, one), target: range(.zero, one),
      number: -11826),
    Mapping(
      testDescription: "negative start", source: range(minusOne, one), target: range(.zero, one),
      number: -11826),
    Mapping(
      testDescription: "another epoch", source: range(later, one), target: range(.zero, one),
      number: -11826),
    Mapping(
      testDescription: "infinite source", source: range(one, .positiveInfinity),
      target: range(.zero, one), number: -11827),
  ]

  @Test(arguments: mappings)
  func takesMappings(row: Mapping) throws {
    let mapping = TimeMapping(source: row.source, target: row.target)
    do throws(EditError) {
      let segment = try TrackSegment(Sources.a, mapping: mapping)
      #expect(row.number == nil && segment.mapping == mapping)
    } catch {
      #expect(error.avFoundationNumber == row.number)
    }
  }

  @Test func anEmptyMappingNeedsNoSource() throws {
    let mapping = TimeMapping(emptyAt: Self.range(Self.one, Self.one))
    let segment = try TrackSegment(nil, mapping: mapping)
    #expect(segment.isEmpty && segment.range == 1..<2 && segment.mapping?.isEmpty == true)
    #expect(segment.rate == nil && segment.sourceTime(at: 1) == nil)
  }

  @Test func showsItsSourceInItsDirection() {
    let forward = Self.a(10..<14, 2..<4)
    #expect(forward.rate == 2 && forward.sourceTime(at: 3) == 12)
    #expect(forward.sourceTime(at: 5) == 16)
    let reversed = Self.a(10..<14, 2..<4, .reversed)
    #expect(reversed.sourceTime(at: 2) == 14 && reversed.sourceTime(at: Rational(7, 2)) == 11)
    #expect(reversed.mapping == nil)
    let frozen = Self.a(10..<10, 2..<4, .frozen)
    #expect(frozen.rate == 0 && frozen.sourceTime(at: 3) == 10)
  }

  @Test(arguments: TrackSegment.Playback.allCases)
  func cutsKeepWhatIsShown(playback: TrackSegment.Playback) throws {
    let clip = ClipPart(name: "shot", length: 6)
    let piece = TrackSegment.media(
      Sources.a, 2..<8, duration: 3, playback: playback, clip: clip)
    var track = CompositionTrack(id: 1, kind: .video)
    try track.insert([piece])
    let whole = track
    try track.insertEmpty(1..<2)
    #expect(track.segments.count == 3)
    for (time, moved) in [(0, 0), (1, 2), (2, 3)] as [(Rational, Rational)] {
      #expect(track.content(at: moved)?.time == whole.content(at: time)?.time)
    }
    #expect(track.segments[0].clip?.range == 0..<2 && track.segments[2].clip?.range == 2..<6)
    try track.remove(1..<2)
    #expect(track != whole && track.normalized() == whole.normalized())
  }

  @Test func joinsOnlyWhatGoesOn() throws {
    let (half, third) = (Rational(1, 2), Rational(1, 3))
    var track = CompositionTrack(id: 1, kind: .video)
    try track.replaceSegments(with: [
      Self.a(0..<1, 0..<1), Self.a(1..<2, 1..<2), Self.a(2..<3, 2..<(2 + half)),
      Self.a(3..<4, (2 + half)..<3), Self.a(5..<6, 3..<4), .init(emptyOver: 4..<(4 + third)),
      .init(emptyOver: (4 + third)..<5), Self.a(8..<9, 5..<6, .reversed),
      Self.a(7..<8, 6..<7, .reversed), .init(emptyOver: 7..<8),
    ])
    expectTrack(
      track.normalized(),
      [
        .media("a", 0..<2), .media("a", 2..<4, over: 1), .media("a", 5..<6), .empty(1),
        .media("a", 7..<9),
      ])
    #expect(track.normalized() == track.normalized().normalized())
    #expect(track.normalized().content(at: 6)?.time == track.content(at: 6)?.time)
  }

  @Test func partsOfClipsWithOtherSettingsStayApart() throws {
    var (one, two) = (ClipPart(name: "one", length: 1), ClipPart(name: "two", length: 1))
    var track = CompositionTrack(id: 1, kind: .video)
    try track.insert([
      .media(Sources.a, 0..<1, clip: one), .media(Sources.a, 1..<2, clip: two),
    ])
    #expect(track.normalized().segments.count == 2)
    one.name = "same"
    two.name = "same"
    try track.replaceSegments(with: [])
    try track.insert([
      .media(Sources.a, 0..<1, clip: one), .media(Sources.a, 1..<2, clip: two),
    ])
    #expect(track.normalized().segments.count == 2, "both are the start of a clip")
  }
}
