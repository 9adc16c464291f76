import CutroomMedia
import CutroomModel

/// How a conversion changes the shape of an upright picture, in whole pixels.
struct PictureConversion: Hashable {
  /// What of it is used; `nil` for all.
  var part: PixelRect?
  /// The size that this is scaled to.
  var scaled: PixelSize
  /// Quarters of a turn clockwise, after scaling.
  var quarters = 0
  /// What is kept of the result; `nil` for all.
  var window: PixelRect?
}

/// Where a picture lies on the canvas, and how it gets there.
struct Placement: Hashable {
  /// What is done to it in whole pixels.
  var conversion: PictureConversion
  /// What is done after that, where its edges lie between pixels, or it is turned.
  var free: FreePlacement?
  /// Where the result lies on the canvas.
  var x: Int
  var y: Int
  /// The size of the result.
  var visible: PixelSize

  /// Whether nothing of it lies on the canvas.
  var isInvisible: Bool { visible.width <= 0 || visible.height <= 0 }

  /// Whether it covers a canvas of `size`.
  func covers(_ size: PixelSize) -> Bool {
    x == 0 && y == 0 && visible == size && free?.isCovering ?? true
  }

  /// Whether every edge lies on even pixels, as subsampled chroma needs.
  func isEven(on canvas: PixelSize) -> Bool {
    if free != nil { return true }
    return (conversion.window.map { $0.x % 2 == 0 && $0.y % 2 == 0 } ?? true)
      && x % 2 == 0 && y % 2 == 0
      && (visible.width % 2 == 0 || x + visible.width == canvas.width)
      && (visible.height % 2 == 0 || y + visible.height == canvas.height)
  }

  /// The largest side of a scaled picture.
  static let largestSide = 16384

  /// How the place of a picture may change.
  struct Motion: Hashable {
    /// Whether it changes at all.
    var isMoving = false
    /// Whether the size does.
    var isResizing = false
  }

  /// Places a picture by settings that are all fixed; `nil` where nothing of it is left.
  ///
  /// What does not move lies on whole pixels: sizes and places are rounded once, from exact values;
  /// where the author left the position open, to even pixels, so that subsampled chroma keeps its
  /// place. What moves lies between pixels. With `isEven` no edge but those of the canvas lies on
  /// odd pixels. A picture with alpha is not scaled by a conversion.
  static func place(
    _ picture: UprightPicture, fit: PictureSettings.Fit, settings: PictureSettings,
    canvas: PixelSize, motion: Motion = Motion(), isEven: Bool = false, hasAlpha: Bool = false
  ) -> Placement? {
    guard
      let geometry = LayerGeometry(picture, fit: fit, settings: settings, canvas: canvas)
    else { return nil }
    let part = geometry.wholePart(of: picture)
    guard let quarters = geometry.turn.quarters else {
      return .turned(geometry, picture, part, canvas, motion, hasAlpha: hasAlpha)
    }
    if motion.isMoving {
      let rect = geometry.rect(width: geometry.width, height: geometry.height, quarters: quarters)
      if quarters == 0, let part, let whole = rect.whole, whole.size == part.size {
        let placement = Placement(part, picture, scaled: whole.size, 0, whole, canvas)
        if placement.isEven(on: canvas) { return placement }
      }
      return quarters == 0
        ? .stretched(geometry, picture, rect, canvas)
        : .turned(geometry, picture, part, canvas, motion, hasAlpha: hasAlpha)
    }
    let (scaled, rect) = geometry.rounded(quarters, fit: fit, settings, canvas: canvas)
    // Colours of what is transparent are scaled by their alpha, which libswscale does not do.
    let isPlain = !hasAlpha || scaled == part?.size
    if let part, isPlain, max(scaled.width, scaled.height) <= largestSide {
      let placement = Placement(part, picture, scaled: scaled, quarters, rect, canvas)
      if !isEven || placement.isEven(on: canvas) { return placement }
    }
    let exact = ExactRect(
      x: Rational(rect.x), y: Rational(rect.y), width: Rational(rect.width),
      height: Rational(rect.height))
    return quarters == 0
      ? .stretched(geometry, picture, exact, canvas)
      : .turned(geometry, picture, part, canvas, motion, hasAlpha: hasAlpha)
  }

  private init(
    _ part: PixelRect, _ picture: UprightPicture, scaled: PixelSize, _ quarters: Int,
    _ rect: PixelRect, _ canvas: PixelSize
  ) {
    x = max(0, rect.x)
    y = max(0, rect.y)
    visible = PixelSize(
      width: min(rect.x + rect.width, canvas.width) - x,
      height: min(rect.y + rect.height, canvas.height) - y)
    conversion = PictureConversion(
      part: part.size == picture.coded ? nil : part, scaled: scaled, quarters: quarters)
    if visible != rect.size {
      conversion.window = PixelRect(
        x: max(0, -rect.x), y: max(0, -rect.y), width: visible.width, height: visible.height)
    }
  }

  init(
    _ conversion: PictureConversion, free: FreePlacement, x: Int, y: Int, visible: PixelSize
  ) {
    self.conversion = conversion
    self.free = free
    self.x = x
    self.y = y
    self.visible = visible
  }

  /// Scales a whole picture to a size.
  static func scaling(_ picture: PixelSize, to size: PixelSize) -> PictureConversion? {
    guard picture.width > 0, picture.height > 0, size.width > 0, size.height > 0,
      max(size.width, size.height) <= largestSide
    else { return nil }
    return PictureConversion(scaled: size)
  }
}

extension LayerGeometry {
  /// The size before turning, and the place after it, in whole pixels.
  fileprivate func rounded(
    _ quarters: Int, fit: PictureSettings.Fit, _ settings: PictureSettings, canvas: PixelSize
  ) -> (PixelSize, PixelRect) {
    let isOpen = settings.position == nil
    let isFree = isOpen && fit != .none
    let size = PixelSize(
      width: Self.rounded(width, toEven: isFree && width != Rational(canvas.width)),
      height: Self.rounded(height, toEven: isFree && height != Rational(canvas.height)))
    let rect = rect(
      width: Rational(size.width), height: Rational(size.height), quarters: quarters)
    return (
      size,
      PixelRect(
        x: Self.rounded(rect.x, toEven: isOpen, least: nil),
        y: Self.rounded(rect.y, toEven: isOpen, least: nil),
        width: Int(clamping: rect.width.floor), height: Int(clamping: rect.height.floor))
    )
  }

  private static func rounded(_ value: Rational, toEven: Bool, least: Int? = 1) -> Int {
    let whole = toEven ? 2 * (value / 2).rounded : value.rounded
    let number = Int(clamping: whole)
    let limit = 100_000_000
    return least.map { min(max($0, number), limit) } ?? min(max(number, -limit), limit)
  }
}
