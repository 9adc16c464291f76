import CutroomModel

/// Where a picture lies on the canvas, in whole pixels.
struct Placement: Hashable {
  /// The size the displayed picture is scaled to.
  var scaled: PixelSize
  /// The part of the scaled picture that lies on the canvas, from its top left.
  var cropX: Int
  var cropY: Int
  /// The size of that part.
  var visible: PixelSize
  /// Where that part lies on the canvas.
  var x: Int
  var y: Int

  /// Whether nothing has to be cut away.
  var isWhole: Bool { visible == scaled }
  /// Whether nothing of it lies on the canvas.
  var isInvisible: Bool { visible.width <= 0 || visible.height <= 0 }

  /// Whether it covers a canvas of `size`.
  func covers(_ size: PixelSize) -> Bool { x == 0 && y == 0 && visible == size }

  /// Whether every edge lies on even pixels, as subsampled chroma needs.
  func isEven(on canvas: PixelSize) -> Bool {
    cropX % 2 == 0 && cropY % 2 == 0 && x % 2 == 0 && y % 2 == 0
      && (visible.width % 2 == 0 || x + visible.width == canvas.width)
      && (visible.height % 2 == 0 || y + visible.height == canvas.height)
  }

  /// The largest side of a scaled picture.
  static let largestSide = 16384

  /// Places a picture of `display` size; `nil` if it would be larger than can be scaled.
  ///
  /// Sizes are rounded to the nearest pixel once, from exact values; where the author left the
  /// position open, to even pixels, so that subsampled chroma keeps its place.
  static func place(
    _ display: PixelSize, fit: PictureSettings.Fit, settings: PictureSettings, canvas: PixelSize
  ) -> Placement? {
    guard display.width > 0, display.height > 0 else { return nil }
    let horizontal = Rational(canvas.width, display.width)
    let vertical = Rational(canvas.height, display.height)
    let factors: (x: Rational, y: Rational) =
      switch fit {
      case .contain: (min(horizontal, vertical), min(horizontal, vertical))
      case .cover: (max(horizontal, vertical), max(horizontal, vertical))
      case .stretch: (horizontal, vertical)
      case .none: (1, 1)
      }
    let exactWidth = Rational(display.width) * factors.x * (settings.scale.fixed ?? .one)
    let exactHeight = Rational(display.height) * factors.y * (settings.scale.fixed ?? .one)
    guard exactWidth.isValid, exactHeight.isValid, exactWidth <= Rational(largestSide),
      exactHeight <= Rational(largestSide)
    else { return nil }
    let isFree = settings.position == nil && fit != .none
    let width = rounded(exactWidth, toEven: isFree && exactWidth != Rational(canvas.width))
    let height = rounded(exactHeight, toEven: isFree && exactHeight != Rational(canvas.height))
    let center =
      settings.position?.fixed
      ?? PictureSettings.Point(x: Rational(canvas.width, 2), y: Rational(canvas.height, 2))
    let left = rounded(center.x - Rational(width, 2), toEven: settings.position == nil, least: nil)
    let top = rounded(center.y - Rational(height, 2), toEven: settings.position == nil, least: nil)
    return Placement(
      scaled: PixelSize(width: width, height: height), left: left, top: top, canvas: canvas)
  }

  private init(scaled: PixelSize, left: Int, top: Int, canvas: PixelSize) {
    self.scaled = scaled
    cropX = max(0, -left)
    cropY = max(0, -top)
    x = max(0, left)
    y = max(0, top)
    visible = PixelSize(
      width: min(left + scaled.width, canvas.width) - x,
      height: min(top + scaled.height, canvas.height) - y)
  }

  private static func rounded(_ value: Rational, toEven: Bool, least: Int? = 1) -> Int {
    let whole = toEven ? 2 * (value / 2).rounded : value.rounded
    let number = Int(clamping: whole)
    return least.map { max($0, number) } ?? min(max(number, -1_000_000), 1_000_000)
  }
}
