import CLibAV

/// What the numbers of a picture mean, in FFmpeg's words; `nil` is "not stated".
package struct ColorTags: Hashable, Sendable {
  /// "bt709", "bt2020", and so on.
  package var primaries: String?
  /// "bt709", "smpte2084", "iec61966-2-1", and so on.
  package var transfer: String?
  /// "bt709", "smpte170m", "bt2020nc", "gbr", and so on.
  package var matrix: String?
  /// "tv" or "pc".
  package var range: String?
  /// "left", "center", "topleft", and so on.
  package var chromaLocation: String?

  package init(
    primaries: String? = nil, transfer: String? = nil, matrix: String? = nil,
    range: String? = nil, chromaLocation: String? = nil
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
    self.chromaLocation = chromaLocation
  }

  init(
    _ primaries: AVColorPrimaries, _ transfer: AVColorTransferCharacteristic,
    _ matrix: AVColorSpace, _ range: AVColorRange, _ location: AVChromaLocation
  ) {
    self.primaries = unsafe Self.stated(av_color_primaries_name(primaries))
    self.transfer = unsafe Self.stated(av_color_transfer_name(transfer))
    self.matrix = unsafe Self.stated(av_color_space_name(matrix))
    self.range = unsafe Self.stated(av_color_range_name(range))
    self.chromaLocation = unsafe Self.stated(av_chroma_location_name(location))
  }

  /// The tags that libav has no name for; empty where all are known.
  package var unknownNames: [String] {
    [
      primaries.map { unsafe ($0, av_color_primaries_from_name($0)) },
      transfer.map { unsafe ($0, av_color_transfer_from_name($0)) },
      matrix.map { unsafe ($0, av_color_space_from_name($0)) },
      range.map { unsafe ($0, av_color_range_from_name($0)) },
      chromaLocation.map { unsafe ($0, av_chroma_location_from_name($0)) },
    ].compactMap { tag in tag.flatMap { $0.1 < 0 ? $0.0 : nil } }
  }

  private static func stated(_ name: UnsafePointer<CChar>?) -> String? {
    switch unsafe text(name) {
    case nil, "unknown", "unspecified", "reserved": nil
    case let name: name
    }
  }

  private static func number(_ name: String?, _ lookUp: (String) -> Int32) -> UInt32? {
    name.map(lookUp).flatMap { UInt32(exactly: $0) }
  }

  var primariesValue: AVColorPrimaries {
    Self.number(primaries) { unsafe av_color_primaries_from_name($0) }
      .map(AVColorPrimaries.init(rawValue:)) ?? AVCOL_PRI_UNSPECIFIED
  }

  var transferValue: AVColorTransferCharacteristic {
    Self.number(transfer) { unsafe av_color_transfer_from_name($0) }
      .map(AVColorTransferCharacteristic.init(rawValue:)) ?? AVCOL_TRC_UNSPECIFIED
  }

  var matrixValue: AVColorSpace {
    Self.number(matrix) { unsafe av_color_space_from_name($0) }
      .map(AVColorSpace.init(rawValue:)) ?? AVCOL_SPC_UNSPECIFIED
  }

  var rangeValue: AVColorRange {
    Self.number(range) { unsafe av_color_range_from_name($0) }
      .map(AVColorRange.init(rawValue:)) ?? AVCOL_RANGE_UNSPECIFIED
  }

  var locationValue: AVChromaLocation {
    Self.number(chromaLocation) { unsafe av_chroma_location_from_name($0) }
      .map(AVChromaLocation.init(rawValue:)) ?? AVCHROMA_LOC_UNSPECIFIED
  }
}
