import CutroomMedia
import CutroomModel

/// Gives the picture of a file that is shown at an exact source time.
///
/// Forwards cheaply; backwards and far ahead by seeking, decided by the keyframe table. Keeps three
/// decoded pictures. Used by one thread at a time.
final class FrameReader {
  /// A decoded picture with the tick at which it begins to be shown.
  struct Picture {
    let frame: Frame
    let tick: Int64
  }

  let asset: AssetInfo
  let track: AssetTrack
  private var demuxer: Demuxer
  private let decoder: Decoder
  private let keyframes: [Int64]
  /// The decoding time of the last packet, where the file's table lists all of them.
  private let lastIndexed: Int64?
  private let endTick: Int64
  private let damage: DamagePolicy
  /// The picture that was presented before the current one, where it was decoded.
  private(set) var previous: Picture?
  private var current: Picture?
  private(set) var next: Picture?
  private var lastSentTick = Int64.min
  private var hasEnded = false
  private var sentDrain = false
  private var toleratedErrors = 0
  private var taint = DecodingTaint()
  private var isPositioned = false
  /// Whether packets are passed over up to a keyframe: between them, decoders of HEVC and MPEG-2
  /// give pictures of which parts are missing.
  private var awaitsKeyframe = false
  private var times = PacketTimes()
  private var awaited: AwaitedPictures
  /// Whether decoding began where the file does.
  private var isFromStart = false
  /// Whether pictures that the table of keyframes lists were found to be none.
  private var hasFalseKeyframes = false

  /// Opens the file.
  ///
  /// - Throws: ``CutroomError`` with code `media` when the file or its codec cannot be opened.
  init(asset: AssetInfo, track: AssetTrack, threads: Int, damage: DamagePolicy) throws(CutroomError)
  {
    self.asset = asset
    self.track = track
    self.damage = damage
    awaited = AwaitedPictures(
      isKept: track.codec == "h264" && track.picture?.isInterlaced != true && !damage.conceals)
    do {
      demuxer = try Demuxer(path: asset.path, trustsHeader: true)
      demuxer.select([track.streamIndex])
      // Which picture a failed packet belongs to is only certain with one thread.
      decoder = try Decoder(
        demuxer: demuxer, stream: track.streamIndex, threads: damage.conceals ? 1 : threads,
        reorderDepth: track.stream?.videoDelay ?? 0)
    } catch {
      throw CutroomError(reading: asset.path, error)
    }
    let index = demuxer.index(of: track.streamIndex)
    keyframes = index.filter(\.isKeyframe).map(\.timestamp).sorted()
    lastIndexed = demuxer.isMovie ? index.last?.timestamp : nil
    let end = ((track.end + asset.origin) / track.timeBase).ceiling
    endTick = track.end > track.start && end < Int128(Int64.max) ? Int64(end) : .max
  }

  /// The picture whose presentation interval holds source time `time`.
  ///
  /// `nil` before the track's first picture and from its end on.
  ///
  /// - Throws: ``CutroomError`` with code `media` when the picture does not decode.
  func picture(at time: Rational) throws(CutroomError) -> Picture? {
    guard time < track.end || endTick == .max else { return nil }
    let target = track.tick(at: time, origin: asset.origin)
    do {
      if !isPositioned || needsSeek(to: target) { try seek(to: target) }
      try advance(to: target)
      try findLost(upTo: target, from: target, after: current?.tick) {
        try advance(to: target)
        return current?.tick
      }
    } catch let error as LibAVError {
      throw CutroomError(reading: asset.path, error, at: time)
    } catch {
      throw CutroomError(.internal, "internal", "\(error)")
    }
    try checkDamage(at: time)
    noteGap(at: target)
    guard let current else {
      if hasEnded, next == nil { try checkExtent(time) }
      return track.extendsFirstFrame && time >= .zero ? next : nil
    }
    if current.tick > target {
      return track.extendsFirstFrame && time >= .zero ? current : nil
    }
    if hasEnded && next == nil { try checkEnd(current, target: target, time: time) }
    return current
  }

