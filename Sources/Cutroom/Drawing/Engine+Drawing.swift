public import CutroomModel

/// A drawing that was written.
public struct DrawingReport: Sendable {
  /// The file.
  public var output: String
  /// Its picture's size.
  public var size: PixelSize
  /// What could not be drawn.
  public var warnings: [Diagnostic]

  /// The report as `cutroom show -o FILE --json` prints it.
  public var jsonValue: JSONValue {
    [
      "ok": true, "output": .string(output),
      "size": [.integer(Int64(size.width)), .integer(Int64(size.height))],
    ]
  }

  /// The report for people.
  public var text: String { "\(output): \(size.width)×\(size.height)" }
}

extension Engine {
  /// Lays out the timeline of a composition, with what an export of it would copy and render.
  ///
  /// With `thumbnails` it reads the first frames of at most 24 clips; others show their name only.
  ///
  /// - Throws: ``CutroomError`` with all findings where the composition is not valid.
  public static func drawing(
    of composition: CheckedComposition, thumbnails: Bool = false
  ) throws(CutroomError) -> TimelineDrawing {
    // A name that no file has: nothing is written.
    let container = composition.document?.export.container ?? "mp4"
    let ending = Container.named(container)?.fileExtensions.first ?? container
    let plan =
      composition.hasErrors
      ? nil : Engine.plan(composition, output: ".cutroom-show-no-such-file.\(ending)")
    var drawing = try TimelineDrawing(composition, plan: plan)
    try drawing.addKeyframes(composition)
    if thumbnails { try drawing.addThumbnails(composition) }
    return drawing
  }

  /// Draws the timeline of a composition into a file; its ending says SVG, PNG or HTML.
  ///
  /// None of them needs another file. `width` is in pixels, one of ``TimelineDrawing/widths``.
  public static func draw(
    _ composition: CheckedComposition, output: String, width: Int = 1200, overwrite: Bool = false
  ) throws(CutroomError) -> DrawingReport {
    let ending = DrawingFile.ending(of: output)
    let endings = ["svg", "png", "html"]
    guard endings.contains(ending) else { throw DrawingFile.unknownEnding(output, endings) }
    guard TimelineDrawing.widths.contains(width) else {
      let (least, most) = (TimelineDrawing.widths.lowerBound, TimelineDrawing.widths.upperBound)
      throw CutroomError(
        .input, DiagnosticCode.sizeLimit.rawValue,
        "a drawing is \(least) to \(most) pixels wide, not \(width)")
    }
    let file = try DrawingFile(
      output, overwrite: overwrite, inputs: MediaInput.composition(composition).inputs)
    let drawing = try drawing(of: composition, thumbnails: true)
    let scene = drawing.scene(width: width)
    switch ending {
    case "svg": try file.write(scene.svg(title: drawing.title, isFile: true))
    case "html": try file.write(drawing.page(width: width))
    default: try file.write(try scene.raster().png())
    }
    return DrawingReport(
      output: output, size: PixelSize(width: scene.width, height: scene.height),
      warnings: drawing.warnings)
  }
}
