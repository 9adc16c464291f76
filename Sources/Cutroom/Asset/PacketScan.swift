import CutroomMedia
import CutroomModel

/// What a run of a stream's packets says about its times.
struct PacketScan {
  /// The presentation times of the packets that are shown, in the file's order.
  private(set) var times: [Int64] = []
  /// The largest presentation time, and the duration of the packet that has it.
  private(set) var last: (time: Int64, duration: Int64)?
  /// The samples that the decoder drops of that packet.
  private(set) var lastDropped = 0
  /// The largest end of a packet, with the samples that its decoder drops taken off.
  private(set) var end: Int64?
  /// The time of the first packet, with the samples that its decoder drops added.
  private(set) var start: Int64?
  /// The packets that are shown.
  private(set) var count = 0
  private(set) var keyframeCount = 0
  /// Whether the end of the file was reached.
  var isWhole = false
  /// Places in the file at which reading can begin, where they were wanted.
  private(set) var seekPoints: [AssetTrack.SeekPoint] = []
  /// Whether places are kept.
  var keepsSeekPoints = false

  private let ticksPerSample: Rational?
  private let endsInPlainDurations: Bool
  /// More times than this are not kept; rates are decided by the first.
  private static let keptTimes = 1 << 20
  /// Packets from one place to the next.
  private static let seekPointDistance = 16

  /// A scan of nothing yet; `shortensLast` says that the demuxer takes dropped samples off
  /// durations itself.
  init(_ stream: StreamInfo, shortensLast: Bool) {
    let tick = Rational(stream.timeBase.numerator, stream.timeBase.denominator)
    ticksPerSample =
      stream.kind == .audio && stream.sampleRate > 0
      ? Rational(1, stream.sampleRate) / tick : nil
    endsInPlainDurations = shortensLast
  }

  /// Takes a packet of the stream into account.
  mutating func add(_ packet: Packet) {
    guard let time = packet.pts ?? packet.dts else { return }
    if keepsSeekPoints, count.isMultiple(of: Self.seekPointDistance), packet.position >= 0 {
      seekPoints.append(AssetTrack.SeekPoint(tick: time, position: packet.position))
    }
    let skipped = ticksPerSample == nil ? nil : packet.skipSamples
    if count == 0 { start = start ?? time.plus(ticks(skipped?.start ?? 0)) }
    if packet.isKeyframe && !packet.isDiscard { keyframeCount += 1 }
    guard !packet.isDiscard else { return }
    count += 1
    if times.count < Self.keptTimes { times.append(time) }
    let duration = max(0, packet.duration)
    if last.map({ time >= $0.time }) ?? true {
      (last, lastDropped) = ((time, duration), skipped?.end ?? 0)
    }
    let dropped = endsInPlainDurations ? 0 : ticks(skipped?.end ?? 0)
    // Of a packet that is dropped whole, nothing counts, nor where it starts.
    guard dropped == 0 || duration > dropped else { return }
    let packetEnd = time.plus(max(0, duration - dropped))
    end = max(end ?? packetEnd, packetEnd)
  }

  private func ticks(_ samples: Int) -> Int64 {
    guard let ticksPerSample else { return 0 }
    return Int64(clamping: (Rational(samples) * ticksPerSample).rounded)
  }
}

extension Int64 {
  /// The sum, or the largest or smallest number where it does not fit.
  func plus(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}

extension PacketScan {
  /// Reads on in `demuxer` to its end, at most `limit` packets, sorted by stream.
  ///
  /// A packet that cannot be read ends the scan as the end of the file does.
  static func read(
    _ demuxer: Demuxer, streams: [StreamInfo], shortensLast: Bool, keepsSeekPoints: Bool = false,
    limit: Int = .max
  ) -> [Int: PacketScan] {
    demuxer.select(Set(streams.map(\.index)))
    var scans: [Int: PacketScan] = [:]
    for stream in streams {
      var scan = PacketScan(stream, shortensLast: shortensLast)
      scan.keepsSeekPoints = keepsSeekPoints
      scans[stream.index] = scan
    }
    var count = 0
    var isWhole = true
    scanning: while true {
      guard count < limit else {
        isWhole = false
        break
      }
      do throws(LibAVError) {
        guard let packet = try demuxer.read() else { break scanning }
        scans[packet.streamIndex]?.add(packet)
      } catch {
        // What lies behind damage is found out when it is needed.
        isWhole = !error.isCancelled
        break scanning
      }
      count += 1
    }
    for stream in streams { scans[stream.index]?.isWhole = isWhole }
    return scans
  }
}
