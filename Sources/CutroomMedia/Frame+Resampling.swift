import CLibAV

extension Frame {
  /// A part of the picture at another size, with its edges anywhere between samples; bicubic, the
  /// same on every processor.
  ///
  /// For planar formats of 8 to 15 bits. `format` is the picture's own, which is the default; with
  /// alpha it may be of another subsampling. Colours count by their alpha, so that what nobody sees
  /// shows at no edge.
  package func resampled(
    columns: AxisMap, rows: AxisMap, format: PixelFormat? = nil
  ) throws(LibAVError) -> Frame {
    let action = "resample a picture"
    guard let own = self.format, own.isPlanar, (8...15).contains(own.bitDepth),
      let format = format ?? self.format,
      format == own
        || format.hasAlpha && own.hasAlpha && format.bitDepth == own.bitDepth
          && format.planeCount == 4 && own.planeCount == 4
    else { throw .invalid(action, "its format is \(self.format?.name ?? "unknown")") }
    let result = try Frame.video(width: columns.count, height: rows.count, format: format)
    let luma = (WeightTable(columns), WeightTable(rows))
    let chroma = (
      WeightTable(columns.subsampled(from: own.log2ChromaWidth, to: format.log2ChromaWidth)),
      WeightTable(rows.subsampled(from: own.log2ChromaHeight, to: format.log2ChromaHeight))
    )
    let alpha = own.hasAlpha ? self.rows(ofPlane: 3) : nil
    for plane in 0..<min(3, format.planeCount) {
      let (across, down) = plane == 0 ? luma : chroma
      guard let source = self.rows(ofPlane: plane), let target = result.rows(ofPlane: plane),
        across.used.upperBound <= visibleBytes(ofPlane: plane) / (own.bitDepth > 8 ? 2 : 1),
        down.used.upperBound <= source.count
      else { throw .invalid(action, "it reaches beyond the picture") }
      let pass = PlanePass(across, down, depth: own.bitDepth)
      if let alpha {
        let weights = AlphaWeights(
          alpha, width: width, across: plane == 0 ? 0 : own.log2ChromaWidth,
          down: plane == 0 ? 0 : own.log2ChromaHeight, depth: own.bitDepth)
        pass.run(
          from: source, weights, to: target, plane == 0 ? result.rows(ofPlane: 3) : nil)
      } else {
        pass.run(from: source, to: target)
      }
    }
    result.colorTags = colorTags
    return result
  }

  /// The picture in another subsampling.
  package func resampled(to format: PixelFormat?) throws(LibAVError) -> Frame {
    guard let format, format != self.format else { return self }
    return try resampled(
      columns: .identity(width), rows: .identity(height), format: format)
  }
}

/// How much the samples of a plane count: their alpha, or the mean of those they stand for.
struct AlphaWeights {
  private let alpha: PlaneRows
  private let width: Int
  private let across: Int
  private let down: Int
  private let isWide: Bool

  init(_ alpha: PlaneRows, width: Int, across: Int, down: Int, depth: Int) {
    (self.alpha, self.width, self.across, self.down) = (alpha, width, across, down)
    isWide = depth > 8
  }

  /// The weights of samples `first` and on of a row.
  func read(row: Int, first: Int, count: Int, into line: UnsafeMutablePointer<Int32>) {
    let rows = [row << down, min((row << down) + (1 << down) - 1, alpha.count - 1)]
    for index in 0..<count {
      let left = (first + index) << across
      let right = min(left + (1 << across) - 1, width - 1)
      if across == 0 && down == 0 {
        unsafe line[index] = value(row, left)
      } else {
        let sum =
          value(rows[0], left) + value(rows[0], right) + value(rows[1], left)
          + value(rows[1], right)
        unsafe line[index] = (sum + 2) >> 2
      }
    }
  }

  @inline(__always)
  private func value(_ row: Int, _ column: Int) -> Int32 {
    if isWide {
      return unsafe Int32(alpha[row].assumingMemoryBound(to: UInt16.self)[column])
    }
    return unsafe Int32(alpha[row].assumingMemoryBound(to: UInt8.self)[column])
  }
}

/// Resamples one plane: each row across, then as many of them as needed down.
private struct PlanePass {
  private let columns: WeightTable
  private let rows: WeightTable
  private let isWide: Bool
  private let depth: Int32
  private let top: Int32

  init(_ columns: WeightTable, _ rows: WeightTable, depth: Int) {
    self.columns = columns
    self.rows = rows
    self.depth = Int32(depth)
    isWide = depth > 8
    top = (1 << Int32(depth)) - 1
  }

  /// Between the passes 15 bits are kept, so that the sums fit 32 bits.
  private static func shift(_ depth: Int32) -> Int32 { WeightTable.unitBits - 15 + depth }

  private var width: Int { columns.firsts.count }

