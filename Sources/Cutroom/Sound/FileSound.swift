import CutroomMedia
import CutroomModel

/// The sound of a media file.
final class FileSound: SoundDecoder {
  let sampleRate: Int
  let channelLayout: String
  let end: Int64?
  private let asset: AssetInfo
  private let track: AssetTrack
  private let frameSize: Int
  /// Samples of which every packet has a multiple; 0 where that is not known.
  private let grid: Int64
  private let damage: DamagePolicy
  private var demuxer: Demuxer
  private var decoder: Decoder
  private var expected: Int64?
  private var isFresh = true
  private var sentDrain = false
  private var seenErrors = 0
  private var settled: Int64 = .min
  private var lastEnd: Int64 = 0
  /// What to add to the number in a FLAC packet's header to get a position.
  private var numbering: Int64?
  /// Where the sound of the packet sent last begins, where its header tells.
  private var stated: Int64?
  /// What the next packet must be, and what its time is, after going to a byte of the file.
  private var retiming: AssetTrack.SeekPoint?
  /// The time of the packet after the last one, where times are counted here.
  private var nextTick: Int64?
  /// Whether nothing was decoded since seeking.
  private var hasFoundNothing = false
  /// How far the last packets lay from where the sound before them ended.
  private var deviations: (last: Int64, count: Int) = (0, 0)

  /// - Throws: ``CutroomError`` with code `media` when the file or its codec cannot be opened.
  init(asset: AssetInfo, track: AssetTrack, damage: DamagePolicy) throws(CutroomError) {
    guard let sound = track.sound, sound.sampleRate > 0 else {
      throw CutroomError(
        .media, "media.unreadable", "the sound of '\(asset.path)' has no known sample rate")
    }
    self.asset = asset
    self.track = track
    self.damage = damage
    sampleRate = sound.sampleRate
    channelLayout = sound.channelLayout
    frameSize = sound.frameSize
    grid =
      switch track.codec {
      case "opus": Int64(sound.sampleRate / 400)
      case "flac": FLACHeader.blockSize(track.stream?.extradata ?? [])
      case "ac3", "eac3": 256
      case "mp3": 576
      case _ where frameSize > 0: Int64(frameSize)
      default: Self.vorbisGrid(track.codec, track.stream?.extradata ?? [])
      }
    end = Int64(clamping: (track.end * Rational(sound.sampleRate)).rounded)
    (demuxer, decoder) = try Self.open(asset, track)
  }

  private static func open(
    _ asset: AssetInfo, _ track: AssetTrack
  ) throws(CutroomError) -> (demuxer: Demuxer, decoder: Decoder) {
    do {
      let demuxer = try Demuxer(path: asset.path, trustsHeader: true)
      demuxer.select([track.streamIndex])
      return (demuxer, try Decoder(demuxer: demuxer, stream: track.streamIndex))
    } catch {
      throw CutroomError(reading: asset.path, error)
    }
  }

  /// A quarter of Vorbis's short block, from its first header.
  private static func vorbisGrid(_ codec: String, _ headers: [UInt8]) -> Int64 {
    let mark = [1] + Array("vorbis".utf8)
    guard codec == "vorbis", let place = headers.firstRange(of: mark)?.lowerBound,
      place + 28 < headers.count
    else { return 0 }
    return 1 << Int64(max(6, headers[place + 28] & 15) - 2)
  }

  /// Files that have no table of their packets count time exactly only from their start.
  private var countsFromStart: Bool {
    let samplesPerTick = Int64(clamping: (track.timeBase * Rational(sampleRate)).ceiling)
    // Nor do coarse times that name no certain sample.
    if track.codec == "vorbis", samplesPerTick > 1, grid <= samplesPerTick + 1 { return true }
    return ["mp3", "aac", "ac3", "eac3", "amr", "dts", "loas"].contains(asset.formatName)
  }