  /// Decodes from before `picture` again up to it, so that the one before it is known.
  ///
  /// - Throws: ``CutroomError`` with code `media` when a picture does not decode.
  func findPrevious(of picture: Picture) throws(CutroomError) {
    do {
      let start = picture.tick.subtractingReportingOverflow(1).partialValue
      try seek(to: start)
      try advance(to: picture.tick)
      try findLost(upTo: picture.tick, from: start, after: previous?.tick) {
        try advance(to: picture.tick)
        return previous?.tick
      }
    } catch let error as LibAVError {
      throw CutroomError(reading: asset.path, error)
    } catch {
      throw CutroomError(.internal, "internal", "\(error)")
    }
  }

  /// Pictures that follow each other up to the one that is presented just before `time`.
  ///
  /// At least that one, as it is decoded; of those that have to be decoded before it at most
  /// `limit`. Empty where nothing is shown just before that time.
  ///
  /// - Throws: ``CutroomError`` with code `media` when a picture does not decode.
  func pictures(before time: Rational, limit: Int) throws(CutroomError) -> [Picture] {
    guard time > .zero, time <= track.end || endTick == .max else { return [] }
    let target = track.tick(before: time, origin: asset.origin)
    var kept: [Picture] = []
    do {
      let start = target.subtractingReportingOverflow(lead(limit)).partialValue
      try seek(to: start)
      kept = try run(to: target, limit)
      try findLost(upTo: target, from: start, after: kept.first?.tick) {
        kept = try run(to: target, limit)
        return kept.first?.tick
      }
    } catch let error as LibAVError {
      throw CutroomError(reading: asset.path, error, at: time)
    } catch {
      throw CutroomError(.internal, "internal", "\(error)")
    }
    try checkDamage(at: time)
    if kept.isEmpty, track.extendsFirstFrame, let next { return [next] }
    if let current, hasEnded, next == nil { try checkEnd(current, target: target, time: time) }
    noteGap(at: target)
    return kept
  }

  /// The ticks before a picture for which decoding begins, so that short groups come several at a
  /// time: as many as `limit` pictures last, but not more than a second.
  private func lead(_ limit: Int) -> Int64 {
    let rate = track.picture?.frameRate ?? 25
    let length = min(Rational.one, Rational(max(0, limit - 1)) / max(rate, 1))
    return Int64(clamping: (length / track.timeBase).floor)
  }

  private func needsSeek(to target: Int64) -> Bool {
    if let current, target < current.tick { return true }
    if current == nil, let next, target < next.tick { return false }
    guard !hasEnded else { return false }
    let position = max(current?.tick ?? .min, lastSentTick)
    guard position > .min, target > position else { return false }
    if keyframes.count > 1, !hasFalseKeyframes {
      guard let keyframe = lastKeyframe(atOrBefore: target) else { return false }
      return keyframe > position
    }
    return Rational(target - position) * track.timeBase > 10
  }