  /// Lends memory for `count` lines of sums, and for one of samples.
  private func withLines(
    _ count: Int,
    _ body: (UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: width * count) { lines in
      unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: columns.used.count * 2) {
        line in
        guard let ring = lines.baseAddress, let plain = line.baseAddress else { return }
        unsafe body(ring, plain)
      }
    }
  }

  func run(from source: PlaneRows, to target: PlaneRows) {
    let kept = rows.taps
    let shift = Self.shift(depth)
    unsafe withLines(kept + 1) { ring, plain in
      let sums = unsafe ring + width * kept
      var next = rows.used.lowerBound
      for row in 0..<rows.firsts.count {
        let first = Int(rows.firsts[row])
        next = max(next, first)
        while next < first + kept {
          unsafe load(source[next], into: plain)
          unsafe across(plain, into: ring + width * (next % kept), shift)
          next += 1
        }
        unsafe down(ring, row, first, sums, 2 * WeightTable.unitBits - shift)
        unsafe store(sums, into: target[row], width)
      }
    }
  }

  /// The same with weights; `alpha` takes what they become.
  func run(
    from source: PlaneRows, _ weights: AlphaWeights, to target: PlaneRows, _ alpha: PlaneRows?
  ) {
    let kept = rows.taps
    // Samples times weights, brought to 16 bits.
    let excess = 2 * depth - 16
    let shift = Self.shift(16)
    unsafe withLines(2 * kept + 2) { ring, plain in
      let other = unsafe ring + width * kept
      let sums = unsafe ring + 2 * width * kept
      let shares = unsafe sums + width
      let share = unsafe plain + columns.used.count
      var next = rows.used.lowerBound
      for row in 0..<rows.firsts.count {
        let first = Int(rows.firsts[row])
        next = max(next, first)
        while next < first + kept {
          unsafe load(source[next], into: plain)
          unsafe weights.read(
            row: next, first: columns.used.lowerBound, count: columns.used.count, into: share)
          for index in 0..<columns.used.count {
            unsafe plain[index] = plain[index] &* share[index] &>> excess
            unsafe share[index] = top &* share[index] &>> excess
          }
          unsafe across(plain, into: ring + width * (next % kept), shift)
          unsafe across(share, into: other + width * (next % kept), shift)
          next += 1
        }
        let back = 2 * WeightTable.unitBits - shift
        unsafe down(ring, row, first, sums, back)
        unsafe down(other, row, first, shares, back)
        unsafe divide(sums, by: shares)
        unsafe store(sums, into: target[row], width)
        if let alpha { unsafe store(shares, into: alpha[row], width) }
      }
    }
  }

  /// Makes weighted sums samples, and their weights alpha.
  private func divide(
    _ sums: UnsafeMutablePointer<Int32>, by shares: UnsafeMutablePointer<Int32>
  ) {
    let full = top &* top &>> (2 * depth - 16)
    for index in 0..<width {
      // Beside an edge both may be more than all.
      let share = unsafe max(shares[index], 0)
      if share > 0 {
        // Sums beyond the whole number range of samples come only with next to no weight.
        let sum = unsafe min(max(sums[index], 0), share)
        unsafe sums[index] = (sum &* top &+ share / 2) / share
      } else {
        unsafe sums[index] = (top + 1) / 2
      }
      unsafe shares[index] = (min(share, full) &* top &+ full / 2) / full
    }
  }

  private func load(_ row: UnsafeMutableRawPointer, into line: UnsafeMutablePointer<Int32>) {
    let (first, count) = (columns.used.lowerBound, columns.used.count)
    if isWide {
      let samples = unsafe row.assumingMemoryBound(to: UInt16.self) + first
      for index in 0..<count {
        unsafe line[index] = Int32(truncatingIfNeeded: samples[index])
      }
    } else {
      let samples = unsafe row.assumingMemoryBound(to: UInt8.self) + first
      for index in 0..<count {
        unsafe line[index] = Int32(truncatingIfNeeded: samples[index])
      }
    }
  }

  private func across(
    _ line: UnsafeMutablePointer<Int32>, into sums: UnsafeMutablePointer<Int32>, _ shift: Int32
  ) {
    let taps = columns.taps
    let origin = unsafe line - columns.used.lowerBound
    let half = (Int32(1) << shift) >> 1
    unsafe columns.firsts.withUnsafeBufferPointer { firsts in
      unsafe columns.weights.withUnsafeBufferPointer { weights in
        guard let weight = weights.baseAddress else { return }
        for index in 0..<firsts.count {
          let samples = unsafe origin + Int(firsts[index])
          let own = unsafe weight + index &* taps
          var sum = half
          for tap in 0..<taps { unsafe sum = sum &+ samples[tap] &* own[tap] }
          unsafe sums[index] = sum &>> shift
        }
      }
    }
  }

  private func down(
    _ ring: UnsafeMutablePointer<Int32>, _ row: Int, _ first: Int,
    _ sums: UnsafeMutablePointer<Int32>, _ shift: Int32
  ) {
    let kept = rows.taps
    let half = (Int32(1) << shift) >> 1
    for index in 0..<width { unsafe sums[index] = half }
    for tap in 0..<kept {
      let weight = rows.weights[row * kept + tap]
      if weight == 0 { continue }
      let line = unsafe ring + width * ((first + tap) % kept)
      for index in 0..<width { unsafe sums[index] = sums[index] &+ line[index] &* weight }
    }
    for index in 0..<width { unsafe sums[index] = sums[index] &>> shift }
  }

  private func store(
    _ sums: UnsafeMutablePointer<Int32>, into row: UnsafeMutableRawPointer, _ width: Int
  ) {
    let top = top
    if isWide {
      let samples = unsafe row.assumingMemoryBound(to: UInt16.self)
      for index in 0..<width {
        unsafe samples[index] = UInt16(
          truncatingIfNeeded: min(max(sums[index], 0), top))
      }
    } else {
      let samples = unsafe row.assumingMemoryBound(to: UInt8.self)
      for index in 0..<width {
        unsafe samples[index] = UInt8(truncatingIfNeeded: min(max(sums[index], 0), top))
      }
    }
  }
}
