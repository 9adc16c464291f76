import CLibAV

/// Writes packets into a container.
///
/// It writes packets in the order given and makes no order of its own. Without `finish` the file
/// is incomplete. Wraps `AVFormatContext` for writing.
@safe package final class Muxer: @unchecked Sendable {
  /// How a stream appears in the container.
  package struct StreamSettings: Sendable {
    /// What the container should count in; `begin` tells what it really does.
    package var timeBase: TimeBase
    package var frameRate: (Int32, Int32)?
    package var sampleAspectRatio: (Int32, Int32)?
    /// Nine values, as libav keeps them.
    package var displayMatrix: [Int32]?
    /// A language code as the container writes it: "eng".
    package var language: String?
    package var dispositions: StreamDisposition
    package var isAttachedPicture = false
    /// The four characters to use instead of the container's usual ones.
    package var codecTag: String?
    package var metadata: [(String, String)] = []

    package init(
      timeBase: TimeBase, frameRate: (Int32, Int32)? = nil,
      sampleAspectRatio: (Int32, Int32)? = nil, displayMatrix: [Int32]? = nil,
      language: String? = nil, dispositions: StreamDisposition = .isDefault
    ) {
      self.timeBase = timeBase
      self.frameRate = frameRate
      self.sampleAspectRatio = sampleAspectRatio
      self.displayMatrix = displayMatrix
      self.language = language
      self.dispositions = dispositions
    }
  }

  private enum State {
    case open, begun, finished
  }

  // Handed from thread to thread, never used by two at once.
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let sink: ByteSink
  private let action: String
  private var state = State.open
  private let ordersPackets: Bool
  private static let bufferSize = 1 << 19

  /// A muxer of libav's format of that name ("mp4", "matroska", "wav") that writes to `sink`.
  ///
  /// The sink is kept as long as the muxer. With `ordersPackets` the muxer's own rules say in which
  /// order packets stand, as MXF needs.
  package init(format: String, sink: ByteSink, ordersPackets: Bool = false) throws(LibAVError) {
    self.ordersPackets = ordersPackets
    let action = "write '\(sink.path)'"
    guard let type = unsafe av_guess_format(format, nil, nil),
      unsafe text(type.pointee.name) == format
    else {
      throw LibAVError(
        code: CLIBAV_MUXER_NOT_FOUND, action: action, reason: "there is no container '\(format)'")
    }
    guard unsafe type.pointee.flags & AVFMT_NOFILE == 0 else {
      throw .invalid(action, "'\(format)' is no container in one file")
    }
    var created: UnsafeMutablePointer<AVFormatContext>?
    try check(
      unsafe avformat_alloc_output_context2(&created, type, nil, "file:" + sink.path), action)
    guard let context = unsafe created else { throw .outOfMemory(action) }
    unsafe self.context = unsafe context
    self.sink = sink
    self.action = action
    unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_CUSTOM_IO
    // The sink's buffer is filled before it is written; libav would flush it after each packet.
    unsafe context.pointee.flags &= ~AVFMT_FLAG_FLUSH_PACKETS
    unsafe context.pointee.flush_packets = 0
    unsafe context.pointee.pb = unsafe try Self.output(to: sink, action)
  }

  deinit {
    var output = unsafe context.pointee.pb
    unsafe avformat_free_context(context)
    unsafe clibav_free_output(&output)
  }

  private static func output(
    to sink: ByteSink, _ action: String
  ) throws(LibAVError) -> UnsafeMutablePointer<AVIOContext> {
    guard let buffer = unsafe av_malloc(bufferSize) else { throw .outOfMemory(action) }
    let output = unsafe avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(bufferSize), 1,
      Unmanaged.passUnretained(sink).toOpaque(),
      { opaque, bytes, count in
        guard let sink = unsafe sinkOf(opaque), let bytes = unsafe bytes else {
          return CLIBAV_EINVAL
        }
        return unsafe sink.read(bytes, count)
      },
      { opaque, bytes, count in
        guard let sink = unsafe sinkOf(opaque), let bytes = unsafe bytes else {
          return CLIBAV_EINVAL
        }
        return unsafe sink.write(bytes, count)
      },
      { opaque, offset, whence in
        unsafe sinkOf(opaque)?.seek(offset, whence) ?? Int64(CLIBAV_EINVAL)
      })
    guard let output = unsafe output else {
      unsafe av_free(buffer)
      throw .outOfMemory(action)
    }
    return unsafe output
  }

  // MARK: Setting up

  /// Adds a stream, before `begin`; its number is returned.
  package func addStream(
    _ parameters: CodecParameters, _ settings: StreamSettings
  ) throws(LibAVError) -> Int {
    try requireState(.open)
    guard let stream = unsafe avformat_new_stream(context, nil) else { throw .outOfMemory(action) }
    try check(
      unsafe avcodec_parameters_copy(stream.pointee.codecpar, parameters.pointer), action)
    unsafe try setTag(of: stream, in: context.pointee.oformat, settings.codecTag)
    unsafe stream.pointee.time_base = settings.timeBase.rational
    if let rate = settings.frameRate {
      unsafe stream.pointee.avg_frame_rate = AVRational(num: rate.0, den: rate.1)
    }
    if let ratio = settings.sampleAspectRatio {
      unsafe stream.pointee.sample_aspect_ratio = AVRational(num: ratio.0, den: ratio.1)
      unsafe stream.pointee.codecpar.pointee.sample_aspect_ratio = AVRational(
        num: ratio.0, den: ratio.1)
    }
    unsafe stream.pointee.disposition |= settings.dispositions.rawValue
    if settings.isAttachedPicture {
      unsafe stream.pointee.disposition |= AV_DISPOSITION_ATTACHED_PIC
    }
    for (key, value) in settings.metadata {
      unsafe av_dict_set(&stream.pointee.metadata, key, value, 0)
    }
    if let language = settings.language {
      unsafe av_dict_set(&stream.pointee.metadata, "language", language, 0)
    }
    unsafe try addSideData(to: stream, parameters, settings)
    return unsafe Int(stream.pointee.index)
  }

  /// The tags of the whole file, in FFmpeg's keys.
  package func setMetadata(_ metadata: [(String, String)]) {
    unsafe av_dict_free(&context.pointee.metadata)
    for (key, value) in metadata { unsafe av_dict_set(&context.pointee.metadata, key, value, 0) }
  }

  /// Adds chapters, before `begin`.
  package func setChapters(
    _ chapters: [(start: Int64, end: Int64, timeBase: TimeBase, title: String)]
  ) throws(LibAVError) {
    try requireState(.open)
    for chapter in chapters {
      try check(
        unsafe clibav_add_chapter(
          context, chapter.start, chapter.end, chapter.timeBase.rational, chapter.title),
        "add the chapter '\(chapter.title)'")
    }
  }

  /// Writes the header.
  ///
  /// Options are the container's own; unknown ones are an error that names them. The result is the
  /// time base of each stream, in which packets must be. Wraps `avformat_write_header`.
  package func begin(options: [(String, String)] = []) throws(LibAVError) -> [TimeBase] {
    try requireState(.open)
    let settings = Options(options)
    try written(unsafe avformat_write_header(context, &settings.dictionary), "header")
    state = .begun
    try settings.requireUsed(action)
    return (0..<Int(unsafe context.pointee.nb_streams)).map { index in
      unsafe TimeBase(context.pointee.streams[index]?.pointee.time_base ?? AVRational())
    }
  }

  // MARK: Writing

  /// Writes a packet whose times are in the stream's time base; only its stream's number changes.
  ///
  /// Wraps `av_write_frame`, or `av_interleaved_write_frame` where the muxer orders packets.
  package func write(_ packet: Packet, stream: Int) throws(LibAVError) {
    try requireState(.begun)
    packet.streamIndex = stream
    try written(
      ordersPackets
        ? unsafe av_interleaved_write_frame(context, packet.pointer)
        : unsafe av_write_frame(context, packet.pointer), "packet")
  }

  /// Writes what is still to be written: nothing may follow.
  ///
  /// There is no flush before: it would write the last page of Ogg without its end mark, by which
  /// players know the exact length.
  /// Wraps `av_write_trailer`.
  package func finish() throws(LibAVError) {
    try requireState(.begun)
    state = .finished
    try written(unsafe av_write_trailer(context), "trailer")
    unsafe avio_flush(context.pointee.pb)
    try written(unsafe context.pointee.pb.pointee.error, "trailer")
  }

  /// The byte position in the file.
  package var position: Int64 { unsafe avio_seek(context.pointee.pb, 0, SEEK_CUR) }

  /// The sink's own reason goes before libav's.
  private func written(
    _ status: @autoclosure () -> Int32, _ step: String
  ) throws(LibAVError) {
    let mark = LogCapture.mark()
    let status = status()
    try sink.requireNoFailure()
    guard status < 0 else { return }
    throw LibAVError(
      code: status, action: "\(action) (\(step))", log: LogCapture.lines(since: mark))
  }

  private func requireState(_ expected: State) throws(LibAVError) {
    guard state != expected else { return }
    let reason =
      switch state {
      case .open: "the header was not written"
      case .begun: "the header was written"
      case .finished: "the file was finished"
      }
    throw .invalid(action, reason)
  }
}
