import CutroomModel
import Testing

struct MediaTimeTests {
  private static let max = Int64.max

  // MARK: Rescaling

  struct Rescaling: CustomTestStringConvertible {
    var from: (Int64, Int32)
    var timescale: Int32
    /// In the order of the rounding methods.
    var values: [Int64]
    var isExact = false
    var testDescription: String { "\(from.0)/\(from.1) to \(timescale)" }

    init(
      _ value: Int64, _ scale: Int32, _ timescale: Int32, _ values: [Int64], isExact: Bool = false
    ) {
      self.from = (value, scale)
      self.timescale = timescale
      self.values = values
      self.isExact = isExact
    }
  }

  @Test(arguments: [
    Rescaling(1, 2, 1, [1, 0, 1, 0, 1, 0]), Rescaling(-1, 2, 1, [-1, 0, -1, -1, 0, -1]),
    Rescaling(3, 2, 1, [2, 1, 2, 1, 2, 1]), Rescaling(-3, 2, 1, [-2, -1, -2, -1, -1, -2]),
    Rescaling(1, 3, 1, [0, 0, 1, 0, 1, 0]), Rescaling(2, 3, 1, [1, 0, 1, 0, 1, 0]),
    Rescaling(-2, 3, 1, [-1, 0, -1, -1, 0, -1]), Rescaling(1, 2, 3, [2, 1, 2, 2, 2, 1]),
    Rescaling(5, 3, 2, [3, 3, 4, 3, 4, 3]), Rescaling(1001, 30000, 600, [20, 20, 21, 20, 21, 20]),
    Rescaling(1001, 30000, 90000, [3003, 3003, 3003, 3003, 3003, 3003], isExact: true),
    Rescaling(1001, 24000, 90000, [3754, 3753, 3754, 3754, 3754, 3753]),
    Rescaling(1024, 44100, 48000, [1115, 1114, 1115, 1115, 1115, 1114]),
    Rescaling(7, 600, 30, [0, 0, 1, 0, 1, 0]), Rescaling(-1, 44100, 600, [0, 0, -1, -1, 0, -1]),
  ])
  func rescalesByEveryRoundingMethod(row: Rescaling) throws {
    let time = MediaTime(value: row.from.0, timescale: row.from.1)
    for (method, value) in zip(TimeRounding.allCases, row.values) {
      let result = time.rescaled(to: row.timescale, rounding: method)
      #expect(result.value == value && result.timescale == row.timescale, "\(method)")
      #expect(result.hasBeenRounded == !row.isExact)
    }
  }

  @Test func rescalingKeepsSpecialTimesAndMarks() {
    for special in Self.specials {
      for method in TimeRounding.allCases {
        #expect(special.rescaled(to: 600, rounding: method) == special)
      }
    }
    #expect(MediaTime(value: 1, timescale: 2).rescaled(to: 0) == .invalid)
    let rounded = MediaTime(value: 1, timescale: 3).rescaled(to: 2).rescaled(to: 4)
    #expect(rounded.hasBeenRounded)
    let huge = MediaTime(value: .max, timescale: 1).rescaled(to: .max)
    #expect(huge.isPositiveInfinity)
    #expect(MediaTime(value: .min, timescale: 1).rescaled(to: 2).isNegativeInfinity)
  }

  @Test func creatingNeedsATimescale() {
    #expect(!MediaTime(value: 1, timescale: 0).isValid)
    #expect(!MediaTime(value: 1, timescale: -1).isValid)
    #expect(!MediaTime(value: 0, timescale: 0, flags: [], epoch: 0).isValid)
    #expect(!MediaTime(value: 0, timescale: 0, flags: .valid, epoch: 0).isNumeric)
  }

  // MARK: Sums

  static let specials: [MediaTime] = [
    .invalid, .indefinite, .positiveInfinity, .negativeInfinity,
  ]

  private static func time(_ value: Int64, _ epoch: Int64) -> MediaTime {
    MediaTime(value: value, timescale: 1, epoch: epoch)
  }

  static let specialSums: [(MediaTime, MediaTime, MediaTime, MediaTime)] = [
    (.positiveInfinity, .positiveInfinity, .positiveInfinity, .invalid),
    (.negativeInfinity, .negativeInfinity, .negativeInfinity, .invalid),
    (.positiveInfinity, .negativeInfinity, .invalid, .positiveInfinity),
    (.negativeInfinity, .positiveInfinity, .invalid, .negativeInfinity),
    (.positiveInfinity, time(5, 0), .positiveInfinity, .positiveInfinity),
    (.positiveInfinity, .indefinite, .positiveInfinity, .positiveInfinity),
    (time(5, 0), .positiveInfinity, .positiveInfinity, .negativeInfinity),
    (.indefinite, .positiveInfinity, .positiveInfinity, .negativeInfinity),
    (.indefinite, time(5, 0), .indefinite, .indefinite),
    (.invalid, time(5, 0), .invalid, .invalid), (time(5, 0), .invalid, .invalid, .invalid),
    (.invalid, .positiveInfinity, .invalid, .invalid),
    (time(1, 3), time(4, 3), time(5, 0), time(-3, 0)),
    (time(2, 3), time(1, 0), time(3, 3), time(1, 3)),
    (time(1, 1), time(1, 2), .invalid, .invalid),
  ]

