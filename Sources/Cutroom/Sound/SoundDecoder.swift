import CutroomMedia
import CutroomModel

/// Decoded sound of a source at its own rate and layout, in order.
///
/// Positions are samples of the source's rate, counted from source time 0. Used by one thread.
protocol SoundDecoder: AnyObject {
  var sampleRate: Int { get }
  var channelLayout: String { get }
  /// The position after the last sample; `nil` for no end.
  var end: Int64? { get }
  /// Moves so that ``next()`` gives sound at or before `position`, with enough before it for the
  /// decoder to have settled.
  func seek(to position: Int64) throws(CutroomError)
  /// The next run of samples; `nil` at the end.
  func next() throws(CutroomError) -> (position: Int64, sound: PlanarAudio)?
}

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
      frameSize > 0
      ? Int64(frameSize) : Self.vorbisGrid(track.codec, track.stream?.extradata ?? [])
    end = Int64(clamping: (track.end * Rational(sound.sampleRate)).rounded)
    (demuxer, decoder) = try Self.open(asset, track)
  }

  private static func open(
    _ asset: AssetInfo, _ track: AssetTrack
  ) throws(CutroomError) -> (Demuxer, Decoder) {
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
    // Overlapping transforms, bit reservoirs and spectral band replication need a run-up.
    let runUp = Int64(max(8 * frameSize, sampleRate / 10))
    let start = Int64(clamping: (track.start * Rational(sampleRate)).floor)
    settled = position
    if countsFromStart || position - runUp <= start {
      if isFresh { return }
      (demuxer, decoder) = try Self.open(asset, track)
      reset()
      return
    }
    let time = Rational(position - runUp) / Rational(sampleRate)
    do {
      try demuxer.seek(
        stream: track.streamIndex, to: track.tick(at: time, origin: asset.origin))
    } catch {
      throw CutroomError(reading: asset.path, error, at: time)
    }
    decoder.flush()
    reset()
    isFresh = false
    hasFoundNothing = true
  }

  private func reset() {
    expected = nil
    sentDrain = false
    isFresh = true
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
          if after > settled { try checkDamage(before: position) }
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
      _ = try decoder.send(packet)
      return
    }
  }

  /// The position of a frame's first sample: by its timestamp, mended where the container's
  /// ticks are coarser than samples.
  private func position(of frame: Frame) -> Int64? {
    guard let tick = frame.pts ?? frame.bestEffortTimestamp else { return expected }
    let exact = track.time(ofTick: tick, origin: asset.origin) * Rational(sampleRate)
    let position = Int64(clamping: exact.rounded)
    let samplesPerTick = track.timeBase * Rational(sampleRate)
    let tolerance = Int64(clamping: samplesPerTick.ceiling) + 1
    if let expected {
      let deviation = position - expected
      if abs(deviation) > max(2, tolerance), isStray(deviation) { return expected }
      deviations = (0, 0)
      if abs(deviation) <= max(2, tolerance) { return expected }
    }
    guard expected == nil, samplesPerTick > 1, grid > 0 else { return position }
    let start = Int64(clamping: (track.start * Rational(sampleRate)).rounded)
    let steps = Rational(position - start, grid).rounded
    let onGrid = start + Int64(clamping: steps) * grid
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
        + "replace the file, or leave that stretch out",
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
        + "to \(track.end.secondsText); repair it or shorten the clip",
      details: decoder.lastError.map { [$0.description] } ?? [])
  }
}

/// The sound of a libavfilter source.
final class GeneratorSound: SoundDecoder {
  private(set) var sampleRate = 48000
  private(set) var channelLayout = "mono"
  let end: Int64? = nil
  private let source: GeneratorSource
  private var graph: FilterGraph
  private var position: Int64 = 0
  private var pending: PlanarAudio?

  /// - Throws: ``CutroomError`` with code `input` when libavfilter refuses the source.
  init(_ source: GeneratorSource) throws(CutroomError) {
    self.source = source
    graph = try Self.open(source)
    if let first = try pull() {
      pending = first.sound
      sampleRate = first.rate
      channelLayout = first.layout
    }
  }

  private static func open(_ source: GeneratorSource) throws(CutroomError) -> FilterGraph {
    do {
      return try FilterGraph.source(source.filter, kind: .audio)
    } catch {
      throw CutroomError(
        .input, "media.generator",
        "the generator '\(source.filter)' cannot be made: \(error.reason)", details: error.log)
    }
  }

  private func pull() throws(CutroomError) -> (sound: PlanarAudio, rate: Int, layout: String)? {
    do {
      guard case .value(let frame) = try graph.pull() else { return nil }
      return (try PlanarAudio.from(frame), frame.sampleRate, frame.channelLayout)
    } catch {
      throw CutroomError(
        .media, "media.generator", "the generator '\(source.filter)' failed: \(error.reason)",
        details: error.log)
    }
  }

  func seek(to position: Int64) throws(CutroomError) {
    guard position < self.position else { return }
    graph = try Self.open(source)
    (self.position, pending) = (0, nil)
  }

  func next() throws(CutroomError) -> (position: Int64, sound: PlanarAudio)? {
    let sound: PlanarAudio
    if let pending {
      sound = pending
    } else {
      guard let pulled = try pull() else { return nil }
      sound = pulled.sound
    }
    pending = nil
    defer { position += Int64(sound.count) }
    return (position, sound)
  }
}
