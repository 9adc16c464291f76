import CLibAV

/// How a layer's colour and the one below become one, both from 0 to 1.
package enum BlendMode: String, Hashable, Sendable, CaseIterable {
  case multiply, screen, overlay, add

  @inline(__always)
  func mixed(_ below: Float, _ layer: Float) -> Float {
    switch self {
    case .multiply: below * layer
    case .screen: below + layer - below * layer
    case .overlay:
      below < 0.5 ? 2 * below * layer : 1 - 2 * (1 - below) * (1 - layer)
    case .add: min(1, below + layer)
    }
  }
}

/// The shares of red and blue in luma.
package struct LumaShares: Hashable, Sendable {
  package var red: Float
  package var blue: Float
  package init(red: Float, blue: Float) { (self.red, self.blue) = (red, blue) }
}

extension Frame {
  /// Draws a layer with its top left at (x, y), computed in RGB where it is not transparent.
  ///
  ///     result = (1 − α) · below + α · mode(below, layer)
  ///
  /// Both are planar YUV of limited range, of one depth and sampling; x and y lie on whole chroma
  /// samples. Memory that others share is copied first.
  package func blend(
    _ layer: Frame, x: Int, y: Int, mode: BlendMode, shares: LumaShares
  ) throws(LibAVError) {
    let action = "blend a picture"
    guard let own = format, let other = layer.format, own.bitDepth == other.bitDepth,
      (8...15).contains(own.bitDepth), own.log2ChromaWidth == other.log2ChromaWidth,
      own.log2ChromaHeight == other.log2ChromaHeight, own.planeCount >= 3,
      other.planeCount >= 3, !own.isRGB, !other.isRGB
    else { throw .invalid(action, "the formats do not go together") }
    let cell = (width: 1 << own.log2ChromaWidth, height: 1 << own.log2ChromaHeight)
    guard x % cell.width == 0, y % cell.height == 0 else {
      throw .invalid(action, "it lies between chroma samples")
    }
    try makeWritable()
    let pass = BlendPass(mode, shares, depth: own.bitDepth, cell: cell)
    if own.bitDepth > 8 {
      guard let below = Planes<UInt16>(self), let above = Planes<UInt16>(layer) else { return }
      pass.run(below, above, x, y, UInt16.self)
    } else {
      guard let below = Planes<UInt8>(self), let above = Planes<UInt8>(layer) else { return }
      pass.run(below, above, x, y, UInt8.self)
    }
  }
}

/// The planes of a picture, valid as long as its frame is.
@safe private struct Planes<Sample: FixedWidthInteger & UnsignedInteger> {
  let width: Int
  let height: Int
  private let luma: PlaneRows
  private let blue: PlaneRows
  private let red: PlaneRows
  private let opacity: PlaneRows?

  init?(_ frame: Frame) {
    guard let luma = frame.rows(ofPlane: 0), let blue = frame.rows(ofPlane: 1),
      let red = frame.rows(ofPlane: 2)
    else { return nil }
    (width, height) = (frame.width, frame.height)
    (self.luma, self.blue, self.red) = (luma, blue, red)
    opacity = frame.format?.hasAlpha == true ? frame.rows(ofPlane: 3) : nil
  }

  @inline(__always)
  func row(_ plane: Int, _ row: Int) -> UnsafeMutablePointer<Sample> {
    let rows = plane == 0 ? luma : plane == 1 ? blue : red
    return unsafe rows[row].assumingMemoryBound(to: Sample.self)
  }

  @inline(__always)
  func alpha(_ row: Int) -> UnsafeMutablePointer<Sample>? {
    unsafe opacity.map { unsafe $0[row].assumingMemoryBound(to: Sample.self) }
  }
}

/// Draws one picture on another.
private struct BlendPass {
  private let mode: BlendMode
  private let cell: (width: Int, height: Int)
  private let lumaZero: Float
  private let lumaUnit: Float
  private let chromaZero: Float
  private let chromaUnit: Float
  private let top: Float
  private let shares: LumaShares
  /// What a unit of chroma adds to each colour.
  private let redByRed: Float
  private let blueByBlue: Float
  private let greenByRed: Float
  private let greenByBlue: Float

  init(_ mode: BlendMode, _ shares: LumaShares, depth: Int, cell: (width: Int, height: Int)) {
    self.mode = mode
    self.cell = cell
    self.shares = shares
    let scale = Float(1 << (depth - 8))
    (lumaZero, lumaUnit) = (16 * scale, 219 * scale)
    (chromaZero, chromaUnit) = (128 * scale, 224 * scale)
    top = Float(1 << depth - 1)
    let green = 1 - shares.red - shares.blue
    redByRed = 2 * (1 - shares.red)
    blueByBlue = 2 * (1 - shares.blue)
    greenByRed = -2 * shares.red * (1 - shares.red) / green
    greenByBlue = -2 * shares.blue * (1 - shares.blue) / green
  }

