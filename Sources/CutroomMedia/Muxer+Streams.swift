import CLibAV

extension Muxer {
  /// Side data of a source stream that also describes its copy.
  private static let lastingSideData: Set<UInt32> = [
    AV_PKT_DATA_MASTERING_DISPLAY_METADATA.rawValue, AV_PKT_DATA_CONTENT_LIGHT_LEVEL.rawValue,
    AV_PKT_DATA_STEREO3D.rawValue, AV_PKT_DATA_SPHERICAL.rawValue,
    AV_PKT_DATA_DOVI_CONF.rawValue, AV_PKT_DATA_CPB_PROPERTIES.rawValue,
    AV_PKT_DATA_AUDIO_SERVICE_TYPE.rawValue, AV_PKT_DATA_ICC_PROFILE.rawValue,
  ]

  func addSideData(
    to stream: UnsafeMutablePointer<AVStream>, _ parameters: CodecParameters,
    _ settings: StreamSettings
  ) throws(LibAVError) {
    for data in parameters.sideData where Self.lastingSideData.contains(data.type) {
      unsafe try Self.add(data.bytes, AVPacketSideDataType(rawValue: data.type), to: stream)
    }
    guard let matrix = settings.displayMatrix else { return }
    guard matrix.count == 9 else {
      throw .invalid("rotate a stream", "a display matrix has 9 values, not \(matrix.count)")
    }
    let bytes = unsafe matrix.withUnsafeBytes { unsafe Array($0) }
    unsafe try Self.add(bytes, AV_PKT_DATA_DISPLAYMATRIX, to: stream)
  }

  /// Keeps the source's tag where the container has it for this codec.
  func setTag(
    of stream: UnsafeMutablePointer<AVStream>, in format: UnsafePointer<AVOutputFormat>?,
    _ wanted: String?
  ) throws(LibAVError) {
    guard let parameters = unsafe stream.pointee.codecpar else { return }
    if let wanted {
      guard let tag = codeTag(wanted) else {
        throw .invalid("tag a stream", "'\(wanted)' is no codec tag")
      }
      unsafe parameters.pointee.codec_tag = tag
      return
    }
    let tag = unsafe parameters.pointee.codec_tag
    let known = unsafe av_codec_get_id(format?.pointee.codec_tag, tag)
    if unsafe known != parameters.pointee.codec_id { unsafe parameters.pointee.codec_tag = 0 }
  }

  private static func add(
    _ bytes: [UInt8], _ type: AVPacketSideDataType, to stream: UnsafeMutablePointer<AVStream>
  ) throws(LibAVError) {
    guard let data = unsafe av_stream_new_side_data(stream, type, bytes.count) else {
      throw .outOfMemory("add side data to a stream")
    }
    unsafe UnsafeMutableRawPointer(data).copyMemory(from: bytes, byteCount: bytes.count)
  }
}

/// The sink that libav calls back for.
func sinkOf(_ opaque: UnsafeMutableRawPointer?) -> ByteSink? {
  guard let opaque = unsafe opaque else { return nil }
  return unsafe Unmanaged<ByteSink>.fromOpaque(opaque).takeUnretainedValue()
}
