import CLibAV

extension Frame {
  /// A part of the picture at another size, in the same format, with its edges anywhere between
  /// samples; bicubic, the same on every processor.
  ///
  /// For planar formats of 8 to 15 bits.
  package func resampled(columns: AxisMap, rows: AxisMap) throws(LibAVError) -> Frame {
    let action = "resample a picture"
    guard let format, format.isPlanar, (8...15).contains(format.bitDepth) else {
      throw .invalid(action, "its format is \(self.format?.name ?? "unknown")")
    }
    let result = try Frame.video(width: columns.count, height: rows.count, format: format)
    var tables: [Int: (WeightTable, WeightTable)] = [:]
    for plane in 0..<format.planeCount {
      let isChroma = plane == 1 || plane == 2
      let across = isChroma ? format.log2ChromaWidth : 0
      let down = isChroma ? format.log2ChromaHeight : 0
      let key = isChroma ? 1 : 0
      let pair =
        tables[key]
        ?? (WeightTable(columns.subsampled(across)), WeightTable(rows.subsampled(down)))
      tables[key] = pair
      guard let source = self.rows(ofPlane: plane), let target = result.rows(ofPlane: plane),
        pair.0.used.upperBound << across <= width + across,
        pair.1.used.upperBound <= source.count
      else { throw .invalid(action, "it reaches beyond the picture") }
      var pass = PlanePass(pair.0, pair.1, depth: format.bitDepth)
      pass.run(from: source, to: target)
    }
    result.colorTags = colorTags
    return result
  }
}

/// Resamples one plane: each row across, then as many of them as needed down.
private struct PlanePass {
  private let columns: WeightTable
  private let rows: WeightTable
  private let isWide: Bool
  private let top: Int32
  private let shiftAcross: Int32
  private let shiftDown: Int32

  init(_ columns: WeightTable, _ rows: WeightTable, depth: Int) {
    self.columns = columns
    self.rows = rows
    isWide = depth > 8
    top = (1 << Int32(depth)) - 1
    // Between the passes 15 bits are kept, so that the sums fit 32 bits.
    shiftAcross = WeightTable.unitBits - 15 + Int32(depth)
    shiftDown = 2 * WeightTable.unitBits - shiftAcross
  }

  mutating func run(from source: PlaneRows, to target: PlaneRows) {
    let width = columns.firsts.count
    let kept = rows.taps
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: width * (kept + 1)) { lines in
      unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: columns.used.count) { line in
        guard let ring = lines.baseAddress, let plain = line.baseAddress else {
          return
        }
        let sums = unsafe ring + width * kept
        var next = rows.used.lowerBound
        for row in 0..<rows.firsts.count {
          let first = Int(rows.firsts[row])
          next = max(next, first)
          while next < first + kept {
            unsafe load(source[next], into: plain)
            unsafe across(plain, into: ring + width * (next % kept))
            next += 1
          }
          unsafe down(ring, row, first, sums)
          unsafe store(sums, into: target[row], width)
        }
      }
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
    _ line: UnsafeMutablePointer<Int32>, into sums: UnsafeMutablePointer<Int32>
  ) {
    let (taps, shift) = (columns.taps, shiftAcross)
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
    _ sums: UnsafeMutablePointer<Int32>
  ) {
    let width = columns.firsts.count
    let kept = rows.taps
    let half = (Int32(1) << shiftDown) >> 1
    for index in 0..<width { unsafe sums[index] = half }
    for tap in 0..<kept {
      let weight = rows.weights[row * kept + tap]
      if weight == 0 { continue }
      let line = unsafe ring + width * ((first + tap) % kept)
      for index in 0..<width { unsafe sums[index] = sums[index] &+ line[index] &* weight }
    }
  }

  private func store(
    _ sums: UnsafeMutablePointer<Int32>, into row: UnsafeMutableRawPointer, _ width: Int
  ) {
    let (shift, top) = (shiftDown, top)
    if isWide {
      let samples = unsafe row.assumingMemoryBound(to: UInt16.self)
      for index in 0..<width {
        unsafe samples[index] = UInt16(
          truncatingIfNeeded: min(max(sums[index] &>> shift, 0), top))
      }
    } else {
      let samples = unsafe row.assumingMemoryBound(to: UInt8.self)
      for index in 0..<width {
        unsafe samples[index] = UInt8(truncatingIfNeeded: min(max(sums[index] &>> shift, 0), top))
      }
    }
  }
}
