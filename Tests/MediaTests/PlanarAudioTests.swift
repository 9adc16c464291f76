import CutroomMedia
import Testing

@Suite struct PlanarAudioTests {
  private func ramp(_ count: Int, channels: Int = 2) -> PlanarAudio {
    let audio = PlanarAudio(channels: channels, count: count)
    for channel in 0..<channels {
      for index in 0..<count { audio[channel, index] = Float(index + channel * 1000) }
    }
    return audio
  }

  private func values(_ audio: PlanarAudio, _ channel: Int = 0) -> [Float] {
    (0..<audio.count).map { audio[channel, $0] }
  }

  @Test func appendingAndRemovingKeepTheOrder() {
    let audio = ramp(3)
    audio.append(ramp(100), 10..<12)
    audio.removeFirst(1)
    audio.appendSilence(2)
    audio.append(ramp(1))
    audio.removeLast(1)
    #expect(values(audio) == [1, 2, 10, 11, 0, 0])
    #expect(values(audio, 1) == [1001, 1002, 1010, 1011, 0, 0])
    for _ in 0..<1000 {
      audio.append(ramp(64))
      audio.removeFirst(64)
    }
    #expect(audio.count == 6)
    #expect(values(audio.copy(4..<6)) == [62, 63])
  }

  @Test func mixingIsExactAtItsEdges() {
    let audio = PlanarAudio(channels: 2, count: 6)
    audio.add(ramp(10), from: 4, count: 2, at: 1, gain: 0.5)
    #expect(values(audio) == [0, 2, 2.5, 0, 0, 0])
    audio.add(ramp(10), from: 1, count: 3, at: 3, gains: [1, 0, -1])
    #expect(values(audio) == [0, 2, 2.5, 1, 0, -3])
    audio.apply(envelope: [2, 3], at: 1)
    #expect(values(audio) == [0, 4, 7.5, 1, 0, -3])
    #expect(audio.peak() == 1507.5)
    audio.add(ramp(2), channel: 1, to: 0, count: 2, at: 0, gains: [1, 1])
    #expect(values(audio) == [1000, 1005, 7.5, 1, 0, -3])
    audio.apply(gain: 2)
    #expect(audio[0, 5] == -6)
  }

  @Test func thePeakIsFoundAnywhere() {
    for position in 0..<37 {
      let audio = PlanarAudio(channels: 2, count: 37)
      audio[1, position] = -0.75
      audio[0, (position + 5) % 37] = 0.5
      #expect(audio.peak() == 0.75)
    }
    #expect(PlanarAudio(channels: 1).peak() == 0)
  }

  @Test(arguments: ["u8", "u8p", "s16", "s16p", "s32", "s32p", "flt", "fltp", "dbl", "dblp"])
  func everySampleFormatComesBack(format: String) throws {
    let audio = PlanarAudio(channels: 3, count: 5)
    let samples: [Float] = [0, 0.5, -0.5, -1, 0.25]
    for channel in 0..<3 {
      for index in 0..<5 { audio[channel, index] = samples[(index + channel) % 5] }
    }
    let frame = try audio.frame(
      count: 5, sampleRate: 48000, channelLayout: "2.1", sampleFormat: format)
    #expect(frame.sampleFormat == format)
    #expect(frame.channelLayout == "2.1")
    #expect(try PlanarAudio.from(frame).digest() == audio.digest())
  }

  @Test func valuesAreRoundedAndSaturated() throws {
    let audio = PlanarAudio(channels: 1, count: 7)
    let samples: [Float] = [1, 2, -2, 0.5 / 32768, 1.5 / 32768, -0.6 / 32768, .nan]
    for index in 0..<7 { audio[0, index] = samples[index] }
    let frame = try audio.frame(
      count: 7, sampleRate: 8000, channelLayout: "mono", sampleFormat: "s16")
    let back = try PlanarAudio.from(frame)
    #expect(values(back).map { $0 * 32768 } == [32767, 32767, -32768, 0, 2, -1, 0])
    let wide = try audio.frame(
      count: 7, sampleRate: 8000, channelLayout: "mono", sampleFormat: "s32")
    #expect(try values(PlanarAudio.from(wide)).prefix(3) == [1, 1, -1])
  }

