import CutroomMedia

/// Packets of a file for two streams of the result that copy from the same stretch.
///
/// The file is read once. Packets that the other stream has not asked for yet wait; where a file's
/// streams lie too far apart for that, the waiting one gets a reader of its own.
final class PacketFeed {
  private let path: String
  private let demuxer: Demuxer
  private let files: OpenFiles
  private var waiting: [Int: [Packet]] = [:]
  private var waitingBytes = 0
  private var own: [Int: Demuxer] = [:]
  /// What may wait, in bytes.
  private static let limit = 32 << 20

  /// Opens `path` for the streams, from tick `tick` of `stream` or earlier.
  ///
  /// It goes back to `files` at the end of the feed's life.
  init(
    path: String, streams: Set<Int>, stream: Int, tick: Int64, in files: OpenFiles
  ) throws(LibAVError) {
    (self.path, self.files) = (path, files)
    let file = try files.take(path)
    let entered = file.demuxer.streams.first { $0.index == stream }
    let isInside = tick > entered?.startTime ?? 0
    // Going to the first packet of one stream may pass over others; a new one is at its start.
    demuxer =
      isInside || file.isAtStart ? file.demuxer : try Demuxer(path: path, trustsHeader: true)
    demuxer.select(streams)
    if isInside {
      // Streams without a table are entered between packets, and the first of them are lost.
      let base = entered?.timeBase ?? TimeBase(1, 1)
      let second = Int64(max(1, base.denominator / max(1, base.numerator)))
      try demuxer.seek(stream: stream, to: demuxer.seeksByTable ? tick : tick - 3 * second)
    }
    for stream in streams { waiting[stream] = [] }
  }

  deinit { files.give(demuxer) }

  /// The next packet of a stream; `nil` at the end.
  func next(_ stream: Int) throws(LibAVError) -> Packet? {
    if waiting[stream]?.isEmpty == false, let packet = waiting[stream]?.removeFirst() {
      waitingBytes -= packet.size
      return packet
    }
    if let demuxer = own[stream] { return try demuxer.read() }
    while let packet = try demuxer.read() {
      if packet.streamIndex == stream { return packet }
      guard own[packet.streamIndex] == nil else { continue }
      waiting[packet.streamIndex, default: []].append(packet)
      waitingBytes += packet.size
      if waitingBytes > Self.limit { try separate(packet.streamIndex) }
    }
    return nil
  }

  /// Gives a stream a reader of its own, placed before the first packet that waits.
  private func separate(_ stream: Int) throws(LibAVError) {
    guard let first = waiting[stream]?.first else { return }
    let reader = try Demuxer(path: path, trustsHeader: true)
    reader.select([stream])
    try reader.seek(stream: stream, to: first.dts ?? first.pts ?? 0)
    // The packet that is read again is passed over; the one that waits is given instead.
    while let packet = try reader.read(), packet.position != first.position {}
    waiting[stream] = [first]
    waitingBytes = waiting.values.joined().reduce(0) { $0 + $1.size }
    own[stream] = reader
  }
}
