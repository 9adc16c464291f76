@testable import Cutroom
import CutroomModel
import Testing

@Suite("Parts of probing")
struct ProbeUnitTests {
  @Test func displayMatricesAreTurnsAndMirrors() {
    let one = Int32(65536)
    let cases: [([Int32], Int, Bool)] = [
      ([one, 0, 0, 0, one, 0, 0, 0, 1 << 30], 0, false),
      ([0, one, 0, -one, 0, 0, 0, 0, 1 << 30], 90, false),
      ([-one, 0, 0, 0, -one, 0, 0, 0, 1 << 30], 180, false),
      ([0, -one, 0, one, 0, 0, 0, 0, 1 << 30], 270, false),
      ([-one, 0, 0, 0, one, 0, 0, 0, 1 << 30], 0, true),
      ([0, one, 0, one, 0, 0, 0, 0, 1 << 30], 270, true),
      ([0, 0, 0, 0, 0, 0, 0, 0, 0], 0, false),
      ([.min, .min, 0, .min, .min, 0, 0, 0, 0], 0, false),
      ([.max, 0, 0, 0, 1, 0, 0, 0, 0], 0, false),
      ([1], 0, false),
    ]
    for (matrix, rotation, isFlipped) in cases {
      let transform = DisplayTransform(matrix: matrix)
      #expect(transform.rotation == rotation, "\(matrix)")
      #expect(transform.isFlipped == isFlipped, "\(matrix)")
    }
  }

  @Test func orientationsOfEXIFAreTurnsAndMirrors() {
    let turns = (1...8).map { DisplayTransform(exifOrientation: $0).rotation }
    let mirrors = (1...8).map { DisplayTransform(exifOrientation: $0).isFlipped }
    #expect(turns == [0, 0, 180, 180, 270, 90, 90, 270])
    #expect(mirrors == [false, true, false, true, true, false, true, false])
    #expect(DisplayTransform(exifOrientation: 99).isIdentity)
  }

  @Test func brokenEXIFIsNoOrientation() {
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    let tiff: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entry
    let exif = Array("Exif\0\0".utf8) + tiff
    let whole: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
    #expect(JPEGOrientation.read(whole) == 6)
    // Every shorter file, and every file with one byte changed, must not do harm.
    for length in 0..<whole.count { _ = JPEGOrientation.read(Array(whole.prefix(length))) }
    for position in whole.indices {
      var changed = whole
      changed[position] = 0xFF
      _ = JPEGOrientation.read(changed)
    }
  }

  @Test(arguments: [
    (90000, Rational(30)), (16000, Rational(30)), (12800, Rational(30000, 1001)),
    (90000, Rational(24000, 1001)),
  ])
  func constantRatesAreSeenThroughMilliseconds(timescale: Int, rate: Rational) throws {
    let rate = try #require(FrameRate(rate))
    func ticks(_ jitter: (Int) -> Rational) -> [Int64] {
      (0..<240).map { frame in
        let milliseconds = (rate.time(ofFrame: Int64(frame)) * 1000 + jitter(frame)).rounded
        return Int64((Rational(milliseconds * Int128(timescale)) / 1000).rounded)
      }
    }
    let tick = Rational(1, timescale)
    let grid = FrameGrid(times: ticks { _ in 0 }, tick: tick, stated: nil)
    #expect(grid.rate == rate)
    #expect(grid.isRounded && !grid.isVariable)
    #expect(grid.grain == Rational(timescale, 1000))
    #expect(grid.offsets.lowerBound > -1 && grid.offsets.upperBound < 1)
    // A camera's clock that is two milliseconds late now and then is another thing.
    let late = FrameGrid(
      times: ticks { $0 % 7 == 3 ? 2 : 0 }, tick: tick, stated: nil)
    #expect(late.isVariable)
  }

  @Test func constantRatesAreSeenThroughCoarseTicks() {
    let milliseconds = (0..<240).map { Int64((Rational($0 * 1001, 24000) * 1000).rounded) }
    let coarse = FrameGrid(times: milliseconds, tick: Rational(1, 1000), stated: nil)
    #expect(coarse.rate?.framesPerSecond == Rational(24000, 1001))
    #expect(coarse.isRounded && !coarse.isVariable)
    let exact = FrameGrid(
      times: (0..<50).map { $0 * 512 }, tick: Rational(1, 12800), stated: nil)
    #expect(exact.rate?.framesPerSecond == 25)
    #expect(!exact.isRounded && !exact.isVariable)
    // 2700000/90089 is what a file states whose last frame is one tick short.
    let short = FrameGrid(
      times: (0..<30).map { $0 * 3003 } + [30 * 3003 - 1], tick: Rational(1, 90000),
      stated: Rational(2_700_000, 90089))
    #expect(short.rate?.framesPerSecond == Rational(30000, 1001) && short.isRounded)
    #expect(short.offsets == -1...0)
    let uneven = FrameGrid(
      times: [0, 40, 70, 130, 150, 260], tick: Rational(1, 1000), stated: nil)
    #expect(uneven.isVariable)
    let hostile = FrameGrid(times: [.min, 0, .max], tick: Rational(1, 90000), stated: nil)
    #expect(hostile.isVariable || hostile.rate == nil)
  }
}
