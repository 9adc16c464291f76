/// A mutable program: tracks of segments that refer to sources.
///
/// A value like its tracks: `var` is what AVFoundation calls a mutable composition, and a copy is
/// the immutable one to export. Edits are all or nothing.
///
///     var composition = Composition()
///     let picture = composition.addTrack(.video)
///     try composition.insert(0..<4, of: a, at: 0, into: picture)
///     let before = composition                      // to undo
///     try composition.remove(1..<2)                 // from all tracks
///     composition = before                          // undone
///
/// Pictures are drawn bottom to top in the tracks' order, unless a ``VideoComposition`` says
/// otherwise; all enabled sound is summed, unless an ``AudioMix`` does.
public struct Composition: Hashable, Sendable {
  /// The tracks, bottom to top.
  public internal(set) var tracks: [CompositionTrack] = []
  /// The size that was set; see ``naturalSize``.
  private var givenSize: PixelSize?
  /// Every id that a track has or had.
  private var usedIDs: Set<TrackID> = []
  private var lastID: Int32 = 0

  /// A composition without tracks.
  public init() {}

  // MARK: Tracks

  /// Adds an empty track on top, and returns its id.
  ///
  /// `preferred` becomes the id if it is above 0 and no track has or had it; else a new one does.
  @discardableResult
  public mutating func addTrack(
    _ kind: CompositionTrack.Kind, name: String? = nil, preferring preferred: TrackID = .invalid
  ) -> TrackID {
    let id = preferred.rawValue > 0 && !usedIDs.contains(preferred) ? preferred : freeID()
    usedIDs.insert(id)
    tracks.append(CompositionTrack(id: id, kind: kind, name: name))
    return id
  }

  private mutating func freeID() -> TrackID {
    repeat {
      lastID = lastID == .max ? 1 : lastID + 1
    } while usedIDs.contains(
      TrackID(rawValue: lastID))
    return TrackID(rawValue: lastID)
  }

  /// Removes a track with all that lies on it; its id is not used again.
  ///
  /// Throws ``EditError/unknownTrack(_:)``.
  public mutating func removeTrack(_ id: TrackID) throws(EditError) {
    tracks.remove(at: try index(of: id))
  }

  /// Moves a track to another place in the order of drawing; 0 is the bottom, and a place above
  /// the top is the top.
  public mutating func moveTrack(_ id: TrackID, to place: Int) throws(EditError) {
    let track = tracks.remove(at: try index(of: id))
    tracks.insert(track, at: min(max(place, 0), tracks.count))
  }

  /// The track with this id.
  public func track(_ id: TrackID) -> CompositionTrack? { tracks.first { $0.id == id } }

  /// The first track with this name.
  public func track(named name: String) -> CompositionTrack? { tracks.first { $0.name == name } }

  /// Changes a track by any number of steps: all of them, or none if one throws.
  ///
  ///     try composition.update(picture) { (track) throws(EditError) in
  ///       try track.remove(2..<3)
  ///       try track.scale(0..<2, to: 4)
  ///     }
  ///
  /// The closure cannot put another track in the place of this one: only what it holds is taken.
  public mutating func update(
    _ id: TrackID, _ change: (inout CompositionTrack) throws(EditError) -> Void
  ) throws(EditError) {
    let index = try index(of: id)
    var track = tracks[index]
    try change(&track)
    guard track.id == id else { throw .unknownTrack(track.id) }
    guard track.kind == tracks[index].kind else {
      throw .wrongKind(asked: track.kind, track: tracks[index].kind)
    }
    tracks[index] = track
  }

  func index(of id: TrackID) throws(EditError) -> Int {
    guard let index = tracks.firstIndex(where: { $0.id == id }) else { throw .unknownTrack(id) }
    return index
  }

  // MARK: Properties

  /// The end of the longest track.
  public var duration: Rational { tracks.reduce(.zero) { max($0, $1.duration) } }

  /// The size of its pictures: the first picture track's, unless another one was set.
  ///
  /// `nil` where no track shows pictures; setting `nil` takes a set size back.
  public var naturalSize: PixelSize? {
    get { givenSize ?? tracks.first { $0.kind == .video }?.naturalSize }
    set { givenSize = newValue }
  }

  /// The same composition with every track in its normal form.
  public func normalized() -> Composition {
    var result = self
    result.tracks = tracks.map { $0.normalized() }
    return result
  }
}
