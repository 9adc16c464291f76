/// Which tracks an edit works on.
public enum TrackSelection: Hashable, Sendable {
  /// All of the composition.
  case all
  /// Those with these ids, such as the picture and the sound of a pair.
  case tracks([TrackID])
}

extension Composition {
  // MARK: One track

  /// Inserts a range of a source into one track; see `CompositionTrack.insert`.
  public mutating func insert(
    _ range: Range<Rational>, of source: SourceTrack, at time: Rational? = nil, into id: TrackID
  ) throws(EditError) {
    try tracks[index(of: id)].insert(range, of: source, at: time)
  }

  // MARK: All tracks, or several

  /// Inserts a range of a whole source, picture and sound, into all tracks at once.
  ///
  /// Each source track goes to the next track of its kind, or to a new one where there is none. On
  /// every other track what follows moves right as well, so that all stays in step.
  ///
  ///     V | A     |         V | A | C | A |
  ///     A |       |    →    A |   | c |         inserting C and c at ^
  ///     T | t         |     T | t |   | t     |
  ///           ^
  ///
  /// Where a source track has samples in a part of the range only, the rest is empty. Throws
  /// ``EditError/outsideSource(id:asked:available:)`` where the range goes beyond all of them.
  public mutating func insert(
    _ range: Range<Rational>, of sources: [SourceTrack], at time: Rational? = nil
  ) throws(EditError) {
    guard range.isNumeric else {
      throw .invalidTime("a range to insert has an end that is no number")
    }
    guard !range.isEmpty else { throw .emptyRange(range) }
    guard range.duration.isValid else { throw .overflow }
    try Self.checkExtent(range, of: sources)
    let parts = sources.map { source in
      (kind: source.kind, pieces: Self.pieces(range, of: source))
    }
    try insert(parts, lasting: range.duration, at: time, into: .all)
  }

  /// Inserts pieces of different kinds side by side, and shifts what follows on all the selected
  /// tracks.
  ///
  /// Each piece goes to the next selected track of its kind; of all tracks, to a new one where there
  /// is none. All last as long as the longest. Without `time` they go after the end of the longest
  /// selected track. Throws ``EditError/wrongKind(asked:track:)`` where a selection has no track
  /// left for a piece.
  public mutating func insert(
    _ pieces: [TrackSegment], at time: Rational? = nil, into selection: TrackSelection = .all
  ) throws(EditError) {
    var parts: [(kind: CompositionTrack.Kind, pieces: [TrackSegment])] = []
    var length = Rational.zero
    for (index, piece) in pieces.enumerated() {
      try piece.check(index)
      length = max(length, piece.duration)
      if let source = piece.source { parts.append((source.kind, [piece])) }
    }
    guard length > .zero else { throw .invalidDuration(length) }
    for index in parts.indices {
      let rest = length - parts[index].pieces[0].duration
      if rest > .zero { parts[index].pieces.append(.empty(rest)) }
    }
    try insert(parts, lasting: length, at: time, into: selection)
  }

  /// Inserts runs of pieces side by side, each run on one track of its kind.
  package mutating func insert(
    _ parts: [(kind: CompositionTrack.Kind, pieces: [TrackSegment])], lasting length: Rational,
    at time: Rational?, into selection: TrackSelection
  ) throws(EditError) {
    var result = self
    var free = try indices(of: selection)
    let time = time ?? free.reduce(.zero) { max($0, tracks[$1].duration) }
    guard time.isValid, time >= .zero else {
      throw .invalidTime("a place at \(time.secondsText) is not on a track, which begins at 0s")
    }
    guard let hole = Range(start: time, duration: length) else { throw .overflow }
    for part in parts {
      let index: Int
      if let place = free.firstIndex(where: { result.tracks[$0].kind == part.kind }) {
        index = free.remove(at: place)
      } else if selection == .all {
        result.addTrack(part.kind)
        index = result.tracks.count - 1
      } else {
        throw .wrongKind(asked: part.kind, track: free.first.map { tracks[$0].kind } ?? part.kind)
      }
      try result.tracks[index].insert(part.pieces, at: time)
    }
    for index in free { try result.tracks[index].insertEmpty(hole) }
    self = result
  }

  /// Opens a hole in the selected tracks; see `CompositionTrack.insertEmpty`.
  @discardableResult
  public mutating func insertEmpty(
    _ range: Range<Rational>, in selection: TrackSelection = .all
  ) throws(EditError) -> Bool {
    try edit(selection) { (track) throws(EditError) in try track.insertEmpty(range) }
  }

  /// Takes a stretch out of the selected tracks; see `CompositionTrack.remove`.
  ///
  /// Tracks stay even if nothing is left on them.
  @discardableResult
  public mutating func remove(
    _ range: Range<Rational>, from selection: TrackSelection = .all
  ) throws(EditError) -> Bool {
    try edit(selection) { (track) throws(EditError) in try track.remove(range) }
  }

  /// Makes a stretch of the selected tracks last `duration`; see `CompositionTrack.scale`.
  @discardableResult
  public mutating func scale(
    _ range: Range<Rational>, to duration: Rational, in selection: TrackSelection = .all
  ) throws(EditError) -> Bool {
    try edit(selection) { (track) throws(EditError) in try track.scale(range, to: duration) }
  }

  // MARK: Steps

  private mutating func edit(
    _ selection: TrackSelection, _ change: (inout CompositionTrack) throws(EditError) -> Bool
  ) throws(EditError) -> Bool {
    var result = tracks
    var hasChanged = false
    for index in try indices(of: selection) {
      if try change(&result[index]) { hasChanged = true }
    }
    tracks = result
    return hasChanged
  }

  private func indices(of selection: TrackSelection) throws(EditError) -> [Int] {
    guard case .tracks(let ids) = selection else { return Array(tracks.indices) }
    var indices: [Int] = []
    for id in ids {
      let index = try index(of: id)
      if !indices.contains(index) { indices.append(index) }
    }
    return indices
  }

  /// Refuses a range that goes beyond all tracks of a source.
  private static func checkExtent(
    _ range: Range<Rational>, of sources: [SourceTrack]
  ) throws(EditError) {
    guard let first = sources.first else { throw .countMismatch(ranges: 1, sources: 0) }
    var (start, end) = (Rational.invalid, Rational.zero)
    for source in sources {
      guard let extent = source.extent else {
        guard range.lowerBound < .zero else { return }
        throw .outsideSource(id: source.id, asked: range, available: 0..<range.upperBound)
      }
      start = min(start, extent.lowerBound)
      end = max(end, extent.upperBound)
    }
    // A track that starts late stays late: the time before it belongs to the source.
    start = min(start, .zero)
    guard start <= range.lowerBound, range.upperBound <= end else {
      throw .outsideSource(
        id: first.id, asked: range, available: Range(start: start, end: end) ?? 0..<0)
    }
  }

  /// What `source` has of `range`, with nothing before and after it.
  private static func pieces(_ range: Range<Rational>, of source: SourceTrack) -> [TrackSegment] {
    guard let part = source.clamping(range) else { return [.empty(range.duration)] }
    let lead = part.lowerBound - range.lowerBound
    let rest = range.upperBound - part.upperBound
    return (lead > .zero ? [.empty(lead)] : []) + [.media(source, part)]
      + (rest > .zero ? [.empty(rest)] : [])
  }
}
