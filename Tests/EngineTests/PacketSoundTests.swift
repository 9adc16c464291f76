import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// What a Matroska file says of its sound.
enum MatroskaFile {
  /// The samples before time 0 that decoders have to drop, of codecs whose own headers do not say so.
  static func hiddenSamples(_ url: URL, rate: Int) throws -> Int {
    guard ["mkv", "mka"].contains(url.pathExtension) else { return 0 }
    let bytes = [UInt8](try Data(contentsOf: url).prefix(4096))
    // Opus's decoder takes its own delay off, which is told in fewer bytes.
    guard let place = bytes.firstRange(of: [0x56, 0xAA, 0x88])?.upperBound else { return 0 }
    let nanoseconds = bytes[place..<place + 8].reduce(0) { $0 << 8 | Int($1) }
    return (nanoseconds * rate + 500_000_000) / 1_000_000_000
  }
}

/// Sound with loss where it stands in packets: encoded, read, cut and joined.
@Suite(.needsFFmpeg) struct PacketSoundTests {
  // MARK: Encoding

  /// A codec, a container, and the samples that decoding gives beyond the end.
  static let encoded = [
    ("aac", "mkv", 0), ("ac3", "mkv", 1280), ("eac3", "mkv", 1280), ("mp3", "mkv", 0),
    ("vorbis", "mkv", 64), ("vorbis", "webm", 64), ("vorbis", "nut", 64), ("aac", "mp4", 512),
  ]

  @Test("the first sample of encoded sound stands at 0 and is whole", arguments: encoded)
  func encodedSoundIsWhole(_ codec: String, _ container: String, _ more: Int) throws {
    try withTemporaryDirectory { folder in
      let source = try chirps("source.wav", ["pcm_s16le"], in: folder)
      let made = try Text(
        clips: try clip(source.path),
        export: "\"mode\": \"render\", \"audio\": {\"codec\": \"\(codec)\"}",
        more: #""audio": {"declick": 0}"#
      ).export(to: "out.\(container)", in: folder)
      let original = try DecodedSound(source)
      var result = try DecodedSound(made.url)
      let hidden = try MatroskaFile.hiddenSamples(made.url, rate: 48000)
      result.channels = result.channels.map { Array($0.dropFirst(hidden)) }
      #expect(result.count == 192_000 + more)
      let start = DecodedSound.correlation(
        result.channels[1][0..<1000], original.channels[1][0..<1000])
      let middle = DecodedSound.correlation(
        result.channels[0][90_000..<94_000], original.channels[0][90_000..<94_000])
      let end = DecodedSound.correlation(
        result.channels[1][191_000..<192_000], original.channels[1][191_000..<192_000])
      #expect(start > 0.95 && middle > 0.999 && end > 0.95, "\(start) \(middle) \(end)")
    }
  }

  // MARK: Reading

  @Test(
    "sound is read from the sample at which it begins",
    arguments: [
      ("libopus", "mkv"), ("libopus", "webm"), ("libvorbis", "mkv"), ("libvorbis", "webm"),
      ("libvorbis", "ogg"), ("libopus", "opus"),
    ])
  func readingBeginsAtTheFirstSample(_ codec: String, _ container: String) throws {
    try withTemporaryDirectory { folder in
      let source = try chirps("source.\(container)", [codec, "-b:a", "192k"], in: folder)
      let made = try Text(
        clips: try clip(source.path), export: #""mode": "render""#,
        more: #""audio": {"declick": 0}"#
      ).export(to: "out.wav", in: folder)
      let (original, result) = (try DecodedSound(source), try DecodedSound(made.url))
      for channel in 0...1 {
        let differences = zip(original.channels[channel], result.channels[channel])
          .map { abs($0 - $1) }
        #expect(differences.dropLast(100).max() ?? 1 <= 1.01 / 32768)
      }
    }
  }

