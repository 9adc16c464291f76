import CutroomMedia
import CutroomModel

/// The pictures of a composition within another one, on its own grid.
final class CompositionPictures: PictureSource {
  private let renderer: TimelineRenderer
  private let timeline: Timeline
  private var current: (number: Int64, shown: Shown)?

  /// Draws in a pixel format that goes well with `outputFormat`.
  init(
    timeline: Timeline, assets: [String: AssetInfo], outputFormat: PixelFormat,
    decoderThreads: Int, damage: DamagePolicy, readers: ReaderBudget
  ) throws(CutroomError) {
    self.timeline = timeline
    let name = Self.format(for: outputFormat, timeline.size)
    guard let format = PixelFormat(name: name) else {
      throw CutroomError(.internal, "internal", "the pixel format '\(name)' is not known")
    }
    renderer = try TimelineRenderer(
      timeline: timeline, assets: assets, outputFormat: format, decoderThreads: decoderThreads,
      damage: damage, readers: readers)
  }

  private static func format(for output: PixelFormat, _ size: PixelSize) -> String {
    let is420 = output.log2ChromaHeight == 1 && output.log2ChromaWidth == 1
    if output.bitDepth > 8 { return is420 ? "yuv420p10le" : "yuv422p10le" }
    let isEven = size.width % 2 == 0 && size.height % 2 == 0
    return is420 && isEven ? "yuv420p" : "yuv444p"
  }

  func picture(at time: Rational) throws(CutroomError) -> Shown? {
    guard time >= .zero, time < timeline.duration else { return nil }
    let number = timeline.frameRate.frame(at: time)
    if let current, current.number == number { return current.shown }
    let drawn = try renderer.frame(at: timeline.frameRate.time(ofFrame: number))
    do {
      let frame = try drawn.reference()
      frame.colorTags = timeline.color.tags
      let shown = Shown(
        frame: frame, geometry: PictureGeometry(displaySize: timeline.size), isOpaque: true)
      current = (number, shown)
      return shown
    } catch {
      throw CutroomError(.internal, "render.memory", error.description, details: error.log)
    }
  }

  func pictures(before time: Rational) throws(CutroomError) -> [TimedPicture] {
    guard time <= timeline.duration else { return [] }
    return try pictures(
      before: time, rate: timeline.frameRate,
      limit: Self.runLength(pictureBytes: timeline.size.pictureBytes()))
  }
}
