import CLibAV

/// What a stream of a high dynamic range says about the display that it was made on, and about how
/// bright it gets.
///
/// Wraps `AVMasteringDisplayMetadata` and `AVContentLightMetadata`.
package struct LightMetadata: Hashable, Sendable {
  private var masteringDisplay: [UInt8]?
  private var contentLight: [UInt8]?

  /// Nothing is said.
  package init() {}

  init(_ sideData: [StreamSideData]) {
    for data in sideData {
      switch data.type {
      case AV_PKT_DATA_MASTERING_DISPLAY_METADATA.rawValue:
        if data.bytes.count >= MemoryLayout<AVMasteringDisplayMetadata>.size {
          masteringDisplay = data.bytes
        }
      case AV_PKT_DATA_CONTENT_LIGHT_LEVEL.rawValue:
        if data.bytes.count >= MemoryLayout<AVContentLightMetadata>.size {
          contentLight = data.bytes
        }
      default: break
      }
    }
  }

  package var isEmpty: Bool { masteringDisplay == nil && contentLight == nil }

  fileprivate var sideData: [StreamSideData] {
    let all = [
      (AV_PKT_DATA_MASTERING_DISPLAY_METADATA, masteringDisplay),
      (AV_PKT_DATA_CONTENT_LIGHT_LEVEL, contentLight),
    ]
    return all.compactMap { type, bytes in
      bytes.map { StreamSideData(type: type.rawValue, bytes: $0) }
    }
  }

  /// The same for libx265, as a value of its option `x265-params`; empty where nothing is said.
  package var x265Parameters: String {
    [display.flatMap(Self.x265Display), light.map { "max-cll=\($0.MaxCLL),\($0.MaxFALL)" }]
      .compactMap(\.self).joined(separator: ":")
  }

  private var display: AVMasteringDisplayMetadata? {
    masteringDisplay.map { bytes in
      unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: AVMasteringDisplayMetadata.self) }
    }
  }

  private var light: AVContentLightMetadata? {
    contentLight.map { bytes in
      unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: AVContentLightMetadata.self) }
    }
  }

  private static func x265Display(_ display: AVMasteringDisplayMetadata) -> String? {
    guard display.has_primaries != 0, display.has_luminance != 0 else { return nil }
    func point(_ name: String, _ place: (AVRational, AVRational)) -> String {
      "\(name)(\(steps(place.0, 50000)),\(steps(place.1, 50000)))"
    }
    let (red, green, blue) = display.display_primaries
    let points = [point("G", green), point("B", blue), point("R", red)]
    let (most, least) = (display.max_luminance, display.min_luminance)
    let luminance = "L(\(steps(most, 10000)),\(steps(least, 10000)))"
    return "master-display=" + points.joined() + point("WP", display.white_point) + luminance
  }

  /// A value in steps of a fraction, rounded.
  private static func steps(_ value: AVRational, _ scale: Int64) -> Int64 {
    guard value.den != 0 else { return 0 }
    return (Int64(value.num) * scale + Int64(value.den) / 2) / Int64(value.den)
  }
}

extension CodecParameters {
  /// Says that of the stream, in place of what was said.
  package func state(_ light: LightMetadata) {
    let said = light.sideData
    let types = said.map(\.type)
    sideData = sideData.filter { !types.contains($0.type) } + said
  }
}
