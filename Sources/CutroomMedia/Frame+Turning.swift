import CLibAV

/// From where in a source a turned picture is taken, all in 2⁻³² source samples.
package struct TurnMap: Hashable, Sendable {
  /// The source place of the result's top left corner.
  package var start: (x: Int64, y: Int64) { (startX, startY) }
  private var startX: Int64
  private var startY: Int64
  /// How far the place goes with each column.
  package var columnX: Int64
  package var columnY: Int64
  /// How far it goes with each row.
  package var rowX: Int64
  package var rowY: Int64
  /// Samples of the result per source sample, in 2⁻¹⁶: how soft the edges are.
  package var sharpnessX: Int64
  package var sharpnessY: Int64
  /// The size of the result.
  package var width: Int
  package var height: Int
  /// The part of the source that is shown.
  package var columns: Range<Int>
  package var rows: Range<Int>

  /// A map; the part is not empty.
  package init(
    start: (x: Int64, y: Int64), column: (x: Int64, y: Int64), row: (x: Int64, y: Int64),
    sharpness: (x: Int64, y: Int64), width: Int, height: Int, columns: Range<Int>,
    rows: Range<Int>
  ) {
    (startX, startY) = start
    (columnX, columnY) = column
    (rowX, rowY) = row
    (sharpnessX, sharpnessY) = sharpness
    self.width = width
    self.height = height
    self.columns = columns
    self.rows = rows
  }
}

extension Frame {
  /// A part of the picture turned, bilinear, over nothing.
  ///
  /// `format` is that of the picture with alpha. Edges are smooth; the same on every processor. For planar formats of 8 to 15 bits.
  package func turned(_ map: TurnMap, format: PixelFormat) throws(LibAVError) -> Frame {
    let action = "turn a picture"
    guard let own = self.format, own.isPlanar, (8...15).contains(own.bitDepth),
      format.bitDepth == own.bitDepth, format.planeCount == 4,
      format.log2ChromaWidth == own.log2ChromaWidth,
      format.log2ChromaHeight == own.log2ChromaHeight,
      map.columns.upperBound <= width, map.rows.upperBound <= height, !map.columns.isEmpty,
      !map.rows.isEmpty
    else { throw .invalid(action, "its format is \(self.format?.name ?? "unknown")") }
    let result = try Frame.video(width: map.width, height: map.height, format: format)
    for plane in 0..<own.planeCount {
      let isChroma = plane == 1 || plane == 2
      guard let source = rows(ofPlane: plane), let target = result.rows(ofPlane: plane) else {
        throw .invalid(action, "a plane is missing")
      }
      let pass = TurningPass(
        map, across: isChroma ? own.log2ChromaWidth : 0,
        down: isChroma ? own.log2ChromaHeight : 0, isWide: own.bitDepth > 8)
      if plane < 3, let weighted = WeightedPlane(self, plane: plane) {
        pass.run(from: weighted, to: target)
      } else {
        pass.run(from: source, to: target)
      }
    }
    guard let alpha = result.rows(ofPlane: 3) else { throw .invalid(action, "no alpha") }
    Self.cover(alpha, map, depth: own.bitDepth, keepsAlpha: own.planeCount == 4)
    result.colorTags = colorTags
    return result
  }

  /// Multiplies alpha by how much of each sample the picture covers.
  private static func cover(
    _ alpha: PlaneRows, _ map: TurnMap, depth: Int, keepsAlpha: Bool
  ) {
    let top = (Int64(1) << Int64(depth)) - 1
    let isWide = depth > 8
    let sides = (
      left: Int64(map.columns.lowerBound) << 32, right: Int64(map.columns.upperBound) << 32,
      top: Int64(map.rows.lowerBound) << 32, bottom: Int64(map.rows.upperBound) << 32
    )
    for row in 0..<map.height {
      var x = map.start.x &+ Int64(row) &* map.rowX &+ (map.columnX &+ map.rowX) / 2
      var y = map.start.y &+ Int64(row) &* map.rowY &+ (map.columnY &+ map.rowY) / 2
      let line = unsafe alpha[row]
      for column in 0..<map.width {
        let across = covered(min(x &- sides.left, sides.right &- x), map.sharpnessX)
        let down = covered(min(y &- sides.top, sides.bottom &- y), map.sharpnessY)
        let part = (across &* down) &>> 14
        if isWide {
          let samples = unsafe line.assumingMemoryBound(to: UInt16.self)
          let own = unsafe keepsAlpha ? Int64(samples[column]) : top
          unsafe samples[column] = UInt16(truncatingIfNeeded: (own &* part &+ 8192) &>> 14)
        } else {
          let samples = unsafe line.assumingMemoryBound(to: UInt8.self)
          let own = unsafe keepsAlpha ? Int64(samples[column]) : top
          unsafe samples[column] = UInt8(truncatingIfNeeded: (own &* part &+ 8192) &>> 14)
        }
        x &+= map.columnX
        y &+= map.columnY
      }
    }
  }

