import CutroomModel
import Testing

struct TimeRangeTests {
  private static func time(_ value: Int64, _ timescale: Int32 = 1) -> MediaTime {
    MediaTime(value: value, timescale: timescale)
  }

  /// `[start, end)` in whole seconds.
  private static func range(_ start: Int64, _ end: Int64) -> TimeRange {
    TimeRange(from: time(start), to: time(end))
  }

  @Test(arguments: [
    (range(0, 2), range(1, 4), range(1, 2)), (range(0, 2), range(2, 4), .zero),
    (range(0, 2), range(5, 6), .zero),
  ])
  func intersects(a: TimeRange, b: TimeRange, result: TimeRange) {
    #expect(a.intersection(b) == result)
    #expect(b.intersection(a) == result)
  }

  @Test(arguments: [
    (range(0, 2), range(1, 4), range(0, 4)), (range(0, 2), range(5, 6), range(0, 6)),
    (range(0, 2), range(7, 7), range(0, 2)),
  ])
  func unites(a: TimeRange, b: TimeRange, result: TimeRange) {
    #expect(a.union(b) == result)
    #expect(b.union(a) == result)
  }

  @Test(arguments: [(1, true), (3, true), (4, false), (0, false)] as [(Int64, Bool)])
  func containsTimesButNotItsEnd(value: Int64, isInside: Bool) {
    #expect(Self.range(1, 4).contains(Self.time(value)) == isInside)
  }

  @Test(arguments: [
    (range(1, 4), range(2, 3), true), (range(1, 4), range(1, 4), true),
    (range(1, 4), range(4, 4), false), (range(1, 4), range(0, 0), false),
    (.zero, .zero, false), (range(1, 4), range(2, 2), true), (range(1, 4), range(2, 5), false),
    (range(1, 4), .invalid, false),
  ])
  func containsRanges(a: TimeRange, b: TimeRange, isInside: Bool) {
    #expect(a.contains(b) == isInside)
  }

  @Test func clamps() {
    for (value, result) in [(0, 1), (2, 2), (4, 4), (9, 4)] as [(Int64, Int64)] {
      #expect(Self.range(1, 4).clamp(Self.time(value)) == Self.time(result))
    }
    #expect(!Self.range(1, 1).clamp(.zero).isValid)
    #expect(!Self.range(1, 4).clamp(.invalid).isValid)
  }

  @Test func folds() {
    let range = TimeRange(start: Self.time(1, 3), duration: Self.time(2, 5))
    for (time, result) in [
      (MediaTime.zero, Self.time(6, 15)), (Self.time(1, 2), Self.time(1, 2)),
      (Self.time(7, 3), Self.time(1, 3)), (Self.time(-7, 11), Self.time(93, 165)),
    ] {
      #expect(range.fold(time) == result)
    }
    #expect(!Self.range(1, 1).fold(.zero).isValid)
  }

  @Test func knowsWhatIsNoRange() {
    #expect(!TimeRange(start: .zero, duration: .negativeInfinity).isValid)
    #expect(!TimeRange(start: .zero, duration: Self.time(-1)).isValid)
    #expect(!TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1, epoch: 2)).isValid)
    #expect(!TimeRange(start: .invalid, duration: .zero).isValid)
    #expect(!Self.range(2, 1).isValid)
    #expect(
      !TimeRange(from: .zero, to: MediaTime(value: 1, timescale: 1, epoch: 1)).isValid)
    let endless = TimeRange(start: .zero, duration: .positiveInfinity)
    #expect(endless.isValid && endless.end.isPositiveInfinity && endless.contains(Self.time(99)))
    #expect(TimeRange(start: .zero, duration: .indefinite).isIndefinite)
    #expect(TimeRange.zero.isEmpty && !TimeRange.invalid.isEmpty)
  }

  @Test func epochsDoNotMix() {
    let looped = TimeRange(
      start: MediaTime(value: 1, timescale: 1, epoch: 1), duration: Self.time(2))
    let range = Self.range(0, 2)
    #expect(looped.isValid && looped.end == MediaTime(value: 3, timescale: 1, epoch: 1))
    #expect(!range.union(looped).isValid && !range.intersection(looped).isValid)
    #expect(!range.contains(looped.start) && looped.contains(looped.start))
    #expect(!range.mapDuration(MediaTime(value: 1, timescale: 1, epoch: 1), to: range).isValid)
    #expect(range.map(Self.time(1), to: looped) == MediaTime(value: 2, timescale: 1, epoch: 1))
  }

  @Test func mapsTimesAndDurations() {
    let from = TimeRange(start: Self.time(1, 7), duration: Self.time(2, 5))
    let to = TimeRange(start: Self.time(3, 13), duration: Self.time(7, 11))
    #expect(from.mapDuration(Self.time(1, 3), to: to) == Self.time(35, 66))
    #expect(from.map(Self.time(12, 7), to: to) == Self.time(71, 26))
    #expect(!from.map(.zero, to: .zero).isValid)
    #expect(!from.map(MediaTime(value: 1, timescale: 1, epoch: 1), to: to).isValid)
    let endless = TimeRange(start: Self.time(5), duration: .positiveInfinity)
    let other = TimeRange(start: Self.time(7), duration: .positiveInfinity)
    #expect(endless.map(Self.time(6), to: other) == Self.time(8))
  }

  @Test func mappingsHaveARate() {
    let mapping = TimeMapping(source: Self.range(10, 14), target: Self.range(0, 2))
    #expect(mapping.rate == 2 && mapping.isValid && !mapping.isEmpty)
    #expect(mapping.sourceTime(at: Self.time(1)) == Self.time(12))
    #expect(mapping.targetTime(of: Self.time(13)) == Self.time(3, 2))
    let empty = TimeMapping(emptyAt: Self.range(0, 2))
    #expect(empty.isEmpty && empty.isValid && empty.rate == nil)
    let epoch = TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1))
    var looped = epoch
    looped.duration.epoch = 1
    #expect(!TimeMapping(source: looped, target: epoch).isValid)
  }
}

