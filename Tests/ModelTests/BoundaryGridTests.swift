import CutroomModel
import Testing

/// One rounding for each boundary.
struct BoundaryGridTests {
  @Test func lengthsAreDifferencesOfBoundaries() throws {
    let grid = try #require(BoundaryGrid(ticksPerSecond: 1))
    var track = CompositionTrack(id: 1, kind: .video)
    for _ in 0..<3 { try track.insert(0..<Rational(8, 5), of: Sources.a) }
    #expect(grid.ticks(of: track) == [0..<2, 2..<3, 3..<5])
    #expect(grid.snapped(Rational(8, 5)) == 2 && grid.holds(3) && !grid.holds(Rational(8, 5)))
    #expect(grid.ticks(of: Rational(21, 10)..<Rational(22, 10))?.isEmpty == true)
  }

  @Test func samplesAreRoundedDown() throws {
    let grid = try #require(BoundaryGrid.samples(48000))
    #expect(grid.tick(at: Rational(1001, 30000)) == 1601)
    #expect(grid.tick(at: Rational(-1, 96000)) == -1)
  }

  @Test func refusesWhatIsNoGridAndNoTime() throws {
    #expect(BoundaryGrid(ticksPerSecond: 0) == nil && BoundaryGrid(ticksPerSecond: .invalid) == nil)
    #expect(BoundaryGrid.samples(-1) == nil)
    let grid = BoundaryGrid(try FrameRate.parse("30000/1001"))
    #expect(grid.tick(at: .invalid) == nil && grid.tick(at: Rational(Int128.max / 2)) == nil)
    #expect(!grid.snapped(.invalid).isValid)
  }

  /// A hundred thousand cuts at any fractions, put on the grids of NTSC rates and of samples.
  @Test(arguments: ["24000/1001", "30000/1001", "60000/1001", "48000", "44100"])
  func randomCutsHaveNoGapAndTheExactTotal(rate: String) throws {
    var dice = Dice(31)
    let perSecond = try FrameRate.parse(rate)
    let grid = BoundaryGrid(perSecond, rounding: TimeRounding.allCases[Int(dice.roll(0...5))])
    var (cuts, time) = ([Rational.zero], Rational.zero)
    for index in 1...20000 {
      // Each cut is a fraction of its own; lengths go from far less than a frame to seconds.
      let bottom = dice.roll(1...100_000)
      let step = Rational(dice.roll(1...(1 << dice.roll(1...18))), bottom)
      // A sum of fractions of any kind would need ever more digits, so cuts lie at absolute times.
      time = Rational(((time + step) * Rational(bottom)).ceiling, bottom)
      cuts.append(time)
      if index % 1000 == 0 { time = Rational(time.ceiling) }
    }
    var (end, sum, worst) = (Int64(0), Int64(0), Rational.zero)
    for (from, to) in zip(cuts, cuts.dropFirst()) where to > from {
      let ticks = try #require(grid.ticks(of: from..<to))
      if ticks.lowerBound != end { Issue.record("a gap at \(from), seed \(dice.seed)") }
      end = ticks.upperBound
      sum += Int64(ticks.count)
      worst = max(worst, (grid.time(ofTick: end) - to).magnitude)
    }
    #expect(cuts.last.flatMap(grid.tick(at:)) == sum, "seed \(dice.seed)")
    #expect(worst <= perSecond.frameDuration, "seed \(dice.seed)")
  }

  @Test func aTrackOfRandomCutsIsContiguousInFramesAndSamples() throws {
    var dice = Dice(32)
    let frames = BoundaryGrid(try FrameRate.parse("30000/1001"))
    let samples = try #require(BoundaryGrid.samples(48000))
    for round in 0..<50 {
      var track = CompositionTrack(id: 1, kind: .video)
      for _ in 0..<40 {
        let length = dice.time(0...2) + Rational(1, 48000)
        try track.insert(0..<length, of: Sources.a, at: dice.time(0...30))
      }
      for grid in [frames, samples] {
        let ticks = try #require(grid.ticks(of: track))
        #expect(
          ticks.first?.lowerBound == 0 && ticks.last?.upperBound == grid.tick(at: track.duration))
        #expect(
          zip(ticks, ticks.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound },
          "seed \(dice.seed), round \(round)")
      }
    }
  }

  // MARK: Timescales

  struct Timescale: CustomTestStringConvertible, Sendable {
    var timescale: Int32
    /// One letter for each rate: y where its frames are exact.
    var exact: String
    var testDescription: String { "\(timescale)" }
  }

  static let rates = [
    "24", "25", "30", "50", "60", "120", "24000/1001", "30000/1001", "60000/1001", "44100", "48000",
  ]

  @Test(arguments: [
    Timescale(timescale: 600, exact: "yyyyyy-----"),
    Timescale(timescale: 1000, exact: "-y-y-------"),
    Timescale(timescale: 48000, exact: "yyyyyyy---y"),
    Timescale(timescale: 90000, exact: "yyyyyy-y---"),
    Timescale(timescale: 120_000, exact: "yyyyyyyyy--"),
    Timescale(timescale: 240_000, exact: "yyyyyyyyy-y"),
    Timescale(timescale: 1_000_000, exact: "-y-y-------"),
    Timescale(timescale: 35_280_000, exact: "yyyyyyyyyyy"),
    Timescale(timescale: 705_600_000, exact: "yyyyyyyyyyy"),
  ])
  func timescalesHoldFramesExactly(row: Timescale) throws {
    let rates = try Self.rates.map(FrameRate.parse)
    let exact = rates.map { $0.isExact(inTimescale: row.timescale) ? "y" : "-" }.joined()
    #expect(exact == row.exact)
    for rate in rates {
      let ticks = rate.frameDuration * Rational(row.timescale)
      let time = MediaTime(rate.frameDuration, timescale: row.timescale)
      #expect(time.hasBeenRounded != ticks.isInteger)
    }
  }

  @Test func nanosecondsHoldNoFrameOfNTSC() throws {
    for rate in ["24000/1001", "30000/1001", "60000/1001"] {
      #expect(try !FrameRate.parse(rate).isExact(inTimescale: 1_000_000_000))
    }
    #expect(try !FrameRate.parse("25").isExact(inTimescale: 0))
  }

  @Test func findsTheTimescaleThatHoldsAll() throws {
    let rates = try Self.rates.map(FrameRate.parse)
    #expect(FrameRate.commonTimescale(of: rates) == 35_280_000)
    #expect(FrameRate.commonTimescale(of: []) == 1)
    #expect(FrameRate.commonTimescale(of: [rates[7], rates[1]]) == 30000)
    let odd = try ["999983", "999979"].map { try FrameRate.parse($0) }
    #expect(FrameRate.commonTimescale(of: odd) == nil)
  }
}
