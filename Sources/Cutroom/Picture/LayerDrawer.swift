import CutroomMedia
import CutroomModel

/// A layer with its place.
struct PlacedLayer {
  var layer: Compositor.Layer
  var placement: Placement
  var hasAlpha: Bool

  /// Whether nothing of a canvas of that size shows through.
  func coversOpaquely(_ canvas: PixelSize) -> Bool {
    !hasAlpha && layer.settings.blend == .normal && placement.covers(canvas)
  }
}

extension PlacedLayer {
  /// Places a layer on a canvas; `nil` where nothing of it is to be seen.
  ///
  /// With `isEven` it is drawn on a subsampled canvas, whatever its place is.
  init?(_ layer: Compositor.Layer, on canvas: PixelSize, isEven: Bool) {
    guard layer.opacity > .zero,
      let placement = Placement.place(
        layer.upright, fit: layer.fit, settings: layer.settings, canvas: canvas,
        motion: layer.motion, isEven: isEven, hasAlpha: layer.hasAlpha),
      !placement.isInvisible
    else { return nil }
    self.layer = layer
    self.placement = placement
    hasAlpha = layer.opacity < .one || layer.hasAlpha
  }
}

extension Compositor.Layer {
  /// Whether its source lets something through.
  var hasAlpha: Bool { !shown.isOpaque && shown.frame.format?.hasAlpha ?? false }

  /// The format that a picture with alpha is converted to before it is drawn in `format`: that one,
  /// or where it has more chroma samples one that keeps them, so that colours are brought together
  /// by their alpha.
  fileprivate func alphaFormat(for format: String) -> String {
    let own = shown.frame.format
    guard let wanted = PixelFormat(name: format), wanted.log2ChromaWidth > 0,
      own?.isRGB != false || (own?.log2ChromaWidth ?? 0) < wanted.log2ChromaWidth
        || (own?.log2ChromaHeight ?? 0) < wanted.log2ChromaHeight || own?.hasPalette == true
    else { return format }
    return wanted.bitDepth > 8 ? "yuva444p10le" : "yuva444p"
  }

  fileprivate var upright: UprightPicture {
    let (frame, geometry) = (shown.frame, shown.geometry)
    var upright = UprightPicture(
      display: geometry.displaySize, coded: PixelSize(width: frame.width, height: frame.height))
    if let format = frame.format {
      upright.cell = PixelSize(
        width: 1 << format.log2ChromaWidth, height: 1 << format.log2ChromaHeight)
    }
    if geometry.rotation % 180 != 0 {
      upright.coded = upright.coded.turned
      upright.cell = upright.cell.turned
    }
    return upright
  }
}

extension PixelSize {
  /// The size after a quarter of a turn.
  fileprivate var turned: PixelSize { PixelSize(width: height, height: width) }
}

/// Makes a layer ready to be laid on the canvas; a layer that comes again is not made again.
final class LayerDrawer {
  private let converter = LayerConverter()
  private var last: (input: Frame, placement: Placement, opacity: Rational, result: Frame)?

  /// The layer in `format`, or in that format with alpha where something shows through.
  ///
  /// Its top left belongs where the placement says. The result may be shared and is not to be
  /// changed.
  func draw(
    _ placed: PlacedLayer, format: String, color: TimelineColor
  ) throws(CutroomError) -> Frame {
    let layer = placed.layer
    let alphaFormat = format.replacing("yuv", with: "yuva")
    let own = layer.hasAlpha ? layer.alphaFormat(for: alphaFormat) : format
    let converted = try convert(placed, format: own, color: color)
    let coverage = placed.coverage
    guard placed.placement.free != nil || !coverage.isWhole || own != alphaFormat && own != format
    else { return converted }
    if let last, last.input === converted, last.placement == placed.placement,
      last.opacity == layer.opacity
    {
      return last.result
    }
    guard let pixels = PixelFormat(name: alphaFormat) else { return converted }
    do throws(LibAVError) {
      var result = converted
      if let free = placed.placement.free {
        result = try free.draw(converted, alphaFormat: pixels)
      } else if layer.hasAlpha {
        result = try converted.resampled(to: pixels)
      }
      if !coverage.isWhole { result = try result.covered(coverage, format: pixels) }
      last = (converted, placed.placement, layer.opacity, result)
      return result
    } catch {
      throw CutroomError(
        .internal, "render.layer", "a picture cannot be placed: \(error.reason)",
        details: error.log)
    }
  }

  private func convert(
    _ placed: PlacedLayer, format: String, color: TimelineColor
  ) throws(CutroomError) -> Frame {
    let shown = placed.layer.shown
    let frame = shown.frame
    guard let pixelFormat = frame.format else {
      throw CutroomError(.media, "media.pixel-format", "a picture has no known pixel format")
    }
    return try converter.convert(
      shown,
      to: LayerConverter.Shape(
        input: GraphDescription.VideoInput(
          width: frame.width, height: frame.height, format: pixelFormat,
          timeBase: TimeBase(numerator: 1, denominator: 1)),
        coded: CodedColor(frame), rotation: shown.geometry.rotation,
        isFlipped: shown.geometry.isFlipped, conversion: placed.placement.conversion,
        format: format, color: color))
  }
}

extension PlacedLayer {
  /// What is drawn of it.
  fileprivate var coverage: Coverage {
    var coverage = placement.free?.coverage ?? Coverage()
    // Rounded up, so that halves of a step are rounded as exact values are.
    coverage.opacity = UInt64(
      clamping: (layer.opacity.snapped * Rational(Int128(1) << 32)).ceiling)
    return coverage
  }
}
