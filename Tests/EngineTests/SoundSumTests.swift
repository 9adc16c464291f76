import CutroomModel
import Foundation
import Testing

@testable import Cutroom

/// Mixes against a direct sum of what their clips say.
struct SoundSumTests {
  /// A clip with everything in samples.
  private struct Part {
    var place: Int
    var first: Int
    var length: Int
    var gain: Double
    var fadeIn: Int
    var fadeOut: Int
    var isReversed: Bool
    var source: Int

    /// The sample at a place of the clip, of one channel.
    func value(_ index: Int, _ channel: Int) -> Double {
      let place = isReversed ? first + length - 1 - index : first + index
      var value = gain * SoundSumTests.value(source, channel, place)
      if index < fadeIn { value *= Double(index) / Double(fadeIn) }
      if length - index < fadeOut { value *= Double(length - index) / Double(fadeOut) }
      return value
    }

    var text: String {
      """
      {"source": "s\(source)", "at": "\(place)@48000", "in": "\(first)@48000",
       "duration": "\(length)@48000", "reverse": \(isReversed), "audio": {"gain": \(gain),
       "fadeIn": "\(fadeIn)@48000", "fadeOut": "\(fadeOut)@48000"}}
      """
    }
  }

  private static let frequencies = [[220.0, 331], [97, 1201], [3000, 11]]
  private static let levels = [0.3, 0.25, 0.2]

  static func value(_ source: Int, _ channel: Int, _ sample: Int) -> Double {
    levels[source] * sin(2 * .pi * frequencies[source][channel] * Double(sample) / 48000)
  }

  private static let sources = (0..<3).map { source in
    let formula = frequencies[source].map { "\(levels[source])*sin(2*PI*\($0)*t)" }
      .joined(separator: "|")
    return "\"s\(source)\": " + MixedSound.formula(formula, seconds: "3s")
  }.joined(separator: ",")

  /// Numbers that a seed decides.
  private struct Random {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  @Test func randomMixesAreTheSumOfTheirClips() throws {
    let seed = UInt64.random(in: 1..<1 << 62)
    var random = Random(state: seed)
    for round in 0..<12 {
      var tracks: [(gain: Double, parts: [Part])] = []
      for _ in 0...random.next(3) {
        var parts: [Part] = []
        var place = 0
        for _ in 0...random.next(4) {
          place += random.next(3) == 0 ? random.next(9000) : 0
          let length = 1 + random.next(20_000)
          let part = Part(
            place: place, first: random.next(100_000), length: length,
            gain: Double(random.next(9)) / 8, fadeIn: random.next(2) * random.next(length / 2 + 1),
            fadeOut: random.next(2) * random.next(length / 2 + 1),
            isReversed: random.next(4) == 0, source: random.next(3))
          parts.append(part)
          place += length
        }
        tracks.append((Double(1 + random.next(4)) / 4, parts))
      }
      let end = tracks.flatMap(\.parts).map { $0.place + $0.length }.max() ?? 0
      let mix = try MixedSound(
        tracks: tracks.map { track in
          "{\"kind\": \"audio\", \"gain\": \(track.gain), \"clips\": ["
            + track.parts.map(\.text).joined(separator: ",") + "]}"
        }, sources: Self.sources, block: 1 + random.next(9000))
      #expect(mix.channels.map(\.count) == [end, end], "seed \(seed), round \(round)")
      for channel in 0..<2 {
        var sum = [Double](repeating: 0, count: end)
        for track in tracks {
          for part in track.parts {
            for index in 0..<part.length {
              sum[part.place + index] += track.gain * part.value(index, channel)
            }
          }
        }
        let difference = mix.difference(channel) { min(1, max(-1, sum[$0])) }
        #expect(difference < 2e-6, "seed \(seed), round \(round), channel \(channel)")
      }
    }
  }

  @Test(arguments: ["equalPower", "linear", "cut"])
  func crossFadesKeepWhatTheirCurveSays(curve: String) throws {
    let audio = curve == "equalPower" ? "" : ", \"audio\": \"\(curve)\""
    let mix = try MixedSound(
      tracks: [
        """
        {"source": "left", "duration": "1s"}, {"transition": "dissolve", "duration": "20f"\(audio)},
        {"source": "right", "in": "1s", "duration": "1s"}
        """
      ],
      sources: "\"left\": \(MixedSound.formula("1|0")), \"right\": \(MixedSound.formula("0|1"))")
    let (left, right) = (mix.channels[0], mix.channels[1])
    #expect(left.count == 96000)
    // 20 frames at 25 a second: 0.4 s on each side of the cut.
    for index in 0..<96000 {
      let way = min(max((Double(index) - 28800) / 38400, 0), 1)
      let expected: (Double, Double) =
        switch curve {
        case "linear": (1 - way, way)
        case "cut": way < 0.5 ? (1, 0) : (0, 1)
        default: (cos(way * .pi / 2), sin(way * .pi / 2))
        }
      let distance = max(
        abs(Double(left[index]) - expected.0), abs(Double(right[index]) - expected.1))
      guard distance > 1e-6 else { continue }
      Issue.record("\(left[index]) and \(right[index]) at \(index)")
      break
    }
    // The power of two tones that have nothing to do with each other stays the same.
    if curve == "equalPower" {
      let power = zip(left, right).map { $0 * $0 + $1 * $1 }
      #expect(power.allSatisfy { abs($0 - 1) < 1e-5 })
    }
  }
}
