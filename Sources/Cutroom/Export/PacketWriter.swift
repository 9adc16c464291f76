import CutroomMedia
import CutroomModel

/// Interleaves the packets of all streams, gives them their final times, and muxes them.
///
/// The one place where packets get decoding times and the container's ticks.
final class PacketWriter {
  /// What was written of a stream.
  struct Written {
    var packets: Int64 = 0
    var keyframes: Int64 = 0
    var bytes: Int64 = 0
    /// The end of the last presented packet in ticks.
    var endTick: Int64 = 0
    var ticksPerSecond: Int64 = 1

    /// The end of the last presented packet in seconds.
    var end: Rational { Rational(endTick, ticksPerSecond) }
  }

  private final class Lane {
    let stream: any PacketStream
    let ticksPerSecond: Int64
    var times: DecodingTimes?
    var index = 0
    var timeBase = TimeBase(1, 1)
    var pending: Packet?
    var written = Written()
    /// The first presentation and decoding times, in ticks of the plan.
    var firstPTS: Int64?
    var firstDTS: Int64?
    /// What is added to all times, in ticks of the plan: where a container takes the encoder's
    /// delay off when playing, it must stand in the times.
    var offset: Int64 = 0
    /// Where Matroska's delay is told, if the muxer does not.
    var delay: MatroskaDelay?
    /// Whether packets before time 0, which hold the encoder's delay, are left out: the container
    /// could not tell players to skip them, and all sound would be late.
    var isPrimingLeftOut = false
    /// Whether it is a track of subtitles.
    var isText = false
    /// Whether it is sound.
    var isSound = false

    /// When the next packet is decoded.
    var pendingTick: Int64 { pending?.dts ?? pending?.pts ?? 0 }

    init(stream: any PacketStream, ticksPerSecond: Int64, times: DecodingTimes?) {
      self.stream = stream
      self.ticksPerSecond = ticksPerSecond
      self.times = times
      written.ticksPerSecond = ticksPerSecond
    }
  }

  private let plan: ExportPlan
  private let muxer: Muxer
  private let sink: ByteSink
  private var lanes: [Lane] = []

  /// Creates the temporary file and its muxer.
  init(plan: ExportPlan, temporary: String) throws(CutroomError) {
    self.plan = plan
    do {
      sink = try ByteSink(path: temporary)
      muxer = try Muxer(
        format: plan.container.muxer, sink: sink, ordersPackets: plan.container.ordersPackets)
    } catch {
      throw CutroomError(writing: plan.output, error)
    }
  }

  /// Adds the picture.
  func add(video: VideoPlan, stream: any PacketStream) throws(CutroomError) {
    let rate = video.encoding.frameRate.framesPerSecond
    let frame = rate.isValid && plan.container.countsFrames
    var settings = Muxer.StreamSettings(
      timeBase: frame
        ? TimeBase(Int32(clamping: rate.denominator), Int32(clamping: rate.numerator))
        : TimeBase(1, Int32(clamping: video.ticksPerSecond)),
      // Pictures that do not last equally long have no rate that a container could state.
      frameRate: video.chunks.first?.ticks != nil
        ? nil : (Int32(clamping: rate.numerator), Int32(clamping: rate.denominator)),
      displayMatrix: video.displayMatrix)
    if video.codec == "hevc", plan.container.hasEditLists { settings.codecTag = "hvc1" }
    settings.apply(plan.label(.video))
    settings.dispositions.insert(.isDefault)
    if let timecode = plan.startTimecode { settings.metadata.append(("timecode", timecode)) }
    let step = video.ticksPerFrame ?? max(1, video.ticksPerSecond / 1000)
    let lane = Lane(
      stream: stream, ticksPerSecond: video.ticksPerSecond,
      times: DecodingTimes(depth: video.reorderDepth, step: step))
    try add(lane, settings)
  }

