import CutroomMedia
import CutroomModel

/// Displayed pictures by exact time.
protocol FrameSource: AnyObject {
  /// What it is called in messages.
  var path: String { get }
  /// The rate by which times in frames are counted.
  var frameRate: FrameRate { get }
  /// When the first picture begins to be shown.
  var start: Rational { get }
  /// When the last one ends; `nil` for never.
  var end: Rational? { get }
  /// `HLG` or `PQ`, where the pictures are of a high dynamic range.
  var hdrTransfer: String? { get }
  /// The picture at a time between start and end, in pixels for `format`, and the time at which it
  /// begins to be shown.
  func frame(at time: Rational, for format: StillFormat) throws(CutroomError) -> (
    Frame, actual: Rational
  )
}

extension FrameSource {
  /// Whether there is a picture at `time`.
  func shows(at time: Rational) -> Bool {
    time.isValid && time >= start && end.map { time < $0 } ?? true
  }
}

/// Pictures of a media file.
final class FileFrames: FrameSource {
  let path: String
  let frameRate: FrameRate
  let start: Rational
  let end: Rational?
  let hdrTransfer: String?
  private let asset: AssetInfo
  private let track: AssetTrack
  private let geometry: PictureGeometry
  private var reader: FrameReader?
  private var still: ConstantPicture?

  init(path: String) throws(CutroomError) {
    self.path = path
    let asset: AssetInfo
    do throws(AssetError) { asset = try AssetInfo.open(path) } catch {
      throw error.operationError
    }
    guard let track = asset.track(.video), let picture = track.picture else {
      throw CutroomError(
        .media, DiagnosticCode.mediaNoStream.rawValue, "'\(path)' has no pictures")
    }
    self.asset = asset
    self.track = track
    frameRate = picture.nominalFrameRate ?? Self.usualRate
    start = asset.isStill ? .zero : track.start
    end = asset.isStill ? nil : track.end
    hdrTransfer = Self.names[picture.colorTransfer ?? ""]
    geometry = PictureGeometry(track: track)
    if asset.isStill {
      still = try ConstantPicture.still(asset: asset, track: track)
    } else {
      reader = try FrameReader(
        asset: asset, track: track, threads: 2, damage: DamagePolicy(conceals: false))
    }
  }

  private static let usualRate = FrameRate(25) ?? Resolver.usualRates[0]
  private static let names = ["arib-std-b67": "HLG", "smpte2084": "PQ"]

  func frame(at time: Rational, for format: StillFormat) throws(CutroomError) -> (
    Frame, actual: Rational
  ) {
    if let shown = try still?.picture(at: time) {
      return (try displayed(shown.frame, format), .zero)
    }
    guard let picture = try reader?.picture(at: time) else {
      throw CutroomError(
        .media, DiagnosticCode.frameNone.rawValue,
        "'\(path)' shows no picture at \(time.secondsText)")
    }
    return (try displayed(picture.frame, format), shownFrom(picture.tick, at: time))
  }

  private func displayed(_ frame: Frame, _ format: StillFormat) throws(CutroomError) -> Frame {
    guard let pixels = frame.format else {
      throw CutroomError(.media, "media.pixel-format", "a picture has no known pixel format")
    }
    var geometry = geometry
    // A stream may change its size on the way.
    if let coded = track.picture?.size,
      coded != PixelSize(width: frame.width, height: frame.height)
    {
      let transform = DisplayTransform(rotation: geometry.rotation, isFlipped: geometry.isFlipped)
      geometry.displaySize = transform.displaySize(
        of: PixelSize(width: frame.width, height: frame.height),
        aspect: track.picture?.sampleAspectRatio ?? .one)
    }
    let size = geometry.displaySize
    guard format == .jpeg, pixels.hasAlpha else {
      return try DisplayedPicture.convert(
        frame, geometry, size: size, format: format.pixelFormat(for: pixels))
    }
    // Without alpha, what shows through is black.
    let picture = try DisplayedPicture.convert(frame, geometry, size: size, format: "rgba")
    let flat: Frame
    do { flat = try Raster(picture).flattened(on: .black).frame() } catch {
      throw CutroomError(.internal, "render.memory", "\(error)")
    }
    return try DisplayedPicture.convert(
      flat, PictureGeometry(displaySize: size), size: size,
      format: format.pixelFormat(for: pixels))
  }

  /// The exact start of a picture: on the grid from which its timestamp was rounded, where there
  /// is one; its timestamp, where that is earlier and was asked for.
  private func shownFrom(_ tick: Int64, at time: Rational) -> Rational {
    let stamped = track.time(ofTick: tick, origin: asset.origin)
    if track.extendsFirstFrame, stamped > time { return track.start }
    guard let picture = track.picture, let grid = picture.roundedGrid else { return stamped }
    let frames = ((stamped - picture.roundedGridStart) * grid.framesPerSecond).rounded
    let exact = picture.roundedGridStart + Rational(frames) * grid.frameDuration
    return exact > time ? stamped : exact
  }
}

/// Pictures of a composition, on the grid of its timeline.
final class TimelineFrames: FrameSource {
  let path: String
  let frameRate: FrameRate
  let start = Rational.zero
  let end: Rational?
  let hdrTransfer: String?
  private let size: PixelSize
  private let renderer: TimelineRenderer

  init(_ checked: CheckedComposition) throws(CutroomError) {
    let timeline = try checked.requireTimeline()
    // Not subsampled, so that nothing is lost on the way to RGB.
    let name = timeline.color.isHDR ? "yuv422p10le" : "yuv444p"
    guard let format = PixelFormat(name: name) else {
      throw CutroomError(.internal, "internal", "libav does not know '\(name)'")
    }
    path = checked.path
    frameRate = timeline.frameRate
    end = timeline.duration
    hdrTransfer =
      switch timeline.color {
      case .bt2020HLG: "HLG"
      case .bt2020PQ: "PQ"
      default: nil
      }
    size = timeline.size
    renderer = try TimelineRenderer(
      timeline: timeline, assets: checked.assets, outputFormat: format, decoderThreads: 2,
      damage: DamagePolicy(conceals: checked.document?.export.damaged == .conceal))
  }

  func frame(at time: Rational, for format: StillFormat) throws(CutroomError) -> (
    Frame, actual: Rational
  ) {
    let actual = frameRate.time(ofFrame: frameRate.frame(at: time))
    let frame = try renderer.frame(at: actual)
    guard let pixels = frame.format else {
      throw CutroomError(.internal, "internal", "a picture has no known pixel format")
    }
    let picture = try DisplayedPicture.convert(
      frame, PictureGeometry(displaySize: size), size: size,
      format: format.pixelFormat(for: pixels, isOpaque: true))
    return (picture, actual)
  }
}
