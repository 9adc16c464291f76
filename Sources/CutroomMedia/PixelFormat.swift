import CLibAV

/// How the samples of a picture lie in memory, by FFmpeg's name ("yuv420p", "rgba").
package struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  let raw: Int32

  /// The format of that name, or `nil` where libav knows none.
  package init?(name: String) {
    let format = unsafe av_get_pix_fmt(name)
    guard format != AV_PIX_FMT_NONE else { return nil }
    self.init(format)
  }

  init?(_ format: AVPixelFormat) {
    guard unsafe av_pix_fmt_desc_get(format) != nil else { return nil }
    raw = format.rawValue
  }

  init?(raw: Int32) {
    self.init(AVPixelFormat(rawValue: raw))
  }

  var value: AVPixelFormat { AVPixelFormat(rawValue: raw) }

  private func describe<R>(_ read: (AVPixFmtDescriptor) -> R, or fallback: R) -> R {
    guard let descriptor = unsafe av_pix_fmt_desc_get(value) else { return fallback }
    return unsafe read(descriptor.pointee)
  }

  private func has(_ flag: Int32) -> Bool {
    unsafe describe({ unsafe $0.flags & UInt64(flag) != 0 }, or: false)
  }

  /// FFmpeg's name.
  package var name: String { unsafe text(av_get_pix_fmt_name(value)) ?? "unknown" }
  package var description: String { name }
  package var hasAlpha: Bool { has(AV_PIX_FMT_FLAG_ALPHA) }
  package var isRGB: Bool { has(AV_PIX_FMT_FLAG_RGB) }
  package var isPlanar: Bool { has(AV_PIX_FMT_FLAG_PLANAR) }
  /// Whether the samples are indices into a table of colours.
  package var hasPalette: Bool { has(AV_PIX_FMT_FLAG_PAL) }
  /// Whether the samples stay in a device and have no bytes here.
  package var isHardware: Bool { has(AV_PIX_FMT_FLAG_HWACCEL) }
  /// Whether this is one of the old "yuvj" names, which mean full range.
  package var isFullRangeAlias: Bool { name.hasPrefix("yuvj") }
  /// The bits of the first component.
  package var bitDepth: Int { unsafe describe({ unsafe Int($0.comp.0.depth) }, or: 0) }
  package var componentCount: Int { unsafe describe({ unsafe Int($0.nb_components) }, or: 0) }
  package var log2ChromaWidth: Int { unsafe describe({ unsafe Int($0.log2_chroma_w) }, or: 0) }
  package var log2ChromaHeight: Int { unsafe describe({ unsafe Int($0.log2_chroma_h) }, or: 0) }
  /// The number of separate blocks of memory.
  package var planeCount: Int { max(0, Int(av_pix_fmt_count_planes(value))) }

  /// The format of the list that loses least of `source`; the first of equals.
  ///
  /// Wraps `av_find_best_pix_fmt_of_2`.
  package static func best(
    of list: [PixelFormat], for source: PixelFormat, keepingAlpha: Bool
  ) -> PixelFormat? {
    guard var best = list.first else { return nil }
    for candidate in list.dropFirst() {
      var loss: Int32 = 0
      let found = unsafe av_find_best_pix_fmt_of_2(
        best.value, candidate.value, source.value, keepingAlpha ? 1 : 0, &loss)
      best = PixelFormat(found) ?? best
    }
    return best
  }
}
