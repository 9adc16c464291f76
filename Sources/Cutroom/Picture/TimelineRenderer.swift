import CutroomMedia
import CutroomModel

/// Draws the frames of a timeline, each from exactly the pictures its start maps to.
///
/// Used by one thread; frames may be asked for in any order, rising order is cheap.
final class TimelineRenderer {
  private let timeline: Timeline
  private let tracks: [Int]
  /// The sources that are drawn for the canvas.
  private let lettering: Set<Int>
  private var cursors: [TimelineCursor]
  private let pool: PicturePool
  private let compositor: Compositor
  private var animations: [PicturePool.Key: PictureAnimation] = [:]
  /// The opacity of each track, by its index.
  private let opacities: [Int: Animation<Rational>]
  private var filters: [PicturePool.Key: ClipFilters] = [:]
  private var runs: [PicturePool.Key: FilterRun] = [:]

  init(
    timeline: Timeline, assets: [String: AssetInfo], outputFormat: PixelFormat,
    decoderThreads: Int, damage: DamagePolicy, readers: ReaderBudget = ReaderBudget()
  ) throws(CutroomError) {
    self.timeline = timeline
    tracks = timeline.tracks.indices.filter { timeline.tracks[$0].kind == .video }
    lettering = Set(
      timeline.sources.indices.filter { timeline.sources[$0].isLettering(assets) })
    cursors = tracks.map { TimelineCursor(timeline.tracks[$0]) }
    pool = PicturePool(
      timeline: timeline, assets: assets, outputFormat: outputFormat,
      decoderThreads: decoderThreads, damage: damage, readers: readers)
    opacities = try Self.keyframes { [tracks] () throws(RampError) in
      try Self.opacities(timeline, tracks)
    }
    compositor = try Compositor(
      canvas: timeline.size, color: timeline.color, background: timeline.background,
      outputFormat: outputFormat)
  }

  /// The canvas at timeline time `time`; shared memory, not to be changed.
  ///
  /// - Throws: ``CutroomError`` when a source does not decode.
  func frame(at time: Rational) throws(CutroomError) -> Frame {
    let places = tracks.indices.map { cursors[$0].place(at: time) }
    let shown = zip(tracks, places).flatMap { keys($0, $1, at: time) }
    pool.begin(shown)
    if !filters.isEmpty {
      let used = Set(shown.compactMap { key in runs[key].map { first(of: $0, key.track) } })
      filters = filters.filter { used.contains($0.key) }
    }
    var pictures: [Compositor.TrackPicture] = []
    for (track, place) in zip(tracks, places) {
      switch place {
      case .nothing: continue
      case .segment(let segment):
        if let layer = try layer(track, segment, at: time) { pictures.append(.single(layer)) }
      case .transition(let number):
        let transition = timeline.tracks[track].transitions[number]
        let sides = sides(track, transition, at: time)
        let from = try layer(track, sides.from, at: time)
        let to = try layer(track, sides.to, at: time)
        pictures.append(
          .transition(
            from, to, TransitionEffect(transition.name),
            weight: (time - transition.start) / transition.duration))
      }
    }
    return try compositor.compose(pictures)
  }

  /// The segments that a place shows.
  private func keys(
    _ track: Int, _ place: TimelineCursor.Place, at time: Rational
  ) -> [PicturePool.Key] {
    switch place {
    case .nothing: return []
    case .segment(let segment): return [PicturePool.Key(track: track, segment: segment)]
    case .transition(let number):
      let sides = sides(track, timeline.tracks[track].transitions[number], at: time)
      return [sides.from, sides.to].map { PicturePool.Key(track: track, segment: $0) }
    }
  }

  /// The segments on both sides of a transition: those that lie there where clips are of several
  /// parts, beyond the cut those beside it.
  private func sides(
    _ track: Int, _ transition: TimelineTransition, at time: Rational
  ) -> (from: Int, to: Int) {
    let segments = timeline.tracks[track].segments
    var (from, to) = (transition.from, transition.to)
    while from > 0, time < segments[from].start { from -= 1 }
    while to + 1 < segments.count, time >= segments[to].end { to += 1 }
    return (from, to)
  }