  func seek(to position: Int64) throws(CutroomError) {
    // Overlapping transforms, bit reservoirs and spectral band replication need a run-up, Opus one in
    // which its predictions settle.
    let wanted =
      switch track.codec {
      case "mp3": Int64(24 * frameSize)
      case "opus": Int64(sampleRate)
      default: Int64(8 * frameSize)
      }
    let runUp = max(wanted, Int64(sampleRate / 10))
    let start = Int64(clamping: (track.start * Rational(sampleRate)).floor)
    settled = position
    if position - runUp <= start { return try restart() }
    let time = Rational(position - runUp) / Rational(sampleRate)
    let tick = track.tick(at: time, origin: asset.origin)
    if countsFromStart {
      guard let point = seekPoint(notAfter: tick), point != track.seekPoints.first else {
        return try restart()
      }
      do { try demuxer.seek(byte: point.position) } catch { return try restart() }
      prepare()
      retiming = point
      return
    }
    do {
      if numbering == nil, FLACHeader.counts(track, in: asset) {
        numbering = try FLACHeader.numbering(of: track, in: asset)
      }
      try demuxer.seek(stream: track.streamIndex, to: tick)
    } catch {
      throw CutroomError(reading: asset.path, error, at: time)
    }
    prepare()
  }

  /// Makes ready for what lies at a new place.
  private func prepare() {
    decoder.flush()
    reset()
    isFresh = false
    hasFoundNothing = true
  }

  /// Begins at the file's start.
  private func restart() throws(CutroomError) {
    if isFresh { return }
    (demuxer, decoder) = try Self.open(asset, track)
    reset()
  }

  /// The last place to read from that is not after a tick.
  ///
  /// What decoding remembers without end, as the noise of spectral band replication, depends on the
  /// file's start: such files have no places.
  private func seekPoint(notAfter tick: Int64) -> AssetTrack.SeekPoint? {
    let points = track.seekPoints
    if track.codec == "aac", track.stream.map({ $0.profile != 1 }) ?? true { return nil }
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].tick <= tick { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? points[low - 1] : nil
  }

  private func reset() {
    expected = nil
    sentDrain = false
    isFresh = true
    (retiming, nextTick, stated) = (nil, nil, nil)
    seenErrors = decoder.errorCount
    lastEnd = 0
    deviations = (0, 0)
    hasFoundNothing = false
  }

  func next() throws(CutroomError) -> (position: Int64, sound: PlanarAudio)? {
    isFresh = false
    do {
      while true {
        switch try decoder.receive() {
        case .value(let frame):
          guard frame.sampleCount > 0, let position = position(of: frame) else { continue }
          let after = position + Int64(frame.sampleCount)
          if after > settled {
            try checkDamage(before: position)
          } else if after < settled - Int64(4 * frameSize) {
            // A run-up leans on what lies before it, and damage there is nobody's matter.
            seenErrors = decoder.errorCount
          }
          expected = after
          lastEnd = after
          hasFoundNothing = false
          return (position, try PlanarAudio.from(frame))
        case .needsInput: try feed()
        case .ended:
          // Some demuxers lose their way when seeking; the beginning always reads.
          if hasFoundNothing {
            (demuxer, decoder) = try Self.open(asset, track)
            reset()
            continue
          }
          try checkEnd()
          return nil
        }
      }
    } catch let error as CutroomError {
      throw error
    } catch let error as LibAVError {
      throw CutroomError(reading: asset.path, error)
    } catch {
      throw CutroomError(.internal, "internal", "\(error)")
    }
  }

  private func feed() throws {
    while !sentDrain {
      guard let packet = try demuxer.read() else {
        sentDrain = true
        _ = try decoder.send(nil)
        return
      }
      guard packet.streamIndex == track.streamIndex else { continue }
      guard try retime(packet) else { continue }
      if let numbering, let number = FLACHeader.firstSample(of: packet, blockSize: grid) {
        stated = number + numbering
      }
      _ = try decoder.send(packet)
      return
    }
  }

