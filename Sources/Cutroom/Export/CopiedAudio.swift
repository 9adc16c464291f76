import CutroomMedia
import CutroomModel

/// The packets of copied sound, in samples.
///
/// The first stretch begins with the packets that its first sample needs, which the container
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
  private var stretch: Stretch?
  private var position: Int64?
  /// What to add to a packet's exact place to get where it stands.
  private var shift: Int64?
  private var isFirstOfChunk = true
  /// The first packet, where the muxer had to know how much of it is hidden.
  private var waiting: Packet?
  /// Samples that MP3's header says are hidden at the start.
  private var hidden = 0
  private(set) var offsets: [SoundOffset] = []
  /// How much of the sound's start no whole packet holds.
  private(set) var missingAtStart: Rational = 0
  /// Whether there is a packet before the first one, which is not copied.
  private var hasLead = false
  var lacksLead: Bool { hasLead && !hidesRunUp && audio.runUp > 0 }

  /// A stretch that is being copied: its packets, and where they belong.
  private struct Stretch {
    let feed: PacketFeed
    let range: CopiedRange
    let track: AssetTrack
    let grid: SampleGrid
    let lengths: PacketLength
    /// The start of the stretch.
    let time: Rational
    /// Its first sample, and the one behind its last.
    let start: Int64
    let end: Int64
    /// The first sample of which the file has sound.
    let own: Int64
    /// What to add to a sample of the file.
    let offset: Int64
  }

  init(plan: ExportPlan, audio: AudioPlan, feeds: SharedFeeds, progress: ProgressMeter) {
    self.audio = audio
    self.feeds = feeds
    self.plan = plan
    assets = plan.assets
    hidesRunUp = if case .hidden = audio.cut { true } else { false }
    self.progress = progress
    reportsProgress = plan.video == nil
  }

  var parameters: CodecParameters {
    get throws(CutroomError) {
      guard case .copy(let range)? = audio.chunks.first?.action else {
        throw CutroomError(.internal, "internal", "there is nothing to copy")
      }
      let parameters = try feeds.parameters(of: range)
      guard !plan.container.hasEditLists, hidesRunUp || plan.container.isMatroska else {
        return parameters
      }
      if hidesRunUp, waiting == nil { waiting = try read() }
      do { return try Self.delayed(parameters, by: max(0, -(waiting?.pts ?? 0))) } catch {
        throw CutroomError(reading: range.path, error)
      }
    }
  }

  /// The parameters of sound of which that many samples are not heard.
  private static func delayed(
    _ parameters: CodecParameters, by samples: Int64
  ) throws(LibAVError) -> CodecParameters {
    let result = try parameters.copy()
    result.initialPadding = Int(samples)
    var header = result.extradata
    if result.codecName == "opus", header.count >= 19 {
      (header[10], header[11]) = (UInt8(samples & 0xFF), UInt8(samples >> 8 & 0xFF))
      try result.setExtradata(header)
    }
    return result
  }

  func next() throws(CutroomError) -> Packet? {
    guard let packet = waiting else { return try read() }
    waiting = nil
    return packet
  }

  private func read() throws(CutroomError) -> Packet? {
    while chunk < audio.chunks.count {
      let current = if let stretch { stretch } else { try open(audio.chunks[chunk]) }
      stretch = current
      do {
        if let packet = try read(current) {
          if reportsProgress { try progress.report(frames: max(0, packet.pts ?? 0)) }
          return packet
        }
      } catch let error as CutroomError {
        throw error
      } catch let error as LibAVError {
        throw CutroomError(reading: current.range.path, error)
      } catch {
        throw CutroomError(.internal, "internal", "\(error)")
      }
      stretch = nil
      chunk += 1
    }
    return nil
  }

  private var isLastChunk: Bool { chunk == audio.chunks.count - 1 }

  private func open(_ chunk: Chunk) throws(CutroomError) -> Stretch {
    guard case .copy(let range) = chunk.action,
      let asset = assets[range.path], let track = plan.track(of: range)
    else { throw CutroomError(.internal, "internal", "the copied sound was not probed") }
    let rate = Rational(audio.encoding.sampleRate)
    let ahead = Rational(audio.runUp * 2 + 4096) / rate / track.timeBase
    let feed: PacketFeed
    do {
      feed = try feeds.feed(
        chunk, range, tick: range.firstPTS - Int64(clamping: ahead.ceiling), asset: asset)
    } catch {
      throw CutroomError(reading: range.path, error)
    }
    shift = nil
    isFirstOfChunk = true
    func sample(_ time: Rational) -> Int64 { Int64(clamping: (time * rate).rounded) }
    return Stretch(
      feed: feed, range: range, track: track,
      grid: SampleGrid(track, in: asset, rate: audio.encoding.sampleRate),
      lengths: PacketLength(track), time: chunk.start, start: sample(chunk.start),
      end: sample(chunk.start + chunk.duration),
      own: sample(chunk.start + max(.zero, track.start - range.sourceStart)),
      offset: sample(chunk.start - range.sourceStart))
  }

  private func read(_ stretch: Stretch) throws -> Packet? {
    let end = stretch.end
    while let packet = try stretch.feed.next(stretch.range.streamIndex) {
      try progress.cancellation.check()
      guard let tick = packet.pts else { continue }
      let length = stretch.lengths.samples(of: packet)
      let exact = stretch.grid.sample(ofTick: tick, length: length) + stretch.offset
      guard begins(exact, length, stretch.start) else {
        if position == nil { hasLead = true }
        continue
      }
      let place = place(exact, length, stretch)
      let stop = isLastChunk ? max(exact, place) >= end : exact >= end - length / 2
      if stop { return nil }
      packet.pts = place
      packet.dts = nil
      packet.duration = isLastChunk ? max(1, min(length, end - place)) : length
      packet.skipSamples = nil
      if isMP3, position == nil {
        hidden = Int(max(0, -place))
        packet.skipSamples = (hidden, 0)
      }
      if isLastChunk, place + length >= end { finish(packet, place + length - end) }
      position = place + length
      isFirstOfChunk = false
      return packet
    }
    try checkEnd(stretch)
    return nil
  }

  /// After the last packet of a file that should have more.
  private func checkEnd(_ stretch: Stretch) throws(CutroomError) {
    let rate = Int64(audio.encoding.sampleRate)
    let last = stretch.time + stretch.track.end - stretch.range.sourceStart
    let own = Int64(clamping: (last * Rational(rate)).rounded)
    let reached = position ?? stretch.start
    let tolerance = max(2 * Int64(stretch.track.sound?.frameSize ?? 0), rate / 20)
    let missing = min(stretch.end, own) - reached
    guard missing > tolerance else { return }
    throw plan.truncated(stretch.range, missing: Rational(missing, rate), at: stretch.time)
  }

  /// Hides what the last packet holds too much, or says that it is heard.
  private func finish(_ packet: Packet, _ excess: Int64) {
    if plan.container.trimsEnd(audio.cut, of: audio.codec) {
      if excess > 0 || isMP3 { packet.skipSamples = (hidden, Int(excess)) }
    } else if excess > 0 {
      let last = audio.chunks[chunk]
      note(excess, at: last.start + last.duration, isAtEnd: true)
    }
  }

  /// The MP3 muxer takes the delay that its header tells from the packets.
  private var isMP3: Bool { plan.container.muxer == "mp3" }

  private func note(_ samples: Int64, at time: Rational, isAtEnd: Bool = false) {
    guard samples != 0 else { return }
    let offset = Rational(samples, Int64(audio.encoding.sampleRate))
    offsets.append(SoundOffset(time: time, offset: offset, isAtEnd: isAtEnd))
  }

  /// Whether a packet belongs to the stretch, as seen from its start.
  private func begins(_ exact: Int64, _ length: Int64, _ start: Int64) -> Bool {
    guard isFirstOfChunk else { return true }
    if let position { return exact >= position - length / 2 }
    if hidesRunUp { return exact + length > start - audio.runUp }
    // Where packets keep their times, sound rather begins late than lies beside its picture.
    return exact >= (plan.container.keepsTimes ? start - 2 : start - length / 2)
  }

  /// Where a packet stands: right after the one before, unless there is a real hole.
  private func place(_ exact: Int64, _ length: Int64, _ stretch: Stretch) -> Int64 {
    if let shift, let position {
      // Coarse timestamps waver by less than a packet; holes are larger.
      let expected = exact + shift
      return abs(expected - position) <= max(2, length / 2) ? position : max(position, expected)
    }
    guard let position else {
      shift = 0
      guard !hidesRunUp else { return exact }
      missingAtStart = Rational(max(0, exact - stretch.own), Int64(audio.encoding.sampleRate))
      note(max(0, -exact), at: stretch.time)
      return max(0, exact)
    }
    let place = abs(exact - position) <= length ? position : max(position, exact)
    shift = place - exact
    note(place - exact, at: stretch.time)
    return place
  }
}