  /// Adds sound.
  func add(
    audio: AudioPlan, label: StreamLabel, stream: any PacketStream
  ) throws(CutroomError) {
    var settings = Muxer.StreamSettings(
      timeBase: TimeBase(1, Int32(clamping: audio.encoding.sampleRate)))
    settings.apply(label)
    let lane = Lane(
      stream: stream, ticksPerSecond: Int64(audio.encoding.sampleRate), times: nil)
    lane.isSound = true
    let parameters = try stream.parameters
    if plan.container.isMatroska {
      lane.offset = Int64(parameters.initialPadding)
      // The muxer tells Opus's delay by itself.
      if audio.codec != "opus", lane.offset > 0 {
        let delay = MatroskaDelay(lane.offset, rate: lane.ticksPerSecond)
        settings.metadata = delay.placeholder(settings.metadata)
        lane.delay = delay
      }
    } else {
      // Vorbis's first packet is never heard, and the second needs it.
      lane.isPrimingLeftOut = !plan.container.hidesPriming && audio.codec != "vorbis"
    }
    try add(lane, settings, parameters)
  }

  /// Adds a track of subtitles.
  func add(subtitles: SubtitlePlan, stream: any PacketStream) throws(CutroomError) {
    let ticks = subtitles.ticksPerSecond
    var settings = Muxer.StreamSettings(
      timeBase: TimeBase(1, Int32(clamping: ticks)), dispositions: [])
    settings.apply(subtitles.label)
    if plan.container.hasEditLists { settings.codecTag = "tx3g" }
    let lane = Lane(stream: stream, ticksPerSecond: ticks, times: nil)
    lane.isText = true
    try add(lane, settings)
  }

  /// Adds a track of data.
  func add(data: DataPlan, stream: any PacketStream) throws(CutroomError) {
    var settings = Muxer.StreamSettings(timeBase: TimeBase(1, Int32(clamping: data.ticksPerSecond)))
    settings.apply(data.label)
    settings.codecTag = data.tag
    try add(Lane(stream: stream, ticksPerSecond: data.ticksPerSecond, times: nil), settings)
  }

  private func add(
    _ lane: Lane, _ settings: Muxer.StreamSettings, _ known: CodecParameters? = nil
  ) throws(CutroomError) {
    let parameters = if let known { known } else { try lane.stream.parameters }
    do { lane.index = try muxer.addStream(parameters, settings) } catch {
      throw CutroomError(writing: plan.output, error)
    }
    lanes.append(lane)
  }

  /// Writes everything and closes the file; attachments stand beside the streams.
  ///
  /// - Throws: ``CutroomError``; the temporary file is then incomplete.
  func run(
    chapters: [TimelineChapter], metadata: [(String, String)],
    attachments: [Muxer.Attachment] = []
  ) throws(CutroomError) -> [Written] {
    do {
      for attachment in attachments { try muxer.attach(attachment) }
      try setChapters(chapters)
      muxer.setMetadata(metadata)
      let bases = try muxer.begin(options: MuxerOptions.options(for: plan))
      for lane in lanes { lane.timeBase = bases[lane.index] }
    } catch {
      throw CutroomError(writing: plan.output, error)
    }
    for lane in lanes { try refill(lane) }
    // Timed text begins at 0 at once, or libavformat puts an empty sample in front of it.
    if plan.container.hasEditLists { for lane in lanes where lane.isText { try write(lane) } }
    // Half a second of one stream lies together in the MP4 family, which keeps its tables small.
    let window = plan.container.hasEditLists ? Rational(1, 2) : Rational(0)
    while let first = earliest() {
      let limit = time(of: first) + window
      guard window > .zero else {
        try write(first)
        continue
      }
      for lane in lanes {
        let ticks = Int64(clamping: (limit * Rational(lane.ticksPerSecond)).ceiling)
        while lane.pending != nil, lane.pendingTick < ticks { try write(lane) }
      }
    }
    do {
      try muxer.finish()
      try sink.close()
      var delays: [Int: MatroskaDelay] = [:]
      for lane in lanes { delays[lane.index] = lane.delay }
      if !delays.isEmpty {
        let end = lanes.map(\.written.end).max() ?? .zero
        try MatroskaDelay.write(delays, milliseconds: end * 1000, to: sink.path)
      }
    } catch {
      throw CutroomError(writing: plan.output, error)
    }
    return lanes.map(\.written)
  }