  /// How much of a sample lies inside an edge at that distance, in 2⁻¹⁴.
  @inline(__always)
  private static func covered(_ distance: Int64, _ sharpness: Int64) -> Int64 {
    // Far inside or outside the product would not fit.
    let near = min(max(distance &>> 12, -(1 << 36)), 1 << 36)
    return min(max(((near &* sharpness) &>> 22) &+ 8192, 0), 16384)
  }
}

/// Turns one plane.
private struct TurningPass {
  private let map: TurnMap
  private let across: Int
  private let down: Int
  private let isWide: Bool

  init(_ map: TurnMap, across: Int, down: Int, isWide: Bool) {
    (self.map, self.across, self.down, self.isWide) = (map, across, down, isWide)
  }

  /// The source place of the first sample, and the steps from column to column and row to row.
  private func steps() -> (
    start: (x: Int64, y: Int64), column: (x: Int64, y: Int64), row: (x: Int64, y: Int64)
  ) {
    // A sample of a subsampled plane stands for several columns and rows.
    let column = (
      x: (map.columnX << Int64(across)) >> Int64(across),
      y: (map.columnY << Int64(across)) >> Int64(down)
    )
    let row = (
      x: (map.rowX << Int64(down)) >> Int64(across), y: (map.rowY << Int64(down)) >> Int64(down)
    )
    let half = Int64(1) << 31
    let start = (
      x: (map.start.x >> Int64(across)) &+ (column.x &+ row.x) / 2 &- half,
      y: (map.start.y >> Int64(down)) &+ (column.y &+ row.y) / 2 &- half
    )
    return (start, column, row)
  }

  func run(from source: PlaneRows, to target: PlaneRows) {
    let (start, column, row) = steps()
    let width = (map.width + (1 << across) - 1) >> across
    for index in 0..<target.count {
      let x = start.x &+ Int64(index) &* row.x
      let y = start.y &+ Int64(index) &* row.y
      if isWide {
        unsafe line(
          source, target[index].assumingMemoryBound(to: UInt16.self), width, (x, y), column)
      } else {
        unsafe line(
          source, target[index].assumingMemoryBound(to: UInt8.self), width, (x, y), column)
      }
    }
  }

  /// The same where samples count by their alpha.
  func run(from source: WeightedPlane, to target: PlaneRows) {
    let (start, column, row) = steps()
    let limits = limits()
    let width = (map.width + (1 << across) - 1) >> across
    for index in 0..<target.count {
      var x = start.x &+ Int64(index) &* row.x
      var y = start.y &+ Int64(index) &* row.y
      let line = unsafe target[index]
      for number in 0..<width {
        let value = source.mixed(Place(x, y, limits))
        if isWide {
          unsafe line.assumingMemoryBound(to: UInt16.self)[number] = value
        } else {
          unsafe line.assumingMemoryBound(to: UInt8.self)[number] = UInt8(
            truncatingIfNeeded: value)
        }
        x &+= column.x
        y &+= column.y
      }
    }
  }

  private func limits() -> (x: ClosedRange<Int64>, y: ClosedRange<Int64>) {
    let right = ((map.columns.upperBound + (1 << across) - 1) >> across) - 1
    let bottom = ((map.rows.upperBound + (1 << down) - 1) >> down) - 1
    let left = min(map.columns.lowerBound >> across, right)
    let top = min(map.rows.lowerBound >> down, bottom)
    return (Int64(left) << 32...Int64(right) << 32, Int64(top) << 32...Int64(bottom) << 32)
  }

  @inline(__always)
  private func line(
    _ source: PlaneRows, _ target: UnsafeMutablePointer<UInt8>, _ width: Int,
    _ start: (x: Int64, y: Int64), _ step: (x: Int64, y: Int64)
  ) {
    let limits = limits()
    let base = unsafe source.start.assumingMemoryBound(to: UInt8.self)
    let stride = source.stride
    var (x, y) = start
    for column in 0..<width {
      let place = Place(x, y, limits)
      let upper = unsafe base + (place.row &* stride &+ place.column)
      let lower = unsafe upper + place.below &* stride
      unsafe target[column] = UInt8(
        truncatingIfNeeded: place.mixed(
          Int32(upper[0]), Int32(upper[place.beside]), Int32(lower[0]), Int32(lower[place.beside])))
      x &+= step.x
      y &+= step.y
    }
  }

