extension CompositionTrack {
  /// Creates a track with the segments of a timeline's track; its transitions are not part of it.
  ///
  /// `extent` gives the range that a source of the timeline has, by its index; `nil` for one without
  /// end. Throws what ``validate(_:kind:)`` throws, and ``EditError/unknownSource(_:)``.
  public init(
    _ track: TimelineTrack, id: TrackID, sources: [TimelineSource],
    extent: (Int) -> Range<Rational>?
  ) throws(EditError) {
    self.init(id: id, kind: track.kind == .video ? .video : .audio, name: track.id)
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
      let clip = ClipPart(
        name: segment.name, picture: segment.picture, sound: segment.sound,
        pointer: segment.pointer, length: segment.duration)
      segments.append(TrackSegment(source, shown, over: range, clip: clip))
    }
    try replaceSegments(with: segments)
  }

  /// The segments as a timeline has them; `sources` must have all that are used, by their ids.
  ///
  /// A fade stays with the part of the clip that has it. Throws ``EditError/cutInFade(_:)`` where a
  /// cut goes through one, ``EditError/unknownSource(_:)``, and ``EditError/notForward(segment:)``
  /// for reversed and frozen segments.
  public func timelineSegments(
    sources: [TimelineSource]
  ) throws(EditError) -> [TimelineSegment] {
    let indices = Dictionary(
      sources.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    var result: [TimelineSegment] = []
    result.reserveCapacity(segments.count)
    for (index, segment) in segments.enumerated() {
      guard let source = segment.source else {
        result.append(
          TimelineSegment(emptyAt: segment.range.lowerBound, duration: segment.duration))
        continue
      }
      guard let place = indices[source.id] else { throw .unknownSource(source.id) }
      guard segment.playback == .forward else { throw .notForward(segment: index) }
      var converted = TimelineSegment(
        source: place, sourceStart: segment.sourceRange.lowerBound,
        start: segment.range.lowerBound, duration: segment.duration)
      converted.sourceDuration = segment.sourceRange.duration
      converted.speed = segment.rate ?? 1
      if let clip = segment.clip {
        converted.picture = clip.picture
        converted.sound = try clip.soundOfPart(lasting: segment.duration)
        converted.name = clip.name
        converted.pointer = clip.pointer
      }
      result.append(converted)
    }
    return result
  }
}

extension ClipPart {
  /// The sound settings of this part, which lasts `duration` on the track.
  fileprivate func soundOfPart(lasting duration: Rational) throws(EditError) -> ResolvedSound {
    var part = sound
    let factor = duration / range.duration
    guard sound.fadeIn > .zero || sound.fadeOut > .zero, factor.isValid else { return part }
    let fadeOut = length - sound.fadeOut
    for cut in [range.lowerBound, range.upperBound] where cut > .zero && cut < length {
      if cut < sound.fadeIn || cut > fadeOut { throw .cutInFade(cut) }
    }
    part.fadeIn = range.lowerBound < sound.fadeIn ? sound.fadeIn * factor : .zero
    part.fadeOut = range.upperBound > fadeOut ? sound.fadeOut * factor : .zero
    return part
  }
}
