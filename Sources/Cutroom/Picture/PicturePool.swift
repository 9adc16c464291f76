import CutroomMedia
import CutroomModel

/// Opens sources around the time they are used, and keeps a bounded number of them.
///
/// A segment that begins takes over a source that another one has left. Used by one thread.
final class PicturePool {
  private let timeline: Timeline
  private let assets: [String: AssetInfo]
  private let decoderThreads: Int
  private let damage: DamagePolicy
  private let outputFormat: PixelFormat
  private let readers: ReaderBudget
  private let keepsIdle: Bool
  private var active: [Key: any PictureSource] = [:]
  private var idle: [(source: Int, pictures: any PictureSource)] = []

  /// A segment of a track.
  struct Key: Hashable {
    var track: Int
    var segment: Int
  }

  init(
    timeline: Timeline, assets: [String: AssetInfo], outputFormat: PixelFormat,
    decoderThreads: Int, damage: DamagePolicy, readers: ReaderBudget, keepsIdle: Bool = true
  ) {
    self.timeline = timeline
    self.assets = assets
    self.decoderThreads = decoderThreads
    self.damage = damage
    self.outputFormat = outputFormat
    self.readers = readers
    self.keepsIdle = keepsIdle
  }

  /// The pictures of a segment's source.
  func pictures(for key: Key, source: Int) throws(CutroomError) -> any PictureSource {
    if let pictures = active[key] { return pictures }
    let pictures: any PictureSource
    if let free = idle.lastIndex(where: { $0.source == source }) {
      pictures = idle.remove(at: free).pictures
    } else {
      pictures = try open(timeline.sources[source])
    }
    let shown = directed(pictures, key, source)
    active[key] = shown
    return shown
  }

  /// The pictures as a segment shows them: made whole, and in its direction.
  private func directed(
    _ pictures: any PictureSource, _ key: Key, _ source: Int
  ) -> any PictureSource {
    let segment = timeline.tracks[key.track].segments[key.segment]
    var pictures = pictures
    if let file = pictures as? FilePictures, let mode = segment.picture.deinterlace, mode != .never
    {
      pictures = DeinterlacedPictures(file, isAlways: mode == .always)
    }
    guard segment.playback == .reversed, !(pictures is ConstantPicture) else { return pictures }
    let held = segment.fill == .freeze ? timeline.sources[source].heldPictures : nil
    return ReversedPictures(pictures, held: held)
  }

  /// Begins a frame that shows only these segments; the sources of others become free.
  func begin(_ keys: [Key]) {
    guard !active.isEmpty else { return }
    for (key, pictures) in active where !keys.contains(key) {
      active[key] = nil
      let segment = timeline.tracks[key.track].segments[key.segment]
      guard let source = segment.source else { continue }
      idle.append((source, pictures.base))
    }
    while !idle.isEmpty, !keepsIdle || idle.count > Self.idleLimit || readers.lacksRoom() {
      idle.removeFirst()
    }
  }

  /// More than this are seldom of use again.
  private static let idleLimit = 8

  private func open(_ source: TimelineSource) throws(CutroomError) -> any PictureSource {
    switch source.content {
    case .file(let path, let choice, _):
      if let script = assets[path]?.subtitles {
        return try SubtitlePictures(script, canvas: timeline.size, color: timeline.color)
      }
      guard let asset = assets[path], let track = asset.track(.video, choice) else {
        throw CutroomError(.internal, "internal", "the source '\(source.id)' was not probed")
      }
      while !idle.isEmpty, readers.lacksRoom(pictureBytes: track.pictureBytes) {
        idle.removeFirst()
      }
      if asset.isStill { return try ConstantPicture.still(asset: asset, track: track) }
      return try FilePictures(
        asset: asset, track: track, threads: decoderThreads, damage: damage, readers: readers)
    case .color(let color):
      return try constant(isOpaque: color.alpha == 255) { () throws(LibAVError) in
        try Frame.solid(
          width: timeline.size.width, height: timeline.size.height, red: color.red,
          green: color.green, blue: color.blue, alpha: color.alpha)
      }
    case .generator(let generator):
      return try GeneratorPictures(
        generator, rate: generator.frameRate ?? timeline.frameRate)
    case .text(let text):
      return try constant(isOpaque: false) { () throws(LibAVError) in
        try TextRenderer.render(text, maxWidth: timeline.size.width)
      }
    case .composition:
      guard let nested = source.timeline else {
        throw CutroomError(.internal, "internal", "the source '\(source.id)' was not resolved")
      }
      return try CompositionPictures(
        timeline: nested, assets: assets, outputFormat: outputFormat,
        decoderThreads: decoderThreads, damage: damage, readers: readers)
    }
  }

  private func constant(
    isOpaque: Bool, _ make: () throws(LibAVError) -> Frame
  ) throws(CutroomError) -> ConstantPicture {
    do {
      return ConstantPicture(frame: try make(), isOpaque: isOpaque)
    } catch {
      throw CutroomError(.media, "media.picture", error.description, details: error.log)
    }
  }
}
