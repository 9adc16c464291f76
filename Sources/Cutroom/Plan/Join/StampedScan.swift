import CutroomMedia
import CutroomModel

/// The pictures of a piece whose frames last differently long: which of its packets can be copied,
/// and which pictures before and behind them are rendered at their own times.
struct StampedScan {
  /// A picture by its ticks in the source; the first one may be shown from a later time on.
  private struct Entry {
    var pts: Int64
    var dts: Int64?
    var begins: BitstreamCheck.Entry?
    var isDiscard: Bool
  }

  /// The ticks of pictures before those that are copied, of these, and of those behind them.
  private(set) var head: [Int64] = []
  private(set) var copied: [Int64] = []
  private(set) var tail: [Int64] = []
  /// Nothing presented from this tick on is copied; `nil` copies to the end of the stream.
  private(set) var endPTS: Int64?
  /// Whether the first copied picture counts on from what is before it.
  private(set) var countsOn = false
  /// Why pictures are rendered.
  private(set) var reasons: [String] = []
  /// How far decoding order runs ahead.
  private(set) var reorderDepth = 0
  /// Whether there are packets of which nothing says when they are shown.
  private(set) var lacksTimes = false

  /// Reads the packets of a piece, in one of `files`.
  ///
  /// - Throws: ``CutroomError`` with code `media` when the file does not read.
  init(_ piece: CopyPiece, in files: OpenFiles) throws(CutroomError) {
    reorderDepth = piece.track.stream?.videoDelay ?? 0
    do {
      guard let entries = try Self.read(piece, in: files) else {
        lacksTimes = true
        return
      }
      let start = (piece.sourceStart + piece.asset.origin) / piece.track.timeBase
      let end = (piece.sourceEnd + piece.asset.origin) / piece.track.timeBase
      let isWhole = piece.sourceEnd >= piece.track.end
      sort(entries, start, isWhole ? nil : Int64(clamping: end.ceiling))
    } catch {
      throw CutroomError(reading: piece.path, error)
    }
  }

  /// The packets of a piece in their order; `nil` where one has no presentation time.
  private static func read(
    _ piece: CopyPiece, in files: OpenFiles
  ) throws(LibAVError) -> [Entry]? {
    let demuxer = try files.take(piece.path).demuxer
    demuxer.select([piece.track.streamIndex])
    let start = piece.track.tick(at: piece.sourceStart, origin: piece.asset.origin)
    let end = piece.track.tick(at: piece.sourceEnd, origin: piece.asset.origin)
    try PacketSeek.seek(demuxer, piece.track, to: start)
    var entries: [Entry] = []
    while let packet = try demuxer.read() {
      guard let pts = packet.pts else { return nil }
      entries.append(
        Entry(
          pts: pts, dts: packet.dts, begins: BitstreamCheck.entry(packet, demuxer, piece.track),
          isDiscard: packet.isDiscard))
      if let dts = packet.dts, dts > end, pts > end { break }
    }
    files.give(demuxer)
    return entries
  }

  /// `end` is the tick behind the piece; `nil` where it goes to the end of the stream.
  private mutating func sort(_ entries: [Entry], _ start: Rational, _ end: Int64?) {
    var order = PresentationOrder()
    for entry in entries { order.add(entry.pts) }
    reorderDepth = max(reorderDepth, order.depth)
    let all = entries.filter { !$0.isDiscard && $0.pts < end ?? .max }.map(\.pts).sorted()
    let first = all.lastIndex { Rational($0) <= start } ?? 0
    let shown = Array(all[min(first, all.count)...])
    guard
      let begin = entries.firstIndex(where: {
        $0.begins != nil && !$0.isDiscard && Rational($0.pts) >= start && $0.pts < end ?? .max
      })
    else {
      reasons.append("cut.not-keyframe")
      head = shown
      return
    }
    let key = entries[begin].pts
    let limit = boundary(entries, begin, end)
    if Rational(key) > start { reasons.append("cut.not-keyframe") }
    if limit != end { reasons.append("cut.tail-references") }
    let last = limit ?? .max
    let isBroken = entries[begin...].contains { $0.isDiscard && $0.pts >= key && $0.pts < last }
    let run = shown.filter { $0 >= key && $0 < last }
    guard !isBroken, !run.isEmpty else {
      reasons.append("cut.short")
      head = shown
      return
    }
    head = shown.filter { $0 < key }
    copied = run
    tail = shown.filter { $0 >= last }
    endPTS = limit
    countsOn = entries[begin].begins == .continuing
  }

  /// The last tick up to `end` before which nothing needs anything behind it; `end` itself where
  /// that is such a place.
  private func boundary(_ entries: [Entry], _ begin: Int, _ end: Int64?) -> Int64? {
    guard let end else { return nil }
    var latest = [Int64](repeating: .min, count: entries.count + 1)
    for index in begin..<entries.count {
      latest[index + 1] = max(latest[index], entries[index].pts)
    }
    var later = Int64.max
    for index in entries.indices.reversed() where index >= begin {
      if later >= end, latest[index + 1] < end { return end }
      later = min(later, entries[index].pts)
      if later <= end, latest[index] < later { return later }
    }
    return entries[begin].pts
  }
}
