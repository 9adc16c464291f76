import CutroomMedia
import CutroomModel

extension Planner {
  /// Looks for a way to copy parts of the picture and to render the rest so that it joins on.
  ///
  /// The largest set of clips that are coded alike gives the coding of the whole stream.
  func planVideoJoin(_ container: Container, _ wanted: VideoExport) -> CopyOutcome<VideoPlan> {
    func refused(_ reason: String) -> CopyOutcome<VideoPlan> {
      .refused([CopyObstacle(.passthroughSettings, reason, reason, at: "/export/video")])
    }
    guard settings.damaged != .conceal else { return refused("damage.concealed") }
    let stretches = frameStretches()
    let pieces = stretches.compactMap { stretch in
      if case .plain(let piece) = stretch.content { piece } else { nil }
    }
    // What is drawn stands against copying, too.
    var reasons: [String] = []
    for case .drawn(let drawn) in stretches.map(\.content) { reasons += drawn }
    guard !pieces.isEmpty else {
      reasons = reasons.filter { $0.hasPrefix("rate.") || $0.hasPrefix("size.") }.uniqued()
      return .refused(
        reasons.map { CopyObstacle(.passthroughParameters, $0, $0, at: "/tracks") })
    }
    guard wanted.options.isEmpty, wanted.bitrate == nil else { return refused("settings.encoder") }
    guard container.joinsPictures else { return refused("join.container") }
    guard preset?.size(fitting: timeline.size) ?? timeline.size == timeline.size else {
      return refused("size.differs")
    }
    let like = likeTrack(.video)
    for group in largestFirst(pieces) {
      if let like, group.first?.track.signature != like.signature {
        reasons.append("like.differs")
        continue
      }
      guard let model = group.first, container.videoCodecs.contains(model.track.codec),
        wanted.pixelFormat == nil || wanted.pixelFormat == model.track.picture?.pixelFormat,
        wanted.codec == nil || wanted.codec == model.track.codec
      else { continue }
      guard container.keepsRotation || model.track.picture?.displayMatrix == nil else {
        reasons.append("rotation.container")
        continue
      }
      do {
        switch try joined(stretches, to: model, wanted) {
        case .success(let plan): return .copied(plan)
        case .failure(let failure): reasons += failure.reasons
        }
      } catch {
        return .refused([
          CopyObstacle(.mediaUnreadable, "source.unreadable", error.message, at: model.pointer)
        ])
      }
    }
    return .refused(
      reasons.uniqued().map { CopyObstacle(.passthroughParameters, $0, $0, at: "/tracks") })
  }

  /// The plan of a stream that is coded as `model` is.
  private func joined(
    _ stretches: [FrameStretch], to model: JoinPiece, _ wanted: VideoExport
  ) throws(CutroomError) -> Result<VideoPlan, JoinFailure> {
    let target: JoinTarget
    let request = JoinRequest(
      track: model.track, rate: timeline.frameRate, wanted: wanted, color: timeline.color)
    guard wanted.encoder == nil || wanted.encoder == request.encoder else {
      return .failure("settings.encoder")
    }
    switch JoinTarget.joining(request) {
    case .failure(let failure): return .failure(failure)
    case .success(let found): target = found
    }
    var builder = JoinBuilder(
      model: model, target: target, timeline: timeline, cuts: cuts(timeline.frameRate),
      unbroken: unbroken(timeline.frameRate))
    try builder.add(stretches)
    // A short cut without a keyframe is coded like a longer one.
    guard builder.copiedFrames > 0 || !builder.drawsTimeline else {
      return .failure(JoinFailure(reasons: builder.reasons))
    }
    if let reason = builder.obstacle { return .failure(JoinFailure(reasons: [reason])) }
    return .success(builder.plan)
  }

  /// Pieces of one coding each, the most frames first; of as many, the first in time.
  private func largestFirst(_ pieces: [JoinPiece]) -> [[JoinPiece]] {
    var groups: [[JoinPiece]] = []
    var places: [String: Int] = [:]
    for piece in pieces {
      if let place = places[piece.track.signature] {
        groups[place].append(piece)
      } else {
        places[piece.track.signature] = groups.count
        groups.append([piece])
      }
    }
    func frames(_ group: [JoinPiece]) -> Int64 { group.reduce(0) { $0 + $1.end - $1.first } }
    return groups.enumerated()
      .sorted { (frames($0.element), $1.offset) > (frames($1.element), $0.offset) }
      .map(\.element)
  }
}

/// Puts the chunks of a joined stream together.
private struct JoinBuilder {
  private let model: JoinPiece
  private let target: JoinTarget
  private let timeline: Timeline
  private let rate: FrameRate
  private var chunks: [Chunk] = []
  private var depth: Int
  private let files = OpenFiles()
  private(set) var drawsTimeline = false
  private let ticksPerSecond: Int64
  private let ticksPerFrame: Int64
  private(set) var copiedFrames: Int64 = 0
  private(set) var reasons: [String] = []

  private let cuts: [Int64]
  private let unbroken: [Range<Int64>]

  init(
    model: JoinPiece, target: JoinTarget, timeline: Timeline, cuts: [Int64],
    unbroken: [Range<Int64>]
  ) {
    (self.cuts, self.unbroken) = (cuts, unbroken)
    self.model = model
    self.target = target
    self.timeline = timeline
    rate = timeline.frameRate
    depth = target.reorderDepth
    (ticksPerSecond, ticksPerFrame) = Self.ticks(model.track, timeline.frameRate)
  }

