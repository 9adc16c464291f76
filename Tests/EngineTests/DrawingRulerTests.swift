import CutroomModel
import Testing

@testable import Cutroom

struct DrawingRulerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var duration: Rational
    var room: Int
    var labels: String
    var testDescription: String { "\(duration) with \(room) of 1000" }
  }

  @Test(arguments: [
    Case(duration: 10, room: 90, labels: "0s 1s 2s 3s 4s 5s 6s 7s 8s 9s 10s"),
    Case(duration: Rational(3, 25), room: 200, labels: "0s 0.05s 0.1s"),
    Case(duration: 90, room: 100, labels: "0:00 0:10 0:20 0:30 0:40 0:50 1:00 1:10 1:20 1:30"),
    Case(duration: 5400, room: 300, labels: "0:00:00 0:30:00 1:00:00 1:30:00"),
    Case(duration: Rational(1001, 100), room: 400, labels: "0s 10s"),
    Case(duration: 0, room: 100, labels: "0s"),
    Case(duration: 864_000, room: 500, labels: "0:00:00 120:00:00 240:00:00"),
  ])
  func marksStandAtRoundTimes(_ example: Case) {
    let ruler = TimeRuler(duration: example.duration, length: 1000, room: example.room)
    #expect(ruler.ticks.compactMap(\.label).joined(separator: " ") == example.labels)
    #expect(ruler.ticks.allSatisfy { $0.time <= example.duration })
  }

  @Test func textIsCutWhereItDoesNotFit() {
    #expect(TextWidth.fitted("A name", width: 100, size: 12) == "A name")
    let cut = TextWidth.fitted("A very long name", width: 60, size: 12)
    #expect(cut?.hasSuffix("…") == true)
    #expect(TextWidth.pixels(cut ?? "", size: 12) <= 60)
    #expect(TextWidth.fitted("A name", width: 12, size: 12) == nil)
    #expect(TextWidth.cut("漢字かな", columns: 5) == "漢字…")
    #expect(TextWidth.padded("e\u{301}", columns: 3) == "e\u{301}  ")
  }
}