struct TimecodeTests {
  @Test(arguments: [
    ("30000/1001", true), ("30000/1001", false), ("60000/1001", true), ("24000/1001", false),
    ("25", false), ("24", false), ("120", false),
  ])
  func goesBothWaysOverADay(rate: String, isDropFrame: Bool) throws {
    let rate = try FrameRate.parse(rate)
    let day = Int64(24 * 3600) * rate.nominal
    // All frames of the day at the rate that drops; at the others too, where there is time.
    let step = rate.nominal == 30 && isDropFrame || Dice.isThorough ? 1 : 97
    var failures: [Int64] = []
    for frame in stride(from: 0, to: day, by: step) where failures.count < 3 {
      let timecode = Timecode(frame: frame, at: rate, isDropFrame: isDropFrame)
      if timecode?.frame(at: rate) != frame { failures.append(frame) }
    }
    #expect(failures == [])
  }

  @Test(
    arguments: [
      (0, "00:00:00;00"), (1799, "00:00:59;29"), (1800, "00:01:00;02"), (3597, "00:01:59;29"),
      (3598, "00:02:00;02"), (17981, "00:09:59;29"), (17982, "00:10:00;00"),
      (107_892, "01:00:00;00"), (2_589_408, "24:00:00;00"),
    ] as [(Int64, String)])
  func dropsTwoNumbersAMinuteButEveryTenth(frame: Int64, text: String) throws {
    let rate = try FrameRate.parse("30000/1001")
    #expect(Timecode(frame: frame, at: rate, isDropFrame: true)?.text == text)
    #expect(
      try TimeText.parse(text)
        == .timecode(
          try #require(
            Timecode(
              frame: frame, at: rate, isDropFrame: true))))
  }

  /// Two hours of 24000/1001: as a timecode, as seconds, and cut off from a clock's two hours.
  @Test func timecodeCountsFramesAndNotSeconds() throws {
    let rate = try FrameRate.parse("24000/1001")
    let end = Timecode(hours: 2, minutes: 0, seconds: 0, frames: 0, isDropFrame: false)
    #expect(end.frame(at: rate) == 172_800)
    #expect(rate.time(ofFrame: 172_800) == Rational(72072, 10))
    #expect(rate.frame(at: 7200) == 172_627)
    #expect(try FrameRate.parse("23.976") == rate)
  }

  @Test func hasNoTimecodeWhereTheRateHasNone() throws {
    let rate = try FrameRate.parse("25")
    #expect(Timecode(frame: -1, at: rate, isDropFrame: false) == nil)
    #expect(Timecode(frame: 0, at: rate, isDropFrame: true) == nil)
    let twoHours = try #require(
      Timecode(frame: 172_800, at: try FrameRate.parse("23.976"), isDropFrame: false))
    #expect(twoHours.text == "02:00:00:00")
    #expect(
      TimeExpression.timecode(twoHours).seconds(at: try FrameRate.parse("23.976"))
        == Rational(72072, 10))
  }
}
