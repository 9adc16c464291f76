import CutroomMedia
import CutroomModel

extension Planner {
  mutating func planVideo(_ container: Container) -> VideoPlan? {
    guard case .settings(let wanted) = settings.video else { return nil }
    let shows = timeline.tracks.contains { track in
      track.kind == .video && track.segments.contains { !$0.isEmpty && clipped($0) != nil }
    }
    guard shows else { return nil }
    guard !container.videoCodecs.isEmpty else {
      if wanted.codec != nil {
        error(
          .capabilityCodecContainer, "'\(container.name)' holds sound only", at: "/export/video",
          fix: "leave out \"video\", or export to mp4")
      } else {
        warn(
          .capabilityContainer, "the picture is left out: '\(container.name)' holds sound only",
          at: "/export")
      }
      return nil
    }
    let copying = planVideoCopy(container, wanted)
    switch copying {
    case .copied(let plan): return plan
    case .refused(let obstacles):
      guard isCopyDemanded(wanted.codec) else {
        return planPartlyRendered(container, wanted, obstacles)
      }
      report(obstacles, kind: "picture")
      return nil
    }
  }

  /// Copies what joins with rendered pictures, or renders all.
  private mutating func planPartlyRendered(
    _ container: Container, _ wanted: VideoExport, _ obstacles: [CopyObstacle]
  ) -> VideoPlan? {
    var reasons = obstacles.map(\.reason)
    if settings.mode == .auto {
      switch planVideoStamps(container, wanted) {
      case .copied(let plan):
        noteDolbyVision(plan)
        return plan
      case .refused(let more): reasons += more.map(\.reason)
      case nil: break
      }
      switch planVideoJoin(container, wanted) {
      case .copied(let plan):
        noteDolbyVision(plan)
        noteChoice(plan)
        return plan
      case .refused(let more): reasons += more.map(\.reason)
      }
    }
    return planVideoRendering(container, wanted, reasons: reasons.uniqued())
  }

  /// Says where copied pictures keep the metadata of Dolby Vision, and rendered ones have none.
  private mutating func noteDolbyVision(_ plan: VideoPlan) {
    guard plan.join != nil, plan.chunks.contains(where: { !$0.isCopied }) else { return }
    for case .copy(let range) in plan.chunks.map(\.action) {
      let track = assets[range.path]?.tracks.first { $0.streamIndex == range.streamIndex }
      guard track?.stream?.sideDataTypes.contains("DOVI configuration record") == true else {
        continue
      }
      return noteRenderedDolbyVision()
    }
  }

  /// Whether the stream must be copied.
  func isCopyDemanded(_ codec: String?) -> Bool {
    settings.mode == .passthrough || codec == "copy"
  }

  /// Turns what prevents copying into errors.
  mutating func report(_ obstacles: [CopyObstacle], kind: String) {
    for obstacle in obstacles {
      error(
        obstacle.code, "the \(kind) cannot be copied: \(obstacle.message)", at: obstacle.pointer,
        fix: obstacle.fix ?? "use \"mode\": \"auto\" to render what cannot be copied")
    }
  }

  private mutating func planVideoRendering(
    _ container: Container, _ wanted: VideoExport, reasons: [String]
  ) -> VideoPlan? {
    let wanted = likened(wanted, container)
    guard
      let codec = codec(
        wanted.codec ?? standardCodec(container), encoder: wanted.encoder, .video(container),
        in: container)
    else { return nil }
    guard var encoding = videoEncoding(codec, wanted) else { return nil }
    guard let reorder = tryEncoder(&encoding, wanted) else { return nil }
    noteInterlacedSources()
    if timeline.color.isHDR { encoding.light = agreedLight() }
    let rate = timeline.frameRate
    let numerator = Int64(clamping: rate.framesPerSecond.numerator)
    var ticksPerSecond = numerator
    while ticksPerSecond < 10000 { ticksPerSecond *= 2 }
    ticksPerSecond = likeTicks() ?? ticksPerSecond
    let ticksPerFrame = Int64(clamping: (rate.frameDuration * Rational(ticksPerSecond)).floor)
    let count = rate.firstFrame(from: duration)
    noteTicks(container)
    let chunks = ChunkGrid(rate: rate, encoding: encoding, codec: codec)
      .chunks(
        frames: count, cuts: cuts(rate), reasons: reasons, rate: rate, unbroken: unbroken(rate))
    return VideoPlan(
      codec: codec.name, encoding: encoding, chunks: chunks, ticksPerSecond: ticksPerSecond,
      ticksPerFrame: ticksPerFrame, reorderDepth: reorder, frameCount: count)
  }

