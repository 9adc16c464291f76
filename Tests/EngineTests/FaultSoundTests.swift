import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Sound that other tools click, repeat, weaken or lose.
@Suite(.needsFFmpeg)
struct FaultSoundTests {
  private func sound(
    _ tracks: [String], timeline: String = #""sampleRate": 48000, "channelLayout": "stereo""#,
    more: String = #""audio": {"declick": 0}"#, in folder: URL
  ) throws -> (sound: DecodedSound, made: Exported) {
    let made = try Text(
      tracks: tracks.map { "{\"kind\": \"audio\", \"clips\": [\($0)]}" }.joined(separator: ","),
      timeline: timeline, export: #""mode": "render""#, more: more
    ).export(to: "sound.wav", in: folder, overwrite: true)
    return (try DecodedSound(made.url), made)
  }

  @Test func hardCutsAreSmoothedWithoutChangingTheLength() throws {
    let clips =
      try clip("c100.wav", #""out": 1"#) + ","
      + clip("c100.wav", #""in": 1.005, "out": 1.9"#)
    try withTemporaryDirectory { folder in
      let mono = #""sampleRate": 48000, "channelLayout": "mono""#
      let smooth = try sound([clips], timeline: mono, more: #""name": "x""#, in: folder).sound
      #expect(smooth.count == 90960)
      #expect(smooth.largestStep(47000, 49000) <= 0.05)
      let plain = try sound([clips], timeline: mono, in: folder).sound
      #expect(plain.count == 90960)
      #expect(plain.largestStep(47000, 49000) > 1.5)
      let source = try DecodedSound(try Fixtures.file("c100.wav")).channels[0]
      #expect(plain.channels[0] == Array(source[..<48000]) + Array(source[48240..<91200]))
    }
  }

  @Test func afterTheEndOfASourceThereIsSilence() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        tracks: """
          {"kind": "video", "clips": [{"source": "grey", "duration": "3s"}]},
          {"kind": "audio", "clips": [\(try clip("s.mp3"))]}
          """, timeline: #""size": [64, 36], "frameRate": 25"#, export: Text.lossless,
        more: ##""sources": {"grey": {"color": "#808080"}}"##
      ).export(to: "end.mkv", in: folder)
      let sound = try DecodedSound(made.url)
      #expect(sound.count == 3 * 44100)
      #expect(sound.peak(from: 0.9, to: 1) > 0.1)
      #expect(sound.peak(from: 1.004) == 0)
    }
  }

