import CLibAV
import Glibc

extension Frame {
  /// How like another picture's first plane this one's is, as PSNR in decibels; infinite where they
  /// are equal, `nil` where size or format differ.
  package func likeness(to other: Frame) -> Double? {
    guard let format, format == other.format, width == other.width, height == other.height,
      let own = rows(ofPlane: 0), let rows = other.rows(ofPlane: 0), own.count == rows.count
    else { return nil }
    let isWide = format.bitDepth > 8
    let bytes = min(visibleBytes(ofPlane: 0), other.visibleBytes(ofPlane: 0))
    var sum: UInt64 = 0
    for row in 0..<own.count {
      sum &+=
        isWide
        ? unsafe Self.squares(
          own[row].assumingMemoryBound(to: UInt16.self),
          rows[row].assumingMemoryBound(to: UInt16.self), bytes / 2)
        : unsafe Self.squares(
          own[row].assumingMemoryBound(to: UInt8.self),
          rows[row].assumingMemoryBound(to: UInt8.self), bytes)
    }
    guard sum > 0 else { return .infinity }
    let peak = Double((1 << max(8, format.bitDepth)) - 1)
    let samples = Double(own.count) * Double(isWide ? bytes / 2 : bytes)
    return 10 * log10(peak * peak * samples / Double(sum))
  }

  private static func squares<Sample: FixedWidthInteger & UnsignedInteger>(
    _ a: UnsafePointer<Sample>, _ b: UnsafePointer<Sample>, _ count: Int
  ) -> UInt64 {
    var sum: UInt64 = 0
    for index in 0..<count {
      let difference =
        unsafe Int32(truncatingIfNeeded: a[index]) &- Int32(truncatingIfNeeded: b[index])
      sum &+= UInt64(truncatingIfNeeded: Int64(difference) &* Int64(difference))
    }
    return sum
  }
}
