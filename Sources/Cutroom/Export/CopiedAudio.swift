import CutroomMedia
import CutroomModel

/// Where ticks of a stream lie in samples of the result, rounded once.
private struct SamplePlaces {
  let scale: Rational
  let offset: Rational

  func sample(ofTick tick: Int64) -> Int64 {
    if scale == .one, offset.isInteger { return tick + Int64(clamping: offset.numerator) }
    return Int64(clamping: (Rational(tick) * scale + offset).rounded)
  }
}

/// The packets of copied sound, in samples.
///
/// The first stretch begins with the packets that its first sample needs, which the edit list
/// hides; the last packet is shortened to the end. At joints the nearest packet boundary counts:
/// packets follow each other without a gap, and their offset never adds up.
final class CopiedAudio: CopiedSound {
  private let audio: AudioPlan
  private let plan: ExportPlan
  private let assets: [String: AssetInfo]
  private let hidesRunUp: Bool
  private let progress: ProgressMeter
  private let reportsProgress: Bool
  private var chunk = 0
  private let feeds: SharedFeeds
  private var feed: PacketFeed?
  private var position: Int64?
  /// What to add to a packet's exact place to get where it stands.
  private var shift: Int64?
  private var isFirstOfChunk = true
  private(set) var offsets: [SoundOffset] = []
  /// How much of the sound's start no whole packet holds.
  private(set) var missingAtStart: Rational = 0

  init(plan: ExportPlan, audio: AudioPlan, feeds: SharedFeeds, progress: ProgressMeter) {
    self.audio = audio
    self.feeds = feeds
    self.plan = plan
    assets = plan.assets
    hidesRunUp = plan.container.hasEditLists
    self.progress = progress
    reportsProgress = plan.video == nil
  }

  var parameters: CodecParameters {
    get throws(CutroomError) {
      guard case .copy(let range)? = audio.chunks.first?.action else {
        throw CutroomError(.internal, "internal", "there is nothing to copy")
      }
      return try feeds.parameters(of: range)
    }
  }

  func next() throws(CutroomError) -> Packet? {
    while chunk < audio.chunks.count {
      guard case .copy(let range) = audio.chunks[chunk].action,
        let asset = assets[range.path], let track = plan.track(of: range)
      else { throw CutroomError(.internal, "internal", "the copied sound was not probed") }
      do {
        if feed == nil { try open(range, track) }
        if let packet = try read(range, asset, track) {
          if reportsProgress { try progress.report(frames: max(0, packet.pts ?? 0)) }
          return packet
        }
      } catch let error as CutroomError {
        throw error
      } catch let error as LibAVError {
        throw CutroomError(reading: range.path, error)
      } catch {
        throw CutroomError(.internal, "internal", "\(error)")
      }
      feed = nil
      chunk += 1
    }
    return nil
  }

  private var isLastChunk: Bool { chunk == audio.chunks.count - 1 }

  /// Samples before the first one that its decoder needs.
  private func runUp(_ track: AssetTrack) -> Int64 {
    switch track.codec {
    case "aac", "ac3", "eac3", "vorbis": Int64(max(track.sound?.frameSize ?? 0, 1024))
    case "mp3": 2 * 1152
    case "opus": 3840
    default: 0
    }
  }

  private func open(_ range: CopiedRange, _ track: AssetTrack) throws(LibAVError) {
    let rate = Rational(audio.encoding.sampleRate)
    let ahead = Rational(runUp(track) * 2) / rate / track.timeBase
    feed = try feeds.feed(
      audio.chunks[chunk], range, tick: range.firstPTS - Int64(clamping: ahead.ceiling),
      asset: assets[range.path])
    shift = nil
    isFirstOfChunk = true
  }

  private func read(
    _ range: CopiedRange, _ asset: AssetInfo, _ track: AssetTrack
  ) throws -> Packet? {
    guard let feed else { return nil }
    let rate = Rational(audio.encoding.sampleRate)
    let chunk = audio.chunks[chunk]
    let places = SamplePlaces(
      scale: track.timeBase * rate,
      offset: (chunk.start - asset.origin - range.sourceStart) * rate)
    let end = Int64(clamping: ((chunk.start + chunk.duration) * rate).rounded)
    while let packet = try feed.next(range.streamIndex) {
      try progress.cancellation.check()
      guard let tick = packet.pts else { continue }
      let exact = places.sample(ofTick: tick)
      let length = samples(packet, track, rate)
      guard begins(exact, length, chunk, track, rate) else { continue }
      let place = place(exact, length, chunk.start)
      let stop = isLastChunk ? exact >= end : exact >= end - length / 2
      if stop { return nil }
      packet.pts = place
      packet.dts = nil
      packet.duration = isLastChunk ? max(1, min(length, end - place)) : length
      position = place + length
      isFirstOfChunk = false
      return packet
    }
    let own = Int64(clamping: ((chunk.start + track.end - range.sourceStart) * rate).rounded)
    try checkEnd(range, track, wanted: min(end, own), start: chunk.start)
    return nil
  }

  /// After the last packet of a file that should have more.
  private func checkEnd(
    _ range: CopiedRange, _ track: AssetTrack, wanted: Int64, start: Rational
  ) throws(CutroomError) {
    let rate = Int64(audio.encoding.sampleRate)
    let reached = position ?? Int64(clamping: (start * Rational(rate)).rounded)
    let tolerance = max(2 * Int64(track.sound?.frameSize ?? 0), rate / 20)
    guard wanted - reached > tolerance else { return }
    throw plan.truncated(range, missing: Rational(wanted - reached, rate), at: start)
  }

  private func samples(_ packet: Packet, _ track: AssetTrack, _ rate: Rational) -> Int64 {
    if let size = track.sound?.frameSize, size > 1 { return Int64(size) }
    return Int64(clamping: (Rational(packet.duration) * track.timeBase * rate).rounded)
  }

  /// Whether a packet belongs to the stretch, as seen from its start.
  private func begins(
    _ exact: Int64, _ length: Int64, _ chunk: Chunk, _ track: AssetTrack, _ rate: Rational
  ) -> Bool {
    guard isFirstOfChunk else { return true }
    let start = Int64(clamping: (chunk.start * rate).rounded)
    if let position { return exact >= position - length / 2 }
    return hidesRunUp
      ? exact + length > start - runUp(track) : exact >= start - length / 2
  }

  /// Where a packet stands: right after the one before, unless there is a real hole.
  private func place(_ exact: Int64, _ length: Int64, _ start: Rational) -> Int64 {
    if let shift, let position {
      // Coarse timestamps waver by less than a packet; holes are larger.
      let expected = exact + shift
      return abs(expected - position) <= max(2, length / 2) ? position : max(position, expected)
    }
    guard let position else {
      shift = 0
      guard !hidesRunUp else { return exact }
      missingAtStart = Rational(max(0, exact), Int64(audio.encoding.sampleRate))
      return max(0, exact)
    }
    let place = abs(exact - position) <= length ? position : max(position, exact)
    shift = place - exact
    if place != exact {
      offsets.append(
        SoundOffset(time: start, offset: Rational(place - exact, Int64(audio.encoding.sampleRate))))
    }
    return place
  }
}
