import CutroomModel
import Foundation
import Testing

@testable import Cutroom

/// Mappings of channels, and the stated matrices between layouts.
struct SoundChannelTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var mapping: String
    var source: String
    var layout: String
    var expected: [Double]
    var testDescription: String { mapping + " to " + layout }
  }

  private static let stereo = "0.3|0.7"
  private static let surround = "0.1|0.2|0.3|0.4|0.5|0.6:c=5.1"

  private func levels(_ mapping: String, _ formula: String, _ layout: String) throws -> [Double] {
    let audio = mapping.isEmpty ? "" : ", \"audio\": {\"channels\": \(mapping)}"
    let mix = try MixedSound(
      tracks: ["{\"source\": \"s\", \"duration\": \"100ms\"\(audio)}"], layout: layout,
      sources: "\"s\": " + MixedSound.formula(formula))
    return mix.channels.map { Double($0[$0.count / 2]) }
  }

  private func expect(_ levels: [Double], _ expected: [Double], _ place: String) {
    #expect(levels.count == expected.count)
    for (a, b) in zip(levels, expected) { #expect(abs(a - b) < 1e-6, "\(place) \(levels)") }
  }

  @Test(arguments: [
    Case(mapping: #"{"FL": "FR"}"#, source: stereo, layout: "stereo", expected: [0.7, 0.7]),
    Case(
      mapping: #"{"FL": "FR", "FR": "FL"}"#, source: stereo, layout: "stereo",
      expected: [0.7, 0.3]),
    Case(mapping: #"{"FR": {}}"#, source: stereo, layout: "stereo", expected: [0.3, 0]),
    Case(
      mapping: #"{"FL": {"FL": 0.5, "FR": "-20dB"}}"#, source: stereo, layout: "stereo",
      expected: [0.22, 0.7]),
    Case(
      mapping: #"{"c0": "c1", "c1": "c0"}"#, source: stereo, layout: "stereo",
      expected: [0.7, 0.3]),
    Case(mapping: #"{"FC": "FR"}"#, source: stereo, layout: "mono", expected: [0.7]),
    Case(
      mapping: #"{"FR": {"FC": 0.5}}"#, source: "0.4", layout: "stereo", expected: [0.4, 0.2]),
    Case(
      mapping: #"{"FL": "FC", "FR": {"LFE": 1, "BL": 0.1}}"#, source: surround,
      layout: "stereo", expected: [0.3, 0.45]),
    Case(
      mapping: #"{"LFE": {"FL": 0.5, "FR": 0.5}}"#, source: stereo, layout: "5.1",
      expected: [0.3, 0.7, 0, 0.5, 0, 0]),
  ])
  func aMappedChannelIsTheSumOfWhatItNames(_ item: Case) throws {
    expect(
      try levels(item.mapping, item.source, item.layout), item.expected, item.testDescription)
  }

  @Test func layoutsAreConvertedByTheStatedMatrices() throws {
    let half = 0.5.squareRoot()
    let seven = "0.1|0.2|0.3|0.4|0.5|0.6|0.7|0.8:c=7.1"
    let table: [(String, String, [Double])] = [
      // FL FR FC LFE BL BR, the low frequencies left out.
      (Self.surround, "stereo", [0.1 + half * 0.3 + half * 0.5, 0.2 + half * 0.3 + half * 0.6]),
      (Self.surround, "mono", [half * 0.1 + half * 0.2 + 0.3 + 0.5 * 0.5 + 0.5 * 0.6]),
      (Self.surround, "5.1(side)", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
      (Self.surround, "quad", [0.1 + half * 0.3, 0.2 + half * 0.3, 0.5, 0.6]),
      // FL FR FC LFE BL BR SL SR; sides join the backs.
      (seven, "5.1", [0.1, 0.2, 0.3, 0.4, 0.5 + 0.7, 0.6 + 0.8]),
      (
        seven, "stereo",
        [0.1 + half * (0.3 + 0.5 + 0.7), 0.2 + half * (0.3 + 0.6 + 0.8)]
      ),
      (Self.surround, "7.1", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0, 0]),
      ("0.4", "5.1", [0.4, 0.4, 0, 0, 0, 0]), ("0.4", "7.1", [0.4, 0.4, 0, 0, 0, 0, 0, 0]),
      (Self.stereo, "mono", [0.5]), (Self.stereo, "5.1", [0.3, 0.7, 0, 0, 0, 0]),
    ]
    for (source, layout, expected) in table {
      let bounded = expected.map { min(1, $0) }
      expect(try levels("", source, layout), bounded, "\(source) to \(layout)")
    }
  }

  @Test(arguments: [
    (#"{"FX": "FL"}"#, ["media.no-channel /tracks/0/clips/0/audio/channels/FX"]),
    (#"{"FL": "FC"}"#, ["media.no-channel /tracks/0/clips/0/audio/channels/FL"]),
    (#"{"FL": {"FL": 1, "c2": 1}}"#, ["media.no-channel /tracks/0/clips/0/audio/channels/FL/c2"]),
    (#"{"BL": "FL"}"#, ["media.no-channel /tracks/0/clips/0/audio/channels/BL"]),
    (#"{"c1": "c0"}"#, []),
  ])
  func channelsThatAreNotThereAreErrors(mapping: String, expected: [String]) {
    let found = soundFindings(
      "{\"source\": \"s\", \"duration\": 1, \"audio\": {\"channels\": \(mapping)}}",
      sources: "\"s\": " + MixedSound.formula(Self.stereo))
    #expect(found == expected)
  }
}
