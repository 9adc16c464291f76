import CutroomMedia
import CutroomModel

/// Pictures of the lines of subtitles, as large as the canvas; nothing between lines.
final class SubtitlePictures: PictureSource {
  private let renderer: SubtitleRenderer
  private let geometry: PictureGeometry

  init(
    _ script: SubtitleScript, canvas: PixelSize, color: TimelineColor
  ) throws(CutroomError) {
    geometry = PictureGeometry(displaySize: canvas)
    do throws(LibAVError) {
      renderer = try SubtitleRenderer(
        script, width: canvas.width, height: canvas.height, matrix: color.tags.matrix)
    } catch {
      throw Self.failure(error)
    }
  }

  func picture(at time: Rational) throws(CutroomError) -> Shown? {
    guard time >= .zero else { return nil }
    return try picture(atMillisecond: Int64(clamping: (time * 1000).floor))
  }

  func pictures(before time: Rational) throws(CutroomError) -> [TimedPicture] {
    let last = Int64(clamping: (time * 1000).ceiling - 1)
    guard last >= 0, let shown = try picture(atMillisecond: last) else { return [] }
    return [TimedPicture(start: Rational(last, 1000), shown: shown)]
  }

  private func picture(atMillisecond time: Int64) throws(CutroomError) -> Shown? {
    do throws(LibAVError) {
      return try renderer.picture(at: time).map { Shown(frame: $0, geometry: geometry) }
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ error: LibAVError) -> CutroomError {
    CutroomError(.media, "media.picture", error.description, details: error.log)
  }
}

extension TimelineSource {
  /// Whether it is drawn for the canvas, in the canvas's own pixels.
  func isLettering(_ assets: [String: AssetInfo]) -> Bool {
    switch content {
    case .text: true
    case .file(let path, _, _): assets[path]?.subtitles != nil
    case .color, .generator, .composition: false
    }
  }
}
