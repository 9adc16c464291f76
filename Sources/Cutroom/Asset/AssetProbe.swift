import CutroomMedia
import CutroomModel
import Foundation

/// The examination of an open file, in steps.
struct AssetProbe {
  let demuxer: Demuxer
  let path: String
  let container: String
  let isMovie: Bool
  let isStill: Bool
  /// The streams that are tracks: all but cover art.
  let streams: [StreamInfo]
  /// Start and end of each measured stream in seconds of libav's times.
  var extents: [Int: (start: Rational, end: Rational)] = [:]
  var grids: [Int: FrameGrid] = [:]
  var frameCounts: [Int: Int64] = [:]
  var keyframeCounts: [Int: Int] = [:]
  var seekPoints: [Int: [AssetTrack.SeekPoint]] = [:]

  init(_ demuxer: Demuxer, path: String) {
    self.demuxer = demuxer
    self.path = path
    let names = demuxer.formatName.split(separator: ",")
    isMovie = names.contains("mov")
    isStill = ContainerName.isStillFormat(demuxer.formatName)
    let brand = demuxer.metadata.first { $0.0 == "major_brand" }?.1
    container = ContainerName.of(demuxer.formatName, brand: brand, path: path)
    streams = demuxer.streams.filter { !$0.isAttachedPicture && $0.kind != .attachment }
  }

  /// The streams with pictures or sound that a decoder could take.
  private var mediaStreams: [StreamInfo] { streams.filter { Self.kind(of: $0).isMedia } }

  /// Finds where tracks start and end, and how fast their frames follow.
  mutating func measure(countsAll: Bool) {
    guard !isStill, !mediaStreams.isEmpty else { return }
    let needsScan = mediaStreams.contains { !isIndexed($0) }
    if needsScan || (countsAll && !isMovie) {
      let scans = PacketScan.read(
        demuxer, streams: mediaStreams, shortensLast: container == "ogg",
        keepsSeekPoints: ["mp3", "aac"].contains(demuxer.formatName))
      for stream in mediaStreams { take(scans[stream.index], of: stream) }
      return
    }
    for stream in mediaStreams { measureByIndex(stream) }
  }

  /// Whether the start and the end can be told without reading all packets.
  private func isIndexed(_ stream: StreamInfo) -> Bool {
    switch container {
    case "wav", "flac", "caf", "aiff", "au": return stream.duration != nil
    case "mkv", "webm": return demuxer.duration != nil
    default: return isMovie && stream.frameCount > 0 && stream.duration != nil
    }
  }

  private func tick(_ stream: StreamInfo) -> Rational {
    Rational(stream.timeBase.numerator, stream.timeBase.denominator)
  }

  private func statedRate(_ stream: StreamInfo) -> Rational? {
    guard let (numerator, denominator) = stream.averageFrameRate else { return nil }
    let rate = Rational(numerator, denominator)
    // Ticks per second are stated where nothing is known.
    return FrameRate(rate) != nil && rate <= 480 ? rate : nil
  }

  // MARK: By index

  private mutating func measureByIndex(_ stream: StreamInfo) {
    if isMovie { return measureMovieTrack(stream) }
    guard container == "mkv" || container == "webm" else {
      let start = stream.startTime ?? 0
      set(stream, start, start.plus(stream.duration ?? 0))
      return
    }
    measureMatroskaTrack(stream)
  }

  private mutating func measureMovieTrack(_ stream: StreamInfo) {
    let entries = demuxer.index(of: stream.index)
    let start = stream.startTime ?? 0
    let declared = start.plus(max(0, stream.duration ?? 0))
    frameCounts[stream.index] = Int64(entries.count { !$0.isDiscard })
    keyframeCounts[stream.index] = entries.count { $0.isKeyframe && !$0.isDiscard }
    var frameTicks = Int64(0)
    if stream.kind == .video {
      let times = frameTimes(stream, entries)
      let grid = FrameGrid(times: times, tick: tick(stream), stated: statedRate(stream))
      grids[stream.index] = grid
      // Two decoding times are no rate.
      if !grid.isVariable, times.count > 2, let rate = grid.rate {
        frameTicks = Int64(clamping: (rate.frameDuration / tick(stream)).ceiling)
      }
    } else if stream.frameSize > 0, stream.sampleRate > 0 {
      let length = Rational(stream.frameSize, stream.sampleRate) / tick(stream)
      frameTicks = Int64(clamping: length.ceiling)
    }
    set(stream, start, end(ofMovieTrack: stream, declared, frameTicks))
  }

