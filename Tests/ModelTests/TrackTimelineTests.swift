import CutroomModel
import Testing

/// Tracks of a timeline as tracks of a composition, and back.
struct TrackTimelineTests {
  private static let sources = [
    TimelineSource(id: "a", content: .file(path: "a.mov", video: nil, audio: nil)),
    TimelineSource(id: "blue", content: .color(.black)),
  ]

  private static func track(fadeIn: Rational = 0, fadeOut: Rational = 0) -> TimelineTrack {
    var fast = TimelineSegment(
      source: 0, sourceStart: 2, start: 0, duration: 4,
      sound: ResolvedSound(fadeIn: fadeIn, fadeOut: fadeOut), name: "shot",
      pointer: "/tracks/0/clips/0")
    fast.sourceDuration = 8
    fast.speed = 2
    return TimelineTrack(
      id: "main.audio", kind: .audio,
      segments: [
        fast, TimelineSegment(emptyAt: 4, duration: 1),
        TimelineSegment(source: 1, sourceStart: 0, start: 5, duration: 2),
      ], language: "eng")
  }

  private static func extent(_ source: Int) -> Range<Rational>? { source == 0 ? 0..<20 : nil }

  private static func composed(_ track: TimelineTrack) throws -> CompositionTrack {
    try CompositionTrack(track, id: 3, sources: sources, extent: extent)
  }

  @Test func goesBothWays() throws {
    let original = Self.track(fadeIn: 1, fadeOut: 1)
    let track = try Self.composed(original)
    #expect(track.id == 3 && track.kind == .audio && track.name == "main.audio")
    #expect(track.language == "eng" && track.duration == 7)
    expectTrack(track, [.media("a", 2..<10, over: 4), .empty(1), .media("blue", 0..<2)])
    #expect(try track.timelineSegments(sources: Self.sources) == original.segments)
  }

  @Test func fadesStayWithTheirPart() throws {
    var track = try Self.composed(Self.track(fadeIn: 1, fadeOut: 1))
    try track.insertEmpty(2..<3)
    try track.scale(3..<5, to: 4)
    let parts = try track.timelineSegments(sources: Self.sources).filter { $0.source == 0 }
    #expect(parts.map(\.clipRange) == [0..<2, 2..<4])
    #expect(
      parts.allSatisfy { $0.clipLength == 4 && $0.sound == ResolvedSound(fadeIn: 1, fadeOut: 1) })
    // The fade out of clip time [3, 4) lies in the second part, which lasts twice as long.
    #expect(parts[1].time(ofClipTime: 3) == 5)
    #expect(parts.map(\.speed) == [2, 1] && parts.map(\.sourceStart) == [2, 6])
    #expect(parts.map(\.pointer) == ["/tracks/0/clips/0", "/tracks/0/clips/0"])
  }

  @Test func keepsTheDirection() throws {
    var track = CompositionTrack(id: 1, kind: .video)
    try track.insert([
      .media(Sources.a, 0..<2, playback: .reversed),
      .media(Sources.a, 1..<1, duration: 3, playback: .frozen),
    ])
    let segments = try track.timelineSegments(sources: Self.sources)
    #expect(segments.map(\.playback) == [.reversed, .frozen])
    #expect(segments.map(\.speed) == [1, 0])
    // Half open at the end that it starts from: the picture just before 2 s comes first.
    #expect(segments[0].sourceTime(at: 0) == 2 && segments[0].sourceTime(at: 2) == 0)
    #expect(segments[1].sourceTime(at: 4) == 1)
  }

  @Test func saysWhatATimelineCannotHold() throws {
    let track = try Self.composed(Self.track(fadeIn: 3))
    #expect(throws: EditError.unknownSource("a")) { try track.timelineSegments(sources: []) }
    var wrong = Self.track()
    wrong.segments[0].sourceDuration = 30
    #expect(throws: EditError.outsideSource(id: "a", asked: 2..<32, available: 0..<20)) {
      try Self.composed(wrong)
    }
    wrong.segments[0].duration = -1
    #expect(throws: EditError.segmentDuration(segment: 0, duration: -1)) {
      try Self.composed(wrong)
    }
  }
}
