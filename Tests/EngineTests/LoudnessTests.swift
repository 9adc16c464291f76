import CutroomMedia
import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Programs brought to a loudness, measured again by ffmpeg.
@Suite(.needsFFmpeg)
struct LoudnessTests {
  /// What ffmpeg's `ebur128` says about a file: LUFS, and dBTP.
  private func measured(_ url: URL) throws -> (integrated: Double, truePeak: Double) {
    let result = try Program.run(
      "ffmpeg",
      ["-nostdin", "-hide_banner", "-i", url.path, "-af", "ebur128=peak=true", "-f", "null", "-"])
    let summary = try #require(result.errors.components(separatedBy: "Summary:").last)
    func value(_ name: String) throws -> Double {
      let line = try #require(
        summary.split(separator: "\n").first { $0.drop { $0 == " " }.hasPrefix(name) })
      let words = line.split(separator: " ")
      return try #require(Double(words[words.count - 2]))
    }
    return (try value("I:"), try value("Peak:"))
  }

  private func made(
    _ source: String, duration: String = "2500ms", loudness: String, layout: String = "stereo",
    rate: Int = 48000, policy: String = "limit", in folder: URL
  ) throws -> Exported {
    let formula = source.hasPrefix("{") ? source : MixedSound.formula(source, rate: rate)
    return try Text(
      tracks: """
        {"kind": "audio", "clips": [{"source": "s", "duration": "\(duration)"}]}
        """, timeline: "\"sampleRate\": \(rate), \"channelLayout\": \"\(layout)\"",
      export: "\"audio\": {\"codec\": \"pcm_f32le\"}",
      more: """
        "sources": {"s": \(formula)}, "audio": {"loudness": \(loudness), "peak": "\(policy)"}
        """
    ).export(to: "loud.wav", in: folder, overwrite: true)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var source: String
    var target: Double
    var peak: Double
    var layout = "stereo"
    var rate = 48000
    var isLimited = false
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "quiet", source: "0.01*sin(2*PI*440*t)|0.02*sin(2*PI*997*t)", target: -16, peak: -1),
    Case(name: "loud", source: "0.9*sin(2*PI*440*t)", target: -23, peak: -1),
    Case(
      name: "with pauses", source: "0.3*sin(2*PI*440*t)*lt(mod(t\\\\,2)\\\\,0.7)", target: -20,
      peak: -2),
    Case(
      name: "clicks", source: "0.02*sin(2*PI*440*t)+0.5*lt(mod(t\\\\,1)\\\\,0.002)", target: -16,
      peak: -3, isLimited: true),
    Case(
      name: "between samples",
      source: "0.9*sin(2*PI*12000*t+PI/4)*lt(mod(t\\\\,1)\\\\,0.02)+0.05*sin(2*PI*300*t)",
      target: -11, peak: -1, isLimited: true),
    Case(
      name: "5.1",
      source:
        "0.1*sin(2*PI*300*t)|0|0.1*sin(2*PI*400*t)|0.5*sin(2*PI*60*t)|0.2*sin(2*PI*500*t)|0:c=5.1",
      target: -20, peak: -1, layout: "5.1"),
    Case(
      name: "mono at 44100", source: "0.05*sin(2*PI*440*t)", target: -18, peak: -1, layout: "mono",
      rate: 44100),
  ])
  func aProgramReachesItsLoudnessAndKeepsItsTruePeak(_ item: Case) throws {
    try withTemporaryDirectory { folder in
      let made = try made(
        item.source, loudness: "{\"integrated\": \(item.target), \"truePeak\": \(item.peak)}",
        layout: item.layout, rate: item.rate, in: folder)
      let found = try measured(made.url)
      let outcome = try #require(made.report.loudness)
      #expect(abs(found.integrated - item.target) <= 0.2)
      #expect(found.truePeak <= item.peak + 0.05)
      let output = try #require(outcome.output.integrated)
      #expect(abs(output - found.integrated) <= 0.1)
      #expect(abs((outcome.output.truePeak ?? 0) - found.truePeak) <= 0.2)
      #expect(outcome.isLimited == item.isLimited)
      if !item.isLimited {
        #expect(abs((outcome.input.integrated ?? 0) + outcome.gain - item.target) < 0.001)
      }
      #expect(made.report.jsonValue["loudness"]?["output"]?["integrated"] != nil)
    }
  }

  @Test(arguments: [
    ("0", "1s"), ("0.1*sin(2*PI*440*t)", "300ms"), ("0.00001*sin(2*PI*440*t)", "1s"),
  ])
  func whatHasNoLoudnessIsLeftAsItIs(source: String, duration: String) throws {
    try withTemporaryDirectory { folder in
      let made = try made(
        source, duration: duration, loudness: "{\"integrated\": -16}", in: folder)
      let outcome = try #require(made.report.loudness)
      #expect(outcome.input.integrated == nil && outcome.gain == 0)
      #expect(made.report.warnings.map(\.code) == ["sound.loudness"])
      #expect(made.report.jsonValue["loudness"]?["input"]?["integrated"] == .null)
    }
  }

  @Test func withPeaksAnErrorALoudnessThatNeedsLimitingIsRefused() throws {
    try withTemporaryDirectory { (folder) throws in
      let error = #expect(throws: CutroomError.self) { () throws in
        _ = try made(
          "0.02*sin(2*PI*440*t)+0.5*lt(mod(t\\\\,1)\\\\,0.002)",
          loudness: "{\"integrated\": -16}", policy: "error", in: folder)
      }
      #expect(error?.stableCode == "sound.peak")
      #expect(error?.diagnostics.map(\.pointer) == ["/audio/loudness"])
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left.isEmpty)
    }
  }

  @Test func soundThatIsBroughtToALoudnessIsNotCopied() throws {
    try withTemporaryDirectory { folder in
      let text = Text(
        clips: try clip("count25.mp4"), export: Text.passthrough,
        more: #""audio": {"loudness": {"integrated": -16}}"#)
      #expect(try text.refusal(in: folder) == ["passthrough.effect /audio/loudness"])
    }
  }
}
