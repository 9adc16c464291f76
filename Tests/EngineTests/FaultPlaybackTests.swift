import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Speed, direction and held pictures, where other tools lose frames, sound or memory.
@Suite(.needsFFmpeg)
struct FaultPlaybackTests {
  private static let lossless =
    #""mode": "render", "video": {"codec": "ffv1"}"#

  private func made(
    _ clips: String, in folder: URL, timeline: String = "", more: String = "",
    jobs: Int? = nil, sound: Bool = true
  ) throws -> URL {
    let export = Self.lossless + (sound ? #", "audio": {"codec": "flac"}"# : #", "audio": false"#)
    return try Text(clips: clips, timeline: timeline, export: export, more: more)
      .export(to: "x.mkv", in: folder, overwrite: true, jobs: jobs).url
  }

  struct Speed: Sendable, CustomTestStringConvertible {
    var text: String
    var speed: Rational
    var testDescription: String { text }
  }

  @Test(arguments: [
    Speed(text: "2", speed: 2), Speed(text: "1/2", speed: Rational(1, 2)),
    Speed(text: "3/2", speed: Rational(3, 2)), Speed(text: "10", speed: 10),
  ])
  func speedIsOfPictureAndSound(_ row: Speed) throws {
    try withTemporaryDirectory { folder in
      let clip = try clip("count25.mp4", #""speed": "\#(row.text)""#)
      let url = try made(clip, in: folder)
      let length = Rational(10) / row.speed
      let count = Int((length * 25).ceiling)
      // Output frame n shows source time n · speed / 25.
      let expected = (0..<count).map { Int((Rational($0) * row.speed).floor) }
      #expect(try DecodedPictures.numbers(url) == expected)
      let sound = try DecodedSound(url)
      #expect(sound.count == Int((length * 48000).floor))
      guard row.speed < 5 else { return }
      // The pitch stays: 200 Hz and 100 Hz more with each second of the source.
      for second in [1, 4, 8] {
        let time = (Rational(second) + Rational(4, 10)) / row.speed
        #expect(sound.tone(at: time.doubleValue) == 200 + 100 * second, "at \(second)s")
      }
    }
  }

  @Test(arguments: [
    Speed(text: "2", speed: 2), Speed(text: "1/2", speed: Rational(1, 2)),
    Speed(text: "1001/1000", speed: Rational(1001, 1000)),
    Speed(text: "1234567/1000000", speed: Rational(1_234_567, 1_000_000)),
  ])
  func pitchShiftsWithTheSpeedWhereAsked(_ row: Speed) throws {
    try withTemporaryDirectory { folder in
      let clip = try clip("count25.mp4", #""speed": "\#(row.text)", "pitch": "shift""#)
      let sound = try DecodedSound(try made(clip, in: folder))
      #expect(sound.count == Int((Rational(10) / row.speed * 48000).floor))
      let time = (Rational(44, 10) / row.speed).doubleValue
      let strengths = [400, 600, 800, 1200].map { frequency in
        sound.amplitude(
          of: Int((Rational(frequency) * row.speed).rounded), at: time)
      }
      // 600 Hz in the source at 4 s.
      #expect(strengths[1] > 10 * strengths[0] && strengths[1] > 10 * strengths[2], "\(strengths)")
    }
  }

  @Test func keptPitchIsInStepWithThePicture() throws {
    try withTemporaryDirectory { folder in
      for speed in ["2", "1/2", "3/4"] {
        let clip = try clip("count25.mp4", #""speed": "\#(speed)", "in": 2, "out": 8"#)
        let sound = try DecodedSound(try made(clip, in: folder))
        let factor = speed == "2" ? 2.0 : speed == "1/2" ? 0.5 : 0.75
        // 100 ms before and after the tone changes at 5 s of the source.
        let change = 3 / factor
        #expect(sound.tone(at: change - 0.25) == 600, "before at \(speed)")
        #expect(sound.tone(at: change + 0.05) == 700, "after at \(speed)")
      }
    }
  }

  @Test func fitDurationFitsExactly() throws {
    try withTemporaryDirectory { folder in
      let clip = try clip("count25.mp4", #""in": 2, "out": 4, "fitDuration": "30f""#)
      let url = try made(clip, in: folder)
      #expect(
        try DecodedPictures.numbers(url)
          == (0..<30).map { 50 + Int((Rational($0) * Rational(50, 30)).floor) })
      #expect(try DecodedSound(url).count == 57600)
    }
  }

  @Test(arguments: ["count25.mp4", "count2997.mp4"])
  func backwardsShowsEveryPictureInReverse(_ name: String) throws {
    try withTemporaryDirectory { folder in
      let source = try DecodedPictures.numbers(try Fixtures.file(name))
      let url = try made(try clip(name, #""reverse": true"#), in: folder, jobs: 2)
      #expect(try DecodedPictures.numbers(url) == source.reversed())
    }
  }

  /// Coarse timestamps, a container without a table of keyframes, and frames of different lengths.
  @Test(arguments: [
    ("count24.mp4", "source.mkv", Rational(24), 0...9),
    ("count2997.mp4", "source.mkv", Rational(30000, 1001), 0...9),
    ("count25.mp4", "source.ts", 25, 1...9), ("vfr.mp4", nil, 30, 1...9),
  ])
  func backwardsIsTheReverseOfForwards(
    _ name: String, remuxed: String?, rate: Rational, seconds: ClosedRange<Int>
  ) throws {
    try withTemporaryDirectory { folder in
      var path = try Fixtures.file(name).path
      if let remuxed {
        // Without sound, whose priming moves the pictures off the grid.
        let copy = folder.appending(path: remuxed).path
        try Program.ffmpeg(["-i", path, "-an", "-c", "copy", copy])
        path = copy
      }
      let timeline = #""frameRate": "\#(rate)""#
      let frames = [seconds.lowerBound, seconds.upperBound].map { (Rational($0) * rate).floor }
      let range = #""in": "\#(frames[0])f", "out": "\#(frames[1])f""#
      let forwards = try DecodedPictures.numbers(
        made(try clip(path, range), in: folder, timeline: timeline, sound: false))
      let backwards = try DecodedPictures.numbers(
        made(
          try clip(path, range + #", "reverse": true"#), in: folder, timeline: timeline,
          sound: false))
      #expect(backwards == forwards.reversed())
      if name.hasPrefix("count") {
        #expect(forwards == Array(Int(frames[0])..<Int(frames[1])))
      }
    }
  }

  @Test func backwardsSoundIsExactToTheSample() throws {
    try withTemporaryDirectory { folder in
      let url = try made(
        try clip("count25.mp4", #""reverse": true, "in": 2, "out": "6.5s""#), in: folder)
      #expect(try DecodedPictures.numbers(url).prefix(3) == [162, 161, 160])
      let sound = try DecodedSound(url)
      let source = try DecodedSound(try Fixtures.file("count25.mp4"))
      #expect(sound.count == 216_000)
      let expected = Array(source.channels[0][96000..<312_000].reversed())
      let worst = zip(sound.channels[0], expected).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
      #expect(worst < 2.1 / 32768, "\(worst)")
    }
  }

  @Test func backwardsAtAnotherSpeed() throws {
    try withTemporaryDirectory { folder in
      let url = try made(
        try clip("count25.mp4", #""reverse": true, "speed": 2, "in": 2, "out": 6"#), in: folder)
      // Frame n shows the picture just before 6 s - 2n/25.
      #expect(try DecodedPictures.numbers(url) == (0..<50).map { 149 - 2 * $0 })
      let sound = try DecodedSound(url)
      #expect(sound.count == 96000)
      #expect(sound.tone(at: 0.2) == 700 && sound.tone(at: 1.7) == 400)
    }
  }

  @Test func aHeldPictureLastsAsLongAsAsked() throws {
    try withTemporaryDirectory { folder in
      let clips = try [
        clip("count25.mp4", #""out": 1"#),
        clip("count25.mp4", #""freeze": "24f", "duration": 2"#),
        clip("count25.mp4", #""in": 1, "out": 2"#),
      ].joined(separator: ", ")
      let url = try made(clips, in: folder)
      #expect(
        try DecodedPictures.numbers(url)
          == Array(0..<25) + Array(repeating: 24, count: 50) + Array(25..<50))
      let sound = try DecodedSound(url)
      #expect(sound.count == 4 * 48000)
      #expect(sound.peak(from: 1.01, to: 2.99) == 0)
      #expect(sound.tone(at: 0.5) == 200 && sound.tone(at: 3.5) == 300)
    }
  }

  @Test func whatIsTooShortIsFilledAsAsked() throws {
    try withTemporaryDirectory { folder in
      func numbers(_ fill: String, _ more: String = "") throws -> [Int] {
        try DecodedPictures.numbers(
          made(
            try clip("count25.mp4", #""in": 8, "out": 12, "fill": "\#(fill)"\#(more)"#), in: folder)
        )
      }
      let own = Array(200..<250)
      #expect(try numbers("freeze") == own + Array(repeating: 249, count: 50))
      #expect(try numbers("black") == own + Array(repeating: 0, count: 50))
      #expect(try numbers("loop") == own + Array(0..<50))
      #expect(
        try numbers("freeze", #", "reverse": true"#)
          == Array(repeating: 249, count: 50) + own.reversed())
      let sound = try DecodedSound(folder.appending(path: "x.mkv"))
      #expect(sound.count == 4 * 48000 && sound.peak(from: 0.0, to: 1.99) == 0)
      #expect(sound.tone(at: 2.5) == 1100)
    }
  }

  @Test func transitionsRepeatPicturesWhereFreezeIsAsked() throws {
    try withTemporaryDirectory { folder in
      let clips = try [
        clip("count25.mp4", #""fill": "freeze""#),
        #"{"transition": "dissolve", "duration": "2s", "alignment": "center"}"#,
        clip("count25.mp4", #""fill": "freeze""#),
      ].joined(separator: ", ")
      let url = try made(clips, in: folder)
      let numbers = try DecodedPictures.numbers(url)
      #expect(numbers.count == 500)
      #expect(numbers.prefix(225) == Array(0..<225)[...])
      #expect(numbers.suffix(225) == Array(25..<250)[...])
    }
  }

  @Test func dissolvesOfOtherRatesAndSpeeds() throws {
    try withTemporaryDirectory { folder in
      let clips = try [
        clip("count25.mp4", #""out": 4, "speed": 2"#),
        #"{"transition": "dissolve", "duration": "1s"}"#,
        clip("count2997.mp4", #""in": 2, "out": 5"#),
      ].joined(separator: ", ")
      let url = try made(clips, in: folder, timeline: #""frameRate": 25"#)
      let numbers = try DecodedPictures.numbers(url)
      #expect(numbers.count == 125)
      #expect(numbers.prefix(38) == (0..<38).map { 2 * $0 }[...])
      let second = (63..<125).map { frame in
        Int(((Rational(frame, 25)) * Rational(30000, 1001)).floor)
      }
      #expect(Array(numbers[63...]) == second)
    }
  }

  @Test func cutsOnThirdsAreInTheirClipsAtEveryRate() throws {
    try withTemporaryDirectory { folder in
      let clips = try (0..<4).map { index in
        try clip(
          index % 2 == 0 ? "count25.mp4" : "count25b.mp4",
          #""in": "\#(index * 2)/3", "duration": "2/3""#)
      }.joined(separator: ", ")
      for (text, rate) in [
        ("25", Rational(25)), ("30", Rational(30)), (#""60000/1001""#, Rational(60000, 1001)),
      ] {
        let url = try made(clips, in: folder, timeline: #""frameRate": \#(text)"#)
        let count = Int((Rational(8, 3) * rate).ceiling)
        let expected = (0..<count).map { Int((Rational($0) / rate * 25).floor) }
        #expect(try DecodedPictures.numbers(url) == expected)
      }
    }
  }

  @Test func editsChangeWhatIsExported() throws {
    try withTemporaryDirectory { folder in
      let url = try made(
        try clip("count25.mp4", #""out": 4"#), in: folder,
        more: """
          "edits": [{"op": "remove", "range": {"in": 1, "out": 2}},
            {"op": "scale", "range": {"in": 1, "out": 3}, "duration": 1}]
          """)
      #expect(
        try DecodedPictures.numbers(url) == Array(0..<25) + (0..<25).map { 50 + 2 * $0 })
      #expect(try DecodedSound(url).count == 96000)
    }
  }

  @Test func compositionsPlayWithinCompositions() throws {
    try withTemporaryDirectory { folder in
      let inner = Text(
        clips: try clip("count25.mp4", #""in": 2, "out": 6"#), timeline: #""sampleRate": 44100"#)
      try Data(inner.json.utf8).write(to: folder.appending(path: "inner.json"))
      let outer = Text(
        clips: #"{"source": "s", "in": 1, "out": 3}, {"source": "s", "reverse": true, "out": 1}"#,
        export: Self.lossless + #", "audio": {"codec": "flac"}"#,
        more: #""sources": {"s": {"composition": "inner.json"}}"#)
      let path = folder.appending(path: "outer.json")
      try Data(outer.json.utf8).write(to: path)
      let output = folder.appending(path: "x.mkv")
      let planned = Engine.plan(Engine.check(path: path.path), output: output.path)
      _ = try Engine.export(try #require(planned.plan, "\(planned.diagnostics)"))
      #expect(
        try DecodedPictures.numbers(output) == Array(75..<125) + Array(50..<75).reversed())
      let sound = try DecodedSound(output)
      #expect(sound.count == 3 * 44100)
      #expect(
        sound.tone(at: 0.5) == 500 && sound.tone(at: 1.5) == 600 && sound.tone(at: 2.5) == 400)
    }
  }
}
