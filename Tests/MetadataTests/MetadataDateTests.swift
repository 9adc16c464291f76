import CutroomMetadata
import CutroomModel
import Testing

@Suite struct MetadataDateTests {
  @Test(arguments: [
    ("2023", "2023", MetadataDate.Precision.year), ("2023-10", "2023-10", .month),
    ("2023-10-25", "2023-10-25", .day), ("2024-02-29", "2024-02-29", .day),
    ("2023-10-25T10", "2023-10-25T10", .hour), ("2023-10-25 10:09", "2023-10-25T10:09", .minute),
    ("2023-10-25T10:09:10", "2023-10-25T10:09:10", .second),
    ("2023-10-25T10:09:10Z", "2023-10-25T10:09:10Z", .second),
    ("2023-10-25T10:09:10+02:00", "2023-10-25T10:09:10+0200", .second),
    ("2023-10-25T10:09:10.500-0330", "2023-10-25T10:09:10.5-0330", .second),
    ("2023-10-25T10:09:10+02", "2023-10-25T10:09:10+0200", .second),
  ])
  func datesKeepTheirPrecision(
    text: String, printed: String, precision: MetadataDate.Precision
  ) throws {
    let date = try #require(MetadataDate(text))
    #expect(date.description == printed)
    #expect(date.precision == precision)
    #expect(MetadataDate(printed) == date)
  }

  @Test(arguments: [
    "", "23", "2023-13", "2023-02-29", "2023-10-25T24:00", "2023-10-25T10:60", "2023/10/25",
    "25.10.2023", "2023-10-25 08:09:10 +0000", "2023-10-25T10:09:10+2:00", "2023-10T10:00",
    "2023-10-25T", "2023-10-25T10:09:10.", "２０２３", "2023-10-25T10:09:10+25:00",
  ])
  func whatIsNoDateIsNone(text: String) { #expect(MetadataDate(text) == nil) }

  @Test(arguments: [
    ("2024-01-02T03:04:05Z", Rational(4), "2024-01-02T03:04:09Z"),
    ("2023-12-31T23:59:59+0100", Rational(1), "2024-01-01T00:00:00+0100"),
    ("2024-02-28T23:59:59Z", Rational(1), "2024-02-29T00:00:00Z"),
    ("2023-03-01T00:00:00Z", Rational(-1), "2023-02-28T23:59:59Z"),
    ("2000-01-01T00:00:00Z", Rational(86_400 * 366), "2001-01-01T00:00:00Z"),
    ("2023-10-25T10:09:10Z", Rational(1, 4), "2023-10-25T10:09:10.25Z"),
  ])
  func aShiftedDateIsTheLaterMoment(text: String, by: Rational, later: String) {
    #expect(MetadataDate(text)?.adding(by)?.description == later)
  }

  @Test(arguments: ["2023-10-25", "2023", "9999-12-31T23:59:59Z"])
  func aDateThatCannotBeShiftedIsNone(text: String) {
    #expect(MetadataDate(text)?.adding(Rational(1)) == nil)
  }

  @Test func id3CountsInUniversalTime() {
    let item = MetadataItem(.creationDate, "2023-10-25T01:09:10+0200")
    #expect(Translation(item, for: .mp3).items.first?.values == ["2023-10-24T23:09:10"])
  }
}
