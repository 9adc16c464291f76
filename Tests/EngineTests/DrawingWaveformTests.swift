import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

@Suite(.needsFFmpeg)
struct DrawingWaveformTests {
  private func waveform(_ name: String, _ change: (inout WaveformSettings) -> Void) throws
    -> Waveform
  {
    var settings = WaveformSettings()
    change(&settings)
    return try Engine.waveform(
      of: .file(try Fixtures.file(name).path), settings: settings)
  }

  @Test func peaksAreTheExtremesOfTheirSamples() throws {
    let sound = try DecodedSound(try Fixtures.file("c100.wav"))
    // 96000 samples in 7 parts: their bounds are no whole numbers.
    let waveform = try waveform("c100.wav") { $0.width = 7 }
    #expect(waveform.sampleCount == 96000)
    #expect(waveform.stretch == Rational(96000, 7))
    #expect(waveform.channels.count == 1)
    for index in 0..<7 {
      let part = sound.channels[0][(index * 96000 / 7)..<((index + 1) * 96000 / 7)]
      #expect(waveform.channels[0].minima[index] == part.min())
      #expect(waveform.channels[0].maxima[index] == part.max())
    }
  }

  @Test func blocksHaveTheSamplesAskedFor() throws {
    let sound = try DecodedSound(try Fixtures.file("st441.wav"))
    let waveform = try waveform("st441.wav") { $0.block = 1000 }
    #expect(waveform.count == (sound.count + 999) / 1000)
    #expect(waveform.channels.count == 2)
    for channel in 0..<2 {
      for index in 0..<waveform.count {
        let part = sound.channels[channel][index * 1000..<min((index + 1) * 1000, sound.count)]
        #expect(waveform.channels[channel].minima[index] == part.min())
        #expect(waveform.channels[channel].maxima[index] == part.max())
      }
    }
  }

  @Test func shortSoundHasNoMorePeaksThanSamples() throws {
    let waveform = try waveform("c100.wav") { $0.width = 1_000_000 }
    #expect(waveform.count == 96000)
  }

  @Test func aCompositionIsMeasuredAsItIsMixed() throws {
    let text = Text(
      clips: try clip("c100.wav", #""in": "0s", "out": "1s", "audio": {"gain": 0.5}"#)
        + #", {"gap": "1s"}, "# + (try clip("c100.wav", #""in": "0s", "out": "1s""#)),
      more: #""audio": {"declick": 0}"#)
    let checked = Engine.check(
      text: SourceText(file: "t.json", text: text.json), baseDirectory: "")
    var settings = WaveformSettings()
    settings.width = 3
    let waveform = try Engine.waveform(of: .composition(checked), settings: settings)
    let peaks = waveform.channels[0].maxima.map { Int(($0 * 100).rounded()) }
    #expect(peaks == [40, 0, 80])
  }

  @Test func whatCannotBeMeasuredIsRefused() throws {
    let picture = try Fixtures.file("scene.png").path
    try withTemporaryDirectory { folder in
      let all: [(name: String, input: String, change: (inout WaveformSettings) -> Void)] = [
        ("media.no-stream", picture, { _ in }),
        ("output.extension", picture, { $0.width = 10 }),
        ("size.limit", picture, { $0.width = 100_000 }),
        ("size.limit", picture, { ($0.width, $0.height) = (16_000, 16_000) }),
      ]
      for (code, input, change) in all {
        var settings = WaveformSettings()
        change(&settings)
        let name = code == "output.extension" ? "w.gif" : "w.png"
        let error = #expect(throws: CutroomError.self) {
          try Engine.waveform(
            of: .file(input), output: folder.appending(path: name).path, settings: settings)
        }
        #expect(error?.stableCode == code)
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(files.isEmpty)
    }
  }

  @Test func aPictureShowsEachChannelInItsLane() throws {
    let source = try Fixtures.file("loud.wav").path
    try withTemporaryDirectory { folder in
      let output = folder.appending(path: "w.png")
      var settings = WaveformSettings()
      settings.width = 60
      settings.height = 40
      let report = try Engine.waveform(
        of: .file(source), output: output.path, settings: settings)
      #expect(abs(report.waveform.peak - 0.8) < 0.001)
      let pixels = try #require(
        try DecodedPictures.bytes(output, filter: "format=gray", size: 60 * 40).first)
      let column = stride(from: 30, to: 60 * 40, by: 60).map { pixels[$0] < 200 }
      #expect(column.count { $0 } == 30, "0.8 of 37 rows")
      #expect(column.first == false && column.last == false)
    }
  }
}