  @Test func unfittingLayoutsAndFormatsAreRefused() {
    let audio = PlanarAudio(channels: 2, count: 5)
    for (layout, format) in [("mono", "s16"), ("stereo", "nonsense"), ("nonsense", "s16")] {
      #expect(throws: LibAVError.self) {
        try audio.frame(count: 5, sampleRate: 8000, channelLayout: layout, sampleFormat: format)
      }
    }
    #expect(throws: LibAVError.self) {
      try audio.frame(count: 0, sampleRate: 8000, channelLayout: "stereo", sampleFormat: "s16")
    }
    #expect(throws: LibAVError.self) {
      try PlanarAudio.from(Frame.solid(width: 2, height: 2, red: 0, green: 0, blue: 0))
    }
  }

  @Test func samplesOutsideTrap() async {
    await #expect(processExitsWith: .failure) {
      _ = PlanarAudio(channels: 1, count: 3)[0, 3]
    }
    await #expect(processExitsWith: .failure) {
      let audio = PlanarAudio(channels: 1, count: 3)
      audio.add(PlanarAudio(channels: 1, count: 3), from: 1, count: 3, at: 0)
    }
  }
}

@Suite struct ResamplerTests {
  @Test func theLengthFollowsTheRate() throws {
    let resampler = try Resampler(
      from: AudioFormat(sampleRate: 48000, channelLayout: "stereo", sampleFormat: "s16"),
      to: AudioFormat(sampleRate: 44100, channelLayout: "mono"), matrix: [[0.5, 0.5]])
    let result = PlanarAudio(channels: 1)
    let tone = testTone(count: 48000)
    for start in stride(from: 0, to: 48000, by: 1000) {
      let frame = try tone.frame(
        from: start, count: 1000, sampleRate: 48000, channelLayout: "stereo", sampleFormat: "s16")
      result.append(try resampler.convert(frame))
    }
    #expect(resampler.delay > 0)
    result.append(try resampler.convert(nil))
    #expect(abs(result.count - 44100) <= 1)
    #expect(result.copy(1000..<40000).peak() > 0.49)
    #expect(result.copy(1000..<40000).peak() < 0.51)
    #expect(try resampler.convert(nil).count == 0)
  }

  @Test func theMatrixIsUsed() throws {
    let resampler = try Resampler(
      from: AudioFormat(sampleRate: 8000, channelLayout: "stereo"),
      to: AudioFormat(sampleRate: 8000, channelLayout: "stereo"), matrix: [[0, 1], [0.5, 0]])
    let audio = PlanarAudio(channels: 2, count: 2)
    audio[0, 0] = 0.25
    audio[1, 0] = 0.75
    let frame = try audio.frame(
      count: 2, sampleRate: 8000, channelLayout: "stereo", sampleFormat: "fltp")
    let result = try resampler.convert(frame)
    #expect(result.count == 2)
    #expect(result[0, 0] == 0.75)
    #expect(result[1, 0] == 0.125)
  }

  @Test func mistakesAreNamed() throws {
    let stereo = AudioFormat(sampleRate: 8000, channelLayout: "stereo")
    for bad in [
      AudioFormat(sampleRate: 0, channelLayout: "stereo"),
      AudioFormat(sampleRate: 8000, channelLayout: "nonsense"),
      AudioFormat(sampleRate: 8000, channelLayout: "stereo", sampleFormat: "nonsense"),
    ] {
      #expect(throws: LibAVError.self) { try Resampler(from: bad, to: stereo) }
    }
    #expect(throws: LibAVError.self) { try Resampler(from: stereo, to: stereo, matrix: [[1]]) }
    let resampler = try Resampler(from: stereo, to: stereo)
    let frame = try testTone(count: 10).frame(
      count: 10, sampleRate: 48000, channelLayout: "stereo", sampleFormat: "fltp")
    let error = #expect(throws: LibAVError.self) { try resampler.convert(frame) }
    #expect(error?.reason.contains("48000") == true)
  }
}

@Suite struct ChannelLayoutTests {
  @Test func layoutsAreKnownByName() {
    #expect(ChannelLayout.channelCount("5.1") == 6)
    #expect(ChannelLayout.channelNames("stereo") == ["FL", "FR"])
    #expect(ChannelLayout.defaultLayout(channels: 1) == "mono")
    #expect(ChannelLayout.defaultLayout(channels: 2) == "stereo")
    #expect(ChannelLayout.isValid("2 channels"))
    #expect(!ChannelLayout.isValid("nonsense"))
    #expect(!ChannelLayout.isValid(""))
    #expect(ChannelLayout.channelNames("nonsense").isEmpty)
    #expect(ChannelLayout.defaultLayout(channels: 0) == nil)
  }
}
