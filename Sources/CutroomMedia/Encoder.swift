import CLibAV
import Glibc

/// An encoder of one stream.
///
/// Wraps `AVCodecContext` for encoding.
@safe package final class Encoder: @unchecked Sendable {
  // Handed from thread to thread, never used by two at once.
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let name: String
  private var hasFrames = false
  private var isEnded = false
  /// What a muxer needs to know about the result, with the container's copy of the settings.
  package let parameters: CodecParameters

  /// Opens a video encoder.
  ///
  /// - Throws: Where it is unknown, or refuses a setting; unknown options are named.
  package convenience init(video settings: VideoEncoderSettings) throws(LibAVError) {
    let action = Self.action(settings.encoder)
    let unknown = settings.colorTags.unknownNames
    guard unknown.isEmpty else {
      throw .invalid(action, "unknown colour tags \(unknown.joined(separator: ", "))")
    }
    var options = settings.options.map { ($0.key, $0.value) }
    if let profile = settings.profile { options.append(("profile", profile)) }
    unsafe try self.init(
      encoder: settings.encoder, kind: AVMEDIA_TYPE_VIDEO, options: options
    ) { (context) throws(LibAVError) in
      unsafe context.pointee.width = Int32(clamping: settings.width)
      unsafe context.pointee.height = Int32(clamping: settings.height)
      unsafe context.pointee.pix_fmt = settings.format.value
      unsafe context.pointee.time_base = settings.timeBase.rational
      unsafe context.pointee.framerate = settings.frameRate?.rational ?? AVRational(num: 0, den: 1)
      unsafe context.pointee.sample_aspect_ratio = settings.sampleAspectRatio.rational
      unsafe context.pointee.color_primaries = settings.colorTags.primariesValue
      unsafe context.pointee.color_trc = settings.colorTags.transferValue
      unsafe context.pointee.colorspace = settings.colorTags.matrixValue
      unsafe context.pointee.color_range = settings.colorTags.rangeValue
      unsafe context.pointee.chroma_sample_location = settings.colorTags.locationValue
      if let size = settings.gopSize { unsafe context.pointee.gop_size = Int32(clamping: size) }
      if let rate = settings.bitRate { unsafe context.pointee.bit_rate = rate }
      if let count = settings.maxBFrames {
        unsafe context.pointee.max_b_frames = Int32(clamping: count)
      }
      unsafe context.pointee.thread_count = Int32(clamping: settings.threads)
      if let tag = settings.codecTag {
        guard let value = codeTag(tag) else { throw .invalid(action, "'\(tag)' is no codec tag") }
        unsafe context.pointee.codec_tag = value
      }
      unsafe Self.setFlags(context, settings.globalHeader, settings.isBitExact)
    }
  }

  /// Opens an audio encoder; times are in samples.
  ///
  /// - Throws: Where it is unknown, or refuses a setting; unknown options are named.
  package convenience init(audio settings: AudioEncoderSettings) throws(LibAVError) {
    let action = Self.action(settings.encoder)
    guard let format = CutroomMedia.sampleFormat(settings.sampleFormat) else {
      throw .invalid(action, "there is no sample format '\(settings.sampleFormat)'")
    }
    guard settings.sampleRate > 0 else { throw .invalid(action, "a sample rate is above zero") }
    let layout = try LayoutValue.named(settings.channelLayout, action)
    unsafe try self.init(
      encoder: settings.encoder, kind: AVMEDIA_TYPE_AUDIO,
      options: settings.options.map { ($0.key, $0.value) }
    ) { (context) throws(LibAVError) in
      unsafe context.pointee.sample_rate = Int32(clamping: settings.sampleRate)
      unsafe context.pointee.sample_fmt = format
      unsafe context.pointee.time_base = AVRational(
        num: 1, den: Int32(clamping: settings.sampleRate))
      unsafe try layout.copy(to: &context.pointee.ch_layout)
      if let rate = settings.bitRate { unsafe context.pointee.bit_rate = rate }
      unsafe context.pointee.thread_count = 1
      unsafe Self.setFlags(context, settings.globalHeader, settings.isBitExact)
    }
  }

  private init(
    encoder: String, kind: AVMediaType, options: [(String, String)],
    _ configure: (UnsafeMutablePointer<AVCodecContext>) throws(LibAVError) -> Void
  ) throws(LibAVError) {
    if encoder == Self.svtAV1 { _ = Self.quietSVT }
    let action = Self.action(encoder)
    guard let codec = unsafe avcodec_find_encoder_by_name(encoder) else {
      throw LibAVError(
        code: CLIBAV_ENCODER_NOT_FOUND, action: action, reason: "there is no such encoder")
    }
    guard unsafe codec.pointee.type == kind else {
      throw .invalid(action, "it does not encode \(MediaKind(kind).rawValue)")
    }
    guard let context = unsafe avcodec_alloc_context3(codec) else { throw .outOfMemory(action) }
    unsafe self.context = unsafe context
    name = encoder
    parameters = CodecParameters()
    unsafe try configure(context)
    let settings = Options(options)
    let mark = LogCapture.mark()
    try check(unsafe avcodec_open2(context, codec, &settings.dictionary), action)
    try settings.requireUsed(action)
    try Self.requireParsed(LogCapture.lines(since: mark), action)
    try check(
      unsafe avcodec_parameters_from_context(parameters.pointer, context), action)
    parameters.sideData = (0..<Int(unsafe context.pointee.nb_coded_side_data)).map { index in
      let data = unsafe context.pointee.coded_side_data[index]
      return unsafe StreamSideData(
        type: data.type.rawValue,
        bytes: Array(UnsafeBufferPointer(start: data.data, count: data.size)))
    }
  }

  deinit {
    if name == Self.svtAV1, !isEnded { endSVT() }
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  private static let svtAV1 = "libsvtav1"
  /// SVT-AV1 prints its settings on standard error, unless it is told to say errors only.
  private static let quietSVT: Int32 = unsafe setenv("SVT_LOG", "1", 0)

  /// SVT-AV1 waits for ever when it is closed before it has given its last packet, and gives none
  /// before it has had a frame.
  private func endSVT() {
    do {
      if !hasFrames, let format = unsafe PixelFormat(context.pointee.pix_fmt) {
        let frame = try Frame.video(
          width: Int(unsafe context.pointee.width), height: Int(unsafe context.pointee.height),
          format: format)
        frame.pts = 0
        _ = try send(frame)
      }
      _ = try send(nil)
      while !isEnded { _ = try receive() }
    } catch {
      // An encoder that fails has nothing more to give.
    }
  }

  private static func action(_ encoder: String) -> String { "open the encoder '\(encoder)'" }

  private static func setFlags(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ globalHeader: Bool, _ isBitExact: Bool
  ) {
    if globalHeader { unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    if isBitExact { unsafe context.pointee.flags |= AV_CODEC_FLAG_BITEXACT }
  }

  /// The wrappers of x264 and x265 only warn about parameters they do not know.
  private static func requireParsed(_ log: [String], _ action: String) throws(LibAVError) {
    guard
      let line = log.first(where: {
        $0.contains("Error parsing option") || $0.contains("Unknown option")
      })
    else { return }
    throw LibAVError(code: CLIBAV_OPTION_NOT_FOUND, action: action, reason: line, log: log)
  }

  // MARK: Encoding

  /// Gives the encoder a frame; `nil` says that no more will come.
  ///
  /// The frame's own picture type is not passed on. A forced keyframe of libx264 is one that
  /// decoding can start at only with the option `forced-idr=1`.
  /// - Returns: `false` where the encoder is full: receive first, then send the frame again.
  ///
  /// Wraps `avcodec_send_frame`.
  package func send(_ frame: Frame?, forcingKeyframe: Bool = false) throws(LibAVError) -> Bool {
    let own = try frame?.reference()
    unsafe own?.pointer.pointee.pict_type =
      forcingKeyframe ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    let action = "encode a frame with '\(name)'"
    switch try answer(unsafe avcodec_send_frame(context, own?.pointer), action) {
    case .done:
      hasFrames = hasFrames || frame != nil
      return true
    case .later: return false
    case .ended:
      guard frame != nil else { return true }
      throw .invalid(action, "the encoder was drained")
    }
  }

  /// The next packet in decoding order; its duration is 0 where the encoder does not know it.
  ///
  /// Side data of the packet (new settings, samples to skip) belongs to the muxer and is kept.
  /// Wraps `avcodec_receive_packet`.
  package func receive() throws(LibAVError) -> Answer<Packet> {
    let packet = Packet()
    switch try answer(
      unsafe avcodec_receive_packet(context, packet.pointer), "encode a frame with '\(name)'")
    {
    case .done: return .value(packet)
    case .later: return .needsInput
    case .ended:
      isEnded = true
      return .ended
    }
  }

  package var timeBase: TimeBase { unsafe TimeBase(context.pointee.time_base) }
  /// The samples that each frame but the last must have; 0 where any number will do.
  package var frameSize: Int {
    unsafe context.pointee.codec.pointee.capabilities & AV_CODEC_CAP_VARIABLE_FRAME_SIZE != 0
      ? 0 : Int(context.pointee.frame_size)
  }
  /// The samples of silence that the encoder puts in front.
  package var initialPadding: Int { unsafe Int(context.pointee.initial_padding) }
  /// The pictures that decoding order runs ahead of presentation order.
  package var reorderDelay: Int {
    unsafe Int(max(context.pointee.has_b_frames, min(1, context.pointee.max_b_frames)))
  }
}

// MARK: - What there is

extension Encoder {
  /// What libav says about the encoder, or `nil` where it has none of that name.
  package static func info(encoder name: String) -> EncoderInfo? {
    guard let codec = unsafe avcodec_find_encoder_by_name(name)?.pointee else { return nil }
    let special = AV_CODEC_CAP_HARDWARE | AV_CODEC_CAP_HYBRID
    let capabilities = unsafe codec.capabilities
    return unsafe EncoderInfo(
      name: name, codecName: text(avcodec_get_name(codec.id)) ?? "",
      kind: MediaKind(codec.type), isAvailable: capabilities & special == 0,
      isExperimental: capabilities & AV_CODEC_CAP_EXPERIMENTAL != 0,
      pixelFormats: list(codec.pix_fmts) { $0 == AV_PIX_FMT_NONE }.compactMap { PixelFormat($0) },
      sampleFormats: list(codec.sample_fmts) { $0 == AV_SAMPLE_FMT_NONE }
        .compactMap { unsafe text(av_get_sample_fmt_name($0)) },
      sampleRates: list(codec.supported_samplerates) { $0 == 0 }.map(Int.init),
      frameRates: list(codec.supported_framerates) { $0.num == 0 }.map { TimeBase($0) },
      channelLayouts: list(codec.ch_layouts) { unsafe $0.nb_channels == 0 }
        .map { unsafe describeLayout($0) })
  }

  /// The values up to the one that ends the list.
  private static func list<T>(_ start: UnsafePointer<T>?, isEnd: (T) -> Bool) -> [T] {
    guard var next = unsafe start else { return [] }
    var values: [T] = []
    while unsafe !isEnd(next.pointee) {
      unsafe values.append(next.pointee)
      unsafe next += 1
    }
    return values
  }
}