  /// Ascending times of frames: decoding times, without those before the first presentation time,
  /// which programs that write files guess from rounded ones.
  private func frameTimes(_ stream: StreamInfo, _ entries: [Demuxer.IndexEntry]) -> [Int64] {
    let run = Self.shownRun(entries)
    let delay = max(0, stream.videoDelay)
    return run.count > 4 * delay ? Array(run.dropFirst(delay)) : run
  }

  /// The decoding times of the longest run of samples that an edit list leaves whole.
  private static func shownRun(_ entries: [Demuxer.IndexEntry]) -> [Int64] {
    var best: [Int64] = []
    var run: [Int64] = []
    for entry in entries {
      if entry.isDiscard || run.last.map({ entry.timestamp <= $0 }) == true {
        if run.count > best.count { best = run }
        run = []
      }
      if !entry.isDiscard { run.append(entry.timestamp) }
    }
    return run.count > best.count ? run : best
  }

  /// The end by the edit list, or before it where the samples end earlier.
  ///
  /// libavformat's duration counts the media before the edit's start too where the edit is longer
  /// than the media; and it leaves out samples beyond a media header that is too short.
  private func end(
    ofMovieTrack stream: StreamInfo, _ declared: Int64, _ frameTicks: Int64
  ) -> Int64 {
    demuxer.select([stream.index])
    do throws(LibAVError) {
      try demuxer.seek(stream: stream.index, to: max(0, declared - 1))
    } catch {
      return declared
    }
    let scan = PacketScan.read(demuxer, streams: [stream], shortensLast: false, limit: 5000)
    guard let tail = scan[stream.index], tail.isWhole, let last = tail.last else { return declared }
    if last.time > declared {
      return last.time.plus(max(last.duration, frameTicks))
    }
    guard frameTicks > 0 else { return declared }
    return min(declared, last.time.plus(max(last.duration, frameTicks)))
  }

  private mutating func measureMatroskaTrack(_ stream: StreamInfo) {
    demuxer.select([stream.index])
    let ticks = Int64(clamping: (Rational(demuxer.duration ?? 0, 1_000_000) / tick(stream)).floor)
    do throws(LibAVError) {
      try demuxer.seek(stream: stream.index, to: stream.startTime ?? 0)
    } catch {
      return set(stream, stream.startTime ?? 0, ticks)
    }
    let head = PacketScan.read(demuxer, streams: [stream], shortensLast: false, limit: 200)
    guard let head = head[stream.index] else { return }
    var tail: PacketScan? = head
    if !head.isWhole {
      let start = (stream.startTime ?? 0)
      do throws(LibAVError) {
        try demuxer.seek(stream: stream.index, to: max(start, start.plus(ticks - 1)))
        tail = PacketScan.read(demuxer, streams: [stream], shortensLast: false)[stream.index]
      } catch { tail = nil }
    }
    measure(stream, head: head, tail: tail, declaredEnd: ticks)
    if head.isWhole {
      frameCounts[stream.index] = Int64(head.count)
      keyframeCounts[stream.index] = head.keyframeCount
    }
  }

  // MARK: By packets

  private mutating func take(_ scan: PacketScan?, of stream: StreamInfo) {
    guard let scan, scan.count > 0 else {
      let start = stream.startTime ?? 0
      return set(stream, start, start.plus(max(0, stream.duration ?? 0)))
    }
    frameCounts[stream.index] = Int64(scan.count)
    keyframeCounts[stream.index] = scan.keyframeCount
    seekPoints[stream.index] = scan.seekPoints
    measure(stream, head: scan, tail: scan, declaredEnd: nil)
  }