  /// Gives a packet after a place in the file its time; `false` where reading began anew, because
  /// no packet begins at that place.
  private func retime(_ packet: Packet) throws -> Bool {
    if let point = retiming {
      retiming = nil
      guard packet.position == point.position else {
        isFresh = false
        try restart()
        return false
      }
      nextTick = point.tick
    }
    guard let tick = nextTick else { return true }
    packet.pts = tick
    packet.dts = tick
    packet.skipSamples = nil
    nextTick = tick + packet.duration
    return true
  }

  /// The position of a frame's first sample: by its timestamp, mended where the container's
  /// ticks are coarser than samples.
  private func position(of frame: Frame) -> Int64? {
    if let stated {
      self.stated = nil
      return stated
    }
    guard let tick = frame.pts ?? frame.bestEffortTimestamp else { return expected }
    let exact = track.time(ofTick: tick, origin: asset.origin) * Rational(sampleRate)
    let position = exact.nearestSample
    let samplesPerTick = track.timeBase * Rational(sampleRate)
    let tolerance = Int64(clamping: samplesPerTick.ceiling) + 1
    if let expected {
      let deviation = position - expected
      if abs(deviation) > max(2, tolerance), isStray(deviation) { return expected }
      deviations = (0, 0)
      if abs(deviation) <= max(2, tolerance) { return expected }
    }
    guard expected == nil, samplesPerTick > 1, grid > 0 else { return position }
    // Packets count from before what is dropped at the start.
    let start =
      (track.start * Rational(sampleRate)).nearestSample
      - Int64(track.stream?.initialPadding ?? 0)
    // Of Opus's first packet the decoder drops what lies in front; its end is where it should be.
    let place = track.codec == "opus" ? position + Int64(frame.sampleCount) : position
    let steps = Int64(clamping: Rational(place - start, grid).rounded)
    let onGrid = start + steps * grid - (place - position)
    return abs(onGrid - position) <= tolerance ? onGrid : position
  }

  /// Whether a deviation from the sound before is libavformat's mistake within a page of Ogg, where
  /// single packets get another one's time, rather than a hole.
  private func isStray(_ deviation: Int64) -> Bool {
    guard asset.formatName == "ogg", abs(deviation) < sampleRate / 10 else { return false }
    deviations = (deviation, deviations.last == deviation ? deviations.count + 1 : 1)
    return deviations.count < 3
  }

  private func note(from start: Int64, to end: Int64) {
    damage.add(
      ConcealedDamage(
        path: asset.path, kind: "audio", start: Rational(start, Int64(sampleRate)),
        end: Rational(end, Int64(sampleRate))))
  }

  private func checkDamage(before position: Int64) throws(CutroomError) {
    guard decoder.errorCount > seenErrors else { return }
    seenErrors = decoder.errorCount
    if damage.conceals {
      note(from: expected ?? max(0, position - Int64(frameSize)), to: position)
      return
    }
    let time = Rational(position, Int64(sampleRate)).secondsText
    throw CutroomError(
      .media, "media.damaged",
      "'\(asset.path)' is damaged before \(time): sound there does not decode; repair or "
        + "replace the file, leave that stretch out, or set export.damaged to \"conceal\"",
      details: decoder.lastError.map { [$0.description] } ?? [])
  }

  private func checkEnd() throws(CutroomError) {
    guard let end, track.end > track.start else { return }
    let tolerance = Int64(max(2 * frameSize, sampleRate / 20))
    guard end - lastEnd > tolerance, settled < end else { return }
    if damage.conceals {
      note(from: max(lastEnd, settled), to: end)
      return
    }
    let reached = Rational(lastEnd, Int64(sampleRate)).secondsText
    throw CutroomError(
      .media, "media.truncated",
      "'\(asset.path)' ends early: its sound decodes to \(reached), but the file claims to last "
        + "to \(track.end.secondsText); repair it, shorten the clip, or set "
        + "export.damaged to \"conceal\"",
      details: decoder.lastError.map { [$0.description] } ?? [])
  }
}
