import CutroomModel
import Testing

/// Edits of a track: the whole track is compared after each.
struct TrackEditTests {
  struct Edit: CustomTestStringConvertible, Sendable {
    var name: String
    var change: @Sendable (inout CompositionTrack) throws -> Void
    var result: [ExpectedSegment]
    var testDescription: String { name }

    init(
      _ name: String, _ result: [ExpectedSegment],
      _ change: @escaping @Sendable (inout CompositionTrack) throws -> Void
    ) {
      self.name = name
      self.change = change
      self.result = result
    }
  }

  static let scaled: @Sendable (inout CompositionTrack) throws -> Void = {
    try $0.scale(2..<6, to: 2)
  }
  private static let half = Rational(1, 2)

  static let edits: [Edit] = [
    Edit(
      "inserting in a segment splits it",
      [.media("a", 0..<2), .media("c", 1..<3), .media("a", 2..<4), .media("b", 10..<16)]
    ) { try $0.insert(1..<3, of: Sources.c, at: 2) },
    Edit(
      "inserting at a boundary goes between",
      [.media("a", 0..<4), .media("c", 1..<3), .media("b", 10..<16)]
    ) { try $0.insert(1..<3, of: Sources.c, at: 4) },
    Edit(
      "inserting at the start", [.media("c", 1..<3), .media("a", 0..<4), .media("b", 10..<16)]
    ) { try $0.insert(1..<3, of: Sources.c, at: 0) },
    Edit(
      "inserting at the end", [.media("a", 0..<4), .media("b", 10..<16), .media("c", 1..<3)]
    ) { try $0.insert(1..<3, of: Sources.c, at: 10) },
    Edit(
      "inserting without a place appends",
      [.media("a", 0..<4), .media("b", 10..<16), .media("c", 1..<3)]
    ) { try $0.insert(1..<3, of: Sources.c) },
    Edit(
      "inserting past the end leaves a gap",
      [.media("a", 0..<4), .media("b", 10..<16), .empty(3), .media("c", 1..<3)]
    ) { try $0.insert(1..<3, of: Sources.c, at: 13) },
    Edit(
      "a hole splits a segment",
      [.media("a", 0..<2), .empty(3), .media("a", 2..<4), .media("b", 10..<16)]
    ) { try $0.insertEmpty(2..<5) },
    Edit("a hole at the end is none", [.media("a", 0..<4), .media("b", 10..<16)]) {
      let (atEnd, beyond) = (try $0.insertEmpty(10..<12), try $0.insertEmpty(15..<16))
      #expect(!atEnd && !beyond)
    },
    Edit("a hole at the start", [.empty(1), .media("a", 0..<4), .media("b", 10..<16)]) {
      try $0.insertEmpty(0..<1)
    },
    Edit("removing over a boundary", [.media("a", 0..<3), .media("b", 12..<16)]) {
      try $0.remove(3..<6)
    },
    Edit("removing beyond the end", [.media("a", 0..<4), .media("b", 10..<14)]) {
      try $0.remove(8..<20)
    },
    Edit("removing everything keeps the track", []) { try $0.remove(0..<10) },
    Edit("removing past the end changes nothing", [.media("a", 0..<4), .media("b", 10..<16)]) {
      let hasChanged = try $0.remove(10..<12)
      #expect(!hasChanged)
    },
    Edit(
      "removing within a segment",
      [.media("a", 0..<1), .media("a", 2..<4), .media("b", 10..<16)]
    ) { try $0.remove(1..<2) },
    Edit(
      "scaling to half",
      [
        .media("a", 0..<2), .media("a", 2..<4, over: 1), .media("b", 10..<12, over: 1),
        .media("b", 12..<16),
      ], scaled),
    Edit(
      "scaling to double",
      [
        .media("a", 0..<2), .media("a", 2..<4, over: 4), .media("b", 10..<12, over: 4),
        .media("b", 12..<16),
      ]
    ) { try $0.scale(2..<6, to: 8) },
    Edit(
      "scaling within a segment",
      [
        .media("a", 0..<1), .media("a", 1..<3, over: 6), .media("a", 3..<4), .media("b", 10..<16),
      ]
    ) { try $0.scale(1..<3, to: 6) },
    Edit(
      "removing what was scaled",
      [
        .media("a", 0..<2), .media("a", 2..<3, over: half), .media("b", 11..<12, over: half),
        .media("b", 12..<16),
      ]
    ) {
      try scaled(&$0)
      try $0.remove(Rational(5, 2)..<Rational(7, 2))
    },
    Edit(
      "inserting into what was scaled",
      [
        .media("a", 0..<2), .media("a", 2..<3, over: half), .media("c", 0..<1),
        .media("a", 3..<4, over: half), .media("b", 10..<12, over: 1), .media("b", 12..<16),
      ]
    ) {
      try scaled(&$0)
      try $0.insert(0..<1, of: Sources.c, at: Rational(5, 2))
    },
    Edit(
      "scaling a hole",
      [.media("a", 0..<2), .empty(1), .media("a", 2..<4), .media("b", 10..<16)]
    ) {
      try $0.insertEmpty(2..<5)
      try $0.scale(2..<5, to: 1)
    },
    Edit(
      "scaling beyond the end keeps the factor",
      [.media("a", 0..<4), .media("b", 10..<14), .media("b", 14..<16, over: 1)]
    ) { try $0.scale(8..<12, to: 2) },
    Edit("scaling past the end changes nothing", [.media("a", 0..<4), .media("b", 10..<16)]) {
      let hasChanged = try $0.scale(10..<12, to: 4)
      #expect(!hasChanged)
    },
    Edit(
      "several pieces at once",
      [
        .media("a", 0..<4), .media("c", 0..<1), .empty(2), .media("c", 1..<2, over: half),
        .media("b", 10..<16),
      ]
    ) {
      try $0.insert(
        [
          .media(Sources.c, 0..<1), .empty(2), .media(Sources.c, 1..<2, duration: half),
        ], at: 4)
    },
    Edit("empty pieces at the end fall away", [.media("a", 0..<4), .media("b", 10..<16)]) {
      try $0.insert([.empty(2)])
      try $0.insert([.empty(2), .empty(1)], at: 30)
    },
    Edit("removing the last segment removes the hole before it", [.media("a", 0..<4)]) {
      try $0.insertEmpty(4..<5)
      try $0.remove(5..<11)
    },
    Edit("a source without end has every range", [.media("blue", 1000..<1001)]) {
      try $0.replaceSegments(with: [])
      try $0.insert(1000..<1001, of: Sources.color)
    },
  ]

