import CLibAV

/// Memory for pictures of one size and format at a time, used again when a picture is let go.
///
/// New memory costs more than writing to it: the system clears it page by page. Used by one thread;
/// its pictures may outlive it. Wraps `AVBufferPool`.
@safe package final class FramePool {
  private var pool: OpaquePointer?
  private var shape: (width: Int, height: Int, format: PixelFormat)?

  package init() {}

  deinit { unsafe av_buffer_pool_uninit(&pool) }

  /// A picture that no one shares, with whatever its memory held before.
  package func frame(
    width: Int, height: Int, format: PixelFormat
  ) throws(LibAVError) -> Frame {
    let action = "make a picture of \(width)x\(height) \(format)"
    let size = av_image_get_buffer_size(
      format.value, Int32(clamping: width), Int32(clamping: height), Self.alignment)
    try check(size, action)
    if shape.map({ $0 != (width, height, format) }) ?? true {
      unsafe av_buffer_pool_uninit(&pool)
      unsafe pool = av_buffer_pool_init(Int(size) + Self.padding, nil)
      shape = (width, height, format)
    }
    guard let pool = unsafe pool, let buffer = unsafe av_buffer_pool_get(pool) else {
      throw .outOfMemory(action)
    }
    let frame = Frame()
    unsafe frame.setBuffer(buffer, width: width, height: height, format, alignment: Self.alignment)
    return frame
  }

  /// A copy of a picture, or of a part of it, with its tags.
  ///
  /// The part begins on whole chroma samples.
  package func copy(
    of frame: Frame, part: (x: Int, y: Int, width: Int, height: Int)? = nil
  ) throws(LibAVError) -> Frame {
    guard let format = frame.format else {
      throw .invalid("copy a picture", "it has no known format")
    }
    let part = part ?? (0, 0, frame.width, frame.height)
    let copy = try self.frame(width: part.width, height: part.height, format: format)
    try check(unsafe av_frame_copy_props(copy.pointer, frame.pointer), "copy a picture")
    try copy.take(frame, fromX: part.x, fromY: part.y, toX: 0, toY: 0)
    return copy
  }

  /// The bytes that the rows of a picture begin at multiples of.
  private static let alignment: Int32 = 64
  /// What libav's fast code may read or write beyond a picture.
  private static let padding = 64
}

extension Frame {
  /// Gives an empty frame its memory.
  fileprivate func setBuffer(
    _ buffer: UnsafeMutablePointer<AVBufferRef>, width: Int, height: Int, _ format: PixelFormat,
    alignment: Int32
  ) {
    unsafe pointer.pointee.buf.0 = buffer
    unsafe pointer.pointee.width = Int32(clamping: width)
    unsafe pointer.pointee.height = Int32(clamping: height)
    unsafe pointer.pointee.format = format.raw
    unsafe pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    unsafe clibav_frame_fill_arrays(pointer, alignment)
  }

  /// Whether nobody else shares its memory.
  ///
  /// Wraps `av_frame_is_writable`.
  package var isWritable: Bool { unsafe av_frame_is_writable(pointer) != 0 }

  /// Lays a picture over this one with its top left at (x, y); what is beyond the edges is left out.
  ///
  /// Both have one planar format, and (x, y) lies on a whole chroma sample. Memory that others share
  /// is copied first.
  package func lay(_ picture: Frame, x: Int, y: Int) throws(LibAVError) {
    try makeWritable()
    try take(picture, fromX: max(0, -x), fromY: max(0, -y), toX: max(0, x), toY: max(0, y))
  }

  /// Copies as much of a picture as there is room for.
  fileprivate func take(
    _ source: Frame, fromX: Int, fromY: Int, toX: Int, toY: Int
  ) throws(LibAVError) {
    let action = "copy a part of a picture"
    guard let format, format == source.format, format.isPlanar, !format.isHardware else {
      throw .invalid(action, "the formats do not go together")
    }
    let (right, down) = (format.log2ChromaWidth, format.log2ChromaHeight)
    guard [fromX, toX].allSatisfy({ $0 >= 0 && $0 % (1 << right) == 0 }),
      [fromY, toY].allSatisfy({ $0 >= 0 && $0 % (1 << down) == 0 })
    else { throw .invalid(action, "it lies between chroma samples") }
    let width = min(source.width - fromX, self.width - toX)
    let height = min(source.height - fromY, self.height - toY)
    guard width > 0, height > 0 else { return }
    let bytes = format.bitDepth > 8 ? 2 : 1
    for plane in 0..<format.planeCount {
      let isChroma = plane == 1 || plane == 2
      let (x, y) = (isChroma ? right : 0, isChroma ? down : 0)
      let columns = (width + (1 << x) - 1) >> x
      let lines = (height + (1 << y) - 1) >> y
      guard let from = source.rows(ofPlane: plane), let to = rows(ofPlane: plane) else { continue }
      for line in 0..<lines {
        unsafe (to[(toY >> y) + line] + (toX >> x) * bytes).copyMemory(
          from: from[(fromY >> y) + line] + (fromX >> x) * bytes, byteCount: columns * bytes)
      }
    }
  }
}
