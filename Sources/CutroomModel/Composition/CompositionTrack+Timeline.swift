extension CompositionTrack {
  /// Creates a track with the segments of a timeline's track; its transitions are not part of it.
  ///
  /// `extent` gives the range that a source of the timeline has, by its index; `nil` for one without
  /// end. Throws what ``validate(_:kind:)`` throws, and ``EditError/unknownSource(_:)``.
  public init(
    _ track: TimelineTrack, id: TrackID, sources: [TimelineSource],
    extent: (Int) -> Range<Rational>?
  ) throws(EditError) {
    let kind: Kind =
      switch track.kind {
      case .video: .video
      case .audio: .audio
      case .subtitle: .subtitle
      }
    self.init(id: id, kind: kind, name: track.id)
    language = track.language
    var segments: [TrackSegment] = []
    segments.reserveCapacity(track.segments.count)
    var known: [Int: SourceTrack] = [:]
    for segment in track.segments {
      guard let range = Range(start: segment.start, duration: segment.duration) else {
        throw .segmentDuration(segment: segments.count, duration: segment.duration)
      }
      guard let index = segment.source else {
        segments.append(TrackSegment(emptyOver: range))
        continue
      }
      guard sources.indices.contains(index) else { throw .unknownSource("\(index)") }
      let source =
        known[index] ?? SourceTrack(sources[index].id, kind: kind, extent: extent(index))
      known[index] = source
      guard let shown = Range(start: segment.sourceStart, duration: segment.sourceDuration) else {
        throw .sourceDuration(segment: segments.count, duration: segment.sourceDuration)
      }
      segments.append(
        TrackSegment(
          source, shown, over: range, playback: segment.playback, clip: ClipPart(segment)))
    }
    try replaceSegments(with: segments)
  }

  /// The segments as a timeline has them; `sources` must have all that are used, by their ids.
  ///
  /// Throws ``EditError/unknownSource(_:)``.
  public func timelineSegments(
    sources: [TimelineSource]
  ) throws(EditError) -> [TimelineSegment] {
    let indices = Dictionary(
      sources.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    var result: [TimelineSegment] = []
    result.reserveCapacity(segments.count)
    for segment in segments {
      guard let source = segment.source else {
        result.append(
          TimelineSegment(emptyAt: segment.range.lowerBound, duration: segment.duration))
        continue
      }
      guard let place = indices[source.id] else { throw .unknownSource(source.id) }
      var converted = TimelineSegment(
        source: place, sourceStart: segment.sourceRange.lowerBound,
        start: segment.range.lowerBound, duration: segment.duration)
      converted.sourceDuration = segment.sourceRange.duration
      converted.speed = segment.rate ?? 1
      converted.playback = segment.playback
      segment.clip?.describe(&converted)
      result.append(converted)
    }
    return result
  }
}

extension ClipPart {
  /// The part of a clip that a segment of a timeline is.
  package init(_ segment: TimelineSegment) {
    self.init(
      name: segment.name, picture: segment.picture, sound: segment.sound,
      pointer: segment.pointer, length: segment.clipLength)
    fill = segment.fill
    range = segment.clipRange
  }

  fileprivate func describe(_ segment: inout TimelineSegment) {
    segment.picture = picture
    segment.sound = sound
    segment.name = name
    segment.pointer = pointer
    segment.fill = fill
    segment.clipRange = range
    segment.clipLength = length
  }
}
