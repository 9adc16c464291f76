import CLibAV

/// What a muxer or decoder needs to know about a coded stream.
///
/// Wraps `AVCodecParameters`, with the stream's side data beside it.
@safe package final class CodecParameters: @unchecked Sendable {
  // Only the creator changes it, before it is handed on.
  let pointer: UnsafeMutablePointer<AVCodecParameters>
  /// The side data of the whole stream (mastering display, content light, …), by libav's type.
  var sideData: [StreamSideData] = []

  init() {
    guard let parameters = unsafe avcodec_parameters_alloc() else {
      preconditionFailure("out of memory")
    }
    unsafe pointer = unsafe parameters
  }

  convenience init(copying other: UnsafePointer<AVCodecParameters>) throws(LibAVError) {
    self.init()
    try check(unsafe avcodec_parameters_copy(pointer, other), "copy codec parameters")
  }

  /// What describes a file inside a file, whose bytes take the place of the decoder's settings.
  convenience init(attachment bytes: [UInt8]) throws(LibAVError) {
    self.init()
    unsafe pointer.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
    unsafe pointer.pointee.codec_id = AV_CODEC_ID_BIN_DATA
    try setExtradata(bytes)
  }

  /// Describes subtitles in FFmpeg's codec `name`, for pictures of that size.
  package static func subtitles(
    codec name: String, settings: [UInt8], width: Int = 0, height: Int = 0
  ) throws(LibAVError) -> CodecParameters {
    guard let codec = unsafe avcodec_descriptor_get_by_name(name),
      unsafe codec.pointee.type == AVMEDIA_TYPE_SUBTITLE
    else { throw .invalid("describe subtitles", "there are none of the kind '\(name)'") }
    let parameters = CodecParameters()
    unsafe parameters.pointer.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
    unsafe parameters.pointer.pointee.codec_id = codec.pointee.id
    unsafe parameters.pointer.pointee.width = Int32(clamping: width)
    unsafe parameters.pointer.pointee.height = Int32(clamping: height)
    try parameters.setExtradata(settings)
    return parameters
  }

  deinit {
    var parameters: UnsafeMutablePointer<AVCodecParameters>? = unsafe pointer
    unsafe avcodec_parameters_free(&parameters)
  }

  /// Another set with the same values.
  package func copy() throws(LibAVError) -> CodecParameters {
    let copy = unsafe try CodecParameters(copying: pointer)
    copy.sideData = sideData
    return copy
  }

  package var kind: MediaKind { unsafe MediaKind(pointer.pointee.codec_type) }
  /// FFmpeg's name of the codec: "h264", "aac".
  package var codecName: String {
    unsafe text(avcodec_get_name(pointer.pointee.codec_id)) ?? "none"
  }

  /// The container's four characters, empty where it has none.
  package var codecTag: String {
    get { fourCharacters(unsafe pointer.pointee.codec_tag) }
    set { unsafe pointer.pointee.codec_tag = codeTag(newValue) ?? 0 }
  }

  package var bitRate: Int64 {
    get { unsafe pointer.pointee.bit_rate }
    set { unsafe pointer.pointee.bit_rate = newValue }
  }
  package var profile: Int32 { unsafe pointer.pointee.profile }
  package var level: Int32 { unsafe pointer.pointee.level }
  /// FFmpeg's name of the profile, empty where unknown.
  package var profileName: String {
    unsafe text(avcodec_profile_name(pointer.pointee.codec_id, pointer.pointee.profile)) ?? ""
  }

  package var width: Int { unsafe Int(pointer.pointee.width) }
  package var height: Int { unsafe Int(pointer.pointee.height) }
  package var sampleAspectRatio: (Int32, Int32) {
    unsafe (pointer.pointee.sample_aspect_ratio.num, pointer.pointee.sample_aspect_ratio.den)
  }
  package var pixelFormat: PixelFormat? {
    kind == .video ? unsafe PixelFormat(raw: pointer.pointee.format) : nil
  }
  package var colorTags: ColorTags {
    get {
      unsafe ColorTags(
        pointer.pointee.color_primaries, pointer.pointee.color_trc, pointer.pointee.color_space,
        pointer.pointee.color_range, pointer.pointee.chroma_location)
    }
    set {
      unsafe pointer.pointee.color_primaries = newValue.primariesValue
      unsafe pointer.pointee.color_trc = newValue.transferValue
      unsafe pointer.pointee.color_space = newValue.matrixValue
      unsafe pointer.pointee.color_range = newValue.rangeValue
      unsafe pointer.pointee.chroma_location = newValue.locationValue
    }
  }
  /// The pictures that decoding order runs ahead of presentation order.
  package var videoDelay: Int { unsafe Int(pointer.pointee.video_delay) }
  /// "progressive", "tt", "bb", "tb", "bt", "unknown".
  package var fieldOrder: String { unsafe fieldOrderName(pointer.pointee.field_order) }

  package var sampleRate: Int { unsafe Int(pointer.pointee.sample_rate) }
  package var channelCount: Int { unsafe Int(pointer.pointee.ch_layout.nb_channels) }
  package var channelLayout: String { unsafe describeLayout(pointer.pointee.ch_layout) }
  package var sampleFormat: String {
    guard kind == .audio else { return "" }
    return unsafe text(av_get_sample_fmt_name(AVSampleFormat(rawValue: pointer.pointee.format)))
      ?? ""
  }
  package var frameSize: Int { unsafe Int(pointer.pointee.frame_size) }
  /// The samples before the first that is heard.
  package var initialPadding: Int {
    get { unsafe Int(pointer.pointee.initial_padding) }
    set { unsafe pointer.pointee.initial_padding = Int32(clamping: newValue) }
  }
  package var trailingPadding: Int { unsafe Int(pointer.pointee.trailing_padding) }

  /// The decoder's settings: parameter sets, AudioSpecificConfig, ….
  package var extradata: [UInt8] {
    let count = unsafe Int(pointer.pointee.extradata_size)
    return unsafe Array(UnsafeBufferPointer(start: pointer.pointee.extradata, count: count))
  }

  /// Takes out that pictures come with an enhancement layer or metadata of Dolby Vision.
  package func forgetDolbyVision() {
    sideData.removeAll { $0.type == AV_PKT_DATA_DOVI_CONF.rawValue }
  }

  /// Replaces the decoder's settings.
  package func setExtradata(_ bytes: [UInt8]) throws(LibAVError) {
    let padding = Int(CLIBAV_INPUT_PADDING)
    guard let size = Int32(exactly: bytes.count),
      let memory = unsafe av_mallocz(bytes.count + padding)
    else { throw .outOfMemory("keep a codec's settings") }
    unsafe memory.copyMemory(from: bytes, byteCount: bytes.count)
    unsafe av_free(pointer.pointee.extradata)
    unsafe pointer.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    unsafe pointer.pointee.extradata_size = size
  }
}

