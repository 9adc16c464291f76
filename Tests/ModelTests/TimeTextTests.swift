import CutroomModel
import Testing

struct TimeTextTests {
  @Test(arguments: [
    ("1/3", Rational(1, 3)), ("90090/30000", Rational(3003, 1000)), ("-1/3", Rational(-1, 3)),
    ("1.5s", Rational(3, 2)), ("0.1s", Rational(1, 10)), ("250ms", Rational(1, 4)),
    ("0.5ms", Rational(1, 2000)), ("00:01:02.5", Rational(125, 2)), ("1:02", 62),
    ("90:00", 5400), ("100:00:00", 360_000), ("-1:02", -62), ("44100@48000", Rational(147, 160)),
    ("36f@24", Rational(3, 2)), ("36f@30000/1001", Rational(36036, 30000)),
    ("36f@29.97", Rational(36036, 30000)), ("1.5", Rational(3, 2)), ("0", 0), ("-0", 0),
    ("1e-9", Rational(1, 1_000_000_000)), ("12e3", 12000),
    (
      "0.30000000000000004s",
      Rational(30_000_000_000_000_004, 100_000_000_000_000_000)
    ),
    ("0.000000000000000000000000000000000000000000000000000000000", 0),
    ("1/9007199254740993", Rational(1, 9_007_199_254_740_993 as Int64)),
    ("9223372036854775807", Rational(Int64.max)),
  ])
  func readsExactly(text: String, seconds: Rational) throws {
    let rate = try #require(FrameRate(25))
    #expect(try TimeText.parse(text).seconds(at: rate) == seconds)
  }

  @Test func keepsFramesAndTimecodesOfTheTimelinesRate() throws {
    #expect(try TimeText.parse("36f") == .frames(36, rate: nil))
    #expect(
      try TimeText.parse("01:00:00:12")
        == .timecode(Timecode(hours: 1, minutes: 0, seconds: 0, frames: 12, isDropFrame: false)))
    #expect(
      try TimeText.parse("01:00:00;12")
        == .timecode(Timecode(hours: 1, minutes: 0, seconds: 0, frames: 12, isDropFrame: true)))
    #expect(try TimeText.parse("36f@24") == .frames(36, rate: try FrameRate.parse("24")))
  }

  @Test(arguments: [
    "", " ", "s", "f", "ms", "abc", "1 s", "1,5s", "1.5.2", "1.5f", "1/0", "1/-3", "1/2/3", "1/",
    "/2", "1:", ":1", "1:60", "1:60:00", "00:00:-1", "1:+2", "1:2:3:4:5", "01;00;00;12",
    "01:00;00:12", "01:00:60:12", "01:60:00:12", "1@", "@48000", "1@0", "1@-5", "1.5@48000",
    "1e", "1e+", "--1", "0x10", "NaN", "inf", "1s ", "５s", "1:00;12", "5min", ".", "-", "1m",
    "1@\u{301}2",
    ":\u{301}1", "1/\u{34C}2",
  ])
  func refusesWhatIsNoTime(text: String) {
    let error = #expect(throws: TimeTextError.self) { try TimeText.parse(text) }
    #expect(error?.code == .timeSyntax)
    #expect(error?.message.contains("'\(text)'") == true)
  }

  @Test(arguments: [
    "9223372036854775808", "1e400", "1e-400", "9223372036854775808f", "1/9223372036854775808",
    "0.00000000000000000001", "9223372036854775807f@1/1000", "9223372036854775807:00",
    "123456789012345678901234567890123456789012345678", "1e99999999999999999999",
  ])
  func refusesWhatDoesNotFit(text: String) {
    let error = #expect(throws: TimeTextError.self) { try TimeText.parse(text) }
    #expect(error?.code == .timeOverflow)
  }

  @Test func refusesLongTextsWithoutReadingThem() {
    let error = #expect(throws: TimeTextError.self) {
      try TimeText.parse(String(repeating: "1", count: 1000))
    }
    #expect((error?.message.utf8.count ?? .max) < 200)
  }

  @Test func readsValueOverTimescale() throws {
    let time = try TimeText.parse(value: "60060", timescale: "30000")
    #expect(time == .seconds(Rational(2002, 1000)))
    for (value, timescale) in [("1", "0"), ("1", "-1"), ("1.5", "2"), ("1", "2147483648")] {
      #expect(throws: TimeTextError.self) {
        try TimeText.parse(value: value, timescale: timescale)
      }
    }
  }

  @Test func saysWhatToWriteForFrequentSlips() {
    for (text, advice) in [
      ("1,5s", "point"), ("1 s", "without spaces"), ("5min", "\"1:30\""), ("1/0", "timescale 0"),
    ] {
      let error = #expect(throws: TimeTextError.self) { try TimeText.parse(text) }
      #expect(error?.message.contains(advice) == true, "\(text): \(error?.message ?? "")")
    }
  }
}

struct FrameRateTextTests {
  @Test(arguments: [
    ("25", Rational(25)), ("25.0", Rational(25)), ("30000/1001", Rational(30000, 1001)),
    ("23.976", Rational(24000, 1001)), ("23.98", Rational(24000, 1001)),
    ("29.97", Rational(30000, 1001)), ("29.970", Rational(30000, 1001)),
    ("47.952", Rational(48000, 1001)), ("59.94", Rational(60000, 1001)),
    ("119.88", Rational(120_000, 1001)), ("25/2", Rational(25, 2)),
  ])
  func readsRatesAndAliases(text: String, rate: Rational) throws {
    #expect(try FrameRate.parse(text).framesPerSecond == rate)
  }

  @Test(arguments: [
    ("29.9", "29.97"), ("23.97", "23.976"), ("24.5", "23.98"), ("60.1", "59.94"), ("12.5", "25/2"),
    ("0", "more than 0"), ("-25", "more than 0"), ("1/0", "fraction"), ("fast", "fraction"),
    ("1000001", "1000000"), ("66.67", "6667/100"), ("0.0166667", "23.976"), ("", "frame rate"),
    ("25fps", "frame rate"), ("1e400", "frame rate"),
  ])
  func refusesOtherRates(text: String, advice: String) {
    let error = #expect(throws: TimeTextError.self) { try FrameRate.parse(text) }
    #expect(error?.code == .timeRate)
    #expect(error?.message.contains(advice) == true, "\(error?.message ?? "")")
  }

  @Test func writesWhatItReads() throws {
    for text in ["25", "30000/1001"] { #expect(try FrameRate.parse(text).text == text) }
  }
}
