import CutroomModel

extension Resolver {
  /// Applies the document's edits to the laid-out tracks: all of them, or none.
  ///
  /// The first one that fails is an error at its place, and nothing after it is looked at.
  mutating func applyEdits(to timeline: inout Timeline) {
    guard !document.edits.isEmpty, !isFlawed("/edits") else { return }
    var editing = TimelineEditing(timeline)
    for index in document.edits.indices {
      let pointer = "/edits/\(index)"
      do throws(EditError) {
        guard try apply(document.edits[index], at: pointer, to: &editing) else { return }
      } catch {
        findings.add(.time, .error, error.code, error.description, at: pointer, fix: error.fix)
        return
      }
    }
    do throws(EditError) {
      let lost = try editing.finish(&timeline)
      for transition in lost {
        findings.add(
          .time, .warning, .shapeNoEffect,
          "the edits take away the cut that the transition lies on", at: transition)
      }
    } catch {
      findings.add(.time, .error, error.code, error.description, at: "/edits")
    }
    for track in timeline.tracks { checkEdited(track, timeline) }
  }

  /// Applies one edit; `false` with a finding of its own where a value in it is wrong.
  private mutating func apply(
    _ edit: DocumentEdit, at pointer: String, to editing: inout TimelineEditing
  ) throws(EditError) -> Bool {
    guard let selection = selection(edit.track, at: pointer, editing) else {
      return !findings.hasErrors
    }
    let hasChanged: Bool
    switch edit.operation {
    case .insert(let clip, let at):
      return try insert(clip, at, selection, edit.track, pointer, &editing)
    case .insertEmpty(let range):
      guard let range = stretch(range, at: pointer + "/range") else { return false }
      hasChanged = try editing.composition.insertEmpty(range, in: selection)
    case .remove(let range):
      guard let range = stretch(range, at: pointer + "/range") else { return false }
      hasChanged = try editing.composition.remove(range, from: selection)
    case .scale(let range, let duration):
      let range = stretch(range, at: pointer + "/range")
      let duration = length(duration, at: pointer + "/duration")
      guard let range, let duration else { return false }
      hasChanged = try editing.composition.scale(range, to: duration, in: selection)
    }
    if !hasChanged {
      findings.add(
        .time, .warning, .shapeNoEffect, "nothing lies there, so the edit changes nothing",
        at: pointer)
    }
    return true
  }

  /// The tracks that an edit works on; `nil` with a finding where there are none.
  private mutating func selection(
    _ track: String?, at pointer: String, _ editing: TimelineEditing
  ) -> TrackSelection? {
    guard let track else { return .all }
    guard let index = document.tracks.indices.first(where: { id(ofTrack: $0) == track }) else {
      findings.add(
        .reference, .error, .referenceUnknownTrack, "there is no track '\(track)'",
        at: pointer + "/track")
      return nil
    }
    let ids = editing.ids(ofTrack: "/tracks/\(index)")
    guard !ids.isEmpty else {
      findings.add(
        .time, .warning, .shapeNoEffect, "the edit changes nothing: its track is not enabled",
        at: pointer + "/track")
      return nil
    }
    return .tracks(ids)
  }

  private mutating func stretch(_ range: EditRange, at pointer: String) -> Range<Rational>? {
    let start = length(range.in, at: pointer + "/in")
    let end = length(range.out, at: pointer + "/out")
    guard let start, let end else { return nil }
    guard start < end else {
      findings.add(
        .time, .error, start == end ? .rangeEmpty : .rangeReversed,
        "the range ends at \(end.inSeconds), but begins at \(start.inSeconds)",
        at: pointer + "/out")
      return nil
    }
    return start..<end
  }

  private mutating func insert(
    _ clip: Clip, _ at: TimeExpression?, _ selection: TrackSelection, _ track: String?,
    _ pointer: String, _ editing: inout TimelineEditing
  ) throws(EditError) -> Bool {
    let time = at.map { length($0, at: pointer + "/at") }
    let kind =
      track.flatMap { name in document.tracks.indices.first { id(ofTrack: $0) == name } }
      .map { document.tracks[$0].kind } ?? .av
    let place = pointer + "/clip"
    guard time != .some(nil), let source = sourceIndices[clip.source], !isFlawed(place),
      let range = range(of: clip, kind, sources[source], place),
      let placed = placedClip(clip, 0, kind, source, range, .zero, place)
    else { return false }
    if clip.at != nil {
      findings.add(
        .time, .warning, .shapeNoEffect, "the edit's own 'at' says where the clip goes",
        at: place + "/at")
    }
    var kinds: [TimelineTrack.Kind] =
      switch kind {
      case .av: [.video, .audio]
      case .video: [.video]
      case .audio: [.audio]
      case .subtitle: [.subtitle]
      }
    kinds.removeAll { !placed.takesPart(in: $0) }
    let parts = kinds.map { editing.pieces(of: placed, $0) }
    try editing.composition.insert(
      parts, lasting: placed.duration, at: time ?? nil, into: selection)
    return true
  }

