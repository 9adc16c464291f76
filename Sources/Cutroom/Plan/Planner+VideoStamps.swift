import CutroomMedia
import CutroomModel

extension Planner {
  /// Looks for a way to keep all pictures of a variable rate at their own times, and to render those
  /// that cannot be copied so that they join.
  ///
  /// Possible where the author asks for no rate, and every clip is unchanged and coded alike.
  func planVideoStamps(_ container: Container, _ wanted: VideoExport) -> CopyOutcome<VideoPlan>? {
    let (pieces, obstacles) = copyPieces(.video)
    guard document.timeline.frameRate == nil, obstacles.isEmpty, let first = pieces.first,
      pieces.contains(where: { $0.track.picture?.isVariableFrameRate == true }),
      settings.damaged != .conceal, container.joinsPictures,
      container.ticksPerSecond == nil, wanted.options.isEmpty,
      coverage(pieces, kind: "picture", endsEarly: false).isEmpty,
      parameters(pieces, container, wanted).isEmpty,
      let ticksPerSecond = stampTicks(pieces)
    else { return nil }
    let request = JoinRequest(
      track: first.track, rate: timeline.frameRate, wanted: wanted, color: timeline.color)
    guard wanted.encoder == nil || wanted.encoder == request.encoder else { return nil }
    let target: JoinTarget
    switch JoinTarget.joining(request) {
    case .success(let found): target = found
    case .failure(let failure): return refused(failure.reasons, first.pointer)
    }
    var builder = StampedBuilder(target: target, ticksPerSecond: ticksPerSecond)
    let files = OpenFiles()
    do {
      for piece in pieces {
        let scan = try StampedScan(piece, in: files)
        if scan.lacksTimes { return refused(["timestamps.missing"], piece.pointer) }
        builder.add(piece, scan)
      }
    } catch {
      return .refused([
        CopyObstacle(.mediaUnreadable, "source.unreadable", error.message, at: first.pointer)
      ])
    }
    return .copied(builder.plan(like: first.track))
  }

  private func refused(_ reasons: [String], _ pointer: String) -> CopyOutcome<VideoPlan> {
    .refused(reasons.map { CopyObstacle(.passthroughParameters, $0, $0, at: pointer) })
  }

  /// The least ticks per second that hold the sources' ticks, and where clips start and are cut.
  private func stampTicks(_ pieces: [CopyPiece]) -> Int64? {
    var ticks: Int128 = 1
    for piece in pieces {
      for time in [piece.track.timeBase, piece.start, piece.sourceStart + piece.asset.origin] {
        guard let next = leastCommonMultiple(ticks, time.denominator), next <= Int128(Int32.max)
        else { return nil }
        ticks = next
      }
    }
    return Int64(ticks)
  }
}

/// Puts the chunks of a stream together whose pictures keep their own times.
private struct StampedBuilder {
  private let target: JoinTarget
  private let ticksPerSecond: Int64
  private var chunks: [Chunk] = []
  private var depth: Int
  init(target: JoinTarget, ticksPerSecond: Int64) {
    (self.target, self.ticksPerSecond) = (target, ticksPerSecond)
    depth = target.reorderDepth
  }

  mutating func add(_ piece: CopyPiece, _ scan: StampedScan) {
    depth = max(depth, scan.reorderDepth)
    let factor = Int64(
      clamping: (piece.track.timeBase * Rational(ticksPerSecond)).floor)
    let shift = (piece.start - piece.sourceStart - piece.asset.origin) * Rational(ticksPerSecond)
    let offset = Int64(clamping: shift.floor)
    let begin = Int64(clamping: (piece.start * Rational(ticksPerSecond)).floor)
    // The picture that is shown at the cut is shown from there on.
    func ticks(_ list: [Int64]) -> [Int64] {
      list.map { tick in
        max(begin, Int64(clamping: (Rational(tick) * Rational(factor) + Rational(offset)).floor))
      }
    }
    let isTail = { (reason: String) in reason == "cut.tail-references" }
    render(ticks(scan.head), piece, scan.reasons.filter { !isTail($0) })
    if let first = scan.copied.first {
      let stamps = ticks(scan.copied)
      let range = CopiedRange(
        source: piece.source, path: piece.path, streamIndex: piece.track.streamIndex,
        sourceStart: sourceTime(stamps[0], piece), firstPTS: first, endPTS: scan.endPTS,
        tickOffset: offset, tickFactor: factor, breaksLink: scan.countsOn && !chunks.isEmpty)
      add(.copy(range), stamps, nil)
    }
    render(ticks(scan.tail), piece, scan.reasons.filter(isTail))
    close(at: piece.end)
  }

  private func sourceTime(_ tick: Int64, _ piece: CopyPiece) -> Rational {
    piece.sourceStart + Rational(tick, ticksPerSecond) - piece.start
  }

  private mutating func render(_ ticks: [Int64], _ piece: CopyPiece, _ reasons: [String]) {
    for start in stride(from: 0, to: ticks.count, by: ChunkGrid.longestStamped) {
      let part = Array(ticks[start..<min(start + ChunkGrid.longestStamped, ticks.count)])
      add(
        .render(reasons: reasons.uniqued()), part,
        SourceStretch(
          path: piece.path, streamIndex: piece.track.streamIndex,
          start: sourceTime(part[0], piece)))
    }
  }

  private mutating func add(_ action: Chunk.Action, _ ticks: [Int64], _ stretch: SourceStretch?) {
    let start = Rational(ticks[0], ticksPerSecond)
    close(at: start)
    chunks.append(
      Chunk(
        action: action, start: start, duration: .zero, count: Int64(ticks.count),
        reencoded: stretch, ticks: ticks))
  }

  /// The last chunk lasts up to where the next one begins.
  private mutating func close(at end: Rational) {
    guard let last = chunks.indices.last else { return }
    chunks[last].duration = end - chunks[last].start
  }

  func plan(like track: AssetTrack) -> VideoPlan {
    VideoPlan(
      codec: track.codec, encoding: target.encoding, chunks: chunks,
      ticksPerSecond: ticksPerSecond, ticksPerFrame: nil, reorderDepth: depth,
      frameCount: chunks.reduce(0) { $0 + $1.count },
      displayMatrix: track.picture?.displayMatrix,
      join: chunks.contains(where: \.isCopied) ? target.join : nil)
  }
}
