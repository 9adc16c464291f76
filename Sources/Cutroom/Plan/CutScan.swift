import CutroomMedia
import CutroomModel

/// What the packets around the ends of a stretch say about copying it.
struct CutScan {
  /// The tick of the stretch's start.
  var startTick: Int64 = 0
  /// The first packet's presentation time.
  var firstPTS: Int64 = 0
  /// Nothing presented from this tick on is copied; `nil` copies to the end.
  var endPTS: Int64?
  /// The number of packets.
  var frames: Int64 = 0
  /// Whether the first picture counts on from what is before it, unless it is marked.
  var countsOn = false
  /// How many of them an edit list hides.
  var hidden: Int64 = 0
  /// How far decoding order runs ahead, as far as the packets looked at tell.
  var reorderDepth = 0
  /// The decoding times of the first packet, and of the first one after the stretch.
  private var firstDTS: Int64?
  private var endDTS: Int64?
  var obstacles: [CopyObstacle] = []

  /// Looks at the packets around both ends of `piece`, in one of `files`.
  ///
  /// - Throws: ``CutroomError`` with code `media` when the file does not read.
  static func scan(
    _ piece: CopyPiece, in files: OpenFiles, hidesLead: Bool = false
  ) throws(CutroomError) -> CutScan {
    do {
      let demuxer = try files.take(piece.path).demuxer
      demuxer.select([piece.track.streamIndex])
      var scan = CutScan()
      scan.reorderDepth = piece.track.stream?.videoDelay ?? 0
      try scan.scanStart(piece, demuxer, hidesLead: hidesLead)
      if scan.obstacles.isEmpty { try scan.scanEnd(piece, demuxer) }
      if scan.obstacles.isEmpty { try scan.countFrames(piece, demuxer) }
      if scan.obstacles.isEmpty { scan.checkFields(piece) }
      files.give(demuxer)
      return scan
    } catch {
      throw CutroomError(reading: piece.path, error)
    }
  }

  private mutating func refuse(
    _ reason: String, _ message: String, _ piece: CopyPiece, fix: String? = nil
  ) {
    obstacles.append(
      CopyObstacle(.passthroughCut, reason, message, at: piece.pointer, fix: fix))
  }

  /// Transport streams may keep the two fields of a picture in packets of their own.
  private mutating func checkFields(_ piece: CopyPiece) {
    guard let picture = piece.track.picture, picture.isInterlaced, let rate = picture.frameRate,
      Rational(frames - hidden) * 2 > piece.duration * rate * 3
    else { return }
    refuse(
      "packets.fields", "packets of '\(piece.path)' hold single fields instead of pictures", piece)
  }

  // MARK: The start

  private mutating func scanStart(
    _ piece: CopyPiece, _ demuxer: Demuxer, hidesLead: Bool
  ) throws(LibAVError) {
    let exact = (piece.sourceStart + piece.asset.origin) / piece.track.timeBase
    startTick = Int64(clamping: exact.floor)
    try PacketSeek.seek(demuxer, piece.track, to: startTick)
    var before: Int64?
    var after: Int64?
    var lead: Packet?
    while let packet = try demuxer.read() {
      guard let pts = packet.pts else {
        return refuse("timestamps.missing", "packets have no presentation times", piece)
      }
      guard packet.isKeyframe, !packet.isDiscard else { continue }
      if piece.begins(tick: pts, at: piece.sourceStart) {
        (firstPTS, startTick) = (pts, pts)
        keepDelay(of: packet)
        guard let entry = BitstreamCheck.entry(packet, demuxer, piece.track) else {
          return refuse(
            "cut.not-closed",
            "the keyframe at \(piece.sourceStart.secondsText) may refer to pictures before it",
            piece)
        }
        countsOn = entry == .continuing
        return
      }
      if pts < startTick {
        before = pts
        if BitstreamCheck.isRandomAccess(packet, demuxer, piece.track) { lead = packet }
      }
      if pts > startTick {
        after = pts
        break
      }
    }
    if startsTheTrack(piece), before == nil, let after {
      firstPTS = after
      return
    }
    if hidesLead, let lead { return try keepLead(lead, piece, demuxer) }
    let near = [before, after].compactMap { tick in
      tick.map { piece.track.time(ofTick: $0, origin: piece.asset.origin).secondsText }
    }
    refuse(
      "cut.not-keyframe",
      "the in-point \(piece.sourceStart.secondsText) is not on a keyframe", piece,
      fix: near.isEmpty
        ? nil : "move it to a keyframe at \(near.joined(separator: " or ")), or use mode auto")
  }

