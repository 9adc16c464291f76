@testable import Cutroom
import CutroomMedia
import CutroomModel
import Foundation
import Testing

/// The samples that a composition's sound is mixed to, before anything is encoded.
struct MixedSound {
  /// Samples by channel.
  var channels: [[Float]] = []

  /// Mixes `tracks`, which are audio tracks' clips; `from` skips that many samples by starting there.
  init(
    tracks: [String], rate: Int = 48000, layout: String = "stereo", audio: String = "",
    sources: String = "", from: Int64 = 0, block: Int = 4096, folder: String = ""
  ) throws {
    let all = tracks.map { track in
      track.hasPrefix("{\"kind\"") ? track : "{\"kind\": \"audio\", \"clips\": [\(track)]}"
    }
    try self.init(
      text: """
        {"format": "cutroom/1", "timeline": {"sampleRate": \(rate), "channelLayout": "\(layout)"},
         "sources": {\(sources)}, "tracks": [\(all.joined(separator: ","))],
         "audio": {"declick": 0, "peak": "clip"\(audio.isEmpty ? "" : ", " + audio)}}
        """, from: from, block: block, folder: folder)
  }

  /// Mixes a whole composition.
  init(text: String, from: Int64 = 0, block: Int = 4096, folder: String = "") throws {
    let checked = Engine.check(
      text: SourceText(file: "t.json", text: text), baseDirectory: folder)
    let document = try #require(checked.document)
    let timeline = try #require(
      checked.timeline, "\(checked.diagnostics.map { "\($0.pointer): \($0.message)" })")
    let count = Int64(clamping: (timeline.duration * Rational(timeline.sampleRate)).floor) - from
    let mixer = AudioMixer(
      timeline: timeline, document: document, assets: checked.assets,
      sampleRate: timeline.sampleRate, channelLayout: timeline.channelLayout, start: from,
      count: count, damage: DamagePolicy(document))
    while true {
      let part = try mixer.next(block)
      if part.count == 0 { break }
      for channel in 0..<part.channelCount {
        if channels.count <= channel { channels.append([]) }
        channels[channel] += (0..<part.count).map { part[channel, $0] }
      }
    }
    #expect(Int64(channels.first?.count ?? 0) == count)
  }

  /// A generator of a formula, one for each channel.
  static func formula(_ text: String, rate: Int = 48000, seconds: String = "10s") -> String {
    "{\"generator\": \"aevalsrc=\(text):s=\(rate)\", \"duration\": \"\(seconds)\"}"
  }

  /// The largest difference of a channel from a formula of the sample's number.
  func difference(
    _ channel: Int = 0, _ range: Range<Int>? = nil, from expected: (Int) -> Double
  ) -> Double {
    (range ?? 0..<channels[channel].count).reduce(0) {
      max($0, abs(Double(channels[channel][$1]) - expected($1)))
    }
  }
}

/// The findings of a check as `code pointer`.
func soundFindings(_ tracks: String, sources: String, layout: String = "stereo") -> [String] {
  let text = """
    {"format": "cutroom/1", "timeline": {"sampleRate": 48000, "channelLayout": "\(layout)"},
     "sources": {\(sources)}, "tracks": [{"kind": "audio", "clips": [\(tracks)]}]}
    """
  return Engine.check(text: SourceText(file: "t.json", text: text), baseDirectory: "")
    .diagnostics.filter { $0.severity >= .warning }.map { "\($0.code) \($0.pointer)" }
}