  @Test(arguments: specialSums.indices)
  func addsSpecialTimesAndEpochs(row: Int) {
    let (a, b, sum, difference) = Self.specialSums[row]
    #expect(a + b == sum)
    #expect(a - b == difference)
  }

  struct Sum: CustomTestStringConvertible {
    var a: (Int64, Int32)
    var b: (Int64, Int32)
    var documented: (Int64, Int32)?
    var isRounded: Bool
    var observed: (Int64, Int32)?
    var isObservedRounded: Bool
    var testDescription: String { "\(a.0)/\(a.1) + \(b.0)/\(b.1)" }

    init(
      _ a: (Int64, Int32), _ b: (Int64, Int32), _ documented: (Int64, Int32)?, _ isRounded: Bool,
      observed: (Int64, Int32)? = nil, _ isObservedRounded: Bool? = nil
    ) {
      (self.a, self.b, self.documented, self.isRounded) = (a, b, documented, isRounded)
      self.observed = observed ?? documented
      self.isObservedRounded = isObservedRounded ?? isRounded
    }
  }

  @Test(arguments: [
    Sum((1, 2), (1, 3), (5, 6), false), Sum((1, 30), (1, 24), (9, 120), false),
    Sum((1001, 30000), (1001, 24000), (9009, 120_000), false),
    Sum((1, 44100), (1, 48000), (307, 7_056_000), false),
    Sum((1, 600), (1, 90000), (151, 90000), false),
    Sum((1024, 44100), (1001, 30000), (249_547, 4_410_000), false),
    Sum(
      (1, 1), (1, .max), (2_147_483_648, .max), false, observed: (1_000_000_000, 1_000_000_000),
      true),
    Sum((1, .max), (1, .max - 1), (2, .max), true, observed: (0, 1_000_000_000)),
    Sum(
      (1, 1_000_000_000), (1, 3), (715_827_884, .max), true,
      observed: (333_333_334, 1_000_000_000)),
    Sum((max, 1), (max, 1), nil, false), Sum((.min, 1), (.min, 1), nil, false),
    Sum((max, 2), (max, 3), (7_686_143_364_045_646_506, 1), true),
  ])
  func addsNumbersByBothLimits(row: Sum) {
    let a = MediaTime(value: row.a.0, timescale: row.a.1)
    let b = MediaTime(value: row.b.0, timescale: row.b.1)
    for (limit, expected, isRounded) in [
      (MediaTime.arithmeticTimescaleLimit, row.documented, row.isRounded),
      (MediaTime.observedTimescaleLimit, row.observed, row.isObservedRounded),
    ] {
      let sum = a.adding(b, limit: limit)
      if let expected {
        #expect(sum.value == expected.0 && sum.timescale == expected.1, "\(sum)")
        #expect(sum.hasBeenRounded == isRounded)
      } else {
        #expect(row.a.0 > 0 ? sum.isPositiveInfinity : sum.isNegativeInfinity)
      }
      #expect(b.adding(a, limit: limit) == sum)
    }
  }

  // MARK: Products

  @Test func multipliesByWholeNumbers() {
    let half = MediaTime(value: 1, timescale: 2)
    #expect(half.multiplied(by: 3).value == 3 && half.multiplied(by: 3).timescale == 2)
    let large = MediaTime(value: .max, timescale: 4).multiplied(by: 2)
    #expect(large.timescale == 2 && large.value == .max)
    #expect(MediaTime(value: .max, timescale: 1).multiplied(by: -2).isNegativeInfinity)
    #expect(MediaTime.positiveInfinity.multiplied(by: -1).isNegativeInfinity)
    #expect(!MediaTime.positiveInfinity.multiplied(by: 0).isValid)
    #expect(MediaTime.indefinite.multiplied(by: 2).isIndefinite)
  }

  @Test func multipliesByRatiosWithoutReducing() {
    let third = MediaTime(value: 1, timescale: 2).multiplied(by: 2, over: 3)
    #expect(third.value == 2 && third.timescale == 6)
    let half = MediaTime(value: 3, timescale: 2).multiplied(by: 1, over: 3)
    #expect(half.value == 3 && half.timescale == 6)
    #expect(MediaTime(value: 1, timescale: 2).multiplied(by: 1, over: -3).value == -1)
    #expect(MediaTime(value: 1, timescale: 2).multiplied(by: 1, over: 0).isPositiveInfinity)
    #expect(!MediaTime.zero.multiplied(by: 1, over: 0).isValid)
    #expect(!MediaTime(value: 1, timescale: 2).multiplied(by: 0, over: 0).isValid)
    let fine = MediaTime(value: 1, timescale: .max).multiplied(by: 1, over: 2)
    #expect(fine.hasBeenRounded && fine.timescale == .max)
  }

