import Cutroom
import CutroomModel
import Foundation
import TestSupport
import Testing

/// Sound of different rates and layouts on one timeline.
@Suite(.needsFFmpeg, .needsSamples)
struct RealSoundTests {
  private static let mono = "audio/wav-s16-22k-mono.wav"
  private static let stereo = "audio/mp3-music-140s-ccbysa.mp3"
  private static let surround = "audio/ac3-5p1-48k.mp4"

  private static func track(_ clip: String) -> String {
    "{\"kind\": \"audio\", \"clips\": [\(clip)]}"
  }

  private static let timeline = #""sampleRate": 48000, "channelLayout": "stereo""#

  private func made(_ clips: [String], _ name: String, _ export: String, in folder: URL) throws
    -> URL
  {
    try Text(
      tracks: clips.map(Self.track).joined(separator: ","), timeline: Self.timeline,
      export: export, more: #""audio": {"declick": 0}"#
    ).export(to: name, in: folder).url
  }

  @Test func monoStereoAndSurroundMixToStereoAACOfExactLength() throws {
    try withTemporaryDirectory { folder in
      let clips = [
        try sample(Self.mono, #""out": "0.9s", "audio": {"gain": 0.4}"#),
        try sample(Self.stereo, #""in": "1s", "duration": "1.234s", "audio": {"gain": 0.4}"#),
        try sample(Self.surround, #""out": "1.5s", "audio": {"gain": 0.4}"#),
      ]
      let url = try made(clips, "mix.m4a", #""mode": "render""#, in: folder)
      let stream = try ProbedFile(url).stream("audio")
      #expect(stream["codec_name"] == "aac")
      #expect(stream["channels"] == "2")
      #expect(stream["sample_rate"] == "48000")
      #expect(stream["duration_ts"] == "72000")
      #expect(stream["start_pts"] == "0")
      let mix = try DecodedSound(url)
      #expect((72000..<72000 + 1024).contains(mix.count))
      // The same mix without loss has exactly the samples.
      let exact = try DecodedSound(made(clips, "mix.wav", #""mode": "render""#, in: folder))
      #expect(exact.count == 72000)
      for channel in 0..<2 {
        let alike = DecodedSound.correlation(
          exact.channels[channel][2000..<60000], mix.channels[channel][2000..<60000])
        #expect(alike > 0.99)
      }
    }
  }

  /// What ffmpeg's resampler and the stated matrix give for one source alone.
  private func check(_ source: URL, reference filter: String, least: Double) throws {
    let reference = try DecodedSound(source, filter: filter)
    try withTemporaryDirectory { folder in
      let sound = try DecodedSound(
        made([try clip(source.path)], "one.wav", #""mode": "render""#, in: folder))
      #expect(abs(sound.count - reference.count) <= 1)
      let last = min(sound.count, reference.count, 100_000) - 1000
      for channel in 0..<2 {
        let (a, b) = (
          sound.channels[channel][1000..<last], reference.channels[channel][1000..<last]
        )
        var (difference, power) = (0.0, 0.0)
        for (x, y) in zip(a, b) {
          difference += Double(x - y) * Double(x - y)
          power += Double(y) * Double(y)
        }
        #expect(10 * log10(power / max(difference, 1e-12)) > least, "channel \(channel)")
      }
    }
  }

  /// Two seconds of the speech sample, converted by ffmpeg.
  private func speech(_ arguments: [String], in folder: URL) throws -> URL {
    let url = folder.appending(path: "speech.wav")
    let source = try ProbeFolder.path("audio/wav-s16-48k-stereo-speech.wav")
    try Program.ffmpeg(["-ss", "2", "-t", "2", "-i", source] + arguments + [url.path])
    return url
  }

  @Test func monoReachesBothChannelsAtUnity() throws {
    try withTemporaryDirectory { folder in
      let mono = try speech(["-ac", "1", "-ar", "22050"], in: folder)
      try check(mono, reference: "aresample=48000,pan=stereo|FL=c0|FR=c0", least: 40)
    }
  }

  @Test func stereoOfAnotherRateKeepsItsLevel() throws {
    try withTemporaryDirectory { folder in
      let stereo = try speech(["-ar", "44100"], in: folder)
      try check(stereo, reference: "aresample=48000", least: 40)
    }
  }

  @Test func surroundFoldsByTheStatedMatrix() throws {
    let half = 0.5.squareRoot()
    try check(
      URL(filePath: try ProbeFolder.path(Self.surround)),
      reference: "pan=stereo|FL=FL+\(half)*FC+\(half)*SL|FR=FR+\(half)*FC+\(half)*SR", least: 50)
  }

  @Test(arguments: [
    "audio/aac-lc-16k-mono-priming1024.m4a", "audio/alac-22k-stereo.m4a",
    "audio/flac-48k-s16-picture.flac", "audio/mp3-22k-vbr-mono.mp3",
    "audio/opus-48k-stereo-preskip.opus", "audio/vorbis-48k.ogg", "audio/wav-f32-44k-mono.wav",
    "audio/wav-s16-96k-mono.wav",
  ])
  func everyFormatDecodesToTheSamplesOfAnIndependentDecode(name: String) throws {
    let source = URL(filePath: try ProbeFolder.path(name))
    let reference = try DecodedSound(source)
    try withTemporaryDirectory { folder in
      let url = try Text(tracks: Self.track(try sample(name)), export: #""mode": "render""#)
        .export(to: "same.wav", in: folder).url
      let sound = try DecodedSound(url)
      #expect(sound.rate == reference.rate)
      // FFmpeg does not cut what an edit list hides at a file's end.
      #expect((0...2304).contains(reference.count - sound.count))
      for channel in sound.channels.indices {
        let farthest = zip(sound.channels[channel], reference.channels[channel])
          .reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(farthest < 0.0001)
      }
    }
  }

  @Test(arguments: [
    "audio/aac-lc-16k-mono-priming1024.m4a", "audio/he-aac-v2-44k-dolby.mp4",
    "audio/ac3-5p1-48k.mp4", "audio/aac-adts-44k-mono.aac", "audio/alac-16k-mono.m4a",
    "audio/flac-48k-s16-picture.flac", "audio/mp3-music-140s-ccbysa.mp3", "audio/opus-5p1.ogg",
    "audio/opus-48k-stereo-preskip.opus", "audio/vorbis-48k.ogg",
    "audio/wav-s16-48k-stereo-speech.wav", "vpx-av1/vp8-vorbis-720p24-bbb-30s.webm",
    "tracks/two-aac-5p1.mp4", "legacy/mpeg2-1080p24-mp2-bbb.ts", "hls/fmp4-muxed/playlist.m3u8",
  ])
  func aPartFromTheMiddleHasTheSamplesOfTheWhole(name: String) throws {
    let source = URL(filePath: try ProbeFolder.path(name))
    // The whole through the same door: its samples were compared with ffmpeg's above.
    try withTemporaryDirectory { folder in
      func part(_ range: String, _ file: String) throws -> DecodedSound {
        let text = Text(
          tracks: Self.track(try clip(source.path, range)),
          export: #""mode": "render", "audio": {"codec": "pcm_f32le"}"#,
          more: #""audio": {"declick": 0}"#)
        return try DecodedSound(text.export(to: file, in: folder).url)
      }
      let whole = try part(#""out": 1"#, "whole.wav")
      let first = 7 * whole.rate / 10
      let middle = try part(#""in": "\#(first)@\#(whole.rate)", "out": 1"#, "middle.wav")
      #expect(middle.count == whole.rate - first)
      for channel in middle.channels.indices {
        let farthest = zip(middle.channels[channel], whole.channels[channel][first...])
          .reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(farthest < 0.0005, "channel \(channel)")
      }
    }
  }
}
