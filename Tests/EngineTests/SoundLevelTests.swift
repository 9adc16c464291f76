import CutroomModel
import Foundation
import Testing

@testable import Cutroom

/// Gains and pans that change, sample by sample.
struct SoundLevelTests {
  private static let one = "\"one\": " + MixedSound.formula("1")
  private static let both = "\"both\": " + MixedSound.formula("1|0.5")

  private func keys(_ keys: String) -> String { "{\"keyframes\": [\(keys)]}" }

  @Test func gainsGoSampleBySampleOverTheWholeCurve() throws {
    let curves: [(String, (Double) -> Double)] = [
      ("linear", { $0 }), ("easeIn", { $0 * $0 }), ("easeOut", { (2 - $0) * $0 }),
      ("easeInOut", { $0 * $0 * (3 - 2 * $0) }), ("hold", { _ in 0 }),
    ]
    for (name, weight) in curves {
      let gain = keys(
        "{\"at\": 0.25, \"value\": 0.25}, {\"at\": 1.25, \"value\": 0.75, \"curve\": \"\(name)\"}")
      let mix = try MixedSound(
        tracks: ["{\"source\": \"one\", \"duration\": 2, \"audio\": {\"gain\": \(gain)}}"],
        sources: Self.one)
      let difference = mix.difference { sample in
        let way = min(max((Double(sample) - 12000) / 48000, 0), 1)
        return way >= 1 ? 0.75 : 0.25 + 0.5 * weight(way)
      }
      #expect(difference < 1e-7, "\(name)")
    }
  }

  @Test func keysBetweenSamplesAreNotMovedToThem() throws {
    let gain = keys("{\"at\": \"1/7\", \"value\": 0}, {\"at\": \"8/7\", \"value\": 1}")
    let mix = try MixedSound(
      tracks: ["{\"source\": \"one\", \"duration\": 2, \"audio\": {\"gain\": \(gain)}}"],
      sources: Self.one)
    #expect(mix.difference { min(max(Double($0) / 48000 - 1 / 7, 0), 1) } < 1e-7)
  }

  @Test func decibelsAreAnotherSpellingOfFactors() throws {
    let gain = keys("{\"at\": 0, \"value\": \"-20dB\"}, {\"at\": 1, \"value\": \"0dB\"}")
    let mix = try MixedSound(
      tracks: ["{\"source\": \"one\", \"duration\": 1, \"audio\": {\"gain\": \(gain)}}"],
      sources: Self.one)
    #expect(mix.difference { 0.1 + 0.9 * Double($0) / 48000 } < 1e-7)
  }

  @Test func aTracksKeysCountFromTheTimelinesStartAndMultiply() throws {
    let mix = try MixedSound(
      tracks: [
        """
        {"kind": "audio", "gain": \(keys("{\"at\": 1, \"value\": 1}, {\"at\": 3, \"value\": 0}")), "clips": [
          {"source": "one", "at": "1s", "duration": 1, "audio": {"gain": 0.5}},
          {"source": "one", "duration": 1}]}
        """
      ], sources: Self.one)
    #expect(mix.difference(0, 0..<48000) { _ in 0 } == 0)
    #expect(mix.difference(0, 48000..<96000) { 0.5 * (1 - Double($0 - 48000) / 96000) } < 1e-7)
    #expect(mix.difference(0, 96000..<144000) { 1 - Double($0 - 48000) / 96000 } < 1e-7)
  }

  @Test func gainsFollowClipTimeWhateverTheSpeed() throws {
    let gain = keys("{\"at\": 0, \"value\": 0}, {\"at\": 1, \"value\": 1}")
    let audio = "\"pitch\": \"shift\", \"audio\": {\"gain\": \(gain), \"fadeOut\": \"500ms\"}"
    for more in ["\"speed\": 2", "\"speed\": 2, \"reverse\": true", "\"fitDuration\": \"1s\""] {
      let mix = try MixedSound(
        tracks: ["{\"source\": \"one\", \"in\": 1, \"duration\": 2, \(more), \(audio)}"],
        sources: Self.one)
      #expect(mix.channels[0].count == 48000)
      let difference = mix.difference { sample in
        Double(sample) / 48000 * min(1, Double(48000 - sample) / 24000)
      }
      #expect(difference < 1e-4, "\(more)")
    }
  }

