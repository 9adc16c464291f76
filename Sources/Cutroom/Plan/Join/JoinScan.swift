import CutroomMedia
import CutroomModel

/// The packets of a piece that can stand in the result as they are, between rendered frames.
///
///     frames    first … K … … … E … end
///               render  copy     render
///
/// K is the first picture at which decoding can begin without anything before it. E is the last
/// place up to which decoding order and presentation order hold the same pictures: nothing before
/// it needs anything after it.
struct JoinScan {
  /// Frames of the result that are copied; `nil` where none can be.
  struct Run {
    var first: Int64
    var end: Int64
    var firstPTS: Int64
    /// Nothing presented from this tick on is copied; `nil` copies to the end of the stream.
    var endPTS: Int64?
    /// Whether the first picture counts on from what is before it, unless it is marked.
    var countsOn: Bool
  }

  private(set) var run: Run?
  /// Why frames are rendered.
  private(set) var reasons: [String] = []
  /// How far decoding order runs ahead, as far as the packets looked at tell.
  private(set) var reorderDepth = 0
  /// Copies of fewer frames are not worth a keyframe.
  private static let leastFrames: Int64 = 5

  private let piece: JoinPiece
  private let demuxer: Demuxer
  /// How decoding begins at the first copied packet.
  private var entry = BitstreamCheck.Entry.fresh
  /// The pictures that follow it in decoding order, but are presented before it.
  private var leading: Int64 = 0

  /// Looks at the packets around both ends of `piece`, in one of `files`.
  ///
  /// - Throws: ``CutroomError`` with code `media` when the file does not read.
  init(_ piece: JoinPiece, in files: OpenFiles) throws(CutroomError) {
    self.piece = piece
    do {
      demuxer = try files.take(piece.path).demuxer
      demuxer.select([piece.track.streamIndex])
      reorderDepth = piece.track.stream?.videoDelay ?? 0
      try scan()
      files.give(demuxer)
    } catch {
      throw CutroomError(reading: piece.path, error)
    }
  }

  private mutating func scan() throws(LibAVError) {
    guard let first = try firstClosed(), let firstPTS = first.pts else { return }
    let start = piece.frame(ofTick: firstPTS)
    guard let (end, endPTS, endDTS) = try lastClosed(after: firstPTS) else { return }
    guard end - start >= min(Self.leastFrames, piece.end - piece.first) else {
      return reasons.append("cut.short")
    }
    guard let count = try count(first, endPTS, endDTS), count == end - start else {
      return reasons.append("timestamps.irregular")
    }
    if end < piece.end { reasons.append("cut.tail-references") }
    run = Run(
      first: start, end: end, firstPTS: firstPTS, endPTS: endPTS, countsOn: entry == .continuing)
  }

  /// The tick after all that the piece shows.
  private var endTick: Int64 {
    let end = min(piece.sourceTime(ofFrame: piece.end), piece.track.end)
    return Int64(clamping: ((end + piece.asset.origin) / piece.track.timeBase).ceiling)
  }

  /// The first packet inside the piece at which decoding can begin.
  private mutating func firstClosed() throws(LibAVError) -> Packet? {
    let start = piece.track.tick(at: piece.sourceStart, origin: piece.asset.origin)
    try PacketSeek.seek(demuxer, piece.track, to: start)
    var isOpen = false
    while let packet = try demuxer.read() {
      guard let pts = packet.pts else {
        reasons.append("timestamps.missing")
        return nil
      }
      if let dts = packet.dts, dts >= endTick { break }
      guard !packet.isDiscard, piece.frame(ofTick: pts) >= piece.first else { continue }
      guard let entry = BitstreamCheck.entry(packet, demuxer, piece.track) else {
        isOpen = isOpen || packet.isKeyframe
        continue
      }
      if piece.frame(ofTick: pts) >= piece.end { break }
      self.entry = entry
      if isOpen { reasons.append("cut.not-closed") }
      if piece.frame(ofTick: pts) > piece.first { reasons.append("cut.not-keyframe") }
      keepDelay(of: packet)
      try countLeading(pts)
      return packet
    }
    reasons.append(isOpen ? "cut.not-closed" : "cut.not-keyframe")
    return nil
  }

  /// Counts the pictures behind the first packet that are presented before it: they are rendered.
  private mutating func countLeading(_ firstPTS: Int64) throws(LibAVError) {
    leading = 0
    while let packet = try demuxer.read(), let pts = packet.pts {
      if pts < firstPTS { leading += 1 }
      if packet.dts.map({ $0 >= firstPTS }) ?? (pts > firstPTS) { break }
    }
  }

