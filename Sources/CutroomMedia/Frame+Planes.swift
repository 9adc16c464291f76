import CLibAV

extension Frame {
  /// A picture of that size with all bytes zero, not shared.
  package static func video(
    width: Int, height: Int, format: PixelFormat
  ) throws(LibAVError) -> Frame {
    let action = "make a picture of \(width)x\(height) \(format)"
    guard (1...32768).contains(width), (1...32768).contains(height), !format.isHardware else {
      throw .invalid(action, "sizes are 1 to 32768")
    }
    let frame = Frame()
    unsafe frame.pointer.pointee.width = Int32(width)
    unsafe frame.pointer.pointee.height = Int32(height)
    unsafe frame.pointer.pointee.format = format.raw
    unsafe frame.pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    try check(unsafe av_frame_get_buffer(frame.pointer, 0), action)
    frame.clearBuffers()
    return frame
  }

  /// A picture in "rgba" of one colour; the components are 0 to 255, alpha is straight.
  package static func solid(
    width: Int, height: Int, red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255
  ) throws(LibAVError) -> Frame {
    guard let rgba = PixelFormat(name: "rgba") else { throw .invalid("make a picture", "no rgba") }
    let frame = try Frame.video(width: width, height: height, format: rgba)
    let pixel =
      UInt32(littleEndian: 0) | UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16
      | UInt32(alpha) << 24
    guard let rows = frame.rows(ofPlane: 0) else { return frame }
    for row in 0..<rows.count {
      let start = unsafe rows[row].assumingMemoryBound(to: UInt32.self)
      unsafe start.update(repeating: pixel.littleEndian, count: width)
    }
    return frame
  }

  /// The number of separate blocks of memory.
  package var planeCount: Int {
    if let format { return format.planeCount }
    return isPlanarAudio ? channelCount : min(1, sampleCount)
  }

  /// The rows of a plane; 1 for sound.
  package func rowCount(ofPlane index: Int) -> Int {
    guard let format else { return 1 }
    guard index == 1 || index == 2, format.planeCount > 1 else { return height }
    let shift = format.log2ChromaHeight
    return (height + (1 << shift) - 1) >> shift
  }

  /// The bytes of a row that hold samples.
  package func visibleBytes(ofPlane index: Int) -> Int {
    guard let format else {
      let channels = isPlanarAudio ? 1 : channelCount
      return sampleCount * channels * bytesPerSample
    }
    if format.hasPalette && index == 1 { return 1024 }
    return max(0, Int(av_image_get_linesize(format.value, Int32(width), Int32(index))))
  }

  /// Lends a plane with its bytes per row; the last row ends with its last sample.
  ///
  /// A plane that is not there is empty.
  package func withPlane<R>(
    _ index: Int, _ body: (RawSpan, Int) throws -> R
  ) rethrows -> R {
    guard let rows = rows(ofPlane: index), rows.stride >= 0 else {
      return unsafe try body(UnsafeRawBufferPointer(start: nil, count: 0).bytes, 0)
    }
    let size = rows.stride * max(0, rows.count - 1) + visibleBytes(ofPlane: index)
    return unsafe try body(
      UnsafeRawBufferPointer(start: rows.start, count: size).bytes, rows.stride)
  }

