import CutroomMedia
import CutroomModel

/// Copied sound that follows the plan to the sample, because its packets can be cut anywhere.
///
/// Where nothing may be encoded, blocks stay whole and the nearest border counts.
final class CutAudio: CopiedSound {
  /// Where a stretch of a file lies in the result, in samples.
  private struct Stretch {
    var feed: PacketFeed
    var grid: SampleGrid
    var length: PacketLength
    /// What to add to the number in a header of FLAC to get a sample of source time.
    var numbering: Int64?
    var blockSize: Int64
    var sourceStart: Int64
    var sourceEnd: Int64
    /// The sample after the last packet.
    var expected: Int64?
  }

  private let audio: AudioPlan
  private let plan: ExportPlan
  private let feeds: SharedFeeds
  private let progress: ProgressMeter
  private let reportsProgress: Bool
  private let cutter: any SampleCutter
  private let keepsWhole: Bool
  private let bits: Int?
  private var chunk = 0
  private var stretch: Stretch?
  private var waiting: [Packet] = []
  private var position: Int64 = 0
  /// Samples that the cutter got.
  private var taken: Int64 = 0
  private var hasFinished = false
  private(set) var offsets: [SoundOffset] = []
  let missingAtStart: Rational = 0
  let lacksLead = false

  init(
    plan: ExportPlan, audio: AudioPlan, feeds: SharedFeeds, progress: ProgressMeter
  ) throws(CutroomError) {
    self.plan = plan
    self.audio = audio
    self.feeds = feeds
    self.progress = progress
    reportsProgress = plan.video == nil
    guard case .copy(let range)? = audio.chunks.first?.action, let track = plan.track(of: range)
    else { throw CutroomError(.internal, "internal", "there is nothing to copy") }
    let parameters = try feeds.parameters(of: range)
    switch audio.cut {
    case .samples(let bits):
      self.bits = bits
      keepsWhole = false
      cutter = PlainCutter(parameters: parameters, bits: bits)
    default:
      bits = nil
      keepsWhole = audio.cut == .blocks(encodes: false)
      do {
        cutter = try BlockCutter(
          parameters: parameters, track: track, path: range.path, encodes: !keepsWhole,
          isJoined: audio.chunks.count > 1)
      } catch {
        throw CutroomError(reading: range.path, error)
      }
    }
  }

  var parameters: CodecParameters { cutter.parameters }