  /// Keeps the source's own distance of decoding to presentation, which may be more than is needed.
  private mutating func keepDelay(of packet: Packet) {
    guard let pts = packet.pts, let dts = packet.dts, packet.duration > 0 else { return }
    let (delay, overflow) = pts.subtractingReportingOverflow(dts)
    guard !overflow, delay > 0, delay / packet.duration <= 16 else { return }
    reorderDepth = max(reorderDepth, Int(delay / packet.duration))
  }

  /// The last place at which nothing before needs anything after: the frame of the result there,
  /// and the times of the packets from there on.
  private mutating func lastClosed(
    after firstPTS: Int64
  ) throws(LibAVError) -> (frame: Int64, pts: Int64?, dts: Int64?)? {
    for lead: Int64 in demuxer.seeksByTable ? [0, 12, 60] : [3, 12, 60] {
      try PacketSeek.seek(demuxer, piece.track, to: max(firstPTS, endTick - 1), lead: lead)
      let found = try lastClosed(from: firstPTS)
      if found != nil { return found }
    }
    if reasons.last != "timestamps.missing" { reasons.append("cut.tail-references") }
    return nil
  }

  /// As above, among the packets that come next; those before a keyframe do not count.
  private mutating func lastClosed(
    from firstPTS: Int64
  ) throws(LibAVError) -> (frame: Int64, pts: Int64?, dts: Int64?)? {
    let end = endTick
    let stream = demuxer.streams.first { $0.index == piece.track.streamIndex }
    var packets: [(pts: Int64, dts: Int64?, isDiscard: Bool)] = []
    var isWhole = true
    var order = PresentationOrder()
    while let packet = try demuxer.read() {
      guard let pts = packet.pts else {
        reasons.append("timestamps.missing")
        return nil
      }
      if pts == firstPTS {
        packets.removeAll()
      } else if packets.isEmpty, !BitstreamCheck.isIntra(packet, stream) {
        continue
      }
      packets.append((pts, packet.dts, packet.isDiscard))
      order.add(pts)
      if let dts = packet.dts, dts >= end, pts >= end {
        isWhole = false
        break
      }
    }
    reorderDepth = max(reorderDepth, order.depth)
    let holdsAll = packets.allSatisfy { !$0.isDiscard && piece.frame(ofTick: $0.pts) < piece.end }
    if isWhole, holdsAll, piece.sourceTime(ofFrame: piece.end) >= piece.track.end {
      return (piece.end, nil, nil)
    }
    return place(in: packets)
  }

  /// The last boundary in decoding order that is one in presentation order, too.
  private func place(
    in packets: [(pts: Int64, dts: Int64?, isDiscard: Bool)]
  ) -> (frame: Int64, pts: Int64?, dts: Int64?)? {
    var later = Int64.max
    for index in packets.indices.reversed() {
      later = min(later, packets[index].pts)
      guard piece.frame(ofTick: later) <= piece.end else { continue }
      let before = packets[..<index]
      guard before.allSatisfy({ $0.pts < later && !$0.isDiscard }) else { continue }
      return (piece.frame(ofTick: later), later, packets[index].dts)
    }
    return nil
  }

  /// The packets from `first` to the end: by the table of packets where the container has one, else
  /// by reading.
  private func count(
    _ first: Packet, _ endPTS: Int64?, _ endDTS: Int64?
  ) throws(LibAVError) -> Int64? {
    let hasTable =
      demuxer.streams.first { $0.index == piece.track.streamIndex }?.frameCount ?? 0 > 0
    if hasTable, demuxer.isMovie, let firstDTS = first.dts, endDTS != nil || endPTS == nil {
      var count: Int64 = 0
      for entry in demuxer.index(of: piece.track.streamIndex, from: firstDTS, to: endDTS) {
        if entry.isDiscard { return nil }
        count += 1
      }
      return count - leading
    }
    return try countByReading(from: first.pts ?? 0, endPTS)
  }

  private func countByReading(
    from firstPTS: Int64, _ endPTS: Int64?
  ) throws(LibAVError) -> Int64? {
    try PacketSeek.seek(demuxer, piece.track, to: firstPTS)
    var count: Int64 = 0
    var hasBegun = false
    while let packet = try demuxer.read() {
      guard let pts = packet.pts else { return nil }
      if !hasBegun {
        guard pts == firstPTS else { continue }
        hasBegun = true
      }
      if let endPTS, pts >= endPTS {
        if let dts = packet.dts, dts >= endPTS { break }
        continue
      }
      if pts < firstPTS { continue }
      if packet.isDiscard { return nil }
      count += 1
    }
    return count
  }
}