  @Test func aMixDoesNotDependOnWhereItStartsOrOnItsBlocks() throws {
    let gain = keys(
      "{\"at\": 0, \"value\": 0}, {\"at\": 0.7, \"value\": 1, \"curve\": \"easeInOut\"}")
    let pan = keys("{\"at\": 0, \"value\": -1}, {\"at\": 1.3, \"value\": 1}")
    let filters = "[{\"aecho\": {\"delays\": 130, \"decays\": 0.4}}]"
    let tracks = [
      """
      {"source": "s", "duration": "1.5s", "audio": {"gain": \(gain), "pan": \(pan), "fadeIn": "100ms"}},
      {"transition": "dissolve", "duration": "20f"},
      {"source": "s", "in": "3s", "duration": "1s", "audio": {"filters": \(filters)}}
      """
    ]
    let sources = "\"s\": " + MixedSound.formula("0.4*sin(2*PI*300*t)|0.3*sin(2*PI*500*t)")
    let whole = try MixedSound(tracks: tracks, sources: sources)
    let blocks = try MixedSound(tracks: tracks, sources: sources, block: 999)
    #expect(whole.channels == blocks.channels)
    let late = try MixedSound(tracks: tracks, sources: sources, from: 91234)
    #expect(late.channels == whole.channels.map { Array($0[91234...]) })
  }

  // MARK: Pan

  @Test(arguments: [
    (-1.0, 1.0, 0.0), (-0.25, 1.0, 0.75), (0.0, 1.0, 1.0), (0.5, 0.5, 1.0), (1.0, 0.0, 1.0),
  ])
  func aPanLowersTheSideThatItLeaves(pan: Double, left: Double, right: Double) throws {
    let clip = "\"duration\": \"100ms\", \"audio\": {\"pan\": \(pan)}}"
    let mono = try MixedSound(tracks: ["{\"source\": \"one\", \(clip)"], sources: Self.one)
    #expect(mono.difference(0) { _ in left } < 1e-7)
    #expect(mono.difference(1) { _ in right } < 1e-7)
    let stereo = try MixedSound(tracks: ["{\"source\": \"both\", \(clip)"], sources: Self.both)
    #expect(stereo.difference(0) { _ in left } < 1e-7)
    #expect(stereo.difference(1) { _ in 0.5 * right } < 1e-7)
  }

  @Test func aPanMovesSampleBySample() throws {
    let pan = keys("{\"at\": 0, \"value\": -1}, {\"at\": 2, \"value\": 1}")
    let mix = try MixedSound(
      tracks: [
        "{\"source\": \"one\", \"duration\": 2, \"audio\": {\"pan\": \(pan), \"gain\": 0.5}}"
      ],
      sources: Self.one)
    #expect(mix.difference(0) { 0.5 * min(1, 2 - Double($0) / 48000) } < 1e-7)
    #expect(mix.difference(1) { 0.5 * min(1, Double($0) / 48000) } < 1e-7)
  }

  @Test func ofSurroundAPanLeavesTheMiddle() throws {
    let source = "\"s\": " + MixedSound.formula("0.1|0.2|0.3|0.4|0.5|0.6:c=5.1")
    let mix = try MixedSound(
      tracks: ["{\"source\": \"s\", \"duration\": \"100ms\", \"audio\": {\"pan\": 0.75}}"],
      layout: "5.1", sources: source)
    let expected = [0.025, 0.2, 0.3, 0.4, 0.125, 0.6]
    for (channel, value) in expected.enumerated() {
      #expect(mix.difference(channel) { _ in value } < 1e-7)
    }
  }

  @Test func aPanInMonoIsSaidToHaveNoEffect() {
    let found = soundFindings(
      "{\"source\": \"one\", \"duration\": 1, \"audio\": {\"pan\": 1}}", sources: Self.one,
      layout: "mono")
    #expect(found == ["shape.no-effect /tracks/0/clips/0/audio/pan"])
  }
}
