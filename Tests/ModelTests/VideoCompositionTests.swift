import CutroomModel
import Testing

/// Instructions: what is wrong with them, and how they follow from tracks.
struct VideoCompositionTests {
  private static let size = PixelSize(width: 1280, height: 720)

  private static func video(
    _ ranges: [Range<Rational>], track: TrackID = 1
  ) -> VideoComposition {
    VideoComposition(
      frameDuration: Rational(1, 30), renderSize: size,
      instructions: ranges.map {
        VideoInstruction($0, layers: [LayerInstruction(track: track)])
      })
  }

  /// Ten seconds of pictures on track 1.
  private static func composition() throws -> Composition {
    var composition = Composition()
    let track = composition.addTrack(.video)
    try composition.insert(0..<10, of: Sources.a, into: track)
    return composition
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var video: VideoComposition
    var problems: [VideoCompositionProblem]

    init(
      _ name: String, _ video: VideoComposition, _ problems: [VideoCompositionProblem] = []
    ) {
      (testDescription, self.video, self.problems) = (name, video, problems)
    }
  }

  static let rows: [Row] = [
    Row("one", video([0..<10])), Row("two", video([0..<4, 4..<10])),
    Row("a gap", video([0..<4, 5..<10]), [.uncovered(4..<5)]),
    Row("an overlap", video([0..<5, 4..<10]), [.instructionRange(index: 1, range: 4..<10)]),
    Row("out of order", video([4..<10, 0..<4]), [.instructionRange(index: 1, range: 0..<4)]),
    Row(
      "a little short", video([0..<Rational(9999, 1000)]), [.uncovered(Rational(9999, 1000)..<10)]),
    Row("longer", video([0..<12])), Row("late", video([1..<10]), [.uncovered(0..<1)]),
    Row("empty", video([0..<0, 0..<10]), [.instructionRange(index: 0, range: 0..<0)]),
    Row(
      "another track", video([0..<10], track: 99),
      [.unknownTrack(instruction: 0, layer: 0, track: 99)]),
    Row(
      "no frame duration",
      VideoComposition(
        frameDuration: Rational(0, 30), renderSize: size, instructions: video([0..<10]).instructions
      ),
      [.invalidValue(key: "frameDuration", reason: "is 0s, but must be above 0s")]),
    Row(
      "an invalid frame duration",
      VideoComposition(
        frameDuration: .invalid, renderSize: size, instructions: video([0..<10]).instructions),
      [.invalidValue(key: "frameDuration", reason: "is no number, but must be above 0s")]),
    Row(
      "no width",
      VideoComposition(
        frameDuration: 1, renderSize: PixelSize(width: 0, height: 720),
        instructions: video([0..<10]).instructions),
      [.invalidValue(key: "renderSize", reason: "is 0x720, but both must be above 0")]),
    Row("none", video([]), [.uncovered(0..<10)]),
    Row(
      "an endless one", video([0..<Rational.invalid]),
      [.uncovered(0..<10), .instructionRange(index: 0, range: 0..<Rational.invalid)]),
  ]

  @Test(arguments: rows)
  func findsAllProblems(row: Row) throws {
    let problems = row.video.problems(with: try Self.composition())
    #expect(problems == row.problems)
    #expect(problems.allSatisfy { $0.code.avFoundationNumber == -11841 })
    #expect(problems.allSatisfy { !$0.description.isEmpty })
  }

  @Test func checksOnlyTheRangeThatIsAsked() throws {
    let late = Self.video([2..<10])
    #expect(late.problems(with: try Self.composition(), over: 3..<Rational.invalid) == [])
    #expect(late.problems(with: try Self.composition(), over: 1..<5).map(\.kind) == [2])
    #expect(late.problems(over: 3..<12) == [.uncovered(10..<12)])
    #expect(Self.video([0..<4], track: 99).problems() == [])
    #expect(Self.video([]).problems(with: Composition()) == [])
  }

  // MARK: From tracks

  @Test func instructionsFollowTheTracks() throws {
    var composition = Composition()
    let (below, above) = (composition.addTrack(.video), composition.addTrack(.video))
    let sound = composition.addTrack(.audio)
    let off = composition.addTrack(.video)
    try composition.update(below) { (track) throws(EditError) in
      track.preferredTransform = .quarterTurns(1)
      try track.insert(0..<4, of: Sources.a)
      try track.insert(0..<4, of: Sources.b)
    }
    try composition.insert(0..<3, of: Sources.c, at: 6, into: above)
    try composition.insert(0..<12, of: Sources.sound, into: sound)
    try composition.insert(0..<12, of: Sources.b, into: off)
    try composition.update(off) { $0.isEnabled = false }
    let video = try #require(VideoComposition(of: composition, renderSize: Self.size))
    #expect(video.frameDuration == Rational(1, 30))
    #expect(video.instructions.map(\.range) == [0..<6, 6..<8, 8..<9, 9..<12])
    #expect(video.instructions.map(\.requiredTracks) == [[below], [below, above], [above], []])
    #expect(video.problems(with: composition) == [])
    #expect(video.layers(at: 7).map(\.track) == [below, above])
    #expect(video.layers(at: 7).map(\.transform) == [.quarterTurns(1), .identity])
    #expect(video.layers(inFrame: 30 * 8).map(\.track) == [above])
    #expect(video.instructions.map(\.passthroughTrack) == [nil, nil, above, nil])
    #expect(video.instruction(at: 12) == nil && video.layers(at: 11) == [])
    let whole = try #require(
      VideoComposition(of: composition, renderSize: Self.size, grouping: .whole))
    #expect(whole.instructions.map(\.range) == [0..<12])
    #expect(whole.instructions[0].requiredTracks == [below, above])
  }

  @Test func takesRateAndSizeFromTheSources() throws {
    var composition = Composition()
    #expect(VideoComposition(of: composition) == nil)
    for (rate, width) in [("24", 640), ("50", 1920), ("30000/1001", 320)] {
      let source = SourceTrack(
        rate, kind: .video, extent: 0..<9, naturalSize: PixelSize(width: width, height: 100),
        frameRate: try FrameRate.parse(rate))
      try composition.insert(0..<2, of: source, into: composition.addTrack(.video))
    }
    let video = try #require(VideoComposition(of: composition))
    #expect(video.frameDuration == Rational(1, 50))
    #expect(video.renderSize == PixelSize(width: 640, height: 100))
    let given = VideoComposition(of: composition, frameRate: try FrameRate.parse("29.97"))
    #expect(given?.frameDuration == Rational(1001, 30000))
  }

  @Test func derivedInstructionsAreAlwaysWhole() throws {
    var dice = Dice(21)
    for round in 0..<100 {
      var composition = Composition()
      for _ in 0..<3 {
        let track = composition.addTrack(.video)
        for _ in 0..<dice.roll(0...6) {
          let length = dice.time(1...3)
          try composition.insert(0..<length, of: Sources.a, at: dice.time(0...12), into: track)
        }
      }
      let video = try #require(VideoComposition(of: composition, renderSize: Self.size))
      #expect(video.problems(with: composition) == [], "seed \(dice.seed), round \(round)")
      let time = dice.time(0...12)
      let shown = composition.tracks.filter { $0.content(at: time) != nil }.map(\.id)
      #expect(video.layers(at: time).map(\.track) == shown, "seed \(dice.seed), round \(round)")
      let neighbours = zip(video.instructions, video.instructions.dropFirst())
      #expect(neighbours.allSatisfy { $0.requiredTracks != $1.requiredTracks })
    }
  }
}