  /// Begins at a keyframe before the start: what lies between is decoded and not shown.
  private mutating func keepLead(
    _ lead: Packet, _ piece: CopyPiece, _ demuxer: Demuxer
  ) throws(LibAVError) {
    guard let first = lead.pts else { return }
    firstPTS = first
    keepDelay(of: lead)
    try PacketSeek.seek(demuxer, piece.track, to: first)
    while let packet = try demuxer.read(), let pts = packet.pts {
      if let dts = packet.dts, dts >= startTick { break }
      if pts >= first, pts + packet.duration <= startTick { hidden += 1 }
    }
  }

  /// Keeps the source's own distance of decoding to presentation, which may be more than is needed.
  private mutating func keepDelay(of packet: Packet) {
    firstDTS = packet.dts
    guard let pts = packet.pts, let dts = packet.dts, packet.duration > 0 else { return }
    let (delay, overflow) = pts.subtractingReportingOverflow(dts)
    guard !overflow, delay > 0, delay / packet.duration <= 16 else { return }
    reorderDepth = max(reorderDepth, Int(delay / packet.duration))
  }

  /// Whether the stretch begins where the track's pictures begin.
  private func startsTheTrack(_ piece: CopyPiece) -> Bool {
    piece.sourceStart == .zero && piece.track.extendsFirstFrame
  }

  // MARK: The end

  private mutating func scanEnd(_ piece: CopyPiece, _ demuxer: Demuxer) throws(LibAVError) {
    guard piece.sourceEnd < piece.track.end else {
      endPTS = nil
      return
    }
    let exact = (piece.sourceEnd + piece.asset.origin) / piece.track.timeBase
    let picture = piece.track.picture
    let grain = picture?.roundedGrid == nil ? nil : picture?.roundedGridGrain
    let endTick = Int64(clamping: grain.map { (exact - $0).rounded } ?? exact.ceiling)
    endPTS = endTick
    try PacketSeek.seek(demuxer, piece.track, to: max(firstPTS, endTick))
    var passedEnd = false
    var onBoundary = false
    while let packet = try demuxer.read() {
      guard let pts = packet.pts else {
        return refuse("timestamps.missing", "packets have no presentation times", piece)
      }
      if pts >= endTick {
        if !passedEnd { endDTS = packet.dts }
        passedEnd = true
        if piece.begins(tick: pts, at: piece.sourceEnd) { onBoundary = true }
      } else if passedEnd, !packet.isDiscard {
        return refuse(
          "cut.tail-references",
          "a picture before the out-point \(piece.sourceEnd.secondsText) needs one after it",
          piece, fix: "move the out-point to the next keyframe, or use mode auto")
      }
      if let dts = packet.dts, dts >= endTick, passedEnd { break }
    }
    if !onBoundary {
      refuse(
        "cut.off-grid",
        "the out-point \(piece.sourceEnd.secondsText) lies inside a picture's time", piece)
    }
  }

  // MARK: Counting

  /// Counts from the table of all packets where the container has one, else by reading.
  private mutating func countFrames(_ piece: CopyPiece, _ demuxer: Demuxer) throws(LibAVError) {
    let hasTable =
      demuxer.streams.first { $0.index == piece.track.streamIndex }?.frameCount ?? 0 > 0
    guard hasTable, demuxer.isMovie, let firstDTS else { return try countByReading(piece, demuxer) }
    var hidesOne = false
    for entry in demuxer.index(of: piece.track.streamIndex, from: firstDTS, to: endDTS) {
      if entry.isDiscard {
        hidesOne = true
        continue
      }
      if hidesOne { return refuseHidden(piece) }
      frames += 1
    }
    frames -= try leadingPictures(piece, demuxer)
  }

