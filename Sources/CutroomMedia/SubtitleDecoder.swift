import CLibAV

/// libavcodec's decoder of a stream of text subtitles.
@safe final class SubtitleDecoder {
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let name: String

  /// Opens a decoder for times in ticks of `timeBase`.
  init(_ parameters: CodecParameters, timeBase: TimeBase) throws(LibAVError) {
    name = parameters.codecName
    let action = "open a decoder for '\(name)'"
    guard let codec = unsafe avcodec_find_decoder(parameters.pointer.pointee.codec_id) else {
      throw LibAVError(code: CLIBAV_DECODER_NOT_FOUND, action: action)
    }
    guard let context = unsafe avcodec_alloc_context3(codec) else { throw .outOfMemory(action) }
    unsafe self.context = unsafe context
    try check(unsafe avcodec_parameters_to_context(context, parameters.pointer), action)
    unsafe context.pointee.pkt_timebase = timeBase.rational
    try check(unsafe avcodec_open2(context, codec, nil), action)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// The head of an ASS script; `nil` where it is not UTF-8.
  var header: String? {
    guard let start = unsafe context.pointee.subtitle_header else { return "" }
    let count = unsafe Int(context.pointee.subtitle_header_size)
    let bytes = unsafe UnsafeBufferPointer(start: start, count: max(0, count))
    return unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The lines in a packet, as Matroska keeps ASS: number, layer, style, … text.
  ///
  /// Wraps `avcodec_decode_subtitle2`.
  func decode(_ packet: Packet) throws(LibAVError) -> [String] {
    var subtitle = unsafe AVSubtitle()
    var isGiven: Int32 = 0
    try check(
      unsafe avcodec_decode_subtitle2(context, &subtitle, &isGiven, packet.pointer),
      "decode a '\(name)' packet")
    guard isGiven != 0 else { return [] }
    defer { unsafe avsubtitle_free(&subtitle) }
    var lines: [String] = []
    for index in 0..<Int(unsafe subtitle.num_rects) {
      guard let rectangle = unsafe subtitle.rects?[index],
        let line = unsafe text(rectangle.pointee.ass)
      else { continue }
      lines.append(line)
    }
    return lines
  }
}
