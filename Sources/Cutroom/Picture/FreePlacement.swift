import CutroomMedia
import CutroomModel

/// How a converted picture is drawn with its edges between pixels, or turned.
struct FreePlacement: Hashable {
  /// What is done to the converted picture.
  enum Drawing: Hashable {
    case stretched(columns: AxisMap, rows: AxisMap)
    /// Turned, after it was brought to another size.
    case turned(TurnMap, columns: AxisMap?, rows: AxisMap?)
  }

  var drawing: Drawing
  /// How much is covered at the edges.
  var coverage = Coverage()
  /// Whether all of the result is covered.
  var isCovering = false

  /// Draws a picture; `alphaFormat` is its format with alpha.
  func draw(_ frame: Frame, alphaFormat: PixelFormat) throws(LibAVError) -> Frame {
    let format = frame.format?.hasAlpha == true ? alphaFormat : frame.format
    switch drawing {
    case .stretched(let columns, let rows):
      return try frame.resampled(columns: columns, rows: rows, format: format)
    case .turned(let map, let columns?, let rows?):
      return try frame.resampled(columns: columns, rows: rows, format: format)
        .turned(map, format: alphaFormat)
    case .turned(let map, _, _):
      return try frame.resampled(to: format).turned(map, format: alphaFormat)
    }
  }
}

/// A run of whole pixels of the canvas, along one of its sides.
private struct CanvasRun {
  var start: Int
  var end: Int
  /// Whether it is all of the canvas, and all of it is covered.
  var isCovered: Bool

  /// What holds the stretch from `start` to `end` of a canvas of `length`.
  ///
  /// It begins on an even pixel, as subsampled chroma needs. Its length is a multiple of 64, so
  /// that it changes rarely while a picture grows; what lies beyond the canvas is not drawn.
  init(_ start: Rational, _ end: Rational, _ length: Int) {
    let first = Int(clamping: start.floor)
    let last = min(Int(clamping: end.ceiling), length)
    self.start = max(0, first & ~1)
    isCovered = start <= .zero && end >= Rational(length)
    let needed = last - self.start
    self.end = isCovered ? length : self.start + (needed <= 0 ? 0 : (needed + 63) & ~63)
  }

  var count: Int { end - start }

  /// The shares of those pixels that are not covered by the stretch as a whole.
  func shares(_ from: Rational, _ to: Rational) -> [Int: Coverage.Share] {
    guard !isCovered else { return [:] }
    var shares: [Int: Coverage.Share] = [:]
    let inner = max(0, Int(clamping: from.ceiling) - start)
    let outer = min(max(inner, Int(clamping: to.floor) - start), count)
    for index in Array(0..<min(inner, count)) + Array(outer..<count) {
      let pixel = Rational(start + index)
      let covered = min(pixel + 1, to) - max(pixel, from)
      shares[index] = UInt64(
        clamping: (max(.zero, covered) * Rational(Int128(1) << 32)).rounded)
    }
    return shares
  }
}

extension Placement {
  /// The least size that is drawn: less would be less than one step of brightness.
  private static let leastSide = Rational(1, 256)

  private static let nothing = Placement(
    PictureConversion(scaled: PixelSize(width: 1, height: 1)),
    free: FreePlacement(
      drawing: .stretched(
        columns: AxisMap(start: 0, step: 1, readable: 0..<1, count: 1),
        rows: AxisMap(start: 0, step: 1, readable: 0..<1, count: 1))),
    x: 0, y: 0, visible: PixelSize(width: 0, height: 0))

  /// Stretches a part of the picture to a rectangle with edges anywhere.
  static func stretched(
    _ geometry: LayerGeometry, _ picture: UprightPicture, _ rect: ExactRect, _ canvas: PixelSize
  ) -> Placement {
    let (right, bottom) = (rect.x + rect.width, rect.y + rect.height)
    guard rect.isValid, rect.width >= leastSide, rect.height >= leastSide, right > .zero,
      bottom > .zero, rect.x < Rational(canvas.width), rect.y < Rational(canvas.height)
    else { return nothing }
    let across = CanvasRun(rect.x, right, canvas.width)
    let down = CanvasRun(rect.y, bottom, canvas.height)
    var coverage = Coverage()
    coverage.columns = across.shares(rect.x, right)
    coverage.rows = down.shares(rect.y, bottom)
    let part = geometry.part
    let drawing = FreePlacement.Drawing.stretched(
      columns: AxisMap(
        part.x, part.width, to: rect.x, rect.width, across.start, across.count,
        limit: picture.coded.width),
      rows: AxisMap(
        part.y, part.height, to: rect.y, rect.height, down.start, down.count,
        limit: picture.coded.height))
    return Placement(
      PictureConversion(scaled: picture.coded),
      free: FreePlacement(
        drawing: drawing, coverage: coverage, isCovering: across.isCovered && down.isCovered),
      x: across.start, y: down.start,
      visible: PixelSize(width: across.count, height: down.count))
  }

