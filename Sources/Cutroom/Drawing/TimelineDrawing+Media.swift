import CutroomMedia
import CutroomModel

extension TimelineDrawing {
  /// The most small pictures in a drawing: each is a seek and a decode.
  private static let thumbnailLimit = 24
  /// The height of small pictures.
  static let thumbnailHeight = 42
  /// More keyframes than this are not marked on a block.
  private static let keyframeLimit = 2000

  /// Adds small pictures of the first frames of the longest blocks.
  ///
  /// Those that do not decode are left out and named.
  mutating func addThumbnails(_ checked: CheckedComposition) throws(CutroomError) {
    let timeline = try checked.requireTimeline()
    let order = Self.order(timeline)
    let candidates = Self.places(timeline).sorted {
      let (a, b) = (timeline.segment($0), timeline.segment($1))
      return a.duration == b.duration ? a.start < b.start : a.duration > b.duration
    }
    for place in candidates.prefix(Self.thumbnailLimit) {
      do {
        let thumbnail = try Self.thumbnail(timeline, place, checked)
        guard let row = order.firstIndex(of: place.track) else { continue }
        rows[row].blocks[place.segment].thumbnail = thumbnail
      } catch  where error.code == .unsupported {
        // What cannot be drawn yet has a name at least.
        continue
      } catch {
        warnings.append(
          Diagnostic(
            .warning, error.stableCode, "a small picture is left out: \(error.message)",
            at: timeline.segment(place).pointer))
      }
    }
  }

  /// Marks the keyframes of sources whose containers list them.
  mutating func addKeyframes(_ checked: CheckedComposition) throws(CutroomError) {
    let timeline = try checked.requireTimeline()
    let order = Self.order(timeline)
    var known: [Int: [Rational]] = [:]
    for place in Self.places(timeline) {
      let segment = timeline.segment(place)
      guard let source = segment.source, segment.speed > .zero, segment.playback != .frozen else {
        continue
      }
      let times: [Rational]
      if let already = known[source] {
        times = already
      } else {
        times = Self.keyframes(timeline.sources[source], checked.assets)
        known[source] = times
      }
      guard !times.isEmpty else { continue }
      let end = segment.sourceEnd
      let first = Self.index(of: segment.sourceStart, in: times)
      let shown = times[first...].prefix { $0 < end }
      guard shown.count <= Self.keyframeLimit, let row = order.firstIndex(of: place.track) else {
        continue
      }
      rows[row].blocks[place.segment].keyframes = shown.map {
        let distance =
          segment.playback == .forward ? $0 - segment.sourceStart : segment.sourceEnd - $0
        return segment.start + distance / segment.speed
      }
    }
  }

  /// The index of the first of ascending `times` that is not before `time`.
  private static func index(of time: Rational, in times: [Rational]) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func places(_ timeline: Timeline) -> [PicturePool.Key] {
    timeline.tracks.indices.filter { timeline.tracks[$0].kind == .video }.flatMap { track in
      timeline.tracks[track].segments.indices.filter {
        !timeline.tracks[track].segments[$0].isEmpty
      }.map { PicturePool.Key(track: track, segment: $0) }
    }
  }

  private static func thumbnail(
    _ timeline: Timeline, _ place: PicturePool.Key, _ checked: CheckedComposition
  ) throws(CutroomError) -> Thumbnail? {
    let segment = timeline.segment(place)
    guard let source = segment.source, let format = PixelFormat(name: "yuv444p") else {
      return nil
    }
    let pool = PicturePool(
      timeline: timeline, assets: checked.assets, outputFormat: format, decoderThreads: 2,
      damage: DamagePolicy(conceals: true), readers: ReaderBudget(), keepsIdle: false)
    let pictures = try pool.pictures(for: place, source: source)
    guard let shown = try pictures.picture(at: segment.sourceTime(at: segment.start)) else {
      return nil
    }
    let display = shown.geometry.displaySize
    guard display.width > 0, display.height > 0 else { return nil }
    let width = max(1, min(4 * thumbnailHeight, thumbnailHeight * display.width / display.height))
    let size = PixelSize(width: width, height: thumbnailHeight)
    let hasAlpha = !shown.isOpaque && shown.frame.format?.hasAlpha == true
    do {
      let picture = try DisplayedPicture.convert(
        shown.frame, shown.geometry, size: size, format: "rgba")
      // Letters and logos are seen on black, as on the canvas.
      let raster = hasAlpha ? Raster(picture).flattened(on: .black) : Raster(picture)
      let file = try DisplayedPicture.convert(
        try raster.frame(), PictureGeometry(displaySize: size), size: size, format: "yuvj444p")
      return Thumbnail(
        raster: raster, mediaType: "image/jpeg", bytes: try StillFormat.jpeg.encoded(file))
    } catch let error as CutroomError {
      throw error
    } catch {
      throw CutroomError(.internal, "draw.encode", "a small picture cannot be made: \(error)")
    }
  }

  /// The keyframes of a file in source time; empty where they are not listed.
  private static func keyframes(
    _ source: TimelineSource, _ assets: [String: AssetInfo]
  ) -> [Rational] {
    guard case .file(let path, let choice, _) = source.content, let asset = assets[path],
      !asset.isStill, let track = asset.track(.video, choice)
    else { return [] }
    let index: KeyframeIndex
    do {
      index = KeyframeIndex(try Demuxer(path: path, trustsHeader: true), stream: track.streamIndex)
    } catch {
      // Marks are an addition; what is wrong with the file is said where it is decoded.
      return []
    }
    guard index.isComplete, let first = index.timestamps.first else { return [] }
    // The index has decoding times: the first picture tells how far they are from presentation.
    let delay = track.start - track.time(ofTick: first, origin: asset.origin)
    return index.timestamps.map { track.time(ofTick: $0, origin: asset.origin) + delay }
  }
}

extension Timeline {
  fileprivate func segment(_ place: PicturePool.Key) -> TimelineSegment {
    tracks[place.track].segments[place.segment]
  }
}
