import CutroomMedia
public import CutroomModel

/// What an export will copy, and how large its result will be.
///
/// Sizes are estimates: of copies by the average rate of their source, of renders by the bit rate
/// asked for, or by what a quality usually takes.
public struct PlanTotals: Sendable, Hashable {
  /// Frames that are copied; samples where there is no picture.
  public var copied: Int64 = 0
  /// Frames that are encoded; samples where there is no picture.
  public var rendered: Int64 = 0
  /// About how many bytes the result has.
  public var expectedBytes: Int64 = 0

  /// How much is copied, in percent.
  public var copiedPercent: Double {
    let all = copied + rendered
    return all > 0 ? Double(copied) * 100 / Double(all) : 0
  }

  /// The totals as `cutroom plan --json` prints them.
  public var jsonValue: JSONValue {
    [
      "copiedPercent": .decimal(copiedPercent, digits: 1),
      "expectedBytes": .integer(expectedBytes), "isEstimate": true,
    ]
  }

  /// The expected size for people.
  var sizeText: String {
    let steps: [(Int64, String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")]
    guard let (unit, name) = steps.first(where: { expectedBytes >= $0.0 }) else {
      return "about \(expectedBytes) bytes (estimated)"
    }
    let number = JSONValue.decimal(Double(expectedBytes) / Double(unit), digits: 1).encoded()
    return "about \(number) \(name) (estimated)"
  }
}

extension ExportPlan {
  /// What will be copied, and how large the result will be.
  public var totals: PlanTotals {
    var totals = PlanTotals()
    for chunk in video?.chunks ?? audio?.chunks ?? [] {
      if case .copy = chunk.action {
        totals.copied += chunk.count
      } else {
        totals.rendered += chunk.count
      }
    }
    var bits = Rational(0)
    if let video {
      for chunk in video.chunks { bits = bits + chunk.duration * rate(of: chunk, video) }
    }
    for audio in sounds {
      for chunk in audio.chunks { bits = bits + chunk.duration * rate(of: chunk, audio) }
    }
    for data in furtherData {
      for chunk in data.chunks {
        bits = bits + chunk.duration * (copiedRate(of: chunk) ?? Rational(0))
      }
    }
    totals.expectedBytes = Int64(clamping: (bits / 8).rounded) + expectedTables
    return totals
  }

  /// What the container takes beside the samples: room that is kept in front, or some bytes a packet.
  private var expectedTables: Int64 {
    if container.hasEditLists, optimizesForNetworkUse { return MuxerOptions.boundOfMoov(self) }
    let packets = sounds.filter { $0.packetSize > 0 }
      .reduce(video?.frameCount ?? 0) { $0 + $1.sampleCount / $1.packetSize }
    return 16 * packets + 500
  }

  private func rate(of chunk: Chunk, _ video: VideoPlan) -> Rational {
    if let copied = copiedRate(of: chunk) { return copied }
    if let bitrate = video.encoding.bitrate { return Rational(bitrate) }
    // Pictures that join copies look like them.
    if video.join != nil, let like = video.chunks.lazy.compactMap(copiedRate).first { return like }
    let size = video.encoding.size
    let pixels = Rational(size.width * size.height) * video.encoding.frameRate.framesPerSecond
    return pixels * Self.bitsPerPixel(video)
  }

  private func rate(of chunk: Chunk, _ audio: AudioPlan) -> Rational {
    if let copied = copiedRate(of: chunk) { return copied }
    if let bitrate = audio.encoding.bitrate { return Rational(bitrate) }
    let channels = ChannelLayout.channels(of: audio.encoding.channelLayout)
    let depth = ["16": 16, "24": 24, "32": 32].first { audio.codec.contains($0.key) }?.value
    let samples = Rational(audio.encoding.sampleRate * channels)
    // Lossless coding saves about two fifths.
    return depth.map { samples * Rational($0) } ?? samples * Rational(16 * 3, 5)
  }

  /// Bits per second of a copied chunk's source; `nil` for a rendered one.
  private func copiedRate(of chunk: Chunk) -> Rational? {
    guard case .copy(let range) = chunk.action, let asset = assets[range.path] else { return nil }
    let stream = asset.tracks.first { $0.streamIndex == range.streamIndex }?.stream
    if let bitRate = stream?.bitRate, bitRate > 0 { return Rational(bitRate) }
    // Containers without rates of streams: the file's, but for what other streams say.
    guard asset.duration > .zero, let size = FileStatus(path: range.path)?.size else { return nil }
    let others = asset.tracks.filter { $0.streamIndex != range.streamIndex }
      .reduce(Int64(0)) { $0 + ($1.stream?.bitRate ?? 0) }
    let whole = Rational(size * 8) / asset.duration
    let known = stream?.kind == .video ? whole - Rational(others) : min(whole, Rational(128_000))
    return max(Rational(1000), known)
  }

  /// What a constant quality usually takes.
  private static func bitsPerPixel(_ video: VideoPlan) -> Rational {
    let (base, reference): (Rational, Int)
    switch video.codec {
    case "h264": (base, reference) = (Rational(10, 100), 20)
    case "hevc": (base, reference) = (Rational(7, 100), 22)
    case "vp9": (base, reference) = (Rational(6, 100), 31)
    case "av1": (base, reference) = (Rational(5, 100), 32)
    case "prores", "dnxhd": return Rational(235, 100)
    case "ffv1", "png", "apng", "qtrle": return Rational(8)
    default: return Rational(1)
    }
    guard let crf = video.encoding.crf else { return base }
    // Six steps halve or double it.
    let steps = Int(clamping: (Rational(reference) - crf).rounded)
    let factor = [100, 112, 126, 141, 159, 178][((steps % 6) + 6) % 6]
    let doublings = (steps - ((steps % 6) + 6) % 6) / 6
    let power = Rational(1 << min(10, abs(doublings)))
    let scaled = base * Rational(factor, 100)
    return doublings < 0 ? scaled / power : scaled * power
  }
}