  private func lastKeyframe(atOrBefore tick: Int64) -> Int64? {
    var (low, high) = (0, keyframes.count)
    while low < high {
      let middle = (low + high) / 2
      if keyframes[middle] <= tick { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? keyframes[low - 1] : nil
  }

  /// Seeks with growing margin until the first decoded picture is not after the target: an index
  /// may count in decoding time, and a recovery point's leading pictures do not decode.
  private func seek(to target: Int64, margin least: Int64 = 0) throws {
    let first = keyframes.first ?? track.tick(at: track.start, origin: asset.origin)
    let second = Int64(clamping: (Rational.one / track.timeBase).ceiling)
    var margin = least
    while true {
      let goal = target.subtractingReportingOverflow(margin).partialValue
      let atStart = goal <= first
      try demuxer.seek(stream: track.streamIndex, to: atStart ? min(first, goal) : goal)
      decoder.flush()
      awaited.begin()
      times.begin()
      (previous, current, next) = (nil, nil, nil)
      taint = DecodingTaint()
      hasEnded = false
      sentDrain = false
      lastSentTick = .min
      isPositioned = true
      isFromStart = atStart
      awaitsKeyframe = (!demuxer.seeksByTable || tellsKeyframes) && !atStart
      next = try decodeNext()
      toleratedErrors = decoder.errorCount
      if let next, next.tick <= target { return }
      if atStart || margin > 64 * second { return try restart(target: target) }
      margin = margin == 0 ? second : margin * 4
    }
  }

  /// The last resort after seeking: the very beginning of the file.
  ///
  /// Where a container has no table of its keyframes, seeking to the first one may end behind it;
  /// HTTP Live Streaming has no way back to its start at all.
  private func restart(target: Int64) throws {
    let first = track.tick(at: track.start, origin: asset.origin)
    isFromStart = true
    for opensAnew in [false, true] {
      if let next, next.tick <= max(target, first) { return }
      next = nil
      if opensAnew {
        demuxer = try Demuxer(path: asset.path, trustsHeader: true)
        demuxer.select([track.streamIndex])
      } else {
        try demuxer.seek(stream: track.streamIndex, to: .min / 2)
      }
      decoder.flush()
      awaited.begin()
      times.begin()
      hasEnded = false
      sentDrain = false
      awaitsKeyframe = false
      next = try decodeNext()
    }
  }

  private func advance(to target: Int64) throws {
    if next == nil && !hasEnded { next = try decodeNext() }
    while let candidate = next, candidate.tick <= target {
      (previous, current) = (current, candidate)
      taint.forget(through: candidate.tick)
      next = hasEnded ? nil : try decodeNext()
    }
  }

  /// The last pictures up to `target` from where reading is, at most `limit` of them and at least one.
  private func run(to target: Int64, _ limit: Int) throws -> [Picture] {
    var kept: [Picture] = []
    while true {
      if next == nil && !hasEnded { next = try decodeNext() }
      guard let candidate = next, candidate.tick <= target else { return kept }
      current = candidate
      taint.forget(through: candidate.tick)
      kept.append(candidate)
      if kept.count > max(1, limit) { kept.removeFirst() }
      next = hasEnded ? nil : try decodeNext()
    }
  }

  /// Decodes from farther back than `start` where the decoder kept pictures after `tick` to itself,
  /// as that of H.264 does some behind an open group that it begins with.
  ///
  /// `read` reads again, and gives the tick after which pictures are needed now.
  private func findLost(
    upTo target: Int64, from start: Int64, after tick: Int64?, read: () throws -> Int64?
  ) throws {
    var tick = tick
    var isLost: Bool {
      guard let tick, decoder.errorCount == toleratedErrors else { return false }
      return awaited.lacks(after: tick, upTo: target)
    }
    let second = Int64(clamping: (Rational.one / track.timeBase).ceiling)
    for margin: Int64 in [4, 16, 65] where isLost && !isFromStart {
      try seek(to: start, margin: margin * second)
      tick = try read()
    }
    if isLost { awaited.miss(target) } else { awaited.pass(target) }
  }

  private func decodeNext() throws -> Picture? {
    while true {
      switch try decoder.receive() {
      case .value(let frame):
        guard let tick = tick(of: frame) else { continue }
        awaited.came(tick)
        // A picture that does not come after the one before has no place of its own.
        if let last = next ?? current, tick <= last.tick {
          if tick < last.tick { times.pictureFell() }
          continue
        }
        if damage.conceals, taint.isUnusable(tick, isCorrupt: frame.isCorrupt) { continue }
        return Picture(frame: frame, tick: tick)
      case .ended:
        hasEnded = true
        return nil
      case .needsInput:
        guard !sentDrain else {
          hasEnded = true
          return nil
        }
        try feed()
      }
    }
  }

  /// When a picture is shown; where packets do not say it, as far as decoding times tell.
  private func tick(of frame: Frame) -> Int64? {
    guard let stamp = frame.pts ?? frame.bestEffortTimestamp else {
      // Behind the last packet nothing tells.
      return times.areMissing ? (next ?? current)?.tick.plus(track.ticksPerFrame) : nil
    }
    return times.areMissing ? stamp.plus(-track.decodingDelay) : stamp
  }

  private func feed() throws {
    while let packet = try demuxer.read() {
      guard packet.streamIndex == track.streamIndex else { continue }
      if awaitsKeyframe, !begins(packet) {
        if packet.isKeyframe { hasFalseKeyframes = true }
        continue
      }
      awaitsKeyframe = false
      lastSentTick = max(lastSentTick, packet.dts ?? packet.pts ?? .min)
      times.add(packet)
      if let tick = packet.pts, !packet.isDiscard { awaited.sent(tick) }
      let errors = decoder.errorCount
      _ = try decoder.send(packet)
      if damage.conceals, let tick = packet.pts ?? packet.dts {
        taint.sent(tick, isKeyframe: packet.isKeyframe, failed: decoder.errorCount > errors)
      }
      return
    }
    sentDrain = true
    _ = try decoder.send(nil)
  }

  /// Whether packets are looked into: these decoders begin anywhere, also where a table of keyframes
  /// does not tell the truth.
  private var tellsKeyframes: Bool {
    track.codec == "hevc" || IntraPicture.codecs.contains(track.codec)
  }

  /// Whether decoding may begin at a packet.
  private func begins(_ packet: Packet) -> Bool {
    if track.codec == "hevc" { return BitstreamCheck.isRandomAccess(packet, demuxer, track) }
    guard packet.isKeyframe, tellsKeyframes else { return packet.isKeyframe }
    return BitstreamCheck.isIntra(packet, track.stream)
  }

  /// Says which stretch is concealed where the picture of `target` is missing.
  private func noteGap(at target: Int64) {
    guard damage.conceals else { return }
    var start = taint.first(after: current?.tick ?? .min, before: next?.tick ?? .max)
    if let current, next == nil, hasEnded, current.frame.duration > 0, endTick != .max {
      let end = current.tick + current.frame.duration
      if endTick - end > 2 * current.frame.duration + 2 { start = min(start ?? end, end) }
    }
    guard let start, target >= start else { return }
    func time(_ tick: Int64) -> Rational { track.time(ofTick: tick, origin: asset.origin) }
    damage.add(
      ConcealedDamage(
        path: asset.path, kind: "video", start: time(start),
        end: next.map { time($0.tick) } ?? track.end))
  }

  private func checkDamage(at time: Rational) throws(CutroomError) {
    guard !damage.conceals else { return }
    guard !times.areFalse || !["h264", "hevc"].contains(track.codec) else {
      throw CutroomError(
        .media, "media.damaged",
        "the pictures of '\(asset.path)' have the times at which they are decoded in place of those "
          + "at which they are shown; make the file anew from its source, or set export.damaged to "
          + "\"conceal\"")
    }
    let isBroken = current?.frame.isCorrupt ?? false
    guard isBroken || decoder.errorCount > toleratedErrors else { return }
    throw CutroomError(
      .media, "media.damaged",
      "'\(asset.path)' is damaged near \(time.secondsText): a picture there does not decode; "
        + "repair or replace the file, leave that stretch out, or set export.damaged to \"conceal\"",
      details: decoder.lastError.map { [$0.description] } ?? [])
  }

  /// A track that claims pictures must have one.
  private func checkExtent(_ time: Rational) throws(CutroomError) {
    guard !damage.conceals, time >= track.start, time < track.end else { return }
    throw CutroomError(
      .media, "media.truncated",
      "'\(asset.path)' has no picture at \(time.secondsText); repair it or shorten the clip")
  }

  /// After the last picture: either it lasts to the track's end, or pictures are missing.
  private func checkEnd(_ last: Picture, target: Int64, time: Rational) throws(CutroomError) {
    guard !damage.conceals, last.frame.duration > 0 else { return }
    // All packets came: the last picture is held, however long.
    if let lastIndexed, lastSentTick >= lastIndexed { return }
    // Durations in coarse time bases are rounded; two more ticks are no missing picture.
    let end = last.tick + last.frame.duration + 2
    let missing = endTick - last.tick - last.frame.duration
    guard target >= end, endTick != .max, missing > 2 * last.frame.duration + 2 else { return }
    throw CutroomError(
      .media, "media.truncated",
      "'\(asset.path)' ends early: its last picture is at "
        + "\(track.time(ofTick: last.tick, origin: asset.origin).secondsText), but the file "
        + "claims to last to \(track.end.secondsText); repair it, shorten the clip, or set "
        + "export.damaged to \"conceal\"")
  }
}

extension CutroomError {
  /// A source that does not open, read or decode.
  init(reading path: String, _ error: LibAVError, at time: Rational? = nil) {
    let place = time.map { " at \($0.secondsText)" } ?? ""
    self.init(
      .media, "media.unreadable", "cannot read '\(path)'\(place): \(error.reason)",
      details: error.log)
  }
}

extension Rational {
  /// Seconds with at most six decimals, for messages.
  var secondsText: String {
    JSONValue.decimal(doubleValue, digits: 6).encoded() + "s"
  }
}
