import CutroomMedia
import CutroomModel

extension Planner {
  /// Looks for a way to copy the whole picture.
  ///
  /// Possible where every clip is unchanged, begins on a keyframe and ends where nothing that is
  /// left out is needed, and all have the same coding parameters.
  mutating func planVideoCopy(
    _ container: Container, _ wanted: VideoExport
  ) -> CopyOutcome<VideoPlan> {
    if let obstacle = modeObstacle(wanted.codec) { return .refused([obstacle]) }
    var (pieces, obstacles) = copyPieces(.video)
    guard let first = pieces.first else { return .refused(obstacles) }
    obstacles += coverage(pieces, kind: "picture", endsEarly: false)
    obstacles += parameters(pieces, container, wanted)
    guard obstacles.isEmpty else { return .refused(obstacles) }
    let isStrict = settings.mode != .passthrough && wanted.codec != "copy"
    if isStrict { obstacles += frameGrid(pieces) }
    guard obstacles.isEmpty else { return .refused(obstacles) }
    guard let ticksPerSecond = commonTicks(pieces) else {
      return .refused([
        CopyObstacle(
          .passthroughParameters, "timescale",
          "no timescale below 2^31 holds the times of all clips", at: first.pointer)
      ])
    }
    var chunks: [Chunk] = []
    var depth = 0
    let files = OpenFiles()
    for index in pieces.indices {
      do {
        let scan = try CutScan.scan(
          pieces[index], in: files,
          hidesLead: settings.cut == .editList && pieces[index].start == .zero)
        guard scan.obstacles.isEmpty else {
          obstacles += scan.obstacles
          continue
        }
        depth = max(depth, scan.reorderDepth)
        chunks.append(chunk(pieces[index], scan, ticksPerSecond, isFirst: chunks.isEmpty))
      } catch {
        obstacles.append(
          CopyObstacle(
            .mediaUnreadable, "source.unreadable", error.message, at: pieces[index].pointer))
      }
    }
    guard obstacles.isEmpty else { return .refused(obstacles) }
    return .copied(copyPlan(first, chunks, ticksPerSecond, depth))
  }

  private func copyPlan(
    _ first: CopyPiece, _ chunks: [Chunk], _ ticksPerSecond: Int64, _ depth: Int
  ) -> VideoPlan {
    let picture = first.track.picture
    let rate =
      picture?.frameRate.flatMap { FrameRate($0) } ?? timeline.frameRate
    let frame = rate.frameDuration * Rational(ticksPerSecond)
    let isConstant = !(picture?.isVariableFrameRate ?? true) && frame.isInteger
    let encoding = VideoEncoding(
      encoder: "copy", pixelFormat: picture?.pixelFormat ?? "",
      size: picture?.size ?? timeline.size, frameRate: rate, color: timeline.color,
      keyframeInterval: 0, crf: nil, bitrate: nil, options: [], threads: 0)
    return VideoPlan(
      codec: first.track.codec, encoding: encoding, chunks: chunks,
      ticksPerSecond: ticksPerSecond,
      ticksPerFrame: isConstant ? Int64(clamping: frame.floor) : nil, reorderDepth: depth,
      frameCount: chunks.reduce(0) { $0 + $1.count }, displayMatrix: picture?.displayMatrix)
  }

  private func chunk(
    _ piece: CopyPiece, _ scan: CutScan, _ ticksPerSecond: Int64, isFirst: Bool
  ) -> Chunk {
    let factor = Int64(clamping: (piece.track.timeBase * Rational(ticksPerSecond)).floor)
    let startTicks = Int64(clamping: (piece.start * Rational(ticksPerSecond)).floor)
    return Chunk(
      action: .copy(
        CopiedRange(
          source: piece.source, path: piece.path, streamIndex: piece.track.streamIndex,
          sourceStart: piece.sourceStart, firstPTS: scan.firstPTS, endPTS: scan.endPTS,
          tickOffset: startTicks - scan.startTick * factor, tickFactor: factor,
          hidden: scan.hidden, breaksLink: scan.countsOn && !isFirst)),
      start: piece.start, duration: piece.duration, count: scan.frames - scan.hidden)
  }

  /// What the coding parameters and the author's wishes have against copying.
  func parameters(
    _ pieces: [CopyPiece], _ container: Container, _ wanted: VideoExport
  ) -> [CopyObstacle] {
    var obstacles: [CopyObstacle] = []
    guard let first = pieces.first, let picture = first.track.picture else { return [] }
    func refuse(_ reason: String, _ message: String, _ pointer: String) {
      obstacles.append(CopyObstacle(.passthroughSettings, reason, message, at: pointer))
    }
    if let format = wanted.pixelFormat, format != picture.pixelFormat {
      refuse(
        "pixel-format.differs",
        "export.video.pixelFormat is \(format), the source is \(picture.pixelFormat ?? "unknown")",
        "/export/video/pixelFormat")
    }
    if let size = preset?.size(fitting: timeline.size), size != timeline.size {
      refuse(
        "size.differs",
        "the preset's picture is \(size.width)×\(size.height), the timeline "
          + "\(timeline.size.width)×\(timeline.size.height)", "/export/video")
    }
    if picture.displaySize != timeline.size {
      refuse(
        "size.differs",
        "the timeline is \(timeline.size.width)×\(timeline.size.height), the source "
          + "\(picture.displaySize.width)×\(picture.displaySize.height)",
        document.timeline.size == nil ? first.pointer : "/timeline/size")
    }
    if picture.displayMatrix != nil, !container.keepsRotation {
      refuse(
        "rotation.container", "'\(container.name)' cannot say that the picture is turned",
        first.pointer)
    }
    obstacles += codingObstacles(
      pieces, codec: wanted.codec, bitrate: wanted.bitrate, .video(container), container)
    return obstacles
  }

  /// What prevents copied frames from being exactly those that rendering would show.
  private func frameGrid(_ pieces: [CopyPiece]) -> [CopyObstacle] {
    pieces.compactMap { piece in
      guard let picture = piece.track.picture else { return nil }
      let isDerived = document.timeline.frameRate == nil && pieces.count == 1
      if picture.isVariableFrameRate || picture.frameRate == nil {
        guard !isDerived else { return nil }
        return CopyObstacle(
          .passthroughParameters, "rate.variable", "'\(piece.path)' has a variable frame rate",
          at: piece.pointer)
      }
      guard picture.frameRate == timeline.frameRate.framesPerSecond || isDerived else {
        return CopyObstacle(
          .passthroughParameters, "rate.differs",
          "'\(piece.path)' has another frame rate than the timeline", at: piece.pointer)
      }
      guard (piece.start * timeline.frameRate.framesPerSecond).isInteger || isDerived else {
        return CopyObstacle(
          .passthroughCut, "cut.off-grid",
          "the clip does not start on a frame of the timeline", at: piece.pointer)
      }
      return nil
    }
  }

  /// The least ticks per second that hold every source's ticks and every clip's start.
  private func commonTicks(_ pieces: [CopyPiece]) -> Int64? {
    var ticks: Int128 = 1
    for piece in pieces {
      for divisor in [piece.track.timeBase.denominator, piece.start.denominator] {
        guard let next = leastCommonMultiple(ticks, divisor), next <= Int128(Int32.max) else {
          return nil
        }
        ticks = next
      }
    }
    return Int64(ticks)
  }
}