  /// Lends a plane for changes; memory that others share is copied first.
  ///
  /// Wraps `av_frame_make_writable`.
  package func withMutablePlane<R>(
    _ index: Int, _ body: (inout MutableRawSpan, Int) throws -> R
  ) throws -> R {
    try makeWritable()
    guard let rows = rows(ofPlane: index), rows.stride >= 0 else {
      throw LibAVError.invalid("change plane \(index)", "there is no such plane")
    }
    let size = rows.stride * max(0, rows.count - 1) + visibleBytes(ofPlane: index)
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: rows.start, count: size)
    var span = unsafe buffer.mutableBytes
    return try body(&span, rows.stride)
  }

  /// The MD5 of what is visible, independent of padding, in hexadecimal digits.
  ///
  /// It equals the sum of the same frame as raw video or as interleaved PCM.
  package func digest() -> String {
    let digest = Digest()
    if isPlanarAudio {
      let interleaved = interleavedBytes()
      unsafe interleaved.withUnsafeBytes { unsafe digest.update($0) }
      return digest.finish()
    }
    for index in 0..<digestedPlanes {
      let visible = visibleBytes(ofPlane: index)
      guard let rows = rows(ofPlane: index) else { continue }
      for row in 0..<rows.count {
        unsafe digest.update(UnsafeRawBufferPointer(start: rows[row], count: visible))
      }
    }
    return digest.finish()
  }

  func makeWritable() throws(LibAVError) {
    try check(unsafe av_frame_make_writable(pointer), "copy a frame before changing it")
  }

  /// A frame whose rows run downwards; itself where they do already.
  ///
  /// Some decoders and filters give pictures upside down, by a negative row length.
  func withDownwardRows() throws(LibAVError) -> Frame {
    guard let format, unsafe (pointer.pointee.linesize.0 < 0 || pointer.pointee.linesize.1 < 0)
    else { return self }
    let copy = try Frame.video(width: width, height: height, format: format)
    try check(unsafe av_frame_copy(copy.pointer, pointer), "turn a picture over")
    try check(unsafe av_frame_copy_props(copy.pointer, pointer), "turn a picture over")
    return copy
  }
}

extension Frame {
  var isPlanarAudio: Bool {
    unsafe !isVideo
      && av_sample_fmt_is_planar(AVSampleFormat(rawValue: pointer.pointee.format)) != 0
  }

  var bytesPerSample: Int {
    unsafe max(0, Int(av_get_bytes_per_sample(AVSampleFormat(rawValue: pointer.pointee.format))))
  }

  private var digestedPlanes: Int {
    guard let format, format.hasPalette else { return planeCount }
    return 2
  }

  func rows(ofPlane index: Int) -> PlaneRows? {
    if isVideo {
      guard (0..<4).contains(index) else { return nil }
      let data = unsafe withUnsafeBytes(of: pointer.pointee.data) {
        unsafe $0.load(
          fromByteOffset: index * MemoryLayout<UInt>.size, as: UnsafeMutableRawPointer?.self)
      }
      let stride = unsafe withUnsafeBytes(of: pointer.pointee.linesize) {
        unsafe Int($0.load(fromByteOffset: index * 4, as: Int32.self))
      }
      guard let start = unsafe data else { return nil }
      if format?.hasPalette == true && index == 1 {
        return unsafe PlaneRows(start: start, stride: 1024, count: 1)
      }
      return unsafe PlaneRows(start: start, stride: stride, count: rowCount(ofPlane: index))
    }
    guard (0..<planeCount).contains(index),
      let start = unsafe pointer.pointee.extended_data?[index]
    else { return nil }
    return unsafe PlaneRows(start: start, stride: visibleBytes(ofPlane: index), count: 1)
  }

  private func clearBuffers() {
    for index in 0..<planeCount {
      guard let rows = rows(ofPlane: index), rows.stride > 0 else { continue }
      unsafe rows.start.initializeMemory(
        as: UInt8.self, repeating: 0, count: rows.stride * rows.count)
    }
  }

  private func interleavedBytes() -> [UInt8] {
    let size = bytesPerSample
    let channels = channelCount
    var result = [UInt8](repeating: 0, count: sampleCount * size * channels)
    unsafe result.withUnsafeMutableBytes { target in
      for channel in 0..<channels {
        guard let rows = rows(ofPlane: channel) else { continue }
        for sample in 0..<sampleCount {
          for byte in 0..<size {
            unsafe target[(sample * channels + channel) * size + byte] = rows.start.load(
              fromByteOffset: sample * size + byte, as: UInt8.self)
          }
        }
      }
    }
    return result
  }
}

/// Where the rows of a plane lie; valid as long as the frame is.
@safe struct PlaneRows {
  let start: UnsafeMutableRawPointer
  /// Bytes from row to row; below zero where rows run upwards.
  let stride: Int
  let count: Int

  @unsafe init(start: UnsafeMutablePointer<UInt8>, stride: Int, count: Int) {
    unsafe self.init(start: UnsafeMutableRawPointer(start), stride: stride, count: count)
  }

  @unsafe init(start: UnsafeMutableRawPointer, stride: Int, count: Int) {
    unsafe self.start = unsafe start
    self.stride = stride
    self.count = count
  }

  @unsafe subscript(row: Int) -> UnsafeMutableRawPointer { unsafe start + row * stride }
}