  private func setChapters(_ chapters: [TimelineChapter]) throws(LibAVError) {
    guard plan.container.hasChapters, !chapters.isEmpty else { return }
    func milliseconds(_ time: Rational) -> Int64 { Int64(clamping: (time * 1000).rounded) }
    var list: [(start: Int64, end: Int64, timeBase: TimeBase, title: String)] = []
    for (index, chapter) in chapters.enumerated() {
      let end = index + 1 < chapters.count ? chapters[index + 1].start : plan.duration
      list.append(
        (milliseconds(chapter.start), milliseconds(end), TimeBase(1, 1000), chapter.title))
    }
    try muxer.setChapters(list)
  }

  private func earliest() -> Lane? {
    lanes.filter { $0.pending != nil }.min { first, second in
      let (one, other) = (first.pendingTick, second.pendingTick)
      return Int128(one) * Int128(second.ticksPerSecond)
        < Int128(other) * Int128(first.ticksPerSecond)
    }
  }

  private func time(of lane: Lane) -> Rational {
    Rational(lane.pendingTick, lane.ticksPerSecond)
  }

  private func refill(_ lane: Lane) throws(CutroomError) {
    repeat {
      lane.pending = try lane.stream.next()
    } while lane.isPrimingLeftOut && lane.pending?.pts ?? 0 < 0
    guard let packet = lane.pending, let pts = packet.pts else { return }
    if lane.times == nil {
      packet.dts = pts
    } else {
      guard let dts = lane.times?.next(presentation: pts) else {
        throw CutroomError(
          .internal, "write.order",
          "a picture at \(Rational(pts, lane.ticksPerSecond).secondsText) comes too late in "
            + "decoding order")
      }
      packet.dts = dts
    }
    lane.firstPTS = min(lane.firstPTS ?? pts, pts)
    lane.firstDTS = lane.firstDTS ?? packet.dts
  }

  private func write(_ lane: Lane) throws(CutroomError) {
    guard let packet = lane.pending else { return }
    count(packet, lane)
    try refill(lane)
    if lane.pending == nil { closeDurations(packet, lane) }
    do {
      // The packet is the writer's own: nobody else sees its times change.
      if let pts = packet.pts {
        packet.duration = rescale(pts + packet.duration, lane) - rescale(pts, lane)
        packet.pts = time(pts, lane)
      }
      packet.dts = packet.dts.map { time($0, lane) }
      try muxer.write(packet, stream: lane.index)
    } catch {
      throw CutroomError(writing: plan.output, error)
    }
  }

  /// Ticks of the plan as the container has them.
  ///
  /// Matroska has no times before 0; Vorbis's first packet, from which nothing is heard, may have one.
  private func time(_ ticks: Int64, _ lane: Lane) -> Int64 {
    let time = rescale(ticks + lane.offset, lane)
    return plan.container.isMatroska && lane.isSound ? max(0, time) : time
  }

  /// Makes the last packet in decoding order last until all durations add up to what is shown.
  ///
  /// Containers of the MP4 family add up the steps of decoding times; where those of presentation
  /// vary, the two sums differ.
  private func closeDurations(_ packet: Packet, _ lane: Lane) {
    guard lane.times != nil, plan.container.hasEditLists, let first = lane.firstPTS,
      let firstDTS = lane.firstDTS, let dts = packet.dts
    else { return }
    packet.duration = max(1, lane.written.endTick - first - (dts - firstDTS))
  }

  private func count(_ packet: Packet, _ lane: Lane) {
    guard packet.size > 0, let pts = packet.pts else { return }
    lane.written.packets += 1
    lane.written.bytes += Int64(packet.size)
    if packet.isKeyframe { lane.written.keyframes += 1 }
    lane.written.endTick = max(lane.written.endTick, pts + packet.duration)
  }

  /// Ticks of the plan in the muxer's ticks, rounded to the nearest.
  private func rescale(_ ticks: Int64, _ lane: Lane) -> Int64 {
    let base = lane.timeBase
    if base.numerator == 1, Int64(base.denominator) == lane.ticksPerSecond { return ticks }
    let exact = Rational(
      Int128(ticks) * Int128(base.denominator), Int128(lane.ticksPerSecond) * Int128(base.numerator)
    )
    return Int64(clamping: exact.rounded)
  }
}

extension Muxer.StreamSettings {
  /// Says of the stream what the label says.
  mutating func apply(_ label: StreamLabel) {
    language = label.language
    dispositions = label.dispositions
    if let title = label.title { metadata.append(("title", title)) }
    if let handler = label.handler { metadata.append(("handler_name", handler)) }
  }
}
