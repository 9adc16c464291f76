import CutroomModel

/// The options that each container's muxer gets.
enum MuxerOptions {
  /// Options for `plan`: exact movie time, room for `moov` in front, nothing from clocks.
  static func options(for plan: ExportPlan) -> [(String, String)] {
    switch plan.container.muxer {
    case "mp4", "mov", "ipod":
      var options = [
        ("movie_timescale", String(movieTimescale(plan))), ("use_editlist", "1"),
        ("movflags", "+disable_chpl+write_colr"),
        // FLAC in MP4 is standard now, which this libavformat does not know. It allows more than
        // `unofficial` does.
        ("strict", "experimental"),
      ]
      if plan.optimizesForNetworkUse {
        options.append(("moov_size", String(boundOfMoov(plan))))
      }
      return options
    case "mp3":
      // The header would tell a delay.
      let hasDelay = plan.audio.map { !$0.isCopied || $0.cut != .packets } ?? true
      return [("id3v2_version", "0"), ("write_xing", hasDelay ? "1" : "0")]
    case "apng": return [("plays", "0")]
    case "matroska", "webm": return [("avoid_negative_ts", "disabled"), unofficial]
    default: return []
    }
  }

  /// Lets muxers write spherical projections, stereoscopic layouts and Dolby Vision.
  private static let unofficial = ("strict", "unofficial")

  /// The smallest timescale from 1000 up that holds the length of every track exactly.
  private static func movieTimescale(_ plan: ExportPlan) -> Int64 {
    var lengths: [Rational] = []
    if let video = plan.video {
      lengths.append(
        video.ticksPerFrame.map { Rational(video.frameCount * $0, video.ticksPerSecond) }
          ?? Rational(1, video.ticksPerSecond))
    }
    for audio in plan.sounds {
      lengths.append(Rational(audio.sampleCount, Int64(audio.encoding.sampleRate)))
    }
    var scale: Int128 = 1
    for length in lengths {
      guard let next = leastCommonMultiple(scale, length.denominator), next <= 10_000_000 else {
        continue
      }
      scale = next
    }
    let factor = max(1, (1000 + scale - 1) / scale)
    return Int64(scale * factor)
  }

  /// An upper bound of the size of `moov`, from the plan's counts of packets, with 8 KiB to spare
  /// for tags.
  static func boundOfMoov(_ plan: ExportPlan) -> Int64 {
    // Half-second runs of each stream: a chunk offset and an entry of the chunk table each.
    let runs = Int64(clamping: (plan.duration * 2).ceiling) + 4
    var bound: Int64 = 24_576 + 64 * Int64(plan.chapters.count)
    bound += plan.chapters.reduce(0) { $0 + 4 * Int64($1.title.utf8.count) }
    if let video = plan.video {
      // Per picture: size, composition offset, sync sample, dependency; varying durations.
      let perFrame: Int64 = video.ticksPerFrame == nil ? 25 : 17
      bound += (video.frameCount + video.hiddenCount) * perFrame + runs * 20 + 16_384
    }
    for audio in plan.sounds {
      // Packets hold 120 samples at the least, uncompressed sound none at all.
      let frame: Int64 = audio.codec.hasPrefix("pcm") ? 4096 : audio.packetSize
      bound += (audio.sampleCount / max(120, frame) + 8) * 12 + runs * 20 + 4096
    }
    for subtitles in plan.furtherSubtitles {
      bound += Int64(subtitles.cues.count + 4) * 24 + runs * 20 + 4096
    }
    for data in plan.furtherData { bound += data.packetCount * 24 + runs * 20 + 4096 }
    return min(bound, 1 << 30)
  }
}
