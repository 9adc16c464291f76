import CLibAV

/// The libraries and the processor that decide the bits of a result.
package enum LibraryVersions {
  /// Each library's name with its version, in a fixed order.
  package static var all: [KeyValue] {
    [
      KeyValue("ffmpeg", unsafe text(av_version_info()) ?? "unknown"),
      KeyValue("libavcodec", dotted(avcodec_version())),
      KeyValue("libavfilter", dotted(avfilter_version())),
      KeyValue("libavformat", dotted(avformat_version())),
      KeyValue("libavutil", dotted(avutil_version())),
      KeyValue("libswresample", dotted(swresample_version())),
      KeyValue("libswscale", dotted(swscale_version())),
      KeyValue("libass", String(ass_library_version(), radix: 16)),
    ]
  }

  /// The instruction sets that libav found, which decide the last bits of sums of floats.
  ///
  /// Wraps `av_get_cpu_flags`.
  package static var processor: String {
    "\(architecture)-\(String(UInt32(bitPattern: av_get_cpu_flags()), radix: 16))"
  }

  private static var architecture: String {
    #if arch(x86_64)
    "x86_64"
    #elseif arch(arm64)
    "arm64"
    #else
    "other"
    #endif
  }

  private static func dotted(_ version: UInt32) -> String {
    "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
  }
}