  @Test func aRangeWithoutSoundIsSilent() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: try clip("a7.mp4", #""in": 8, "out": 10"#), export: Text.quick
      ).export(to: "silent.mp4", in: folder)
      let stream = try ProbedFile(made.url).stream("audio")
      #expect(stream["duration"] == "2.000000")
      #expect(try DecodedSound(made.url).peak() == 0)
      #expect(try DecodedPictures.numbers(made.url) == Array(200..<250))
    }
  }

  @Test func aMixIsThePlainSum() throws {
    try withTemporaryDirectory { folder in
      let mix = try sound([clip("sine440.wav"), clip("sine900.wav")], in: folder).sound
      let (early, late) = (mix.amplitude(of: 440, at: 0.5), mix.amplitude(of: 440, at: 8))
      #expect(abs(20 * log10(early / late)) < 0.05)
    }
  }

  @Test func aMixBeyondFullScaleIsLimitedAndSaid() throws {
    let tracks = [try clip("loud.wav"), try clip("loud.wav")]
    try withTemporaryDirectory { folder in
      let (limited, made) = try sound(tracks, in: folder)
      #expect(made.report.peakDecibels.map { abs($0 - 4.08) < 0.05 } == true)
      #expect(made.report.warnings.contains { $0.code == "sound.peak" })
      #expect(limited.peak() <= 0.9886)
      // No flat tops: never more than three samples in a row at the largest value.
      let top = limited.peak() - 1 / 32768
      var (run, longest) = (0, 0)
      for sample in limited.channels[0] {
        run = abs(sample) >= top ? run + 1 : 0
        longest = max(longest, run)
      }
      #expect(longest <= 3)
      let strict = Text(
        tracks: tracks.map { "{\"kind\": \"audio\", \"clips\": [\($0)]}" }.joined(separator: ","),
        export: #""mode": "render""#, more: #""audio": {"peak": "error"}"#)
      try FileManager.default.removeItem(at: made.url)
      #expect(try strict.refusal(to: "x.wav", in: folder) == ["sound.peak /audio/peak"])
    }
  }

  @Test func monoKeepsItsLevelInStereo() throws {
    try withTemporaryDirectory { folder in
      let source = try DecodedSound(try Fixtures.file("m.wav")).peak()
      let stereo = try sound([clip("m.wav")], in: folder).sound
      for channel in 0..<2 {
        #expect(abs(20 * log10(stereo.peak(channel: channel) / source)) < 0.1)
      }
    }
  }

  private static let mixed = ["m.wav", "st441.wav", "s51.wav"]

  @Test func everyLayoutAndRateBecomesTheTimelines() throws {
    let clips = try Self.mixed.map { try clip($0) }.joined(separator: ",")
    try withTemporaryDirectory { folder in
      let stereo = try sound([clips], in: folder).sound
      #expect(stereo.count == 576_000)
      #expect(stereo.channels.count == 2)
      for (time, frequency) in [(1.0, 440), (5.0, 440), (9.0, 1000)] {
        #expect(stereo.amplitude(of: frequency, at: time) > 0.05)
      }
      #expect(stereo.amplitude(of: 660, at: 5, channel: 1) > 0.25)
      let surround = try sound(
        [clips], timeline: #""sampleRate": 48000, "channelLayout": "5.1""#, in: folder
      ).sound
      #expect(surround.count == 576_000)
      let source = try DecodedSound(try Fixtures.file("s51.wav"))
      for channel in 0..<6 {
        let own = surround.channels[channel][384_000..<430_000]
        #expect(DecodedSound.correlation(own, source.channels[channel][..<46_000]) > 0.999)
        // Mono and stereo are in front left and right alone.
        #expect((surround.peak(to: 8, channel: channel) > 0) == (channel < 2))
      }
    }
  }

  @Test(arguments: [[0, 1, 2], [1, 0, 2], [0, 2, 1]])
  func aClipWithoutSoundIsSilent(order: [Int]) throws {
    let clips = try [
      clip("count25.mp4", #""out": 2"#), clip("noaudio.mp4"),
      clip("count25.mp4", #""in": 2, "out": 4"#),
    ]
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: order.map { clips[$0] }.joined(separator: ","),
        export: """
          "mode": "render", "video": {"codec": "h264", "preset": "ultrafast"},
          "audio": {"codec": "flac"}
          """
      ).export(to: "six.mkv", in: folder)
      let sound = try DecodedSound(made.url)
      #expect(sound.count == 288_000)
      for (place, index) in order.enumerated() {
        let tone = sound.tone(at: Double(2 * place) + 0.5)
        #expect(tone == [200, 0, 400][index])
      }
    }
  }

  @Test func withoutAnySoundThereIsNoSoundTrack() throws {
    try withTemporaryDirectory { folder in
      let one = try clip("noaudio.mp4")
      let made = try Text(clips: "\(one), \(one)", export: Text.quick)
        .export(to: "mute.mp4", in: folder)
      #expect(try ProbedFile(made.url).streams.count == 1)
    }
  }

  @Test func soundShorterThanItsPictureDoesNotMoveLaterClips() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        clips: "\(try clip("ashort.mp4")), \(try clip("count25.mp4"))",
        export: #""mode": "render", "video": false, "audio": {"codec": "flac"}"#
      ).export(to: "short.mkv", in: folder)
      let sound = try DecodedSound(made.url)
      #expect(sound.tone(at: 10.5) == 200)
      #expect(sound.tone(at: 14.5) == 600)
      #expect(sound.peak(from: 9.203, to: 9.999) == 0)
    }
  }

  @Test func theLastItemOfASoundTrackIsWhole() throws {
    try withTemporaryDirectory { folder in
      let made = try Text(
        tracks: """
          {"kind": "video", "clips": [{"source": "grey", "duration": "20s"}]},
          {"kind": "audio", "clips": [\(try clip("noise9.wav")), \(try clip("noise11.wav"))]}
          """, timeline: #""size": [64, 36], "frameRate": 10"#, export: Text.lossless,
        more: ##""sources": {"grey": {"color": "#808080"}}, "audio": {"declick": 0}"##
      ).export(to: "last.mkv", in: folder)
      #expect(made.report.plan.duration == Rational(20404, 1000))
      let sound = try DecodedSound(made.url)
      #expect(sound.count == 979_392)
      for (name, start) in [("noise9.wav", 0), ("noise11.wav", 427_392)] {
        let source = try DecodedSound(try Fixtures.file(name)).channels[0]
        let own = sound.channels[0][start..<start + source.count]
        #expect(Array(own) == source)
      }
    }
  }
}
