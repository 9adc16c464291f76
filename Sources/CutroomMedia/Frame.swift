import CLibAV

/// A decoded picture or a run of decoded sound, one reference to memory that others may share.
///
/// Wraps `AVFrame`.
@safe package final class Frame: @unchecked Sendable {
  // Handed from thread to thread, never used by two at once; shared memory is copied before it is
  // changed (`withMutablePlane`).
  let pointer: UnsafeMutablePointer<AVFrame>

  /// An empty frame for libav to fill.
  init() {
    guard let frame = unsafe av_frame_alloc() else { preconditionFailure("out of memory") }
    unsafe pointer = unsafe frame
  }

  init(owning frame: UnsafeMutablePointer<AVFrame>) {
    unsafe pointer = unsafe frame
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe pointer
    unsafe av_frame_free(&frame)
  }

  /// Another frame with the same memory and its own times and tags.
  ///
  /// Wraps `av_frame_clone`.
  package func reference() throws(LibAVError) -> Frame {
    guard let copy = unsafe av_frame_clone(pointer) else {
      throw .outOfMemory("reference a frame")
    }
    return unsafe Frame(owning: copy)
  }

  package var pts: Int64? {
    get { unsafe pointer.pointee.pts.known }
    set { unsafe pointer.pointee.pts = newValue.orUnknown }
  }

  /// Ticks, 0 where unknown.
  package var duration: Int64 {
    get { unsafe pointer.pointee.pkt_duration }
    set { unsafe pointer.pointee.pkt_duration = newValue }
  }

  package var bestEffortTimestamp: Int64? {
    unsafe pointer.pointee.best_effort_timestamp.known
  }

  /// Whether the decoder had to guess parts of this frame.
  package var isCorrupt: Bool {
    unsafe pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
      || pointer.pointee.decode_error_flags != 0
  }

  /// Whether the container's edit list says not to show this frame.
  package var isDiscard: Bool {
    unsafe pointer.pointee.flags & AV_FRAME_FLAG_DISCARD != 0
  }

  /// The names of the side data.
  package var sideDataTypes: [String] {
    (0..<Int(unsafe pointer.pointee.nb_side_data)).compactMap { index in
      guard let data = unsafe pointer.pointee.side_data[index] else { return nil }
      return unsafe text(av_frame_side_data_name(data.pointee.type))
    }
  }
}

// MARK: - Pictures

extension Frame {
  package var width: Int { unsafe Int(pointer.pointee.width) }
  package var height: Int { unsafe Int(pointer.pointee.height) }
  package var isVideo: Bool { width > 0 && height > 0 }

  /// The samples' form, `nil` for sound.
  package var format: PixelFormat? {
    isVideo ? unsafe PixelFormat(raw: pointer.pointee.format) : nil
  }

  /// The width of a sample over its height, (0, 1) where unknown.
  package var sampleAspectRatio: (Int, Int) {
    get {
      let ratio = unsafe pointer.pointee.sample_aspect_ratio
      return (Int(ratio.num), Int(ratio.den))
    }
    set {
      unsafe pointer.pointee.sample_aspect_ratio = AVRational(
        num: Int32(clamping: newValue.0), den: Int32(clamping: newValue.1))
    }
  }

  package var colorTags: ColorTags {
    get {
      unsafe ColorTags(
        pointer.pointee.color_primaries, pointer.pointee.color_trc, pointer.pointee.colorspace,
        pointer.pointee.color_range, pointer.pointee.chroma_location)
    }
    set {
      unsafe pointer.pointee.color_primaries = newValue.primariesValue
      unsafe pointer.pointee.color_trc = newValue.transferValue
      unsafe pointer.pointee.colorspace = newValue.matrixValue
      unsafe pointer.pointee.color_range = newValue.rangeValue
      unsafe pointer.pointee.chroma_location = newValue.locationValue
    }
  }

  package var isKeyframe: Bool { unsafe pointer.pointee.key_frame != 0 }

  package var isInterlaced: Bool {
    get { unsafe pointer.pointee.interlaced_frame != 0 }
    set { unsafe pointer.pointee.interlaced_frame = newValue ? 1 : 0 }
  }

  package var isTopFieldFirst: Bool {
    get { unsafe pointer.pointee.top_field_first != 0 }
    set { unsafe pointer.pointee.top_field_first = newValue ? 1 : 0 }
  }

  /// "I", "P", "B", or "?" where unknown.
  package var pictureType: String {
    unsafe String(
      UnicodeScalar(UInt8(bitPattern: av_get_picture_type_char(pointer.pointee.pict_type))))
  }
}

// MARK: - Sound

extension Frame {
  package var isAudio: Bool { sampleCount > 0 && !isVideo }
  /// Samples per channel.
  package var sampleCount: Int { unsafe Int(pointer.pointee.nb_samples) }
  package var sampleRate: Int { unsafe Int(pointer.pointee.sample_rate) }
  package var channelCount: Int { unsafe Int(pointer.pointee.ch_layout.nb_channels) }
  /// FFmpeg's name of the layout ("stereo"), "N channels" where it is not known.
  package var channelLayout: String { unsafe describeLayout(pointer.pointee.ch_layout) }

  /// FFmpeg's name ("fltp"), empty for pictures.
  package var sampleFormat: String {
    guard !isVideo else { return "" }
    return unsafe text(av_get_sample_fmt_name(AVSampleFormat(rawValue: pointer.pointee.format)))
      ?? ""
  }
}

/// FFmpeg's name of the layout, empty where there are no channels.
func describeLayout(_ layout: AVChannelLayout) -> String {
  var layout = unsafe layout
  return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
    guard let base = buffer.baseAddress else { return "" }
    unsafe clibav_describe_layout(&layout, base, 512)
    return unsafe String(cString: base)
  }
}
