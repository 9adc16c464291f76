import CutroomModel
import Testing

/// What holds of a track after any edits.
struct TrackPropertyTests {
  private static func randomEdit(
    _ track: inout CompositionTrack, _ dice: inout Dice
  ) throws(EditError) {
    let start = dice.time(0...30)
    let length = dice.time(0...4) + Rational(1, 48000)
    let source = [Sources.a, Sources.b, Sources.color][Int(dice.roll(0...2))]
    switch dice.roll(0...5) {
    case 0, 1, 2:
      let from = dice.time(0...10)
      try track.insert(from..<(from + length), of: source, at: dice.roll(0...3) == 0 ? nil : start)
    case 3: try track.insertEmpty(start..<(start + length))
    case 4: try track.remove(start..<(start + length))
    default:
      // Speeds of few primes, as people choose them: fractions of any two lengths grow without end.
      let factor = Rational(dice.roll(1...4), dice.roll(1...4))
      try track.scale(start..<(start + length), to: length * factor)
    }
  }

  @Test func staysContiguousAndExact() throws {
    var dice = Dice(1)
    for round in 0..<60 {
      var track = CompositionTrack(id: 1, kind: .video)
      for step in 0..<40 {
        let before = track
        let place: Comment = "seed \(dice.seed), round \(round), step \(step)"
        do throws(EditError) {
          try Self.randomEdit(&track, &dice)
        } catch {
          #expect(error == .overflow && track == before, place)
          continue
        }
        do throws(EditError) {
          try CompositionTrack.validate(track.segments, kind: .video)
        } catch {
          Issue.record("\(error), \(place)")
        }
        let total = track.segments.reduce(Rational.zero) { $0 + $1.duration }
        #expect(total == track.duration && total.isValid, place)
        #expect(track.segments.last?.isEmpty != true, place)
      }
    }
  }