  /// Says where a container counts so coarsely that frames cannot all last equally long.
  private mutating func noteTicks(_ container: Container) {
    guard let ticks = container.ticksPerSecond, ticks <= 100 else { return }
    let frame = timeline.frameRate.frameDuration * Rational(ticks)
    if frame < 2 {
      warn(
        .capabilityRate,
        "players show no picture of '\(container.name)' for less than 2/\(ticks)s: at "
          + "\(timeline.frameRate) frames a second it plays too slowly", at: "/timeline/frameRate")
    } else if !frame.isInteger {
      note(
        .capabilityRate,
        "'\(container.name)' counts in 1/\(ticks)s: at \(timeline.frameRate) frames a second "
          + "pictures last \(frame.floor) or \(frame.ceiling) of them, and the sum is right",
        at: "/timeline/frameRate")
    }
  }

  /// The frames at which segments begin, for chunks to begin there too.
  func cuts(_ rate: FrameRate) -> [Int64] {
    var frames: Set<Int64> = []
    for track in timeline.tracks where track.kind == .video {
      for segment in track.segments {
        guard let (from, _) = clipped(segment) else { continue }
        frames.insert(rate.firstFrame(from: from - start))
      }
    }
    return frames.sorted()
  }

  /// What the sources say about their brightness, where they agree.
  private mutating func agreedLight() -> LightMetadata {
    var agreed: LightMetadata?
    for segment in timeline.tracks.filter({ $0.kind == .video }).flatMap(\.segments) {
      guard let index = segment.source,
        case .file(let path, let choice, _) = timeline.sources[index].content,
        let track = assets[path]?.track(.video, choice), track.picture?.hdr != nil,
        let light = track.stream?.light
      else { continue }
      if let known = agreed, known != light {
        note(
          .colorLightMetadata,
          "'\(timeline.sources[index].id)' was made on another display than the sources before it, "
            + "or gets brighter; the result says nothing about that", at: segment.pointer)
        return LightMetadata()
      }
      agreed = light
    }
    return agreed ?? LightMetadata()
  }

  /// Says which sources keep the lines of two fields in their pictures.
  private mutating func noteInterlacedSources() {
    var said: Set<Int> = []
    for track in timeline.tracks where track.kind == .video {
      for segment in track.segments where segment.picture.deinterlace == nil {
        guard let index = segment.source, !said.contains(index),
          case .file(let path, let choice, _) = timeline.sources[index].content,
          assets[path]?.track(.video, choice)?.picture?.isInterlaced == true
        else { continue }
        said.insert(index)
        note(
          .mediaInterlaced,
          "'\(timeline.sources[index].id)' is interlaced, and is rendered with the lines of both "
            + "fields as they are; \"deinterlace\": \"auto\" in the clip's \"video\" makes whole "
            + "pictures, \"never\" leaves them", at: segment.pointer)
      }
    }
  }

  /// The frames over which filters remember pictures.
  func unbroken(_ rate: FrameRate) -> [Range<Int64>] {
    timeline.tracks.filter { $0.kind == .video }.flatMap(\.rememberingRuns).compactMap { run in
      let from = rate.firstFrame(from: max(.zero, run.start - start))
      let to = rate.firstFrame(from: max(.zero, run.end - start))
      return from < to ? from..<to : nil
    }
  }

  /// The codec for a timeline where the author names none.
  private func standardCodec(_ container: Container) -> String {
    timeline.color.isHDR && container.videoCodecs.contains("hevc")
      ? "hevc" : container.videoCodecs[0]
  }

