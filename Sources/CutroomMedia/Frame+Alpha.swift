import CLibAV

/// How much of a picture is drawn, by its rows and columns and as a whole.
package struct Coverage: Hashable, Sendable {
  /// A share of 1, in 2⁻³².
  package typealias Share = UInt64
  /// All of it.
  package static let whole: Share = 1 << 32

  /// The share of each sample of a row that differs from all, by column.
  package var columns: [Int: Share] = [:]
  /// The same by row.
  package var rows: [Int: Share] = [:]
  /// The share of all.
  package var opacity: Share

  /// A share of all samples.
  package init(opacity: Share = Self.whole) { self.opacity = opacity }

  /// Whether alpha stays as it is.
  package var isWhole: Bool { columns.isEmpty && rows.isEmpty && opacity >= Self.whole }
}

extension Frame {
  /// The picture with its alpha multiplied, or with an alpha where it has none.
  ///
  /// `format` is that of the picture with alpha. Colours are shared with this frame, not copied.
  package func covered(_ coverage: Coverage, format: PixelFormat) throws(LibAVError) -> Frame {
    let action = "change the alpha of a picture"
    guard let own = self.format, own.isPlanar, format.planeCount == 4,
      format.bitDepth == own.bitDepth, (8...15).contains(own.bitDepth),
      own.planeCount == 3 || own == format
    else { throw .invalid(action, "its format is \(self.format?.name ?? "unknown")") }
    let result = try reference()
    let bytes = own.bitDepth > 8 ? 2 : 1
    let stride = (width * bytes + 63) & ~63
    guard let buffer = unsafe av_buffer_alloc(stride * height + 64),
      let start = unsafe buffer.pointee.data
    else { throw .outOfMemory(action) }
    let target = unsafe PlaneRows(start: start, stride: stride, count: height)
    let pass = AlphaPass(coverage, width: width, depth: own.bitDepth)
    pass.run(from: own.planeCount == 4 ? rows(ofPlane: 3) : nil, to: target)
    unsafe result.setAlpha(buffer, start, stride, format)
    return result
  }

  /// Puts a plane in the place of the fourth; the frame owns it from then on.
  private func setAlpha(
    _ buffer: UnsafeMutablePointer<AVBufferRef>, _ start: UnsafeMutablePointer<UInt8>,
    _ stride: Int, _ format: PixelFormat
  ) {
    unsafe pointer.pointee.data.3 = start
    unsafe pointer.pointee.linesize.3 = Int32(stride)
    unsafe pointer.pointee.format = format.raw
    // The buffers' order has no meaning. Pictures use at most four of the eight.
    unsafe av_buffer_unref(&pointer.pointee.buf.7)
    unsafe pointer.pointee.buf.7 = buffer
  }
}

/// Writes a plane of alpha.
private struct AlphaPass {
  private let coverage: Coverage
  private let width: Int
  private let isWide: Bool
  private let top: Int
  /// What each alpha becomes where all of a sample is covered.
  private let table: [UInt16]

  init(_ coverage: Coverage, width: Int, depth: Int) {
    self.coverage = coverage
    self.width = width
    isWide = depth > 8
    top = (1 << depth) - 1
    table = (0...top).map {
      UInt16(truncatingIfNeeded: Self.part(UInt64($0), coverage.opacity))
    }
  }

  private static func part(_ alpha: UInt64, _ share: UInt64) -> UInt64 {
    (alpha * share + 1 << 31) >> 32
  }

  func run(from source: PlaneRows?, to target: PlaneRows) {
    for row in 0..<target.count {
      unsafe line(source?[row], target[row])
      guard coverage.opacity > 0 else { continue }
      if let share = coverage.rows[row] {
        for column in 0..<width { unsafe reduce(target[row], column, share) }
      }
      for (column, share) in coverage.columns { unsafe reduce(target[row], column, share) }
    }
  }

  private func line(_ source: UnsafeMutableRawPointer?, _ target: UnsafeMutableRawPointer) {
    switch (unsafe source, isWide) {
    case (nil, false):
      let value = UInt8(truncatingIfNeeded: table[top])
      unsafe target.initializeMemory(as: UInt8.self, repeating: value, count: width)
    case (nil, true):
      unsafe target.initializeMemory(as: UInt16.self, repeating: table[top], count: width)
    case (let source?, false):
      let from = unsafe source.assumingMemoryBound(to: UInt8.self)
      let to = unsafe target.assumingMemoryBound(to: UInt8.self)
      unsafe table.withUnsafeBufferPointer { table in
        for column in 0..<width {
          unsafe to[column] = UInt8(truncatingIfNeeded: table[Int(from[column])])
        }
      }
    case (let source?, true):
      let from = unsafe source.assumingMemoryBound(to: UInt16.self)
      let to = unsafe target.assumingMemoryBound(to: UInt16.self)
      for column in 0..<width { unsafe to[column] = table[min(top, Int(from[column]))] }
    }
  }

  private func reduce(_ line: UnsafeMutableRawPointer, _ column: Int, _ share: UInt64) {
    if isWide {
      let samples = unsafe line.assumingMemoryBound(to: UInt16.self)
      unsafe samples[column] = UInt16(
        truncatingIfNeeded: Self.part(UInt64(samples[column]), share))
    } else {
      let samples = unsafe line.assumingMemoryBound(to: UInt8.self)
      unsafe samples[column] = UInt8(
        truncatingIfNeeded: Self.part(UInt64(samples[column]), share))
    }
  }
}