  private mutating func measure(
    _ stream: StreamInfo, head: PacketScan, tail: PacketScan?, declaredEnd: Int64?
  ) {
    let start = self.start(of: stream, head)
    guard stream.kind == .video else {
      set(stream, start, tail?.end ?? declaredEnd ?? head.end ?? start)
      if ["mkv", "webm"].contains(container), let end = soundEnd(stream, start, tail ?? head) {
        extents[stream.index]?.end = end
      }
      return
    }
    var grid = FrameGrid(
      times: frameTimes(stream, head), tick: tick(stream), stated: statedRate(stream))
    guard let last = tail?.last ?? head.last else { return set(stream, start, start) }
    var end = last.time.plus(last.duration)
    if isFieldCoded(stream, head) {
      grids[stream.index] = grid
      frameCounts[stream.index] = frameCounts[stream.index].map { ($0 + 1) / 2 }
      return set(stream, start, end)
    }
    if !grid.isVariable, let rate = grid.rate {
      let step = rate.frameDuration / tick(stream)
      let frames = ((Rational(last.time) - Rational(start)) / step).rounded
      let exact = Rational(start) + Rational(frames) * step
      if (exact - Rational(last.time)).magnitude <= grid.grain * 2 {
        grids[stream.index] = grid
        extents[stream.index] = (
          Rational(start) * tick(stream), (exact + step) * tick(stream)
        )
        return
      }
      // The run at the start was even, but not all of the track is.
      grid.isVariable = true
      grid.isRounded = false
    }
    if last.duration == 0, let average = grid.average, average > .zero {
      end = last.time.plus(Int64(clamping: (Rational(1) / average / tick(stream)).rounded))
    }
    grids[stream.index] = grid
    set(stream, start, end)
  }

  /// Whether every other packet is a second field.
  private func isFieldCoded(_ stream: StreamInfo, _ scan: PacketScan) -> Bool {
    guard ["tt", "bb", "tb", "bt"].contains(stream.fieldOrder), let stated = statedRate(stream),
      let first = scan.times.min(), let last = scan.times.max(), last > first
    else { return false }
    let span = (Rational(last) - Rational(first)) * tick(stream)
    return Rational(scan.times.count - 1) / span * 2 > stated * 3
  }

  /// The ascending times of a run's frames.
  private func frameTimes(_ stream: StreamInfo, _ scan: PacketScan) -> [Int64] {
    let times = scan.times.sorted()
    guard isFieldCoded(stream, scan) else { return times }
    return times.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  }

  /// The first presentation time of a stream in ticks.
  private func start(of stream: StreamInfo, _ head: PacketScan) -> Int64 {
    if stream.kind == .video {
      return stream.startTime ?? head.times.min() ?? 0
    }
    // From Vorbis's first packet nothing is heard, which Ogg's times say and Matroska's do not.
    if stream.codecName == "vorbis", ["mkv", "webm"].contains(container), head.times.count > 1 {
      return head.times[1]
    }
    let first = head.start ?? stream.startTime ?? 0
    guard first < 0, stream.initialPadding > 0, stream.sampleRate > 0 else {
      return max(first, stream.startTime ?? first)
    }
    // Priming that is told by the codec's parameters is dropped by the decoder.
    let padding = Rational(stream.initialPadding, stream.sampleRate) / tick(stream)
    let heard = Rational(first) + padding
    return heard.magnitude <= 1 ? 0 : Int64(clamping: heard.rounded)
  }

  /// The end of sound whose packets have one length, to the sample where ticks are coarser.
  private func soundEnd(_ stream: StreamInfo, _ start: Int64, _ scan: PacketScan) -> Rational? {
    guard let last = scan.last, stream.sampleRate > 0 else { return nil }
    let rate = Rational(stream.sampleRate)
    let length =
      stream.codecName == "opus"
      ? (Rational(last.duration) * tick(stream) * rate).rounded : Int128(stream.frameSize)
    guard length > 1, Int128(scan.lastDropped) < length else { return nil }
    let first = (Rational(start) * tick(stream) * rate).rounded - Int128(stream.initialPadding)
    let place = Rational(last.time) * tick(stream) * rate
    let exact = first + ((place - Rational(first)) / Rational(length)).rounded * length
    guard (place - Rational(exact)).magnitude <= tick(stream) * rate + 1 else { return nil }
    return Rational(exact + length - Int128(scan.lastDropped)) / rate
  }

  private mutating func set(_ stream: StreamInfo, _ start: Int64, _ end: Int64) {
    let tick = tick(stream)
    extents[stream.index] = (Rational(start) * tick, Rational(max(start, end)) * tick)
  }
}

extension AssetProbe {
  /// What a stream counts as; sound and pictures that state no codec are data.
  static func kind(of stream: StreamInfo) -> AssetTrack.Kind {
    switch stream.kind {
    case .video where stream.codecName != "none" && stream.width > 0 && stream.height > 0: .video
    case .audio
    where stream.codecName != "none" && stream.sampleRate > 0
      && stream.channelCount > 0:
      .audio
    case .subtitle: .subtitle
    default: .data
    }
  }
}

extension AssetTrack.Kind {
  /// Whether it is pictures or sound.
  package var isMedia: Bool { self == .video || self == .audio }
}
