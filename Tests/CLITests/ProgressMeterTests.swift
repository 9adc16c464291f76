import Cutroom
import Foundation
import Synchronization
import Testing

@testable import cutroom_cli

/// A meter whose output is kept and whose clock is moved by hand.
private final class Fixture: Sendable {
  private let text = Mutex("")
  private let clock = Mutex(ContinuousClock.now)

  var written: String { text.withLock { $0 } }

  func meter(_ style: ProgressMeter.Style) -> ProgressMeter {
    ProgressMeter(
      style, write: { [self] line in text.withLock { $0 += line } },
      now: { [self] in clock.withLock { $0 } })
  }

  func wait(_ duration: Duration = .milliseconds(100)) { clock.withLock { $0 += duration } }

  func lines() throws -> [[String: Any]] {
    try written.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }
}

private func progress(_ fraction: Double, stage: String = "render") -> ExportProgress {
  ExportProgress(
    stage: stage, fraction: fraction, frame: Int64(fraction * 480), of: 480,
    framesPerSecond: 96.1, secondsLeft: 3.7)
}

struct ProgressMeterTests {
  @Test(arguments: [
    [0.25, 0.5], [0, 0.5, 0.2, 1, 1], [0.9, 0.1], [], [-1, 2, .nan],
  ])
  func jsonLinesBeginAtZeroNeverGoBackAndEndAtOneOnce(_ fractions: [Double]) throws {
    let fixture = Fixture()
    let meter = fixture.meter(.json)
    for fraction in fractions {
      meter.update(progress(fraction.isNaN ? 0 : fraction))
      fixture.wait()
    }
    meter.finish()
    meter.finish()
    meter.update(progress(0.5))
    let shown = try fixture.lines().map { try #require($0["progress"] as? Double) }
    #expect(shown.first == 0)
    #expect(shown.last == 1)
    #expect(shown.count { $0 == 1 } == 1)
    #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test(arguments: [ProgressMeter.Style.json, .bar, .none])
  func itIsSaidThatNothingMoves(_ style: ProgressMeter.Style) throws {
    let fixture = Fixture()
    let meter = fixture.meter(style)
    meter.update(progress(0.5))
    var stalled = progress(0.5)
    stalled.stall = ExportProgress.Stall(seconds: 30, state: ["writer wrote up to 120"])
    meter.update(stalled)
    meter.finish()
    if style == .json {
      let line = try #require(try fixture.lines().first { $0["stalled"] != nil })
      #expect(line["stalled"] as? Int == 30 && line["progress"] as? Double == 0.5)
      #expect(line["state"] as? [String] == ["writer wrote up to 120"])
    } else {
      #expect(fixture.written.contains("nothing has moved for 30 s; last, writer wrote up to 120"))
    }
  }

  @Test func jsonLinesHaveTheKeysOfTheContract() throws {
    let fixture = Fixture()
    fixture.meter(.json).update(progress(0))
    #expect(
      fixture.written == """
        {"progress":0,"stage":"render","frame":0,"of":480,"fps":96.1,"eta":3.7}

        """)
  }

  @Test func failedWorkNeverReachesOne() throws {
    let fixture = Fixture()
    let meter = fixture.meter(.json)
    meter.update(progress(1))
    meter.abandon()
    meter.finish()
    #expect(try fixture.lines().allSatisfy { ($0["progress"] as? Double ?? 1) < 1 })
  }

  @Test func atMostTenStatesASecondAreShown() throws {
    let fixture = Fixture()
    let meter = fixture.meter(.json)
    for step in 0..<100 {
      meter.update(progress(Double(step) / 100))
      fixture.wait(.milliseconds(10))
    }
    #expect((10...11).contains(try fixture.lines().count))
  }

  @Test func theBarIsRedrawnInPlaceAndRemoved() {
    let fixture = Fixture()
    let meter = fixture.meter(.bar)
    meter.update(progress(0.5))
    meter.finish()
    let parts = fixture.written.split(separator: "\r")
    #expect(!fixture.written.contains("\n"))
    #expect(parts.contains { $0.contains("50%  240/480  96 fps  00:04 left") })
    #expect(parts.last?.allSatisfy { $0 == " " } == true)
    #expect(parts.allSatisfy { $0.count <= 79 })
  }

  @Test func nothingIsWrittenWithoutAStyle() {
    let fixture = Fixture()
    let meter = fixture.meter(.none)
    meter.update(progress(0.5))
    meter.finish()
    #expect(fixture.written.isEmpty)
  }
}
