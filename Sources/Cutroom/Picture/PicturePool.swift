import CutroomMedia
import CutroomModel

/// Opens sources around the time they are used, and keeps a bounded number of them.
///
/// A segment that begins takes over a source that another one has left. Used by one thread.
final class PicturePool {
  private let timeline: Timeline
  private let assets: [String: AssetInfo]
  private let decoderThreads: Int
  private let concealsDamage: Bool
  private let idleLimit: Int
  private var active: [Key: any PictureSource] = [:]
  private var idle: [(source: Int, pictures: any PictureSource)] = []

  /// A segment of a track.
  struct Key: Hashable {
    var track: Int
    var segment: Int
  }

  init(
    timeline: Timeline, assets: [String: AssetInfo], decoderThreads: Int, concealsDamage: Bool,
    idleLimit: Int = 8
  ) {
    self.timeline = timeline
    self.assets = assets
    self.decoderThreads = decoderThreads
    self.concealsDamage = concealsDamage
    self.idleLimit = idleLimit
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
    active[key] = pictures
    return pictures
  }

  /// Begins a frame that shows only these segments; the sources of others become free.
  func begin(_ keys: [Key]) {
    guard !active.isEmpty else { return }
    for (key, pictures) in active where !keys.contains(key) {
      active[key] = nil
      let segment = timeline.tracks[key.track].segments[key.segment]
      if let source = segment.source { idle.append((source, pictures)) }
    }
    if idle.count > idleLimit { idle.removeFirst(idle.count - idleLimit) }
  }

  private func open(_ source: TimelineSource) throws(CutroomError) -> any PictureSource {
    switch source.content {
    case .file(let path, let choice, _):
      guard let asset = assets[path], let track = asset.track(.video, choice) else {
        throw CutroomError(.internal, "internal", "the source '\(source.id)' was not probed")
      }
      if asset.isStill { return try ConstantPicture.still(asset: asset, track: track) }
      return try FilePictures(
        asset: asset, track: track, threads: decoderThreads, concealsDamage: concealsDamage)
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
      throw CutroomError(.unsupported, "unsupported", "nested compositions are not supported yet")
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