  @Test func removingUndoesInserting() throws {
    var dice = Dice(2)
    for round in 0..<300 {
      var track = try startTrack()
      if round % 2 == 0 { try track.scale(1..<5, to: dice.time(1...9)) }
      let before = track
      let (time, from) = (dice.time(0...8), dice.time(0...5))
      let length = dice.time(1...4)
      try track.insert(from..<(from + length), of: Sources.c.lengthened, at: time)
      #expect(track.duration == before.duration + length || time > before.duration)
      try track.remove(time..<(time + length))
      #expect(
        track.normalized() == before.normalized(), "seed \(dice.seed), round \(round) at \(time)")
    }
  }

  @Test func removingAndOpeningAHoleKeepsLaterPlaces() throws {
    var dice = Dice(3)
    for round in 0..<300 {
      var track = try startTrack()
      let start = dice.time(0...6)
      let range = start..<(start + dice.time(1...3))
      let before = track
      try track.remove(range)
      guard range.upperBound < before.duration, start < track.duration else { continue }
      try track.insertEmpty(range)
      let later = range.upperBound + dice.time(0...3)
      #expect(
        track.content(at: later)?.time == before.content(at: later)?.time,
        "seed \(dice.seed), round \(round) at \(later)")
      #expect(track.content(at: start)?.time == nil)
    }
  }

  @Test func scalingBackIsIdentity() throws {
    var dice = Dice(4)
    for round in 0..<300 {
      var track = try startTrack()
      let start = dice.time(0...5)
      let (length, other) = (dice.time(1...4), dice.time(1...9))
      try track.scale(start..<(start + length), to: other)
      try track.scale(start..<(start + other), to: length)
      #expect(
        track.normalized() == (try startTrack()), "seed \(dice.seed), round \(round) at \(start)")
    }
  }

  @Test func splittingKeepsTheRateAndTheSums() throws {
    var dice = Dice(5)
    for round in 0..<300 {
      var track = CompositionTrack(id: 1, kind: .video)
      let from = dice.time(0...5)
      let range = from..<(from + dice.time(1...10))
      try track.insert(range, of: Sources.a)
      try track.scale(0..<range.duration, to: dice.time(1...20))
      let whole = track.segments[0]
      for _ in 0..<5 {
        let cut = dice.time(0...20)
        guard cut < track.duration else { continue }
        try track.insertEmpty(cut..<(cut + 1))
        try track.remove(cut..<(cut + 1))
      }
      let place: Comment = "seed \(dice.seed), round \(round)"
      #expect(track.segments.allSatisfy { $0.rate == whole.rate }, place)
      let shown = track.segments.reduce(Rational.zero) { $0 + $1.sourceRange.duration }
      #expect(shown == range.duration, place)
      #expect(track.normalized().segments == [whole], place)
    }
  }

  /// Source frames of 1001/30000 on a track cut at samples of 1/48000: nothing rounds.
  @Test func mixedUnitsAddUpExactly() throws {
    var track = CompositionTrack(id: 1, kind: .video)
    let frame = Rational(1001, 30000)
    for index in 0..<200 {
      let start = frame * Rational(index)
      try track.insert(start..<(start + frame), of: Sources.a)
    }
    for index in 1..<100 {
      let cut = Rational(index * 3001, 48000)
      guard cut < track.duration else { break }
      try track.insertEmpty(cut..<(cut + Rational(1, 48000)))
    }
    let empties = track.segments.count { $0.isEmpty }
    let total = track.segments.reduce(Rational.zero) { $0 + $1.duration }
    #expect(empties > 90)
    #expect(total == frame * 200 + Rational(empties, 48000) && total == track.duration)
    let shown = track.segments.reduce(Rational.zero) { $0 + $1.sourceRange.duration }
    #expect(shown == frame * 200)
  }

  // MARK: Against another model

  /// A track as a list of ticks of one second, each with what it shows at its start.
  private struct Ticks {
    var shown: [(id: String, time: Rational, rate: Rational)?] = []

    mutating func trim() { while let last = shown.last, last == nil { shown.removeLast() } }

    mutating func scale(_ range: Range<Int>, by factor: Int) {
      let part = range.clamped(to: 0..<max(shown.count, range.lowerBound))
      let ticks = shown[part.clamped(to: shown.indices)].flatMap { tick in
        (0..<factor).map { step in
          tick.map { tick in
            let rate = tick.rate / Rational(factor)
            return (tick.id, tick.time + rate * Rational(step), rate)
          }
        }
      }
      shown.replaceSubrange(part.clamped(to: shown.indices), with: ticks)
    }
  }

  @Test func agreesWithAListOfTicks() throws {
    var dice = Dice(6)
    for round in 0..<100 {
      var (track, model) = (CompositionTrack(id: 1, kind: .video), Ticks())
      for step in 0..<25 {
        let (time, length) = (Int(dice.roll(0...24)), Int(dice.roll(1...6)))
        let range = Rational(time)..<Rational(time + length)
        switch dice.roll(0...4) {
        case 0, 1:
          let from = dice.roll(0...10)
          try track.insert(
            Rational(from)..<Rational(from + Int64(length)), of: Sources.a, at: Rational(time))
          while model.shown.count < time { model.shown.append(nil) }
          let ticks = (0..<length).map { ("a", Rational(from + Int64($0)), Rational.one) }
          model.shown.insert(contentsOf: ticks, at: time)
        case 2:
          try track.insertEmpty(range)
          if time < model.shown.count {
            model.shown.insert(contentsOf: Array(repeating: nil, count: length), at: time)
          }
        case 3:
          try track.remove(range)
          if time < model.shown.count {
            model.shown.removeSubrange(time..<min(time + length, model.shown.count))
          }
          model.trim()
        default:
          guard track.duration < 200, time < model.shown.count else { continue }
          try track.scale(range, to: Rational(length * 2))
          model.scale(time..<(time + length), by: 2)
        }
        let isSame = model.shown.enumerated().allSatisfy { index, tick in
          let content = track.content(at: Rational(index))
          return content?.source.id == tick?.id && content?.time == tick?.time
        }
        #expect(
          isSame && track.duration == Rational(model.shown.count),
          "seed \(dice.seed), round \(round), step \(step)")
      }
    }
  }
}

extension SourceTrack {
  fileprivate var lengthened: SourceTrack {
    SourceTrack(id, kind: kind, extent: 0..<20)
  }
}