  /// A picture that the edit list hides may be what later ones are decoded from.
  private mutating func refuseHidden(_ piece: CopyPiece) {
    refuse(
      "cut.tail-references", "a picture that the edit list hides may be needed by one it shows",
      piece)
  }

  /// Pictures that follow the first one in decoding order but are presented before it.
  private mutating func leadingPictures(
    _ piece: CopyPiece, _ demuxer: Demuxer
  ) throws(LibAVError) -> Int64 {
    var leading: Int64 = 0
    try PacketSeek.seek(demuxer, piece.track, to: firstPTS)
    var order = PresentationOrder()
    var hasBegun = false
    while let packet = try demuxer.read(), let pts = packet.pts {
      if !hasBegun {
        guard packet.isKeyframe, pts == firstPTS else { continue }
        hasBegun = true
      } else if pts < firstPTS {
        if !packet.isDiscard { leading += 1 }
        continue
      }
      order.add(pts)
      if let dts = packet.dts, dts >= firstPTS, order.count >= 32 { break }
    }
    reorderDepth = max(reorderDepth, order.depth)
    return leading
  }

  private mutating func countByReading(
    _ piece: CopyPiece, _ demuxer: Demuxer
  ) throws(LibAVError) {
    try PacketSeek.seek(demuxer, piece.track, to: firstPTS)
    var order = PresentationOrder()
    var hasBegun = false
    var hidesOne = false
    while let packet = try demuxer.read() {
      guard let pts = packet.pts else { continue }
      if !hasBegun {
        guard packet.isKeyframe, pts == firstPTS else { continue }
        hasBegun = true
      }
      if let endPTS, pts >= endPTS {
        if let dts = packet.dts, dts >= endPTS { break }
        continue
      }
      if packet.isDiscard {
        hidesOne = true
        continue
      }
      guard pts >= firstPTS else { continue }
      if hidesOne { return refuseHidden(piece) }
      frames += 1
      order.add(pts)
    }
    reorderDepth = max(reorderDepth, order.depth)
  }
}

extension CopyPiece {
  /// Whether the picture of a tick begins at a source time, also where its timestamp was rounded.
  fileprivate func begins(tick: Int64, at time: Rational) -> Bool {
    if track.time(ofTick: tick, origin: asset.origin) == time { return true }
    return track.picture?.roundedGrid != nil
      && track.start(ofTick: tick, origin: asset.origin) == time
  }
}

/// How far the order of decoding runs ahead of the order of presentation.
struct PresentationOrder {
  private(set) var count = 0
  /// The most pictures that were decoded before one that is presented before them.
  private(set) var depth = 0
  /// The last presentation times, most recent last; deeper orders than this do not exist.
  private var recent: [Int64] = []

  /// Takes the next picture in decoding order.
  mutating func add(_ pts: Int64) {
    depth = max(depth, recent.reduce(0) { $0 + ($1 > pts ? 1 : 0) })
    recent.append(pts)
    if recent.count > 32 { recent.removeFirst() }
    count += 1
  }
}

/// Places a demuxer before a packet, also where the container has no table to seek by.
enum PacketSeek {
  /// Seeks so that reading on meets the packet presented at `tick`.
  ///
  /// `lead` is how many seconds before it the file is entered: 3 for streams without a table, which
  /// are entered between packets, so that the first of them are lost.
  static func seek(
    _ demuxer: Demuxer, _ track: AssetTrack, to tick: Int64, lead: Int64? = nil
  ) throws(LibAVError) {
    let lead = lead ?? (demuxer.seeksByTable ? 0 : 3)
    let margin = Int64(clamping: (Rational(lead) / track.timeBase).ceiling)
    try demuxer.seek(stream: track.streamIndex, to: tick.minus(margin))
  }
}

extension Int64 {
  /// The difference, or the smallest number where it does not fit.
  fileprivate func minus(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .min / 2 : difference
  }
}