  private func layer(
    _ track: Int, _ index: Int, at time: Rational
  ) throws(CutroomError) -> Compositor.Layer? {
    let segment = timeline.tracks[track].segments[index]
    guard let source = segment.source else { return nil }
    let shown =
      segment.picture.filters.isEmpty
      ? try self.shown(track, index, at: time) : try filtered(track, index, at: time)
    guard let shown else { return nil }
    let key = PicturePool.Key(track: track, segment: index)
    let animation = try animation(of: segment, key)
    let settings = animation.settings(at: segment.clipTime(at: time))
    if let problem = settings.cropProblem(of: shown.geometry.displaySize) {
      throw located(
        CutroomError(.input, DiagnosticCode.shapeValue.rawValue, problem), segment, at: time)
    }
    return Compositor.Layer(
      shown: shown, fit: settings.fit ?? (lettering.contains(source) ? .none : .contain),
      settings: settings,
      opacity: ((settings.opacity.fixed ?? .one).snapped
        * (opacities[track]?.value(at: time) ?? .one).snapped).snapped,
      motion: animation.motion)
  }

  private func animation(
    of segment: TimelineSegment, _ key: PicturePool.Key
  ) throws(CutroomError) -> PictureAnimation {
    if let known = animations[key] { return known }
    let animation = try Self.keyframes { () throws(RampError) in
      try PictureAnimation(segment.picture, at: timeline.frameRate)
    }
    // Those in use come back at once.
    if animations.count >= 64 { animations = [:] }
    animations[key] = animation
    return animation
  }

  private static func opacities(
    _ timeline: Timeline, _ tracks: [Int]
  ) throws(RampError) -> [Int: Animation<Rational>] {
    var opacities: [Int: Animation<Rational>] = [:]
    for track in tracks {
      opacities[track] = try Animation(timeline.tracks[track].opacity, at: timeline.frameRate)
    }
    return opacities
  }

  /// Keyframes were checked when the timeline was resolved.
  private static func keyframes<Result>(
    _ make: () throws(RampError) -> Result
  ) throws(CutroomError) -> Result {
    do throws(RampError) { return try make() } catch {
      throw CutroomError(.internal, "internal", error.description)
    }
  }

  /// What a clip shows before its filters.
  private func shown(
    _ track: Int, _ index: Int, at time: Rational
  ) throws(CutroomError) -> Shown? {
    let segment = timeline.tracks[track].segments[index]
    guard let source = segment.source else { return nil }
    let pictures = try pool.pictures(
      for: PicturePool.Key(track: track, segment: index), source: source)
    do {
      return try pictures.picture(at: sourceTime(of: segment, source, at: time))
    } catch {
      throw located(error, segment, at: time)
    }
  }

  /// What a clip shows after its filters.
  private func filtered(
    _ track: Int, _ index: Int, at time: Rational
  ) throws(CutroomError) -> Shown? {
    let key = PicturePool.Key(track: track, segment: index)
    let list = timeline.tracks[track]
    let run = runs[key] ?? FilterRun(of: index, in: list)
    runs[key] = run
    let first = first(of: run, track)
    let clip = filters[first] ?? ClipFilters(run, in: list, rate: timeline.frameRate)
    filters[first] = clip
    do {
      return try clip.picture(at: time) { (time) throws(CutroomError) in
        try shown(track, run.segment(at: time, in: list), at: time)
      }
    } catch {
      throw located(error, list.segments[index], at: time)
    }
  }

  private func first(of run: FilterRun, _ track: Int) -> PicturePool.Key {
    PicturePool.Key(track: track, segment: run.segments.lowerBound)
  }

  private func sourceTime(
    of segment: TimelineSegment, _ source: Int, at time: Rational
  ) -> Rational {
    let shown = segment.sourceTime(at: time)
    guard segment.fill == .freeze, segment.playback != .reversed,
      let held = timeline.sources[source].heldPictures
    else { return shown }
    return min(max(shown, held.lowerBound), held.upperBound)
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