  // MARK: Order

  @Test func ordersAllTimes() {
    let order: [MediaTime] = [
      .negativeInfinity, MediaTime(value: -1, timescale: 2), .zero,
      MediaTime(value: 15, timescale: 30), MediaTime(value: .max - 1, timescale: 2),
      MediaTime(value: .max, timescale: 2), MediaTime(value: 0, timescale: 1, epoch: 1),
      .indefinite, .positiveInfinity, .invalid,
    ]
    for (i, a) in order.enumerated() {
      for (j, b) in order.enumerated() {
        #expect((a < b) == (i < j) && (a == b) == (i == j))
      }
    }
    #expect(order.shuffled().sorted() == order)
  }

  @Test func equalTimesHashAlike() {
    let junk = MediaTime(value: 7, timescale: 9, flags: [.valid, .positiveInfinity], epoch: 3)
    let rounded = MediaTime(value: 2, timescale: 4, flags: [.valid, .hasBeenRounded], epoch: 0)
    for (a, b) in [
      (MediaTime(value: 15, timescale: 30), MediaTime(value: 30, timescale: 60)),
      (.zero, MediaTime(value: 0, timescale: 90000)), (junk, .positiveInfinity),
      (rounded, MediaTime(value: 1, timescale: 2)),
      (MediaTime(value: 5, timescale: 1, flags: [], epoch: 0), .invalid),
    ] {
      #expect(a == b && a.hashValue == b.hashValue)
    }
  }

  @Test func distancesFromZero() {
    #expect(MediaTime.negativeInfinity.magnitude.isPositiveInfinity)
    #expect(MediaTime(value: -3, timescale: 2).magnitude == MediaTime(value: 3, timescale: 2))
    #expect((-MediaTime.positiveInfinity).isNegativeInfinity)
    #expect((-MediaTime.invalid) == .invalid && (-MediaTime.indefinite).isIndefinite)
    #expect((-MediaTime(value: 1, timescale: 2, epoch: 4)).epoch == 4)
  }

  @Test func convertsFromAndToFractions() {
    #expect(MediaTime(exactly: Rational(1001, 30000))?.seconds == Rational(1001, 30000))
    #expect(MediaTime(exactly: Rational(1, 1 << 31)) == nil)
    #expect(MediaTime(exactly: .invalid) == nil)
    let down = MediaTime(Rational(1, 3), timescale: 600, rounding: .down)
    #expect(down.value == 200 && !down.hasBeenRounded)
    #expect(MediaTime(Rational(-1, 7), timescale: 10, rounding: .down).value == -2)
    #expect(MediaTime(Rational(Int128.max), timescale: 10).isPositiveInfinity)
    #expect(MediaTime.indefinite.seconds == nil)
  }

  @Test func agreesWithExactFractions() {
    var random = SystemLikeGenerator(state: 42)
    var failures = 0
    for _ in 0..<20000 {
      let (a, b) = (random.time(), random.time())
      guard let exactA = a.seconds, let exactB = b.seconds else { continue }
      let sum = a + b
      let back = sum - b
      if sum.isNumeric, !sum.hasBeenRounded, sum.seconds != exactA + exactB { failures += 1 }
      if back.isNumeric, !back.hasBeenRounded, back != a { failures += 1 }
      if a + b != b + a || (a < b) != (exactA < exactB) { failures += 1 }
      if (a == b) != (exactA == exactB) || (a == b && a.hashValue != b.hashValue) { failures += 1 }
      let scale = Int32(random.next() % 100_000) + 1
      guard let up = a.rescaled(to: scale, rounding: .up).seconds,
        let down = a.rescaled(to: scale, rounding: .down).seconds,
        let near = a.rescaled(to: scale).seconds
      else { continue }
      if down > exactA || up < exactA { failures += 1 }
      if (near - exactA).magnitude > Rational(1, 2 * Int64(scale)) { failures += 1 }
    }
    #expect(failures == 0)
  }

  @Test func frameDurationsAddUpExactly() {
    let frame = MediaTime(value: 1001, timescale: 30000)
    var sum = MediaTime.zero
    for _ in 0..<10000 { sum = sum + frame }
    #expect(sum == frame.multiplied(by: 10000) && !sum.hasBeenRounded)
  }
}

/// SplitMix64 with a seed that is stated.
struct SystemLikeGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func time() -> MediaTime {
    let scales: [Int32] = [1, 24, 25, 30, 600, 1001, 30000, 44100, 48000, 90000, 1_000_000, .max]
    let scale = scales[Int(next() % UInt64(scales.count))]
    return MediaTime(value: Int64(bitPattern: next()) >> Int64(next() % 50 + 8), timescale: scale)
  }
}