  @Test("what was written with a delay is read back without it", arguments: ["aac", "ac3", "mp3"])
  func delaysAreReadBack(_ codec: String) throws {
    try withTemporaryDirectory { folder in
      let source = try chirps("source.wav", ["pcm_s16le"], in: folder)
      let render = "\"mode\": \"render\", \"audio\": {\"codec\": \"\(codec)\"}"
      let first = try Text(clips: try clip(source.path), export: render)
        .export(to: "one.mkv", in: folder)
      let second = try Text(clips: try clip(first.url.path), export: #""mode": "render""#)
        .export(to: "two.wav", in: folder)
      let (original, result) = (try DecodedSound(source), try DecodedSound(second.url))
      let alike = DecodedSound.correlation(
        result.channels[0][90_000..<94_000], original.channels[0][90_000..<94_000])
      let shifted = DecodedSound.correlation(
        result.channels[0][90_001..<94_001], original.channels[0][90_000..<94_000])
      #expect(alike > 0.999 && alike > shifted)
      // libavformat cannot read where AC-3 ends there.
      // It counts milliseconds, of 48 samples each.
      #expect(abs(result.count - 192_000 - (codec == "ac3" ? 1280 : 0)) < 48)
    }
  }

  @Test func aTitleStaysBesideTheDelay() throws {
    try withTemporaryDirectory { folder in
      let source = try chirps(
        "source.mkv", ["aac", "-metadata:s:a", "title=The director speaks"], in: folder)
      let cut = try clip(source.path, #""in": "1.5s", "out": "3s""#)
      let made = try Text(clips: cut).export(to: "out.mkv", in: folder)
      #expect(made.actions["audio"] == ["copy"])
      let probed = try ProbedFile(made.url)
      #expect(probed.stream("audio")["tags.title"] == "The director speaks")
      #expect(try MatroskaFile.hiddenSamples(made.url, rate: 48000) > 1024)
    }
  }

  // MARK: Cuts

  @Test("AC-3 stays AC-3", arguments: ["mkv", "ts"])
  func surroundStays(_ container: String) throws {
    try withTemporaryDirectory { folder in
      let source = try chirps("source.mp4", ["ac3", "-b:a", "192k"], in: folder)
      let cut = try clip(source.path, #""in": "1.5s", "out": "3s""#)
      let made = try Text(clips: cut).export(to: "out.\(container)", in: folder)
      #expect(made.actions["audio"] == ["copy"])
      #expect(try ProbedFile(made.url).stream("audio")["codec_name"] == "ac3")
    }
  }

  @Test("a transport stream begins with the first whole packet, at its own time, and says so")
  func transportStreamsKeepTheTimesOfPackets() throws {
    try withTemporaryDirectory { folder in
      let source = try chirps("source.m4a", ["aac", "-aac_pns", "0"], in: folder)
      let cut = try clip(source.path, samples: 72_345..<150_001)
      let made = try Text(clips: cut).export(to: "out.ts", in: folder)
      #expect(made.actions["audio"] == ["copy"])
      // The border at 71 · 1024 = 72,704 is 359 samples behind the cut; the last packet ends at
      // 147 · 1024, 527 samples late.
      #expect(
        made.report.warnings.map(\.code) == ["sound.missing-start", "sound.run-up", "sound.offset"])
      #expect(made.report.offsets.map(\.offset) == [Rational(527, 48000)])
      let start = try ProbedFile(made.url).stream("audio")["start_time"].flatMap { Double($0) }
      #expect(abs((start ?? 0) * 48000 - 359) < 1)
      let (all, result) = (try DecodedSound(source), try DecodedSound(made.url))
      let differences = zip(
        result.channels[0].dropFirst(1024), all.channels[0].dropFirst(72_704 + 1024)
      ).map { abs($0 - $1) }
      #expect(differences.count > 70_000)
      #expect(differences.max() ?? 1 <= 1.01 / 32768)
    }
  }

  /// Files of this kind hold no tags that could be lost.
  @Test func soundOfBroadcastsIsCopiedWithoutAWordOfTags() throws {
    try withTemporaryDirectory { folder in
      let source = try chirps("source.ts", ["mp2", "-b:a", "192k"], in: folder)
      let made = try Text(clips: try clip(source.path, #""in": "1.5s", "out": "3s""#))
        .export(to: "out.ts", in: folder)
      #expect(made.actions["audio"] == ["copy"])
      #expect(try ProbedFile(made.url).stream("audio")["codec_name"] == "mp2")
      #expect(!made.report.warnings.map(\.code).contains { $0.hasPrefix("metadata") })
    }
  }

  @Test func silenceBeforeASoundIsNothingMissing() throws {
    try withTemporaryDirectory { folder in
      let source = folder.appending(path: "late.mp4")
      try Program.ffmpeg([
        "-i", try Fixtures.file("count25.mp4").path, "-itsoffset", "0.5", "-i",
        try Fixtures.file("count25.mp4").path, "-map", "0:v", "-map", "1:a", "-c", "copy", "-t",
        "4",
        source.path,
      ])
      let made = try Text(clips: try clip(source.path)).export(to: "out.ts", in: folder)
      #expect(made.actions["audio"] == ["copy"])
      #expect(!made.report.warnings.map(\.code).contains("sound.missing-start"))
    }
  }

  @Test("times that no sound has are refused or lie beyond the end", arguments: ["mkv", "ogg"])
  func hostileTimesDoNotTrap(_ container: String) throws {
    try withTemporaryDirectory { folder in
      let source = try chirps("source.mkv", ["libopus", "-frame_duration", "2.5"], in: folder)
      let hostile = folder.appending(path: "hostile." + container)
      try Program.ffmpeg([
        "-i", source.path, "-c", "copy", "-bsf:a", "setts=ts='if(gt(N,0),TS+pow(2,60),TS)'",
        hostile.path,
      ])
      do {
        _ = try Text(
          clips: try clip(hostile.path, #""out": "1s""#), export: #""mode": "render""#
        ).export(to: "out.wav", in: folder)
      } catch let error as Refusal {
        #expect(!error.errors.isEmpty)
      } catch let error as CutroomError {
        #expect(!error.message.isEmpty)
      }
    }
  }

  @Test func encodingSoundAnewIsSaid() throws {
    try withTemporaryDirectory { folder in
      let source = try chirps("source.webm", ["libopus"], in: folder)
      let cut = try clip(source.path, #""in": "1.5s", "out": "3s""#)
      let made = try Text(clips: cut).export(to: "out.mov", in: folder)
      #expect(
        made.diagnostics.filter { $0.code == "copy.sound" }.map(\.message) == [
          "the sound is encoded anew as 'aac': 'mov' cannot hold the codec 'opus'"
        ])
    }
  }

  // MARK: Joins

  /// Where clips begin and how long they are, in samples; never alike.
  private static func clips(_ count: Int) -> [Range<Int>] {
    (0..<count).map { index in
      let start = 3000 + index * 7919 % 140_000
      return start..<start + 9_000 + index * 104_729 % 9_001
    }
  }

  @Test(
    "a thousand joints lie within half a packet, and nothing adds up", arguments: ["mp4", "mkv"])
  func jointsDoNotDrift(_ container: String) throws {
    try withTemporaryDirectory { folder in
      let source = try chirps("source.m4a", ["aac", "-aac_pns", "0"], in: folder)
      let clips = Self.clips(1000)
      let texts = try clips.map { try clip(source.path, samples: $0) }
      let made = try Text(clips: texts.joined(separator: ",")).export(
        to: "out.\(container)", in: folder)
      #expect(made.actions["audio"] == ["copy"])
      #expect(made.report.warnings.map(\.code) == ["sound.offset"])
      let all = try DecodedSound(source).channels[0]
      let hidden = try MatroskaFile.hiddenSamples(made.url, rate: 48000)
      let result = Array(try DecodedSound(made.url).channels[0].dropFirst(hidden))
      var offsets: [Rational: Int] = [:]
      for offset in made.report.offsets {
        offsets[offset.time] = Int((offset.offset * 48000).rounded)
      }
      #expect(offsets.count > 900)
      #expect(offsets.values.allSatisfy { abs($0) <= 512 })
      var place = 0
      for part in clips {
        let offset = offsets[Rational(place, 48000)] ?? 0
        let (from, own) = (place + part.count / 2, part.lowerBound + part.count / 2 - offset)
        let differences = zip(result[from..<from + 1000], all[own..<own + 1000])
          .map { abs($0 - $1) }
        #expect(differences.max() ?? 1 <= 1.01 / 32768, "the clip at \(place)")
        place += part.count
      }
      #expect(abs(result.count - place) <= 1024)
    }
  }
}
