import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Copied sound without loss, cut and joined between any two samples.
@Suite(.needsFFmpeg) struct CutSoundTests {
  /// A codec, its file, and the container that its packets are copied to.
  struct Case: CustomTestStringConvertible {
    var codec: [String]
    var from: String
    var to: String
    var testDescription: String { "\(codec[0]) \(from) to \(to)" }
  }

  static let cases = [
    Case(codec: ["pcm_s16le"], from: "wav", to: "wav"),
    Case(codec: ["pcm_s24le"], from: "wav", to: "mov"),
    Case(codec: ["pcm_f32le"], from: "mov", to: "mkv"),
    Case(codec: ["pcm_s16le"], from: "mkv", to: "caf"),
    Case(codec: ["pcm_s16be"], from: "aiff", to: "aiff"),
    Case(codec: ["flac"], from: "flac", to: "flac"),
    Case(codec: ["flac", "-sample_fmt", "s32"], from: "mkv", to: "flac"),
    Case(codec: ["flac", "-frame_size", "1000"], from: "flac", to: "mp4"),
    Case(codec: ["flac", "-sample_fmt", "s16"], from: "flac", to: "mkv"),
    Case(codec: ["alac"], from: "m4a", to: "m4a"),
    Case(codec: ["alac", "-sample_fmt", "s32p"], from: "m4a", to: "mov"),
    Case(codec: ["alac"], from: "mkv", to: "mkv"),
  ]

  /// Ranges in samples, put one after the other; the third is shorter than any block may be.
  static let ranges = [
    [11_256..<84_739], [24_000..<60_001, 4_608..<9_216, 96_005..<96_014, 100_002..<133_333],
    [0..<140_000],
  ]

  @Test("each sample stands where the plan puts it", arguments: cases, ranges)
  func everySampleIsExact(_ test: Case, _ ranges: [Range<Int>]) throws {
    try withTemporaryDirectory { folder in
      let source = try chirps("source.\(test.from)", test.codec, seconds: 3, in: folder)
      let clips = try ranges.map { try clip(source.path, samples: $0) }
      let exported = try Text(clips: clips.joined(separator: ",")).export(
        to: "out.\(test.to)", in: folder)
      #expect(exported.actions["audio"] == ["copy"])
      #expect(exported.report.warnings.filter { $0.code.hasPrefix("sound") } == [])
      let all = try DecodedSound(source)
      let result = try DecodedSound(exported.url)
      for channel in 0...1 {
        let expected = ranges.flatMap { all.channels[channel][$0] }
        #expect(result.channels[channel] == expected)
      }
      if test.to == "flac" { try Program.run("flac", ["-t", "-s", "-w", exported.url.path]) }
    }
  }

  @Test("blocks inside the range are the source's own")
  func insideIsCopied() throws {
    try withTemporaryDirectory { folder in
      let test = Case(codec: ["alac"], from: "m4a", to: "mkv")
      let source = try chirps("source.\(test.from)", test.codec, seconds: 3, in: folder)
      let cut = try clip(source.path, #""in": "0.2345s", "out": "1.7654s""#)
      let exported = try Text(clips: cut).export(to: "out.mkv", in: folder)
      let own = Set(try Self.packetHashes(source))
      let copied = try Self.packetHashes(exported.url)
      // 73,483 samples from 11,256 on: two rests of blocks, and the 17 blocks of 4,096 between.
      #expect(copied.count == 19)
      #expect(copied.filter(own.contains).count == 17)
      #expect(own.contains(copied[0]) == false)
    }
  }

  private static func packetHashes(_ url: URL) throws -> [String] {
    let result = try Program.ffmpeg([
      "-i", url.path, "-map", "0:a:0", "-c", "copy", "-f", "framehash", "-hash", "md5", "-",
    ])
    return result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      line.split(separator: ",").last.map { $0.filter { !$0.isWhitespace } }
    }
  }

  @Test("the sum in FLAC's header is that of its samples")
  func sumIsThatOfTheSamples() throws {
    try withTemporaryDirectory { folder in
      let test = Case(codec: ["flac", "-sample_fmt", "s16"], from: "flac", to: "flac")
      let source = try chirps("source.\(test.from)", test.codec, seconds: 3, in: folder)
      let cut = try clip(source.path, #""in": "0.2345s", "out": "1.7654s""#)
      let exported = try Text(clips: cut).export(to: "out.flac", in: folder)
      let header = Array(try Data(contentsOf: exported.url).prefix(42))
      let sum = header[26..<42].map { String(format: "%02x", $0) }.joined()
      let decoded = try Program.ffmpeg([
        "-i", exported.url.path, "-c:a", "pcm_s16le", "-f", "md5", "-",
      ])
      #expect(decoded.text.contains(sum))
      // Samples, of which the header keeps the lower 32 bits in bytes 22 to 25.
      #expect(header[22..<26].reduce(0) { $0 << 8 | Int($1) } == 73_483)
    }
  }

  @Test("passthrough keeps blocks whole and says how far they are off")
  func passthroughTellsOffsets() throws {
    try withTemporaryDirectory { folder in
      let test = Case(codec: ["flac"], from: "flac", to: "flac")
      let source = try chirps("source.\(test.from)", test.codec, seconds: 3, in: folder)
      let cut = try clip(source.path, #""in": "0.2s", "out": "1.4s""#)
      let exported = try Text(clips: cut, export: Text.passthrough).export(
        to: "out.flac", in: folder)
      // 0.2 s is sample 9,600, 384 behind the border at 9,216; 1.4 s is 67,200, the nearest border
      // 69,120: 1,920 samples more, of which the start gave 384.
      #expect(
        exported.report.warnings.filter { $0.code == "sound.offset" }.map(\.message) == [
          "from 0s on the copied sound lies 0.008s off its exact place, because it is cut at its packets; mode render has it exact",
          "the copied sound ends 0.048s too late, because it is cut at its packets; mode render has it exact",
        ])
      #expect(try DecodedSound(exported.url).count == 69_120 - 9_216)
      try Program.run("flac", ["-t", "-s", "-w", exported.url.path])
    }
  }
}