  func next() throws(CutroomError) -> Packet? {
    while waiting.isEmpty, !hasFinished { try work() }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// Reads a packet, or ends a stretch or the stream.
  private func work() throws(CutroomError) {
    guard chunk < audio.chunks.count else {
      hasFinished = true
      return try reading("") { give(try cutter.finish()) }
    }
    let chunk = audio.chunks[chunk]
    guard case .copy(let range) = chunk.action, let track = plan.track(of: range) else {
      throw CutroomError(.internal, "internal", "the copied sound was not probed")
    }
    try reading(range.path) {
      if stretch == nil { try open(chunk, range, track) }
      try progress.cancellation.check()
      guard let packet = try stretch?.feed.next(range.streamIndex) else {
        try checkEnd(chunk, range)
        return close(chunk)
      }
      if try !take(packet, range) { close(chunk) }
    }
    if reportsProgress { try progress.report(frames: position) }
  }

  private func reading(_ path: String, _ body: () throws -> Void) throws(CutroomError) {
    do { try body() } catch let error as CutroomError {
      throw error
    } catch let error as LibAVError {
      throw CutroomError(reading: path, error)
    } catch {
      throw CutroomError(.internal, "internal", "\(error)")
    }
  }

  /// The sample of the result at which a chunk ends.
  private func end(of chunk: Chunk) -> Int64 {
    let exact = (chunk.start + chunk.duration) * Rational(audio.encoding.sampleRate)
    return min(audio.sampleCount, Int64(clamping: exact.rounded))
  }

  private func open(_ chunk: Chunk, _ range: CopiedRange, _ track: AssetTrack) throws {
    guard let asset = plan.assets[range.path] else { return }
    let rate = Rational(audio.encoding.sampleRate)
    let start = Int64(clamping: (chunk.start * rate).rounded)
    let sourceStart = Int64(clamping: (range.sourceStart * rate).rounded)
    // The longest packets of plain samples and blocks.
    let ahead = Int64(clamping: (Rational(65536) / rate / track.timeBase).ceiling)
    var stretch = Stretch(
      feed: try feeds.feed(chunk, range, tick: range.firstPTS - ahead, asset: asset),
      grid: SampleGrid(track, in: asset, rate: audio.encoding.sampleRate),
      length: PacketLength(track, bits: bits), blockSize: 0, sourceStart: sourceStart,
      sourceEnd: sourceStart + end(of: chunk) - start)
    if FLACHeader.counts(track, in: asset) {
      stretch.blockSize = FLACHeader.blockSize(track.stream?.extradata ?? [])
      stretch.numbering = try FLACHeader.numbering(of: track, in: asset)
    }
    self.stretch = stretch
  }

  private func close(_ chunk: Chunk) {
    stretch = nil
    self.chunk += 1
    note(taken - end(of: chunk), at: chunk.start + chunk.duration)
  }

  /// Cuts a packet; `false` where it and all after it lie behind the stretch.
  private func take(_ packet: Packet, _ range: CopiedRange) throws -> Bool {
    guard let stretch, let tick = packet.pts ?? packet.dts else { return true }
    let count = stretch.length.samples(of: packet)
    let first = try place(packet, tick, count, range)
    guard first < stretch.sourceEnd else { return false }
    self.stretch?.expected = first + count
    var from = max(first, stretch.sourceStart)
    var to = min(first + count, stretch.sourceEnd)
    guard from < to else { return true }
    if keepsWhole {
      guard 2 * (to - from) >= count else { return true }
      (from, to) = (first, first + count)
    }
    if taken == 0 { note(stretch.sourceStart - from, at: 0) }
    taken += to - from
    give(try cutter.cut(packet, Int(from - first)..<Int(to - first), of: Int(count)))
    return true
  }

  /// Says how far the sound lies from where it should at a time.
  private func note(_ samples: Int64, at time: Rational) {
    guard samples != 0 else { return }
    offsets.append(
      SoundOffset(
        time: time, offset: Rational(samples, Int64(audio.encoding.sampleRate)),
        isAtEnd: chunk == audio.chunks.count))
  }

  /// The first sample of a packet in source time.
  private func place(
    _ packet: Packet, _ tick: Int64, _ count: Int64, _ range: CopiedRange
  ) throws(CutroomError) -> Int64 {
    guard let stretch else { return 0 }
    var first = stretch.grid.sample(ofTick: tick, length: count)
    if let numbering = stretch.numbering,
      let number = FLACHeader.firstSample(of: packet, blockSize: stretch.blockSize)
    {
      first = number + numbering
    }
    guard let expected = stretch.expected else { return first }
    if abs(first - expected) <= max(2, stretch.grid.tolerance) { return expected }
    guard first > expected, expected < stretch.sourceEnd, first > stretch.sourceStart else {
      return max(first, expected)
    }
    throw CutroomError(
      .media, "media.damaged",
      "the sound of '\(range.path)' has a hole at "
        + Rational(expected, Int64(audio.encoding.sampleRate)).secondsText
        + "; use mode render, which fills it with silence")
  }

  private func give(_ packets: [CutPacket]) {
    for cut in packets {
      let packet = cut.packet
      packet.skipSamples = nil
      (packet.pts, packet.dts) = (position, nil)
      packet.duration = Int64(cut.count)
      packet.isKeyframe = true
      position += Int64(cut.count)
      waiting.append(packet)
    }
  }

  private func checkEnd(_ chunk: Chunk, _ range: CopiedRange) throws(CutroomError) {
    let rate = Int64(audio.encoding.sampleRate)
    let missing = (stretch?.sourceEnd ?? 0) - (stretch?.expected ?? stretch?.sourceStart ?? 0)
    guard missing > max(2 * audio.packetSize, rate / 20) else { return }
    throw plan.truncated(range, missing: Rational(missing, rate), at: chunk.start)
  }
}
