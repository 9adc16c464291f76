import CutroomMedia
import CutroomModel

/// How the ends of copied sound are made exact.
package enum SoundCut: Hashable, Sendable {
  /// Packets hold plain samples of that many bits and are cut between any two.
  case samples(bits: Int)
  /// What is left of the packets at both ends is encoded anew, without loss; where `encodes` is
  /// false they stay whole, and the nearest border counts.
  case blocks(encodes: Bool)
  /// The container hides what packets hold too much, before the start up to that many samples.
  case hidden(most: Int64)
  /// Packets stay whole, and nothing of them is hidden.
  case packets

  /// Whether every stretch begins and ends at its exact sample, wherever that lies.
  var isExactEverywhere: Bool {
    switch self {
    case .samples, .blocks(encodes: true): true
    default: false
    }
  }
}

extension Planner {
  /// The way to cut a track's packets for a container; `encodes` says whether anything may be
  /// encoded.
  func soundCut(_ track: AssetTrack, _ container: Container, encodes: Bool) -> SoundCut {
    if let bits = Self.plainBits(track.codec), container.cutsPlainSamples {
      return .samples(bits: bits)
    }
    if container.holdsBlocks(of: track.codec), encodes || track.codec == "flac",
      Self.canEncodeBlocks(of: track)
    {
      if encodes || !container.hasEditLists { return .blocks(encodes: encodes) }
    }
    if container.hasEditLists { return .hidden(most: .max) }
    switch (track.codec, container.muxer) {
    // The fields have 16 and 12 bits; decoders of MP3 take 529 samples more off by themselves.
    case ("opus", "ogg"), ("opus", "opus"), ("opus", "matroska"), ("opus", "webm"):
      return .hidden(most: 65535)
    case ("mp3", "mp3"): return .hidden(most: 4095 + Self.mp3Delay)
    case ("aac", "matroska"), ("ac3", "matroska"), ("eac3", "matroska"), ("mp3", "matroska"):
      return .hidden(most: .max)
    default: return .packets
    }
  }

  /// The samples by which decoders of MP3 are late, which they take off where a delay is stated.
  static let mp3Delay: Int64 = 529

  /// The bits of a sample of uncompressed sound.
  private static func plainBits(_ codec: String) -> Int? {
    guard codec.hasPrefix("pcm_") else { return nil }
    if ["pcm_alaw", "pcm_mulaw"].contains(codec) { return 8 }
    guard let kind = codec.dropFirst(4).first, "suf".contains(kind) else { return nil }
    let digits = codec.dropFirst(5).prefix { $0.isNumber }
    let rest = codec.dropFirst(5 + digits.count)
    guard ["", "le", "be"].contains(rest), let bits = Int(digits), bits % 8 == 0 else { return nil }
    return bits
  }

  /// Whether single blocks can be encoded that fit between those of the track.
  private static func canEncodeBlocks(of track: AssetTrack) -> Bool {
    guard let sound = track.sound, let settings = track.stream?.extradata else { return false }
    switch track.codec {
    case "flac":
      guard let information = FLACStreamInfo(settings), [16, 24].contains(information.bits),
        information.mostBlock >= 16, information.channels == sound.channelCount
      else { return false }
    case "alac":
      // The decoder takes the length of whole blocks and Rice's parameters from here.
      guard settings.count >= 36, settings[12...15] == [0, 0, 0x10, 0],
        [16, 24].contains(settings[17]), settings[18...20] == [40, 10, 14]
      else { return false }
    default: return false
    }
    do {
      _ = try BlockEncoder(track)
      return true
    } catch {
      // The sound is then rendered, or cut between packets, and that is said.
      return false
    }
  }
}

extension Container {
  /// Whether plain samples may be divided into packets anyhow.
  var cutsPlainSamples: Bool {
    ["wav", "aiff", "caf", "mov", "matroska"].contains(muxer)
  }

  /// Whether blocks of a lossless codec may differ in length, and its settings be completed at the
  /// end.
  func holdsBlocks(of codec: String) -> Bool {
    switch codec {
    case "flac": ["flac", "matroska", "mp4"].contains(muxer)
    case "alac": hasEditLists || muxer == "matroska"
    default: false
    }
  }

  /// Whether silence between packets that are cut in this way stays.
  func holdsHoles(_ cut: SoundCut) -> Bool {
    switch cut {
    case .samples, .blocks: false
    case .hidden, .packets: true
    }
  }

  /// Whether the samples that the last packet holds too much can be hidden.
  func trimsEnd(_ cut: SoundCut, of codec: String) -> Bool {
    // Matroska can for all codecs, but libavformat reads it right only of whole packets.
    if isMatroska { return ["aac", "opus", "vorbis"].contains(codec) }
    if case .hidden = cut { return true }
    return muxer == "ogg" || muxer == "opus"
  }
}
