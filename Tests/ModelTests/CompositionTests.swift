import CutroomModel
import Testing

/// Edits of all tracks at once.
struct CompositionTests {
  private static let film = [
    SourceTrack(
      "film", track: 0, kind: .video, extent: 0..<10, naturalSize: PixelSize(width: 64, height: 36),
      timescale: 30000),
    SourceTrack("film", track: 1, kind: .audio, extent: 0..<8),
  ]

  /// A picture track with a[0,4), and a sound track with s[0,6).
  private static func start() throws -> (Composition, picture: TrackID, sound: TrackID) {
    var composition = Composition()
    let picture = composition.addTrack(.video)
    let sound = composition.addTrack(.audio)
    try composition.insert(0..<4, of: Sources.a, into: picture)
    try composition.insert(0..<6, of: Sources.sound, into: sound)
    return (composition, picture, sound)
  }

  private static func expect(
    _ composition: Composition, _ tracks: [[ExpectedSegment]],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(composition.tracks.count == tracks.count, sourceLocation: sourceLocation)
    for (track, expected) in zip(composition.tracks, tracks) {
      expectTrack(track, expected, sourceLocation: sourceLocation)
    }
  }

  // MARK: Tracks

  @Test func idsAreNeverUsedAgain() throws {
    var composition = Composition()
    #expect(composition.addTrack(.video) == 1)
    #expect(composition.addTrack(.audio, preferring: 7) == 7)
    #expect(composition.addTrack(.audio, preferring: 2) == 2)
    #expect(composition.addTrack(.audio, preferring: 7) == 3)
    try composition.removeTrack(7)
    #expect(composition.addTrack(.audio, preferring: 7) == 4)
    #expect(composition.addTrack(.audio, preferring: TrackID(rawValue: .max)).rawValue == .max)
    #expect(composition.addTrack(.audio, preferring: TrackID(rawValue: -3)) == 5)
    #expect(composition.addTrack(.audio) == 6 && composition.addTrack(.audio) == 8)
    let error = refusal(of: &composition) { (value) throws(EditError) in
      try value.removeTrack(7)
    }
    #expect(error == .unknownTrack(7))
  }

  @Test func tracksHaveTheirDefaults() throws {
    var track = CompositionTrack(id: 1, kind: .video)
    #expect(track.isEnabled && track.preferredVolume == 1 && track.naturalTimescale == 600)
    #expect(track.preferredTransform == .identity && track.language == nil)
    try track.insert(0..<2, of: Self.film[0], at: 3)
    #expect(track.naturalTimescale == 30000)
    track.naturalTimescale = 90000
    #expect(track.naturalTimescale == 90000)
    track.naturalTimescale = 0
    #expect(track.naturalTimescale == 30000)
  }

  @Test func theNaturalSizeIsTheFirstPictureTracks() throws {
    var (composition, picture, _) = try Self.start()
    #expect(composition.naturalSize == nil)
    try composition.insert(0..<2, of: Self.film[0], into: picture)
    #expect(composition.naturalSize == PixelSize(width: 64, height: 36))
    composition.naturalSize = PixelSize(width: 10, height: 10)
    #expect(composition.naturalSize == PixelSize(width: 10, height: 10))
    composition.naturalSize = nil
    #expect(composition.naturalSize == PixelSize(width: 64, height: 36))
  }

  @Test func severalStepsOnATrackAreAllOrNone() throws {
    var (composition, picture, sound) = try Self.start()
    try composition.update(picture) { (track) throws(EditError) in
      try track.remove(0..<1)
      try track.scale(0..<1, to: 2)
      track.language = "deu"
    }
    expectTrack(composition.tracks[0], [.media("a", 1..<2, over: 2), .media("a", 2..<4)])
    let error = refusal(of: &composition) { (value) throws(EditError) in
      try value.update(picture) { (track) throws(EditError) in
        try track.remove(0..<1)
        try track.insert(0..<99, of: Sources.a)
      }
    }
    #expect(error == .outsideSource(id: "a", asked: 0..<99, available: 0..<20))
    let stolen = refusal(of: &composition) { (value) throws(EditError) in
      let other = CompositionTrack(id: sound, kind: .video)
      try value.update(picture) { (track) throws(EditError) in track = other }
    }
    #expect(stolen == .unknownTrack(sound))
  }