  /// Turns a part of the picture by any angle.
  static func turned(
    _ geometry: LayerGeometry, _ picture: UprightPicture, _ part: PixelRect?,
    _ canvas: PixelSize, _ motion: Motion, hasAlpha: Bool
  ) -> Placement {
    guard geometry.width >= leastSide, geometry.height >= leastSide else { return nothing }
    let bounds = geometry.bounds
    guard bounds.isValid, bounds.x + bounds.width > .zero, bounds.y + bounds.height > .zero,
      bounds.x < Rational(canvas.width), bounds.y < Rational(canvas.height)
    else { return nothing }
    let across = CanvasRun(bounds.x, bounds.x + bounds.width, canvas.width)
    let down = CanvasRun(bounds.y, bounds.y + bounds.height, canvas.height)
    let source = geometry.part
    var conversion = PictureConversion(scaled: picture.coded)
    var (columns, rows): (AxisMap?, AxisMap?)
    let size: PixelSize
    if let part, !motion.isResizing, !hasAlpha {
      size = geometry.sizeBeforeTurning(magnified: true)
      conversion = PictureConversion(
        part: part.size == picture.coded ? nil : part, scaled: size)
    } else {
      size = geometry.sizeBeforeTurning(magnified: false)
      columns = AxisMap(
        source.x, source.width, to: 0, Rational(size.width), 0, size.width,
        limit: picture.coded.width)
      rows = AxisMap(
        source.y, source.height, to: 0, Rational(size.height), 0, size.height,
        limit: picture.coded.height)
    }
    let map = geometry.turnMap(
      of: size, left: across.start, top: down.start, width: across.count, height: down.count)
    return Placement(
      conversion,
      free: FreePlacement(drawing: .turned(map, columns: columns, rows: rows)),
      x: across.start, y: down.start,
      visible: PixelSize(width: across.count, height: down.count))
  }
}

extension LayerGeometry {
  /// The smallest upright rectangle that holds the turned picture and its soft edges.
  fileprivate var bounds: ExactRect {
    let half = Rational(1, 2)
    let (toCenterX, toCenterY) = ((half - anchor.x) * width, (half - anchor.y) * height)
    let centerX = pivot.x + (turn.cosine * toCenterX - turn.sine * toCenterY).snapped
    let centerY = pivot.y + (turn.sine * toCenterX + turn.cosine * toCenterY).snapped
    let (sine, cosine) = (turn.sine.magnitude, turn.cosine.magnitude)
    let halfWidth = ((cosine * width + sine * height) / 2).snapped + 1
    let halfHeight = ((sine * width + cosine * height) / 2).snapped + 1
    return ExactRect(
      x: centerX - halfWidth, y: centerY - halfHeight, width: halfWidth * 2,
      height: halfHeight * 2)
  }

  /// The size in whole pixels that the picture is brought to before it is turned: the exact one
  /// rounded up; where that is large, or not `magnified`, at most that of its samples.
  fileprivate func sizeBeforeTurning(magnified: Bool) -> PixelSize {
    let isLarge = max(width, height) > 4096
    func side(_ wanted: Rational, _ own: Rational) -> Int {
      let size = magnified && !isLarge ? wanted : min(wanted, own)
      return min(max(1, Int(clamping: size.ceiling)), Placement.largestSide)
    }
    return PixelSize(width: side(width, part.width), height: side(height, part.height))
  }

  /// From where in a picture of `size` the pixels of a part of the canvas are taken.
  fileprivate func turnMap(
    of size: PixelSize, left: Int, top: Int, width: Int, height: Int
  ) -> TurnMap {
    let across = (Rational(size.width) / self.width).snapped
    let down = (Rational(size.height) / self.height).snapped
    let (x, y) = (Rational(left) - pivot.x, Rational(top) - pivot.y)
    let startX =
      (anchor.x * Rational(size.width)).snapped
      + (turn.cosine * x + turn.sine * y).snapped * across
    let startY =
      (anchor.y * Rational(size.height)).snapped
      + (turn.cosine * y - turn.sine * x).snapped * down
    // As wide as a pixel is across the edge.
    let breadth = turn.sine.magnitude + turn.cosine.magnitude
    func sharpness(_ factor: Rational) -> Int64 {
      Int64(clamping: (Rational(65536) / (factor * breadth)).rounded)
    }
    func step(_ value: Rational) -> Int64 {
      Int64(clamping: (value * Rational(Int128(1) << 32)).rounded)
    }
    return TurnMap(
      start: (startX.fixedPoint, startY.fixedPoint),
      column: (step(turn.cosine * across), step(-turn.sine * down)),
      row: (step(turn.sine * across), step(turn.cosine * down)),
      sharpness: (sharpness(across), sharpness(down)), width: width, height: height,
      columns: 0..<size.width, rows: 0..<size.height)
  }
}

extension AxisMap {
  /// Maps a stretch of a picture onto one of the canvas, seen from pixel `first` on.
  fileprivate init(
    _ source: Rational, _ length: Rational, to target: Rational, _ size: Rational, _ first: Int,
    _ count: Int, limit: Int
  ) {
    let step = length / size
    let offset = ((Rational(first) - target).snapped * step).snapped
    let lowest = min(max(0, Int(clamping: source.floor)), limit - 1)
    let highest = min(max(lowest + 1, Int(clamping: (source + length).ceiling)), limit)
    self.init(
      start: (source.snapped + offset).fixedPoint, step: max(1, step.fixedPoint),
      readable: lowest..<highest, count: count)
  }
}
