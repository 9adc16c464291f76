import CutroomModel
import Testing

/// Times from floating-point numbers, and back.
struct MediaTimeSecondsTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var seconds: Double
    var timescale: Int32
    var value: Int64
    var result: Int32
    var isRounded: Bool
    var testDescription: String { "\(seconds) at \(timescale)" }

    init(
      _ seconds: Double, _ timescale: Int32, _ value: Int64, _ result: Int32, rounded: Bool = false
    ) {
      (self.seconds, self.timescale, self.value) = (seconds, timescale, value)
      (self.result, isRounded) = (result, rounded)
    }
  }

  @Test(arguments: [
    Row(0.5, 1, 0, 1, rounded: true), Row(-0.5, 1, 0, 1, rounded: true), Row(0.5, 600, 300, 600),
    Row(1.5, 2, 3, 2), Row(-1.75, 2, -3, 2, rounded: true), Row(0, 600, 0, 600),
    Row(0.1, 600, 59, 600, rounded: true), Row(0.1, 10, 1, 10),
    Row(1e-300, 600, 0, 600, rounded: true),
    // 2⁶² seconds in 1/1000 would not fit: the timescale is halved until they do.
    Row(0x1p62, 1000, 1 << 62, 1), Row(0x1p60, 1000, 7 << 60, 7),
  ])
  func secondsAreCutOffTowardsZero(row: Row) {
    let time = MediaTime(seconds: row.seconds, preferredTimescale: row.timescale)
    // 0.1 is a little more than a tenth in binary: 60/600 after all.
    let value = row.seconds == 0.1 && row.timescale == 600 ? 60 : row.value
    #expect(time.value == value && time.timescale == row.result, "\(time)")
    let isExact = Double(time.value) / Double(time.timescale) == row.seconds
    #expect(time.hasBeenRounded == !isExact)
    if value == row.value { #expect(time.hasBeenRounded == row.isRounded) }
  }

  @Test func whatIsNoTimeIsInvalidOrInfinite() {
    #expect(!MediaTime(seconds: 1, preferredTimescale: 0).isValid)
    #expect(!MediaTime(seconds: 1, preferredTimescale: -600).isValid)
    #expect(!MediaTime(seconds: .nan, preferredTimescale: 600).isValid)
    #expect(MediaTime(seconds: .infinity, preferredTimescale: 600).isPositiveInfinity)
    #expect(MediaTime(seconds: -.infinity, preferredTimescale: 600).isNegativeInfinity)
    #expect(MediaTime(seconds: 1e30, preferredTimescale: 600).isPositiveInfinity)
    #expect(MediaTime(seconds: -0x1p63, preferredTimescale: 1).isNegativeInfinity)
  }

  @Test func secondsComeBack() {
    #expect(MediaTime(value: 1001, timescale: 30000).approximateSeconds == 1001.0 / 30000)
    #expect(MediaTime(value: 1, timescale: 2, epoch: 4).approximateSeconds == 0.5)
    #expect(MediaTime.invalid.approximateSeconds.isNaN)
    #expect(MediaTime.indefinite.approximateSeconds.isNaN)
    #expect(MediaTime.positiveInfinity.approximateSeconds == .infinity)
    #expect(MediaTime.negativeInfinity.approximateSeconds == -.infinity)
  }

  @Test func multipliesByFloatingPointNumbers() {
    let half = MediaTime(value: 1, timescale: 2)
    let product = half.scaled(by: 1.5)
    #expect(product == MediaTime(value: 3, timescale: 4) && !product.hasBeenRounded)
    #expect(product.timescale >= 65536)
    #expect(half.scaled(by: -2.0) == MediaTime(value: -1, timescale: 1))
    #expect(MediaTime(value: 1, timescale: 1).scaled(by: 1.0 / 3).hasBeenRounded)
    #expect(half.scaled(by: 0.0) == .zero)
    #expect(MediaTime(value: .max, timescale: 1).scaled(by: 2.5).isPositiveInfinity)
    #expect(MediaTime(value: .min, timescale: 1).scaled(by: 2.5).isNegativeInfinity)
    #expect(half.scaled(by: Double.infinity).isPositiveInfinity)
    #expect(half.scaled(by: 1e300).isPositiveInfinity)
    #expect(!MediaTime.zero.scaled(by: Double.infinity).isValid)
    #expect(!half.scaled(by: Double.nan).isValid)
    #expect(MediaTime.negativeInfinity.scaled(by: -0.5).isPositiveInfinity)
    #expect(!MediaTime.positiveInfinity.scaled(by: 0.0).isValid)
    #expect(MediaTime.indefinite.scaled(by: 0.5).isIndefinite)
    #expect(!MediaTime.invalid.scaled(by: 0.5).isValid)
  }
}