/// A piece of side data that holds for a whole stream.
struct StreamSideData: Sendable {
  var type: UInt32
  var bytes: [UInt8]

  var name: String {
    unsafe text(av_packet_side_data_name(AVPacketSideDataType(rawValue: type))) ?? ""
  }

  /// The side data of a demuxed stream.
  static func all(of stream: UnsafePointer<AVStream>) -> [StreamSideData] {
    (0..<Int(unsafe stream.pointee.nb_side_data)).map { index in
      let data = unsafe stream.pointee.side_data[index]
      return unsafe StreamSideData(
        type: data.type.rawValue,
        bytes: Array(UnsafeBufferPointer(start: data.data, count: data.size)))
    }
  }
}

/// The characters of a tag, as libav prints them; empty for none.
func fourCharacters(_ tag: UInt32) -> String {
  guard tag != 0 else { return "" }
  return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
    guard let base = buffer.baseAddress else { return "" }
    unsafe av_fourcc_make_string(base, tag)
    return unsafe String(cString: base)
  }
}

/// The tag of four ASCII characters, or `nil` for other texts.
func codeTag(_ characters: String) -> UInt32? {
  let bytes = Array(characters.utf8)
  guard bytes.count == 4, bytes.allSatisfy({ $0 >= 32 && $0 < 127 }) else { return nil }
  return bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
}

func fieldOrderName(_ order: AVFieldOrder) -> String {
  switch order {
  case AV_FIELD_PROGRESSIVE: "progressive"
  case AV_FIELD_TT: "tt"
  case AV_FIELD_BB: "bb"
  case AV_FIELD_TB: "tb"
  case AV_FIELD_BT: "bt"
  default: "unknown"
  }
}