  private mutating func videoEncoding(_ codec: Codec, _ wanted: VideoExport) -> VideoEncoding? {
    let format = wanted.pixelFormat ?? defaultFormat(codec)
    guard let pixelFormat = PixelFormat(name: format) else {
      error(
        .capabilityPixelFormat, "the pixel format '\(format)' is not known",
        at: "/export/video/pixelFormat",
        fix: Suggestion.nearest(to: format, in: codec.formats).map { "write \"\($0)\"" })
      return nil
    }
    if let info = Encoder.info(encoder: codec.encoder), !info.pixelFormats.isEmpty,
      !info.pixelFormats.contains(pixelFormat)
    {
      error(
        .capabilityPixelFormat,
        "the encoder '\(codec.encoder)' does not take '\(format)'; it takes "
          + info.pixelFormats.map(\.name).joined(separator: ", "),
        at: "/export/video/pixelFormat")
      return nil
    }
    let size = preset?.size(fitting: timeline.size) ?? timeline.size
    guard checkSize(size, pixelFormat) else { return nil }
    let interval = wanted.keyframeInterval.map { expression in
      max(1, Int(timeline.frameRate.firstFrame(from: expression.seconds(at: timeline.frameRate))))
    }
    return VideoEncoding(
      encoder: codec.encoder, pixelFormat: format, size: size,
      frameRate: timeline.frameRate, color: timeline.color,
      keyframeInterval: interval ?? codec.keyframeInterval, crf: wanted.crf,
      bitrate: wanted.bitrate ?? defaultBitrate(codec, wanted, size),
      options: EncoderOptions.options(codec, wanted), threads: EncoderOptions.threads(codec))
  }

  private func defaultFormat(_ codec: Codec) -> String {
    guard timeline.color.isHDR else { return codec.formats[0] }
    return codec.formats.first { PixelFormat(name: $0)?.bitDepth ?? 8 > 8 } ?? codec.formats[0]
  }

  private func defaultBitrate(
    _ codec: Codec, _ wanted: VideoExport, _ size: PixelSize
  ) -> Int? {
    guard case .bitrate(let reference) = codec.quality, wanted.crf == nil else { return nil }
    let pixels = Rational(size.width * size.height)
    let share = pixels * timeline.frameRate.framesPerSecond / Rational(1920 * 1080 * 30)
    return max(200_000, Int(clamping: (share * Rational(reference)).rounded))
  }

  private mutating func checkSize(_ size: PixelSize, _ format: PixelFormat) -> Bool {
    let (width, height) = (size.width, size.height)
    let oddWidth = format.log2ChromaWidth > 0 && width % 2 != 0
    let oddHeight = format.log2ChromaHeight > 0 && height % 2 != 0
    guard oddWidth || oddHeight else { return true }
    error(
      .sizeOdd,
      "\(width)×\(height) cannot be stored as \(format.name), which needs an even "
        + (oddWidth ? oddHeight ? "width and height" : "width" : "height"),
      at: document.timeline.size == nil ? "/timeline" : "/timeline/size",
      fix: "set timeline.size to [\(width + width % 2), \(height + height % 2)], or "
        + "export.video.pixelFormat to \"yuv444p\"")
    return false
  }

  /// Opens the encoder once: its options, size and format are then known to be right.
  ///
  /// Returns how far decoding order runs ahead of presentation order.
  private mutating func tryEncoder(_ encoding: inout VideoEncoding, _ wanted: VideoExport) -> Int? {
    if let crf = wanted.crf, !EncoderOptions.hasConstantQuality(encoding.encoder) {
      error(
        .capabilityOption,
        "the encoder '\(encoding.encoder)' has no constant quality, but crf is "
          + JSONValue.decimal(crf.doubleValue).encoded(), at: "/export/video/crf",
        fix: "give a bitrate instead")
      return nil
    }
    do {
      let delay = try Encoder(video: try encoding.settings()).reorderDelay
      // libx265 does not tell; its pyramid reorders by two pictures at the most.
      return encoding.encoder == "libx265" ? max(delay, 2) : delay
    } catch let failure as CutroomError {
      diagnostics.append(
        Diagnostic(.error, failure.stableCode, failure.message, at: "/export/video"))
    } catch let failure as LibAVError {
      let details = failure.log.last.map { "; " + $0 } ?? ""
      let option = wanted.options.first { failure.reason.contains("'\($0.name)'") }
      let key = option.map { "/options/" + $0.name.pointerEscaped } ?? ""
      error(
        .capabilityOption,
        "the encoder '\(encoding.encoder)' does not take these settings: \(failure.reason)"
          + details, at: "/export/video" + key)
    } catch {
      self.error(.capabilityEncoder, "\(error)", at: "/export/video")
    }
    return nil
  }
}

extension Sequence where Element: Hashable {
  /// The elements without repetitions, in order of first appearance.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
