import CLibAV

/// A decoder of one stream.
///
/// Damaged packets do not end decoding: they are counted, and the frames around them are given.
/// Wraps `AVCodecContext` for decoding.
@safe package final class Decoder: @unchecked Sendable {
  // Handed from thread to thread, never used by two at once.
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let name: String
  /// The packets that the decoder refused.
  package private(set) var errorCount = 0
  /// What it said about the last of them.
  package private(set) var lastError: LibAVError?

  /// A decoder for a stream of an open container, which may be closed before the decoder.
  ///
  /// `reorderDepth` is how many pictures at least are held back to bring them into their order, where
  /// that is known: otherwise H.264's decoder finds out as it goes, too late for some pictures.
  package convenience init(
    demuxer: Demuxer, stream: Int, threads: Int = 1, reorderDepth: Int = 0,
    options: [(String, String)] = []
  ) throws(LibAVError) {
    let parameters = try demuxer.parameters(of: stream)
    let info = demuxer.streams[stream]
    try self.init(
      parameters: parameters, timeBase: info.timeBase, decoder: Self.alphaDecoder(of: info),
      threads: threads, reorderDepth: reorderDepth, options: options)
  }

  /// FFmpeg's own VP8 and VP9 decoders leave the transparency out that Matroska keeps beside the
  /// picture; libvpx's do not.
  private static func alphaDecoder(of stream: StreamInfo) -> String? {
    guard
      stream.metadata.contains(where: { $0.key.lowercased() == "alpha_mode" && $0.value == "1" })
    else { return nil }
    return ["vp8": "libvpx", "vp9": "libvpx-vp9"][stream.codecName]
  }

  /// A decoder for packets whose times are in `timeBase`, by default libavcodec's first choice.
  ///
  /// - Throws: Where there is no decoder for the codec, or it refuses the parameters.
  package init(
    parameters: CodecParameters, timeBase: TimeBase, decoder: String? = nil, threads: Int = 1,
    reorderDepth: Int = 0, options: [(String, String)] = []
  ) throws(LibAVError) {
    name = parameters.codecName
    let action = "open a decoder for '\(name)'"
    let found =
      if let decoder {
        unsafe avcodec_find_decoder_by_name(decoder)
      } else {
        unsafe avcodec_find_decoder(parameters.pointer.pointee.codec_id)
      }
    guard let codec = unsafe found else {
      throw LibAVError(code: CLIBAV_DECODER_NOT_FOUND, action: action)
    }
    guard let context = unsafe avcodec_alloc_context3(codec) else { throw .outOfMemory(action) }
    unsafe self.context = unsafe context
    try check(unsafe avcodec_parameters_to_context(context, parameters.pointer), action)
    unsafe context.pointee.pkt_timebase = timeBase.rational
    unsafe context.pointee.thread_count = Int32(clamping: threads)
    unsafe context.pointee.has_b_frames = max(
      context.pointee.has_b_frames, Int32(clamping: min(16, reorderDepth)))
    // A damaged header must not ask for gigabytes.
    unsafe context.pointee.max_pixels = 1 << 28
    let settings = Options(options)
    try check(unsafe avcodec_open2(context, codec, &settings.dictionary), action)
    try settings.requireUsed(action)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// Gives the decoder a packet; `nil` says that no more will come.
  ///
  /// - Returns: `false` where the decoder is full: receive first, then send the packet again.
  ///
  /// Wraps `avcodec_send_packet`.
  package func send(_ packet: Packet?) throws(LibAVError) -> Bool {
    do throws(LibAVError) {
      switch try answer(
        unsafe avcodec_send_packet(context, packet?.pointer), "decode a '\(name)' packet")
      {
      case .done: return true
      case .later: return false
      case .ended:
        guard packet != nil else { return true }
        throw LibAVError.invalid("decode a '\(name)' packet", "the decoder was drained")
      }
    } catch {
      try note(error)
      return true
    }
  }

  /// The next frame in presentation order.
  ///
  /// A frame without a time gets libav's best guess. Wraps `avcodec_receive_frame`.
  package func receive() throws(LibAVError) -> Answer<Frame> {
    let frame = Frame()
    for _ in 0..<1000 {
      do throws(LibAVError) {
        switch try answer(
          unsafe avcodec_receive_frame(context, frame.pointer), "decode a '\(name)' frame")
        {
        case .done:
          if frame.pts == nil { frame.pts = frame.bestEffortTimestamp }
          return .value(try frame.withDownwardRows())
        case .later: return .needsInput
        case .ended: return .ended
        }
      } catch {
        try note(error)
      }
    }
    throw LibAVError(code: CLIBAV_INVALIDDATA, action: "decode a '\(name)' frame")
  }

  /// Forgets everything sent, as after a seek; also makes a drained decoder usable again.
  ///
  /// Wraps `avcodec_flush_buffers`.
  package func flush() {
    unsafe avcodec_flush_buffers(context)
  }

  /// Counts what damaged data causes; anything else is thrown.
  private func note(_ error: LibAVError) throws(LibAVError) {
    switch error.code {
    case CLIBAV_INVALIDDATA, CLIBAV_PATCHWELCOME, CLIBAV_ERANGE, CLIBAV_UNKNOWN:
      errorCount += 1
      lastError = error
    default: throw error
    }
  }
}

extension Decoder {
  /// Whether there is a decoder for FFmpeg's codec `name`.
  ///
  /// Wraps `avcodec_find_decoder`.
  package static func isAvailable(for name: String) -> Bool {
    guard let codec = unsafe avcodec_descriptor_get_by_name(name) else { return false }
    return unsafe avcodec_find_decoder(codec.pointee.id) != nil
  }
}
