import CutroomModel
import Foundation
import Testing

@testable import Cutroom

/// Filters on the sound of clips.
struct SoundFilterTests {
  private static let sources =
    "\"s\": " + MixedSound.formula("0.4*sin(2*PI*300*t)|0.3*sin(2*PI*500*t)") + ","
    + "\"click\": " + MixedSound.formula("if(eq(n\\\\,24000)\\\\,0.5\\\\,0)")

  private func mix(_ filters: String, _ clip: String = "\"source\": \"s\", \"duration\": 1") throws
    -> MixedSound
  {
    try MixedSound(
      tracks: ["{\(clip), \"audio\": {\"filters\": \(filters)}}"], sources: Self.sources)
  }

  @Test(arguments: [
    #"[{"highpass": {"f": 80}}]"#, #"[{"equalizer": {"f": 300, "g": 3}}]"#,
    #"[{"acompressor": {}}]"#, #"[{"aecho": {"delays": 500, "decays": 0.5}}]"#,
    #"[{"alimiter": {"limit": 0.5}}]"#, #"[{"dynaudnorm": {}}]"#, #"[{"loudnorm": {}}]"#,
    #"[{"afftdn": {}}]"#, #"[{"firequalizer": {"gain": "0"}}]"#,
    #"[{"adelay": {"delays": "100|100"}}]"#,
    #"[{"pan": {"args": "mono|c0=FR"}}]"#, #"[{"volume": {"volume": 0.5}}, {"tremolo": {}}]"#,
    #"[{"aformat": {"sample_rates": 8000}}]"#, #"[{"crystalizer": {}}]"#,
    #"[{"stereowiden": {}}]"#,
    #"[{"chorus": {"delays": "40", "decays": "0.4", "speeds": "0.3", "depths": "2"}}]"#,
    #"[{"asetnsamples": {"n": 333}}]"#, #"[{"superequalizer": {}}]"#, #"[{"afade": {"d": 0.5}}]"#,
  ])
  func theLengthStaysTheClips(filters: String) throws {
    let mix = try mix(filters)
    #expect(mix.channels.map(\.count) == [48000, 48000])
    #expect(mix.channels[0].allSatisfy { $0.isFinite })
    #expect(mix.channels[0][30000..<40000].contains { abs($0) > 0.02 })
  }

  @Test func anEchoComesFromTheClipsOwnSound() throws {
    let clip = "\"source\": \"click\", \"duration\": 2"
    let echo = try mix(
      #"[{"aecho": {"in_gain": 1, "out_gain": 1, "delays": 500, "decays": 0.5}}]"#, clip)
    #expect(abs(echo.channels[0][24000] - 0.5) < 1e-6)
    #expect(abs(echo.channels[0][48000] - 0.25) < 1e-6)
    // What lies before the in-point was never heard.
    let late = try mix(
      #"[{"aecho": {"in_gain": 1, "out_gain": 1, "delays": 500, "decays": 0.5}}]"#,
      "\"source\": \"click\", \"in\": \"600ms\", \"duration\": 1")
    #expect(late.channels[0].allSatisfy { $0 == 0 })
  }

  @Test func delaysThatFiltersStateAreTakenOff() throws {
    let clip = "\"source\": \"click\", \"duration\": 1"
    for filter in [
      #"[{"firequalizer": {"gain": "0"}}]"#, #"[{"firequalizer": {"zero_phase": 1}}]"#,
      #"[{"alimiter": {"latency": 1, "level": false}}]"#, #"[{"superequalizer": {"1b": 1.5}}]"#,
      #"[{"alimiter": {"attack": 20}}]"#, #"[{"afftdn": {}}]"#, #"[{"afftfilt": {}}]"#,
      #"[{"anlmdn": {}}, {"apsyclip": {}}]"#,
      #"[{"aformat": {"sample_rates": 96000}}]"#,
    ] {
      let filtered = try mix(filter, clip)
      let top = filtered.channels[0].indices.max {
        filtered.channels[0][$0] < filtered.channels[0][$1]
      }
      #expect(top == 24000, "\(filter)")
    }
  }

  @Test func timesInFiltersAreClipTimes() throws {
    let one = "\"one\": " + MixedSound.formula("0.5")
    let filter = #"[{"volume": {"volume": 0, "enable": "lt(t,0.5)"}}]"#
    let mix = try MixedSound(
      tracks: [
        """
        {"source": "one", "at": "1s", "duration": 1, "audio": {"gain": 0}},
        {"transition": "dissolve", "duration": "1/2", "audio": "cut"},
        {"source": "one", "in": 1, "duration": 1, "audio": {"filters": \(filter)}}
        """
      ], sources: one)
    #expect(mix.channels[0].count == 144000)
    // Frames of 1024 samples are switched as a whole.
    #expect(mix.difference(0, 98000..<119000) { _ in 0 } == 0)
    #expect(mix.difference(0, 121100..<144000) { _ in 0.5 } < 1e-6)
  }

  @Test func theResultKeepsTheTimelinesLayout() throws {
    let mix = try mix(#"[{"pan": {"args": "mono|c0=FL"}}]"#)
    #expect(mix.channels[0] == mix.channels[1])
    #expect(mix.difference { 0.4 * sin(2 * .pi * 300 * Double($0) / 48000) } < 1e-5)
  }

  @Test func partsOfAClipGoThroughOneRunOfItsFilters() throws {
    let audio =
      #""audio": {"filters": [{"aecho": {"in_gain": 1, "out_gain": 1, "delays": 300, "decays": 0.5}}]}"#
    func text(_ edits: String) -> String {
      """
      {"format": "cutroom/1", "timeline": {"sampleRate": 48000, "channelLayout": "stereo", "frameRate": 25},
       "sources": {\(Self.sources)}, "audio": {"declick": 0},
       "tracks": [{"id": "a", "kind": "audio", "clips": [{"source": "s", "duration": 2, \(audio)}]}],
       "edits": [\(edits)]}
      """
    }
    let whole = try MixedSound(text: text(""))
    // A stretch that is made anew in its old length splits the clip into parts.
    let split = try MixedSound(
      text: text(#"{"op": "scale", "range": {"in": "0.5s", "out": "1s"}, "duration": "500ms"}"#))
    #expect(whole.channels == split.channels)
  }

  @Test(arguments: ["atempo", "atrim", "asetrate", "aresample", "areverse", "apad", "aloop"])
  func filtersThatChangeTheLengthAreRefused(name: String) {
    let found = soundFindings(
      "{\"source\": \"s\", \"duration\": 1, \"audio\": {\"filters\": [{\"\(name)\": {}}]}}",
      sources: Self.sources)
    #expect(found == ["capability.filter /tracks/0/clips/0/audio/filters/0"])
  }
}
