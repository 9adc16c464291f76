import CutroomMedia
import CutroomModel
import Foundation
import TestSupport
import Testing

@testable import Cutroom

/// Sound from the middle of files against the same decoded from their start.
@Suite(.needsFFmpeg)
struct SoundSeekTests {
  /// How a file is made, and how far samples may lie apart.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String]
    var tolerance: Float = 0
    var testDescription: String { name }
  }

  private static let source =
    "aevalsrc='0.3*sin(2*PI*(200+40*t)*t)+0.2*sin(2*PI*997*t)*sin(3*t)+0.05*(random(0)-0.5)"
    + "|0.3*sin(2*PI*311*t)*cos(t)':s=44100:d=12"

  private func samples(
    _ asset: AssetInfo, from position: Int64, count: Int
  ) throws -> [[Float]] {
    let track = try #require(asset.track(.audio))
    let sound = try FileSound(asset: asset, track: track, damage: DamagePolicy(conceals: false))
    let reader = try SampleReader(sound, rate: sound.sampleRate, layout: sound.channelLayout)
    let window = try reader.samples(from: position, count: count)
    return (0..<window.sound.channelCount).map { channel in
      (0..<count).map { window.sound[channel, window.start + $0] }
    }
  }

  /// Compares 20 places with the whole; those near the start and the end too.
  private func compare(_ path: String, tolerance: Float) throws {
    let asset = try AssetInfo.open(path)
    let track = try #require(asset.track(.audio))
    let rate = try #require(track.sound?.sampleRate)
    let total = min(Int((track.end * Rational(rate)).floor), 25 * rate)
    let whole = try samples(asset, from: 0, count: total)
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 1...UInt64.max, using: &random)
    var state = seed
    for number in 0..<20 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let place = number == 0 ? total - 1500 : Int(state >> 33) % max(1, total - 1500)
      let part = try samples(asset, from: Int64(place), count: 1500)
      for channel in part.indices {
        let farthest = zip(part[channel], whole[channel][place...])
          .reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(farthest <= tolerance, "at \(place) of \(path), seed \(seed)")
      }
    }
  }

  @Test(arguments: [
    Case(name: "cbr.mp3", arguments: ["-c:a", "libmp3lame", "-b:a", "128k"]),
    Case(name: "vbr.mp3", arguments: ["-c:a", "libmp3lame", "-q:a", "6"]),
    Case(
      name: "slow.mp3", arguments: ["-ar", "22050", "-ac", "1", "-c:a", "libmp3lame", "-b:a", "8k"]),
    Case(name: "plain.mp3", arguments: ["-c:a", "libmp3lame", "-write_xing", "0"]),
    Case(name: "lc.aac", arguments: ["-c:a", "aac", "-aac_pns", "0", "-b:a", "96k"]),
    Case(name: "lc.m4a", arguments: ["-c:a", "aac", "-aac_pns", "0", "-b:a", "96k"]),
    Case(name: "a.flac", arguments: ["-c:a", "flac"]),
    Case(name: "flac.mka", arguments: ["-c:a", "flac"]),
    Case(name: "flac.ogg", arguments: ["-c:a", "flac"]),
    Case(name: "vorbis.ogg", arguments: ["-c:a", "libvorbis"]),
    Case(name: "vorbis.mka", arguments: ["-c:a", "libvorbis"]),
    Case(name: "pcm.wav", arguments: ["-c:a", "pcm_s16le"]),
    // Opus predicts from what was decoded before, and converges.
    Case(name: "a.opus", arguments: ["-c:a", "libopus", "-ar", "48000"], tolerance: 0.0001),
    Case(name: "opus.mka", arguments: ["-c:a", "libopus", "-ar", "48000"], tolerance: 0.0001),
  ])
  func soundFromTheMiddleIsThatFromTheStart(_ item: Case) throws {
    try withTemporaryDirectory { folder in
      let path = folder.appending(path: item.name).path
      try Program.ffmpeg(["-f", "lavfi", "-i", Self.source] + item.arguments + [path])
      try compare(path, tolerance: item.tolerance)
    }
  }

  @Test(
    .needsSamples,
    arguments: [
      "audio/mp3-music-140s-ccbysa.mp3", "audio/mp3-44k-lame3100-vbr-stereo.mp3",
      "audio/mp3-22k-vbr-mono.mp3", "audio/aac-adts-44k-mono.aac",
    ])
  func soundOfRealFilesToo(name: String) throws {
    try compare(try ProbeFolder.path(name), tolerance: 0)
  }

  @Test func theStartOfALateClipIsNotDecodedFromTheFilesStart() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appending(path: "long.mp3").path
      try Program.ffmpeg(
        ["-f", "lavfi", "-i", "sine=440:d=900", "-c:a", "libmp3lame", "-b:a", "32k", path])
      let asset = try AssetInfo.open(path)
      let track = try #require(asset.track(.audio))
      // Fifteen minutes have some 34,000 packets, a place at every 16th.
      #expect(track.seekPoints.count > 2000)
      let sound = try FileSound(asset: asset, track: track, damage: DamagePolicy(conceals: false))
      try sound.seek(to: 30_000_000)
      let first = try #require(try sound.next())
      #expect(first.position > 30_000_000 - 60_000 && first.position <= 30_000_000)
    }
  }
}