  @Test func tracksMoveInTheOrderOfDrawing() throws {
    var (composition, picture, sound) = try Self.start()
    let top = composition.addTrack(.video, name: "titles")
    try composition.moveTrack(top, to: 0)
    #expect(composition.tracks.map(\.id) == [top, picture, sound])
    try composition.moveTrack(top, to: 99)
    #expect(composition.tracks.map(\.id) == [picture, sound, top])
    #expect(composition.track(named: "titles")?.id == top)
  }

  // MARK: All tracks

  @Test func insertingASourceMakesTheTracksItNeeds() throws {
    var composition = Composition()
    let picture = composition.addTrack(.video)
    try composition.insert(0..<4, of: Sources.a, into: picture)
    try composition.insert(0..<3, of: Self.film, at: 2)
    Self.expect(
      composition,
      [
        [.media("a", 0..<2), .media("film", 0..<3), .media("a", 2..<4)],
        [.empty(2), .media("film", 0..<3)],
      ])
    #expect(composition.duration == 7)
  }

  @Test func insertingShiftsTracksThatGetNothing() throws {
    var (composition, _, _) = try Self.start()
    composition.addTrack(.audio)
    let titles = composition.addTrack(.subtitle)
    try composition.insert(
      0..<5, of: SourceTrack("t", kind: .subtitle, extent: 0..<9), into: titles)
    try composition.insert(0..<3, of: Self.film, at: 2)
    Self.expect(
      composition,
      [
        [.media("a", 0..<2), .media("film", 0..<3), .media("a", 2..<4)],
        [.media("s", 0..<2), .media("film", 0..<3), .media("s", 2..<6)], [],
        [.media("t", 0..<2), .empty(3), .media("t", 2..<5)],
      ])
  }

  @Test func soundThatEndsBeforeThePictureIsFollowedByNothing() throws {
    var (composition, _, _) = try Self.start()
    try composition.insert(6..<10, of: Self.film, at: 1)
    Self.expect(
      composition,
      [
        [.media("a", 0..<1), .media("film", 6..<10), .media("a", 1..<4)],
        [.media("s", 0..<1), .media("film", 6..<8), .empty(2), .media("s", 1..<6)],
      ])
    let error = refusal(of: &composition) { (value) throws(EditError) in
      try value.insert(6..<11, of: Self.film, at: 1)
    }
    #expect(error == .outsideSource(id: "film", asked: 6..<11, available: 0..<10))
  }

  @Test func withoutAPlaceASourceGoesAfterTheLongestTrack() throws {
    var (composition, _, _) = try Self.start()
    try composition.insert(0..<1, of: Self.film)
    Self.expect(
      composition,
      [
        [.media("a", 0..<4), .empty(2), .media("film", 0..<1)],
        [.media("s", 0..<6), .media("film", 0..<1)],
      ])
  }

  @Test func holesRemovalsAndScalesGoThroughAllTracks() throws {
    var (composition, _, _) = try Self.start()
    try composition.insertEmpty(1..<2)
    Self.expect(
      composition,
      [
        [.media("a", 0..<1), .empty(1), .media("a", 1..<4)],
        [.media("s", 0..<1), .empty(1), .media("s", 1..<6)],
      ])
    try composition.remove(1..<2)
    try composition.remove(3..<5)
    Self.expect(
      composition,
      [
        [.media("a", 0..<1), .media("a", 1..<3)],
        [.media("s", 0..<1), .media("s", 1..<3), .media("s", 5..<6)],
      ])
    // The sound is scaled as the picture is, also beyond the picture's end.
    (composition, _, _) = try Self.start()
    try composition.scale(2..<6, to: 2)
    Self.expect(
      composition,
      [
        [.media("a", 0..<2), .media("a", 2..<4, over: 1)],
        [.media("s", 0..<2), .media("s", 2..<6, over: 2)],
      ])
    try composition.remove(0..<9)
    Self.expect(composition, [[], []])
  }