  /// Checks that transitions still have room after edits.
  private mutating func checkEdited(_ track: TimelineTrack, _ timeline: Timeline) {
    for (first, second) in zip(track.transitions, track.transitions.dropFirst())
    where first.end > second.start {
      findings.add(
        .time, .error, .transitionOverlap,
        "after the edits the transition starts at \(second.start.inSeconds), but the one before it "
          + "ends at \(first.end.inSeconds)", at: second.pointer,
        related: [Diagnostic.Related(message: "the one before it", pointer: first.pointer)])
    }
    for transition in track.transitions {
      let cut = track.segments[transition.to].start
      let before = track.extent(ofClipAt: transition.from).lowerBound
      let after = track.extent(ofClipAt: transition.to).upperBound
      guard transition.start < before || transition.end > after else { continue }
      findings.add(
        .time, .error, .transitionTooLong,
        "after the edits the clips beside the transition's cut at \(cut.inSeconds) are too short for "
          + "it", at: transition.pointer + "/duration")
    }
  }
}

extension TimelineTrack {
  /// From where to where the parts of one clip lie around the segment `index`.
  fileprivate func extent(ofClipAt index: Int) -> Range<Rational> {
    var (first, last) = (index, index)
    while first > 0, segments[first - 1].pointer == segments[index].pointer { first -= 1 }
    while last + 1 < segments.count, segments[last + 1].pointer == segments[index].pointer {
      last += 1
    }
    return segments[first].start..<segments[last].end
  }
}

/// A timeline's tracks as a composition that edits work on.
private struct TimelineEditing {
  var composition = Composition()
  private let original: Timeline
  private var ids: [TrackID] = []

  init(_ timeline: Timeline) {
    original = timeline
    for track in timeline.tracks {
      let id = composition.addTrack(track.kind.compositionKind, name: track.id)
      ids.append(id)
    }
    // Segments that were laid out are segments of a track; ranges were checked as clips.
    for (track, id) in zip(timeline.tracks, ids) {
      do throws(EditError) {
        try composition.update(id) { (edited) throws(EditError) in
          edited = try CompositionTrack(
            track, id: id, sources: timeline.sources, extent: { _ in nil })
        }
      } catch {
        failure = failure ?? error
      }
    }
  }

  private var failure: EditError?

  /// The tracks that come from the document's track at `pointer`.
  func ids(ofTrack pointer: String) -> [TrackID] {
    zip(original.tracks, ids).filter { $0.0.pointer == pointer }.map(\.1)
  }

  /// What a clip puts on a track of `kind`.
  func pieces(
    of placed: PlacedClip, _ kind: TimelineTrack.Kind
  ) -> (kind: CompositionTrack.Kind, pieces: [TrackSegment]) {
    let pieces = placed.segments(kind).map { segment -> TrackSegment in
      guard let index = segment.source,
        let shown = Range(start: segment.sourceStart, duration: segment.sourceDuration)
      else { return .empty(segment.duration) }
      let source = SourceTrack(
        original.sources[index].id, kind: kind.compositionKind, extent: nil)
      return .media(
        source, shown, duration: segment.duration, playback: segment.playback,
        clip: ClipPart(segment))
    }
    return (kind.compositionKind, pieces)
  }

  /// Puts the edited tracks into the timeline; gives the pointers of transitions that have lost
  /// their cut.
  func finish(_ timeline: inout Timeline) throws(EditError) -> [String] {
    if let failure { throw failure }
    var lost: [String] = []
    var tracks: [TimelineTrack] = []
    for track in composition.tracks {
      let index = ids.firstIndex(of: track.id)
      var edited =
        index.map { original.tracks[$0] }
        ?? TimelineTrack(
          id: "edits.\(track.kind.rawValue)", kind: TimelineTrack.Kind(track.kind),
          pointer: "/edits")
      let old = edited
      edited.segments = try track.timelineSegments(sources: original.sources)
      for place in edited.segments.indices where edited.segments[place].isEmpty {
        edited.segments[place].pointer = old.pointer
      }
      edited.transitions = []
      let places = Dictionary(grouping: edited.segments.indices) { edited.segments[$0].pointer }
      for transition in old.transitions {
        if let moved = Self.moved(transition, old, edited, places) {
          edited.transitions.append(moved)
        } else {
          lost.append(transition.pointer)
        }
      }
      edited.transitions.sort { $0.start < $1.start }
      tracks.append(edited)
    }
    timeline.tracks = tracks
    timeline.duration = tracks.map(\.duration).max() ?? .zero
    return lost
  }

  /// The transition at the place to which its cut was moved; `nil` where the cut is no more.
  ///
  /// `places` are the segments' indices by their pointers.
  private static func moved(
    _ transition: TimelineTransition, _ old: TimelineTrack, _ new: TimelineTrack,
    _ places: [String: [Int]]
  ) -> TimelineTransition? {
    let (from, to) = (old.segments[transition.from], old.segments[transition.to])
    let place = places[to.pointer]?.first { index in
      guard index > 0 else { return false }
      let (before, after) = (new.segments[index - 1], new.segments[index])
      return before.source == from.source && before.pointer == from.pointer
        && before.clipRange.upperBound == from.clipRange.upperBound
        && after.source == to.source && after.pointer == to.pointer
        && after.clipRange.lowerBound == to.clipRange.lowerBound
    }
    guard let place else { return nil }
    var moved = transition
    moved.from = place - 1
    moved.to = place
    moved.start = new.segments[place].start - (to.start - transition.start)
    return moved
  }
}

extension TimelineTrack.Kind {
  /// The same kind of a composition's track.
  fileprivate var compositionKind: CompositionTrack.Kind {
    switch self {
    case .video: .video
    case .audio: .audio
    case .subtitle: .subtitle
    }
  }

  fileprivate init(_ kind: CompositionTrack.Kind) {
    switch kind {
    case .video: self = .video
    case .audio: self = .audio
    case .subtitle: self = .subtitle
    }
  }
}
