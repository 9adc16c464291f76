import CutroomModel

/// A decoded picture as it stands upright, before anything of the composition is done to it.
struct UprightPicture: Hashable {
  /// The size for display in square pixels.
  var display: PixelSize
  /// The size of the samples.
  var coded: PixelSize
  /// How many samples share a chroma sample.
  var cell = PixelSize(width: 1, height: 1)
}

/// A rectangle with its edges anywhere.
struct ExactRect: Hashable {
  var x: Rational
  var y: Rational
  var width: Rational
  var height: Rational

  var isValid: Bool { x.isValid && y.isValid && width.isValid && height.isValid }

  /// The rectangle in whole pixels, where it is one.
  var whole: PixelRect? {
    guard x.isInteger, y.isInteger, width.isInteger, height.isInteger else { return nil }
    return PixelRect(
      x: Int(clamping: x.floor), y: Int(clamping: y.floor), width: Int(clamping: width.floor),
      height: Int(clamping: height.floor))
  }
}

/// A rectangle of whole pixels.
struct PixelRect: Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int
  var size: PixelSize { PixelSize(width: width, height: height) }
}

/// What of a picture is shown where, exactly, at one time.
///
/// In this order: the picture is cropped, fitted into the canvas, scaled, turned about its anchor,
/// and its anchor lies at the pivot.
struct LayerGeometry {
  /// What is shown, in samples of the upright picture.
  var part: ExactRect
  /// The size that this has before it is turned.
  var width: Rational
  var height: Rational
  /// In fractions of that size.
  var anchor: PictureSettings.Point
  /// Where the anchor lies on the canvas.
  var pivot: PictureSettings.Point
  var turn: Turn

  /// The geometry of a picture with settings that are all fixed; `nil` where nothing of it is left.
  ///
  /// Without a position the anchor lies where it lies in the fitted picture in the middle of the
  /// canvas, so that scaling and turning leave it in its place.
  init?(
    _ picture: UprightPicture, fit: PictureSettings.Fit, settings: PictureSettings,
    canvas: PixelSize
  ) {
    let display = picture.display
    let crop = settings.crop.fixed ?? .none
    let shownWidth = (Rational(display.width) - crop.left - crop.right).snapped
    let shownHeight = (Rational(display.height) - crop.top - crop.bottom).snapped
    guard display.width > 0, display.height > 0, shownWidth.isValid, shownHeight.isValid,
      shownWidth > .zero, shownHeight > .zero
    else { return nil }
    let across = Rational(picture.coded.width, display.width)
    let down = Rational(picture.coded.height, display.height)
    part = ExactRect(
      x: crop.left.snapped * across, y: crop.top.snapped * down, width: shownWidth * across,
      height: shownHeight * down)
    let factors = Self.factors(fit, shownWidth, shownHeight, canvas)
    let fittedWidth = (shownWidth * factors.x).snapped
    let fittedHeight = (shownHeight * factors.y).snapped
    let scale = (settings.scale.fixed ?? .one).snapped
    (width, height) = ((fittedWidth * scale).snapped, (fittedHeight * scale).snapped)
    anchor = settings.anchor
    let half = Rational(1, 2)
    pivot =
      settings.position?.fixed
      ?? PictureSettings.Point(
        x: Rational(canvas.width, 2) + (anchor.x - half) * fittedWidth,
        y: Rational(canvas.height, 2) + (anchor.y - half) * fittedHeight)
    pivot = PictureSettings.Point(x: pivot.x.snapped, y: pivot.y.snapped)
    turn = Turn(degrees: settings.rotation.fixed ?? .zero)
    guard width.isValid, height.isValid, pivot.x.isValid, pivot.y.isValid, part.isValid else {
      return nil
    }
  }

  private static func factors(
    _ fit: PictureSettings.Fit, _ width: Rational, _ height: Rational, _ canvas: PixelSize
  ) -> (x: Rational, y: Rational) {
    let across = Rational(canvas.width) / width
    let down = Rational(canvas.height) / height
    return switch fit {
    case .contain: (min(across, down), min(across, down))
    case .cover: (max(across, down), max(across, down))
    case .stretch: (across, down)
    case .none: (1, 1)
    }
  }

  /// Where a picture of that size lies after quarters of a turn.
  func rect(width: Rational, height: Rational, quarters: Int) -> ExactRect {
    let (size, point): ((Rational, Rational), (Rational, Rational)) =
      switch quarters {
      case 1: ((height, width), (1 - anchor.y, anchor.x))
      case 2: ((width, height), (1 - anchor.x, 1 - anchor.y))
      case 3: ((height, width), (anchor.y, 1 - anchor.x))
      default: ((width, height), (anchor.x, anchor.y))
      }
    return ExactRect(
      x: (pivot.x - point.0 * size.0).snapped, y: (pivot.y - point.1 * size.1).snapped,
      width: size.0, height: size.1)
  }

  /// What is shown in whole samples that share no chroma sample with what is not; `nil` where an
  /// edge lies elsewhere.
  func wholePart(of picture: UprightPicture) -> PixelRect? {
    guard let whole = part.whole else { return nil }
    let (right, bottom) = (whole.x + whole.width, whole.y + whole.height)
    let cell = picture.cell
    let isApart =
      whole.x % cell.width == 0 && whole.y % cell.height == 0
      && (right % cell.width == 0 || right == picture.coded.width)
      && (bottom % cell.height == 0 || bottom == picture.coded.height)
    return isApart ? whole : nil
  }
}
