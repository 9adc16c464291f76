import CutroomMedia
import CutroomModel

/// Draws the frames of a timeline, each from exactly the pictures its start maps to.
///
/// Used by one thread; frames may be asked for in any order, rising order is cheap.
final class TimelineRenderer {
  private let timeline: Timeline
  private let tracks: [Int]
  private var cursors: [TimelineCursor]
  private let pool: PicturePool
  private let compositor: Compositor

  init(
    timeline: Timeline, assets: [String: AssetInfo], outputFormat: PixelFormat,
    decoderThreads: Int, concealsDamage: Bool
  ) throws(CutroomError) {
    self.timeline = timeline
    tracks = timeline.tracks.indices.filter { timeline.tracks[$0].kind == .video }
    cursors = tracks.map { TimelineCursor(timeline.tracks[$0]) }
    pool = PicturePool(
      timeline: timeline, assets: assets, decoderThreads: decoderThreads,
      concealsDamage: concealsDamage)
    compositor = try Compositor(
      canvas: timeline.size, color: timeline.color, background: timeline.background,
      outputFormat: outputFormat)
  }

  /// The canvas at timeline time `time`; shared memory, not to be changed.
  ///
  /// - Throws: ``CutroomError`` when a source does not decode.
  func frame(at time: Rational) throws(CutroomError) -> Frame {
    let places = tracks.indices.map { cursors[$0].place(at: time) }
    pool.begin(zip(tracks, places).flatMap(keys))
    var pictures: [Compositor.TrackPicture] = []
    for (track, place) in zip(tracks, places) {
      switch place {
      case .nothing: continue
      case .segment(let segment):
        if let layer = try layer(track, segment, at: time) { pictures.append(.single(layer)) }
      case .transition(let number):
        let transition = timeline.tracks[track].transitions[number]
        let from = try layer(track, transition.from, at: time)
        let to = try layer(track, transition.to, at: time)
        pictures.append(
          .dissolve(from, to, weight: (time - transition.start) / transition.duration))
      }
    }
    return try compositor.compose(pictures)
  }

  /// The segments that a place shows.
  private func keys(_ track: Int, _ place: TimelineCursor.Place) -> [PicturePool.Key] {
    switch place {
    case .nothing: return []
    case .segment(let segment): return [PicturePool.Key(track: track, segment: segment)]
    case .transition(let number):
      let transition = timeline.tracks[track].transitions[number]
      return [transition.from, transition.to].map { PicturePool.Key(track: track, segment: $0) }
    }
  }

  private func layer(
    _ track: Int, _ index: Int, at time: Rational
  ) throws(CutroomError) -> Compositor.Layer? {
    let segment = timeline.tracks[track].segments[index]
    guard let source = segment.source else { return nil }
    let pictures = try pool.pictures(
      for: PicturePool.Key(track: track, segment: index), source: source)
    let shown: Shown?
    do {
      shown = try pictures.picture(at: segment.sourceTime(at: time))
    } catch {
      throw located(error, segment, at: time)
    }
    guard let shown else { return nil }
    let isText = if case .text = timeline.sources[source].content { true } else { false }
    return Compositor.Layer(
      shown: shown, source: pictures, fit: segment.picture.fit ?? (isText ? .none : .contain),
      settings: segment.picture,
      opacity: (segment.picture.opacity.fixed ?? .one)
        * (timeline.tracks[track].opacity.fixed ?? .one))
  }

  private func located(
    _ error: CutroomError, _ segment: TimelineSegment, at time: Rational
  ) -> CutroomError {
    guard error.diagnostics.isEmpty else { return error }
    var located = error
    located.message += " (on the timeline at \(time.secondsText))"
    located.diagnostics = [
      Diagnostic(.error, error.stableCode, located.message, at: segment.pointer)
    ]
    return located
  }
}