  @inline(__always)
  private func line(
    _ source: PlaneRows, _ target: UnsafeMutablePointer<UInt16>, _ width: Int,
    _ start: (x: Int64, y: Int64), _ step: (x: Int64, y: Int64)
  ) {
    let limits = limits()
    let base = unsafe source.start.assumingMemoryBound(to: UInt16.self)
    let stride = source.stride / 2
    var (x, y) = start
    for column in 0..<width {
      let place = Place(x, y, limits)
      let upper = unsafe base + (place.row &* stride &+ place.column)
      let lower = unsafe upper + place.below &* stride
      unsafe target[column] = UInt16(
        truncatingIfNeeded: place.mixed(
          Int32(upper[0]), Int32(upper[place.beside]), Int32(lower[0]), Int32(lower[place.beside])))
      x &+= step.x
      y &+= step.y
    }
  }

  /// The four samples around a place.
  fileprivate struct Place {
    let column: Int
    let row: Int
    /// 1, or 0 at the last one.
    let beside: Int
    let below: Int
    let x: Int32
    let y: Int32

    @inline(__always)
    init(_ x: Int64, _ y: Int64, _ limits: (x: ClosedRange<Int64>, y: ClosedRange<Int64>)) {
      let x = min(max(x, limits.x.lowerBound), limits.x.upperBound)
      let y = min(max(y, limits.y.lowerBound), limits.y.upperBound)
      column = Int(x >> 32)
      row = Int(y >> 32)
      beside = x < limits.x.upperBound ? 1 : 0
      below = y < limits.y.upperBound ? 1 : 0
      // 10 bits of each, so that samples of 10 bits fit with both.
      self.x = Int32(truncatingIfNeeded: (x >> 22) & 1023)
      self.y = Int32(truncatingIfNeeded: (y >> 22) & 1023)
    }

    @inline(__always)
    func mixed(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> Int32 {
      let upper = a &<< 10 &+ (b &- a) &* x
      let lower = c &<< 10 &+ (d &- c) &* x
      let sum = Int64(upper) &<< 10 &+ Int64(lower &- upper) &* Int64(y)
      return Int32(truncatingIfNeeded: (sum &+ 1 << 19) &>> 20)
    }
  }
}

/// The samples of a plane, and how much each counts.
private struct WeightedPlane {
  private let width: Int
  private let samples: [UInt16]
  private let weights: [UInt16]

  /// `nil` for pictures without alpha.
  init?(_ frame: Frame, plane: Int) {
    guard let format = frame.format, format.planeCount == 4, let rows = frame.rows(ofPlane: plane),
      let alpha = frame.rows(ofPlane: 3)
    else { return nil }
    let isChroma = plane == 1 || plane == 2
    let isWide = format.bitDepth > 8
    let width = frame.visibleBytes(ofPlane: plane) / (isWide ? 2 : 1)
    let reader = AlphaWeights(
      alpha, width: frame.width, across: isChroma ? format.log2ChromaWidth : 0,
      down: isChroma ? format.log2ChromaHeight : 0, depth: format.bitDepth)
    var samples = [UInt16](repeating: 0, count: width * rows.count)
    var weights = samples
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: width) { line in
      guard let share = line.baseAddress else { return }
      for row in 0..<rows.count {
        unsafe reader.read(row: row, first: 0, count: width, into: share)
        for column in 0..<width {
          unsafe weights[row * width + column] = UInt16(truncatingIfNeeded: share[column])
          unsafe samples[row * width + column] =
            isWide
            ? rows[row].assumingMemoryBound(to: UInt16.self)[column]
            : UInt16(rows[row].assumingMemoryBound(to: UInt8.self)[column])
        }
      }
    }
    (self.width, self.samples, self.weights) = (width, samples, weights)
  }

  /// The mean of four samples; where none counts, that of all alike.
  func mixed(_ place: TurningPass.Place) -> UInt16 {
    let first = place.row * width + place.column
    let below = first + place.below * width
    let places = (first, first + place.beside, below, below + place.beside)
    let (right, bottom) = (Int64(place.x), Int64(place.y))
    let shares = (
      (1024 - right) * (1024 - bottom), right * (1024 - bottom), (1024 - right) * bottom,
      right * bottom
    )
    let counts = (
      shares.0 * Int64(weights[places.0]), shares.1 * Int64(weights[places.1]),
      shares.2 * Int64(weights[places.2]), shares.3 * Int64(weights[places.3])
    )
    let sum = counts.0 + counts.1 + counts.2 + counts.3
    let (all, used) = sum == 0 ? (Int64(1) << 20, shares) : (sum, counts)
    let value =
      used.0 * Int64(samples[places.0]) + used.1 * Int64(samples[places.1])
      + used.2 * Int64(samples[places.2]) + used.3 * Int64(samples[places.3])
    return UInt16(truncatingIfNeeded: (value + all / 2) / all)
  }
}