  @Test(arguments: edits)
  func editsTheWholeTrack(edit: Edit) throws {
    var track = try startTrack()
    try edit.change(&track)
    expectTrack(track, edit.result)
    try CompositionTrack.validate(track.segments, kind: .video)
  }

  @Test func insertingIntoAnEmptyTrackLeavesAGap() throws {
    var track = CompositionTrack(id: 1, kind: .video)
    try track.insert(0..<4, of: Sources.a, at: 5)
    expectTrack(track, [.empty(5), .media("a", 0..<4)])
  }

  // MARK: Refused edits

  struct Refusal: CustomTestStringConvertible, Sendable {
    var name: String
    var error: EditError
    var number: Int?
    var change: @Sendable (inout CompositionTrack) throws(EditError) -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ error: EditError, _ number: Int? = nil,
      _ change: @escaping @Sendable (inout CompositionTrack) throws(EditError) -> Void
    ) {
      self.name = name
      self.error = error
      self.number = number
      self.change = change
    }
  }

  static let refusals: [Refusal] = [
    Refusal(
      "past the source's end", .outsideSource(id: "c", asked: 1..<4, available: 0..<3), -11827
    ) { (track) throws(EditError) in try track.insert(1..<4, of: Sources.c, at: 2) },
    Refusal(
      "before the source's start",
      .outsideSource(
        id: "late", asked: 0..<2, available: 1..<3), -11826
    ) { (track) throws(EditError) in
      try track.insert(0..<2, of: SourceTrack("late", kind: .video, extent: 1..<3), at: 2)
    },
    Refusal("before 0", .sourceStart(segment: 0, start: -1), -11826) {
      (track) throws(EditError) in
      try track.insert(-1..<2, of: Sources.a, at: 2)
    },
    Refusal("an empty range", .emptyRange(2..<2), -11825) { (track) throws(EditError) in
      try track.insert(2..<2, of: Sources.a)
    },
    Refusal("no number", .invalidTime("a range to insert has an end that is no number")) {
      (track) throws(EditError) in
      try track.insert(2..<Rational.invalid, of: Sources.a)
    },
    Refusal("sound on a picture track", .wrongKind(asked: .audio, track: .video)) {
      (track) throws(EditError) in
      try track.insert(0..<2, of: Sources.sound)
    },
    Refusal(
      "a place before the start",
      .invalidTime("a place at -1s is not on a track, which begins at 0s")
    ) { (track) throws(EditError) in try track.insert(0..<2, of: Sources.a, at: -1) },
    Refusal(
      "one bad piece of two", .outsideSource(id: "c", asked: 2..<5, available: 0..<3), -11827
    ) { (track) throws(EditError) in
      try track.insert([.media(Sources.a, 0..<2), .media(Sources.c, 2..<5)], at: 1)
    },
    Refusal("a piece without length", .segmentDuration(segment: 1, duration: 0), -11825) {
      (track) throws(EditError) in
      try track.insert([.media(Sources.a, 0..<2), .empty(0)], at: 1)
    },
    Refusal("an empty hole", .emptyRange(2..<2), -11825) { (track) throws(EditError) in
      try track.insertEmpty(2..<2)
    },
    Refusal(
      "removing before the start",
      .invalidTime("a range from -1s to 2s is not on a track, which begins at 0s")
    ) { (track) throws(EditError) in try track.remove(-1..<2) },
    Refusal("scaling to nothing", .invalidDuration(0), -11825) { (track) throws(EditError) in
      try track.scale(2..<6, to: 0)
    },
    Refusal("scaling an empty range", .emptyRange(2..<2), -11825) { (track) throws(EditError) in
      try track.scale(2..<2, to: 3)
    },
  ]

  @Test(arguments: refusals)
  func refusedEditsChangeNothing(refusal row: Refusal) throws {
    var track = try startTrack()
    let error = refusal(of: &track, row.change)
    #expect(error == row.error)
    #expect(error?.avFoundationNumber == row.number)
    #expect(error?.description.isEmpty == false)
    expectTrack(track, [.media("a", 0..<4), .media("b", 10..<16)])
  }

  @Test func positionsThatDoNotFitAreRefused() throws {
    var track = try startTrack()
    let prime = Int128(1) << 120
    try track.insertEmpty(1..<(1 + Rational(1, prime - 1)))
    let error = refusal(of: &track) { (track) throws(EditError) in
      try track.insertEmpty(1..<(1 + Rational(1, prime - 137)))
    }
    #expect(error == .overflow)
  }

  /// Both ends are numbers, but what lies between them is none that 128 bits hold.
  @Test func lengthsThatDoNotFitAreRefused() throws {
    let (fine, other) = (Int128(1) << 120 - 1, Int128(1) << 120 - 137)
    var track = CompositionTrack(id: 1, kind: .video)
    try track.insert(0..<(1 + Rational(1, fine)), of: Sources.a)
    let gap = refusal(of: &track) { (track) throws(EditError) in
      try track.insert(0..<1, of: Sources.a, at: 5 + Rational(1, other))
    }
    #expect(gap == .overflow)
    var whole = Composition()
    let id = whole.addTrack(.video)
    try whole.insert(0..<2, of: Sources.color, into: id)
    for range in [
      Rational(1, fine)..<(1 + Rational(1, other)), 0..<Rational(Int128.max / 2, 3),
    ] {
      let error = refusal(of: &whole) { (value) throws(EditError) in
        try value.insert(range, of: [Sources.color], at: Rational(1, other))
      }
      #expect(error?.code == .timeOverflow || error?.code == .segmentSourceDuration)
    }
  }

  @Test func theNormalFormOfFineFractionsIsItsOwn() throws {
    let fine = Int128(6_672_203_272_959_577_714) << 60 | 0x1234_5678
    var track = CompositionTrack(id: 1, kind: .video)
    try track.replaceSegments(with: [
      TrackSegment(
        Sources.a, 0..<Rational(fine - 11, fine), over: 0..<Rational(fine - 11, fine)),
      TrackSegment(Sources.a, 7..<7, over: Rational(fine - 11, fine)..<5, playback: .frozen),
      TrackSegment(
        Sources.a, 7..<7, over: 5..<(11 - Rational(1, fine)), playback: .frozen),
    ])
    let normal = track.normalized()
    #expect(normal.normalized() == normal)
    #expect(normal.segments.count == 2 && normal.segments[1].rate == 0)
  }

  @Test func aRefusedRangeSaysWhatTheSourceHas() throws {
    var track = try startTrack()
    let error = refusal(of: &track) { (track) throws(EditError) in
      try track.insert(1..<4, of: Sources.c, at: 2)
    }
    #expect(error?.description == "'c' is asked for 1s to 4s, but has only 0s to 3s")
    #expect(error?.fix == "use 1s to 3s, which the source has")
    #expect(Sources.c.clamping(1..<4) == 1..<3)
    #expect(Sources.c.clamping(3..<4) == nil)
  }

  // MARK: Values

  @Test func undoingIsKeepingACopy() throws {
    var track = try startTrack()
    var history: [CompositionTrack] = []
    for edit in Self.edits where edit.name.hasPrefix("inserting") {
      history.append(track)
      try edit.change(&track)
    }
    while let before = history.popLast() { track = before }
    expectTrack(track, [.media("a", 0..<4), .media("b", 10..<16)])
  }

  @Test func findsSegments() throws {
    var track = try startTrack()
    try track.insertEmpty(4..<5)
    #expect(track.segmentIndex(at: 0) == 0 && track.segmentIndex(at: 4) == 1)
    #expect(track.segmentIndex(at: 11) == nil && track.segmentIndex(at: -1) == nil)
    #expect(track.segmentIndex(at: .invalid) == nil)
    #expect(track.segment(at: -3) == track.segments[0])
    #expect(track.segment(at: 99) == track.segments[2])
    #expect(CompositionTrack(id: 1, kind: .video).segment(at: 0) == nil)
    #expect(track.segments(in: 3..<5).count == 2 && track.segments(in: 4..<5).count == 1)
    #expect(track.segments(in: 11..<20).isEmpty && track.segments(in: -2..<0).isEmpty)
    #expect(track.content(at: 6)?.time == 11 && track.content(at: 4)?.time == nil)
  }
}
