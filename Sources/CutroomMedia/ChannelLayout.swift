import CLibAV

/// What libav knows about a layout of channels, by its name ("stereo", "5.1", "3 channels").
package enum ChannelLayout {
  package static func isValid(_ name: String) -> Bool {
    LayoutValue(name: name) != nil
  }

  /// The number of channels, or `nil` for an unknown name.
  package static func channelCount(_ name: String) -> Int? {
    LayoutValue(name: name)?.channelCount
  }

  /// The channels' names in order ("FL", "FR"); empty for an unknown name.
  package static func channelNames(_ name: String) -> [String] {
    guard let value = LayoutValue(name: name) else { return [] }
    return (0..<value.channelCount).map { index in
      let channel = unsafe av_channel_layout_channel_from_index(&value.layout, UInt32(index))
      return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        guard let base = buffer.baseAddress, unsafe av_channel_name(base, 64, channel) > 0 else {
          return "?"
        }
        return unsafe String(cString: base)
      }
    }
  }

  /// The name of the usual layout of that many channels, or `nil` where there is none.
  ///
  /// Wraps `av_channel_layout_default`.
  package static func defaultLayout(channels: Int) -> String? {
    guard (1...64).contains(channels) else { return nil }
    let value = LayoutValue(channels: channels)
    let name = value.name
    return name.isEmpty || name.hasSuffix("channels") ? nil : name
  }
}

/// A layout for libav; "3 channels" stands for the usual layout of so many where there is one.
@safe final class LayoutValue {
  var layout = unsafe AVChannelLayout()

  init?(name: String) {
    guard unsafe av_channel_layout_from_string(&layout, name) >= 0,
      unsafe (1...64).contains(layout.nb_channels)
    else { return nil }
    if unsafe layout.order == AV_CHANNEL_ORDER_UNSPEC {
      unsafe av_channel_layout_default(&layout, layout.nb_channels)
    }
  }

  init(channels: Int) {
    unsafe av_channel_layout_default(&layout, Int32(clamping: channels))
  }

  deinit {
    unsafe av_channel_layout_uninit(&layout)
  }

  var channelCount: Int { unsafe Int(layout.nb_channels) }
  var name: String { unsafe describeLayout(layout) }

  static func named(_ name: String, _ action: String) throws(LibAVError) -> LayoutValue {
    guard let value = LayoutValue(name: name) else {
      throw .invalid(action, "there is no channel layout '\(name)'")
    }
    return value
  }

  func copy(to other: UnsafeMutablePointer<AVChannelLayout>) throws(LibAVError) {
    try check(unsafe av_channel_layout_copy(other, &layout), "copy a channel layout")
  }
}

/// The sample format of that name, or `nil` where libav knows none.
func sampleFormat(_ name: String) -> AVSampleFormat? {
  let format = unsafe av_get_sample_fmt(name)
  return format == AV_SAMPLE_FMT_NONE ? nil : format
}