  @Test func refusedEditsChangeNoTrack() throws {
    var (composition, picture, _) = try Self.start()
    let edits: [(EditError, (inout Composition) throws(EditError) -> Void)] = [
      (.emptyRange(1..<1), { (value) throws(EditError) in try value.remove(1..<1) }),
      (.invalidDuration(-1), { (value) throws(EditError) in try value.scale(1..<2, to: -1) }),
      (
        .unknownTrack(9),
        { (value) throws(EditError) in try value.remove(1..<2, from: .tracks([1, 9])) }
      ),
      (
        .wrongKind(asked: .audio, track: .audio),
        { (value) throws(EditError) in
          try value.insert(
            [.media(Sources.a, 0..<1), .media(Sources.sound, 0..<1)], at: 1,
            into: .tracks([picture]))
        }
      ),
      (
        .outsideSource(id: "c", asked: 0..<9, available: 0..<3),
        { (value) throws(EditError) in
          try value.insert([.media(Sources.sound, 0..<1), .media(Sources.c, 0..<9)], at: 1)
        }
      ),
      (
        .countMismatch(ranges: 1, sources: 0),
        { (value) throws(EditError) in try value.insert(0..<1, of: []) }
      ),
    ]
    for (expected, edit) in edits {
      #expect(refusal(of: &composition, edit) == expected)
    }
  }

  // MARK: Nested compositions

  @Test func aCompositionIsASourceOfAnother() throws {
    let (inner, _, _) = try Self.start()
    var outer = Composition()
    let nested = try NestedComposition(inner, name: "scene")
    #expect(nested.depth == 1 && nested.sourceTracks.map(\.kind) == [.video, .audio])
    try outer.insert(1..<5, of: nested.sourceTracks)
    Self.expect(outer, [[.media("scene", 1..<4)], [.media("scene", 1..<5)]])
    guard case .composition(let found) = outer.tracks[0].segments[0].source?.media else {
      Issue.record("the source is not a composition")
      return
    }
    #expect(found.composition == inner)
    #expect(outer.tracks[0].content(at: 2)?.time == 3)
  }

