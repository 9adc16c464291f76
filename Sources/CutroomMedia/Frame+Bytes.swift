extension Frame {
  /// What is visible of all planes, one after the other without padding.
  package func packedBytes() -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<planeCount {
      guard let rows = rows(ofPlane: index) else { continue }
      let visible = visibleBytes(ofPlane: index)
      for row in 0..<rows.count {
        unsafe bytes.append(
          contentsOf: UnsafeRawBufferPointer(start: rows[row], count: visible))
      }
    }
    return bytes
  }

  /// A picture of what ``packedBytes()`` gave.
  ///
  /// - Throws: Where the number of bytes is not that of such a picture.
  package static func video(
    width: Int, height: Int, format: PixelFormat, packedBytes bytes: [UInt8]
  ) throws(LibAVError) -> Frame {
    let frame = try Frame.video(width: width, height: height, format: format)
    var position = 0
    for index in 0..<frame.planeCount {
      guard let rows = frame.rows(ofPlane: index) else { continue }
      let visible = frame.visibleBytes(ofPlane: index)
      for row in 0..<rows.count {
        guard position + visible <= bytes.count else { break }
        unsafe bytes[position..<position + visible].withUnsafeBytes { source in
          guard let base = source.baseAddress else { return }
          unsafe rows[row].copyMemory(from: base, byteCount: visible)
        }
        position += visible
      }
    }
    guard position == bytes.count, position == frame.packedBytes().count else {
      throw .invalid("make a picture", "\(bytes.count) bytes are not \(width)x\(height) \(format)")
    }
    return frame
  }
}