  /// The source's own timescale where frames last whole ticks of it, else one of the rate.
  private static func ticks(_ track: AssetTrack, _ rate: FrameRate) -> (Int64, Int64) {
    let own = Rational.one / track.timeBase
    if own.isInteger, own >= 600, own < Rational(Int32.max),
      track.picture?.roundedGrid == nil, (own * rate.frameDuration).isInteger
    {
      return (
        Int64(clamping: own.floor), Int64(clamping: (own * rate.frameDuration).floor)
      )
    }
    let numerator = Int64(clamping: rate.framesPerSecond.numerator)
    var ticksPerSecond = numerator
    while ticksPerSecond < 10000 { ticksPerSecond *= 2 }
    return (
      ticksPerSecond,
      ticksPerSecond / numerator * Int64(clamping: rate.framesPerSecond.denominator)
    )
  }

  /// Why the whole stream must be rendered after all, where something must be drawn.
  var obstacle: String? {
    guard drawsTimeline, let picture = model.track.picture else { return nil }
    guard picture.rotation == 0, !picture.isFlipped, picture.size == timeline.size else {
      return "join.rotation"
    }
    // What is drawn has the timeline's colours, in limited range.
    let (own, drawn) = (target.encoding.tags, timeline.color.tags)
    let isFull = own?.range == "pc" || target.encoding.pixelFormat.hasPrefix("yuvj")
    let agrees = [
      (own?.primaries, drawn.primaries), (own?.transfer, drawn.transfer),
      (own?.matrix, drawn.matrix),
    ].allSatisfy { $0.0 == nil || $0.0 == $0.1 }
    let isSD = picture.size.isStandardDefinition
    let assumed = isSD ? timeline.color.scaleMatrix == "smpte170m" : timeline.color == .bt709
    return !isFull && agrees && (own?.matrix != nil || assumed) ? nil : "join.color"
  }

  /// The finished plan.
  var plan: VideoPlan {
    VideoPlan(
      codec: model.track.codec, encoding: target.encoding, chunks: chunks,
      ticksPerSecond: ticksPerSecond, ticksPerFrame: ticksPerFrame, reorderDepth: depth,
      frameCount: chunks.reduce(0) { $0 + $1.count },
      displayMatrix: model.track.picture?.displayMatrix,
      join: copiedFrames > 0 ? target.join : nil)
  }

  mutating func add(_ stretches: [FrameStretch]) throws(CutroomError) {
    for stretch in stretches {
      switch stretch.content {
      case .drawn(let reasons): draw(stretch.first, stretch.end, reasons)
      case .plain(let piece) where piece.track.signature == model.track.signature:
        try add(piece)
      case .plain: draw(stretch.first, stretch.end, ["signature.differs"])
      }
    }
  }

  private mutating func draw(
    _ first: Int64, _ end: Int64, _ reasons: [String]
  ) {
    drawsTimeline = true
    chunks += grid(first, end, reasons)
  }

  private mutating func add(_ piece: JoinPiece) throws(CutroomError) {
    let scan = try JoinScan(piece, in: files)
    depth = max(depth, scan.reorderDepth)
    reasons += scan.reasons
    guard let run = scan.run else {
      return reencode(piece, piece.first, piece.end, scan.reasons)
    }
    let isEnd = { (reason: String) in reason == "cut.tail-references" }
    reencode(piece, piece.first, run.first, scan.reasons.filter { !isEnd($0) })
    copy(piece, run)
    reencode(piece, run.end, piece.end, scan.reasons.filter(isEnd))
  }

  private mutating func reencode(
    _ piece: JoinPiece, _ first: Int64, _ end: Int64, _ reasons: [String]
  ) {
    for var chunk in grid(first, end, reasons) {
      chunk.reencoded = SourceStretch(
        path: piece.path, streamIndex: piece.track.streamIndex,
        start: piece.sourceTime(ofFrame: rate.frame(at: chunk.start)))
      chunks.append(chunk)
    }
  }

  private mutating func copy(_ piece: JoinPiece, _ run: JoinScan.Run) {
    let origin = piece.asset.origin
    let base = piece.track.timeBase
    let grid = CopiedGrid(
      sourceStart: (piece.exactStart(ofTick: run.firstPTS) + origin) / base,
      sourceStep: rate.frameDuration / base, start: run.first * ticksPerFrame,
      step: ticksPerFrame)
    copiedFrames += run.end - run.first
    chunks.append(
      Chunk(
        action: .copy(
          CopiedRange(
            source: piece.source, path: piece.path, streamIndex: piece.track.streamIndex,
            sourceStart: piece.exactStart(ofTick: run.firstPTS), firstPTS: run.firstPTS,
            endPTS: run.endPTS, tickOffset: 0, tickFactor: 1,
            breaksLink: run.countsOn && !chunks.isEmpty, grid: grid)),
        start: rate.time(ofFrame: run.first), duration: rate.time(ofFrame: run.end - run.first),
        count: run.end - run.first))
  }

  /// Rendered chunks for the frames from `first` to `end`.
  private func grid(
    _ first: Int64, _ end: Int64, _ reasons: [String]
  ) -> [Chunk] {
    let inside = cuts.filter { $0 > first && $0 < end }.map { $0 - first }
    let whole = unbroken.map { $0.lowerBound - first..<$0.upperBound - first }
    return ChunkGrid(
      rate: rate, encoding: target.encoding,
      codec: Codec.named(model.track.codec) ?? Codec.video[0]
    )
    .chunks(
      frames: end - first, cuts: inside, reasons: reasons.uniqued(), rate: rate,
      unbroken: whole
    )
    .map { chunk in
      var chunk = chunk
      chunk.start += rate.time(ofFrame: first)
      return chunk
    }
  }
}

extension CopiedGrid {
  /// The plan's tick of the frame that a timestamp of the source stands for.
  func planTick(of tick: Int64) -> Int64 {
    let frame = ((Rational(tick) - sourceStart) / sourceStep).rounded
    return start + Int64(clamping: frame) * step
  }
}