  @Test func compositionsLieInEachOtherToALimit() throws {
    var (composition, _, _) = try Self.start()
    for level in 1...NestedComposition.depthLimit {
      let nested = try NestedComposition(composition, name: "level \(level)")
      #expect(nested.depth == level)
      composition = Composition()
      try composition.insert(0..<4, of: nested.sourceTracks)
    }
    #expect(throws: EditError.nestedTooDeep(limit: 64)) {
      try NestedComposition(composition, name: "one more")
    }
  }

  // MARK: Lists of edits

  @Test func listsOfEditsAreAllOrNone() throws {
    var (composition, picture, _) = try Self.start()
    let edits: [EditOperation] = [
      .insert([.media(Sources.c, 1..<3)], at: 2, into: .tracks([picture])),
      .insertEmpty(0..<1, in: .all), .remove(30..<40, from: .all),
      .scale(1..<3, to: 1, in: .tracks([picture])),
    ]
    let before = composition
    let idle = try composition.apply(edits)
    #expect(idle == [2])
    Self.expect(
      composition,
      [
        [.empty(1), .media("a", 0..<2, over: 1), .media("c", 1..<3), .media("a", 2..<4)],
        [.empty(1), .media("s", 0..<6)],
      ])
    composition = before
    #expect(throws: EditFailure(edit: 4, error: .emptyRange(1..<1))) {
      try composition.apply(edits + [.remove(1..<1, from: .all)])
    }
    #expect(composition == before)
  }

  @Test func editsOfADocumentBecomeOperations() throws {
    let rate = try FrameRate.parse("25")
    var clip = Clip(source: "b")
    clip.in = .seconds(1)
    clip.out = .seconds(3)
    let range = EditRange(in: .seconds(2), out: .frames(125, rate: nil))
    let edits: [(DocumentEdit, EditOperation)] = [
      (
        DocumentEdit(.insert(clip, at: .seconds(2)), track: "main"),
        .insert([.media(Sources.b, 1..<3)], at: 2, into: .tracks([1, 2]))
      ),
      (DocumentEdit(.insertEmpty(range)), .insertEmpty(2..<5, in: .all)),
      (DocumentEdit(.remove(range)), .remove(2..<5, from: .all)),
      (
        DocumentEdit(.scale(range, duration: .seconds(2)), track: "main"),
        .scale(2..<5, to: 2, in: .tracks([1, 2]))
      ),
    ]
    for (index, (edit, expected)) in edits.enumerated() {
      #expect(edit.operation.name == DocumentEdit.Operation.names[index])
      let operation = try EditOperation(
        edit, at: rate,
        tracks: { (id) throws(EditError) in
          guard id == "main" else { throw .unknownSource(id) }
          return [1, 2]
        }, pieces: { (_) throws(EditError) in [.media(Sources.b, 1..<3)] })
      #expect(operation == expected)
    }
    let backwards = EditRange(in: .seconds(2), out: .seconds(1))
    #expect(throws: EditError.invalidTime("a range from 2s to 1s ends before it starts")) {
      try EditOperation(
        DocumentEdit(.remove(backwards)), at: rate, tracks: { (_) throws(EditError) in [] },
        pieces: { (_) throws(EditError) in [] })
    }
  }

  // MARK: Times of 64 bits

  @Test func takesTimesOfSixtyFourBits() throws {
    func range(_ start: Int64, _ end: Int64) -> TimeRange {
      TimeRange(
        start: MediaTime(value: start, timescale: 1),
        duration: MediaTime(value: end - start, timescale: 1))
    }
    var track = CompositionTrack(id: 1, kind: .video)
    try track.insert(range(0, 4), of: Sources.a)
    try track.insert([range(1, 3), range(0, 2)], of: [Sources.c, nil], at: .zero)
    let hole = TimeRange(start: .invalid, duration: MediaTime(value: 1, timescale: 2))
    try track.insert([hole], of: [nil], at: .zero)
    try track.remove(range(5, 6))
    try track.scale(range(0, 1), to: MediaTime(value: 2, timescale: 1))
    let half = Rational(1, 2)
    expectTrack(
      track,
      [
        .empty(1), .media("c", 1..<(1 + half), over: 1), .media("c", (1 + half)..<3), .empty(2),
        .media("a", 0..<half), .media("a", (1 + half)..<4),
      ])
    #expect(track.timeRange == TimeRange(from: .zero, to: MediaTime(value: 17, timescale: 2)))
    #expect(track.segment(at: MediaTime.positiveInfinity) == track.segments.last)
    #expect(track.segment(at: MediaTime.indefinite) == nil)
    for bad in [TimeRange.invalid, TimeRange(start: .zero, duration: .positiveInfinity)] {
      let error = refusal(of: &track) { (track) throws(EditError) in try track.remove(bad) }
      #expect(error?.code == .timeInvalid)
    }
    let error = refusal(of: &track) { (track) throws(EditError) in
      try track.insert([range(0, 1)], of: [], at: .zero)
    }
    #expect(error == .countMismatch(ranges: 1, sources: 0))
    let late = refusal(of: &track) { (track) throws(EditError) in
      try track.insert(range(0, 1), of: Sources.a, at: .positiveInfinity)
    }
    #expect(late == .invalidTime("a place is +infinity"))
  }
}
