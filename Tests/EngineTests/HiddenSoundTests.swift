import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Copied sound with loss, of which the container hides what packets hold too much.
@Suite(.needsFFmpeg) struct HiddenSoundTests {
  /// A codec with its settings, the file's ending, and the container that it is copied to.
  struct Case: CustomTestStringConvertible {
    var codec: [String]
    var from: String
    var to: String
    /// Whether decoders of FFmpeg give what the last packet holds beyond the end.
    var endsLate = false
    var testDescription: String { "\(codec[0]) \(from) to \(to)" }
  }

  static let opus = ["libopus", "-b:a", "96k"]
  static let mp3 = ["libmp3lame", "-b:a", "128k"]
  static let aac = ["aac", "-aac_pns", "0"]

  static let cases = [
    Case(codec: opus, from: "opus", to: "opus"), Case(codec: opus, from: "opus", to: "ogg"),
    Case(codec: opus, from: "mkv", to: "mkv"), Case(codec: opus, from: "webm", to: "webm"),
    Case(codec: opus, from: "mp4", to: "mp4", endsLate: true),
    Case(codec: mp3, from: "mp3", to: "mp3"),
    Case(codec: ["libmp3lame", "-b:a", "192k"], from: "mp3", to: "mp3"),
    Case(codec: mp3 + ["-write_xing", "0"], from: "mp3", to: "mp3"),
    // At 48 kbit/s the reservoir reaches further back than LAME's delay can say.
    Case(codec: ["libmp3lame", "-b:a", "48k"], from: "mp3", to: "mp4", endsLate: true),
    Case(codec: aac, from: "m4a", to: "m4a", endsLate: true),
    Case(codec: aac, from: "mkv", to: "mp4", endsLate: true),
    Case(codec: aac, from: "ts", to: "mov", endsLate: true),
    // Without a told delay there is none to invent: a cut is the source's as it decodes.
    Case(codec: aac, from: "aac", to: "m4a", endsLate: true),
    Case(codec: aac, from: "m4a", to: "mkv"), Case(codec: aac, from: "mkv", to: "mkv"),
    Case(codec: aac, from: "aac", to: "mka"),
    Case(codec: ["ac3", "-b:a", "192k"], from: "mp4", to: "mkv", endsLate: true),
    Case(codec: ["ac3", "-b:a", "192k"], from: "mkv", to: "mkv", endsLate: true),
    Case(codec: ["eac3", "-b:a", "192k"], from: "mp4", to: "mkv", endsLate: true),
    Case(codec: mp3, from: "mp3", to: "mkv", endsLate: true),
  ]

  @Test("each sample that is heard is the source's, at its place", arguments: cases)
  func everySampleIsExact(_ test: Case) throws {
    try withTemporaryDirectory { folder in
      let source = try chirps("source.\(test.from)", test.codec, in: folder)
      let cut = try clip(source.path, samples: 72_345..<150_001)
      let exported = try Text(clips: cut).export(to: "out.\(test.to)", in: folder)
      #expect(exported.actions["audio"] == ["copy"])
      // libavformat cannot read where the last packet of AC-3 and MP3 ends in Matroska.
      let warnings = exported.report.warnings.filter { $0.code.hasPrefix("sound") }
      let tellsEnd = test.to == "mkv" && test.endsLate
      #expect(warnings.map(\.code) == (tellsEnd ? ["sound.offset"] : []))
      #expect(warnings.allSatisfy { $0.message.contains("too late") })
      let all = try DecodedSound(source)
      var result = try DecodedSound(exported.url)
      let hidden = try MatroskaFile.hiddenSamples(exported.url, rate: 48000)
      result.channels = result.channels.map { Array($0.dropFirst(hidden)) }
      let count = 150_001 - 72_345
      #expect(test.endsLate ? result.count >= count : result.count == count)
      for channel in 0...1 {
        let expected = all.channels[channel][72_345..<150_001]
        let differences = zip(result.channels[channel], expected).map { abs($0 - $1) }
        // A unit of 16 bits, which rounding of almost equal values gives; decoders of AC-3 add noise.
        let units: Float = test.codec[0].hasSuffix("ac3") ? 4.01 : 1.01
        #expect(differences.max() ?? 1 <= units / 32768)
      }
    }
  }

  @Test func whatLAMECannotSayIsRendered() throws {
    try withTemporaryDirectory { folder in
      let test = Case(codec: ["libmp3lame", "-b:a", "48k"], from: "mp3", to: "mp3")
      let source = try chirps("source.\(test.from)", test.codec, in: folder)
      let cut = try clip(source.path, #""in": "1.5s", "out": "3s""#)
      let exported = try Text(clips: cut).export(to: "out.mp3", in: folder)
      #expect(exported.actions["audio"] == ["render"])
      #expect(throws: Refusal.self) {
        try Text(clips: cut, export: Text.passthrough).export(to: "x.mp3", in: folder)
      }
    }
  }

  @Test("whole MP3 keeps its delay, told or not", arguments: [[], ["-write_xing", "0"]])
  func wholeMP3KeepsItsDelay(_ more: [String]) throws {
    try withTemporaryDirectory { folder in
      let test = Case(codec: Self.mp3 + more, from: "mp3", to: "mp3")
      let source = try chirps("source.\(test.from)", test.codec, in: folder)
      let exported = try Text(clips: try clip(source.path)).export(to: "out.mp3", in: folder)
      #expect(exported.actions["audio"] == ["copy"])
      #expect(try DecodedSound(exported.url).channels == DecodedSound(source).channels)
    }
  }
}
