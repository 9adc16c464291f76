import CutroomMedia
import CutroomModel

/// Pictures of a libavfilter source, on its own grid from source time 0.
final class GeneratorPictures: PictureSource {
  private let source: GeneratorSource
  private let rate: FrameRate
  private var graph: FilterGraph
  private var current: Frame?
  private var index: Int64 = -1

  /// - Throws: ``CutroomError`` with code `input` when libavfilter refuses the source.
  init(_ source: GeneratorSource, rate: FrameRate) throws(CutroomError) {
    self.source = source
    self.rate = rate
    graph = try Self.open(source, rate: rate)
  }

  private static func open(
    _ source: GeneratorSource, rate: FrameRate
  ) throws(CutroomError) -> FilterGraph {
    do {
      return try FilterGraph.source(source.filterText(rate: rate), kind: .video)
    } catch {
      throw CutroomError(
        .input, "media.generator",
        "the generator '\(source.filter)' cannot be made: \(error.reason)", details: error.log)
    }
  }

  func picture(at time: Rational) throws(CutroomError) -> Shown? {
    guard time >= .zero else { return nil }
    let wanted = rate.frame(at: time)
    if wanted < index {
      graph = try Self.open(source, rate: rate)
      (current, index) = (nil, -1)
    }
    while index < wanted {
      do {
        guard case .value(let frame) = try graph.pull() else { return nil }
        current = frame
        index += 1
      } catch {
        throw CutroomError(
          .media, "media.generator", "the generator '\(source.filter)' failed: \(error.reason)",
          details: error.log)
      }
    }
    guard let current else { return nil }
    let size = PixelSize(width: current.width, height: current.height)
    return Shown(
      frame: current, geometry: PictureGeometry(displaySize: size))
  }

  func pictures(before time: Rational) throws(CutroomError) -> [TimedPicture] {
    let size = source.size ?? PixelSize(width: 1920, height: 1080)
    return try pictures(
      before: time, rate: rate, limit: Self.runLength(pictureBytes: size.pictureBytes()))
  }
}

extension GeneratorSource {
  /// The filter with its options, size and rate in libavfilter's spelling.
  func filterText(rate: FrameRate) -> String {
    var options: [String] = []
    if let size { options.append("size=\(size.width)x\(size.height)") }
    options.append("rate=\(rate)")
    let separator = filter.contains("=") ? ":" : "="
    return filter + separator + options.joined(separator: ":")
  }
}