  @inline(__always)
  func run<Sample>(
    _ below: Planes<Sample>, _ layer: Planes<Sample>, _ x: Int, _ y: Int, _: Sample.Type
  ) {
    let right = min(x + layer.width, below.width)
    let bottom = min(y + layer.height, below.height)
    for cellY in stride(from: max(0, y), to: bottom, by: cell.height) {
      let height = min(cell.height, bottom - cellY)
      for cellX in stride(from: max(0, x), to: right, by: cell.width) {
        let width = min(cell.width, right - cellX)
        draw(below, layer, (cellX, cellY), (cellX - x, cellY - y), (width, height))
      }
    }
  }

  /// Draws the luma samples that share a chroma sample.
  @inline(__always)
  private func draw<Sample>(
    _ below: Planes<Sample>, _ layer: Planes<Sample>, _ place: (x: Int, y: Int),
    _ own: (x: Int, y: Int), _ size: (width: Int, height: Int)
  ) {
    let chroma = (x: place.x / cell.width, y: place.y / cell.height)
    let ownChroma = (x: own.x / cell.width, y: own.y / cell.height)
    let blue = unsafe below.row(1, chroma.y) + chroma.x
    let red = unsafe below.row(2, chroma.y) + chroma.x
    let lower = unsafe Chroma(Float(blue.pointee), Float(red.pointee), self)
    let upper = unsafe Chroma(
      Float(layer.row(1, ownChroma.y)[ownChroma.x]), Float(layer.row(2, ownChroma.y)[ownChroma.x]),
      self)
    var sum = (blue: Float(0), red: Float(0))
    for row in 0..<size.height {
      let luma = unsafe below.row(0, place.y + row) + place.x
      let ownLuma = unsafe layer.row(0, own.y + row) + own.x
      let alpha = unsafe layer.alpha(own.y + row)
      for column in 0..<size.width {
        let share = unsafe alpha.map { unsafe Float($0[own.x + column]) / top } ?? 1
        if share == 0 { continue }
        let change = unsafe changed(
          lower.color(Float(luma[column]), self), upper.color(Float(ownLuma[column]), self), share)
        unsafe luma[column] = sample(Float(luma[column]) + change.luma * lumaUnit)
        sum.blue += change.blue
        sum.red += change.red
      }
    }
    let unit = chromaUnit / Float(cell.width * cell.height)
    if sum.blue != 0 { unsafe blue.pointee = sample(Float(blue.pointee) + sum.blue * unit) }
    if sum.red != 0 { unsafe red.pointee = sample(Float(red.pointee) + sum.red * unit) }
  }

  /// What the drawing adds to luma and chroma: nothing, exactly, where the colour stays.
  @inline(__always)
  private func changed(
    _ below: SIMD3<Float>, _ layer: SIMD3<Float>, _ share: Float
  ) -> (luma: Float, blue: Float, red: Float) {
    let red = (mode.mixed(below.x, layer.x) - below.x) * share
    let green = (mode.mixed(below.y, layer.y) - below.y) * share
    let blue = (mode.mixed(below.z, layer.z) - below.z) * share
    let luma =
      shares.red * red + shares.blue * blue + (1 - shares.red - shares.blue) * green
    return (luma, (blue - luma) / blueByBlue, (red - luma) / redByRed)
  }

  @inline(__always)
  private func sample<Sample: FixedWidthInteger & UnsignedInteger>(_ value: Float) -> Sample {
    Sample(truncatingIfNeeded: Int32(min(max(value, 0), top) + 0.5))
  }

  /// What a chroma sample adds to the colours of its luma samples.
  private struct Chroma {
    private let offset: SIMD3<Float>

    @inline(__always)
    init(_ blue: Float, _ red: Float, _ pass: BlendPass) {
      let b = (blue - pass.chromaZero) / pass.chromaUnit
      let r = (red - pass.chromaZero) / pass.chromaUnit
      offset = SIMD3(
        pass.redByRed * r, pass.greenByRed * r + pass.greenByBlue * b, pass.blueByBlue * b)
    }

    @inline(__always)
    func color(_ luma: Float, _ pass: BlendPass) -> SIMD3<Float> {
      let gray = (luma - pass.lumaZero) / pass.lumaUnit
      return (offset + SIMD3(repeating: gray)).clamped(
        lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
    }
  }
}
