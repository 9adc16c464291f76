/// One track of a source, as segments refer to it: which one, what it carries, and how long it is.
///
/// A value: whatever is known about a file is told to the model, which opens nothing.
public struct SourceTrack: Hashable, Sendable {
  /// What a source is.
  public enum Media: Hashable, Sendable {
    /// A file, still, colour, generator or text, by its id.
    case source(String)
    /// A track of another composition.
    indirect case composition(NestedComposition)
  }

  /// What it belongs to.
  public var media: Media
  /// The id of the track in its source; for a file the index of the stream.
  public var track: Int32
  /// What it carries.
  public var kind: CompositionTrack.Kind
  /// When its samples begin and end, in source time; `nil` for a source without end, such as a
  /// colour, which has something to show at every time from 0.
  public var extent: Range<Rational>?
  /// The display size of its pictures.
  public var naturalSize: PixelSize?
  /// The rate of its pictures.
  public var frameRate: FrameRate?
  /// The timescale of its times.
  public var timescale: Int32?

  /// Creates a reference to a track of the source `id`.
  public init(
    _ id: String, track: Int32 = 0, kind: CompositionTrack.Kind, extent: Range<Rational>?,
    naturalSize: PixelSize? = nil, frameRate: FrameRate? = nil, timescale: Int32? = nil
  ) {
    self.media = .source(id)
    self.track = track
    self.kind = kind
    self.extent = extent
    self.naturalSize = naturalSize
    self.frameRate = frameRate
    self.timescale = timescale
  }

  /// Creates a reference to a track of another composition; `nil` if it has no such track.
  public init?(_ nested: NestedComposition, track id: TrackID) {
    guard let track = nested.composition.track(id) else { return nil }
    self.media = .composition(nested)
    self.track = id.rawValue
    self.kind = track.kind
    self.extent = 0..<track.duration
    self.naturalSize = track.naturalSize
    self.frameRate = track.segments.lazy.compactMap { $0.source?.frameRate }.first
    self.timescale = track.naturalTimescale
  }

  /// The id of the source, or the name of the composition.
  public var id: String {
    switch media {
    case .source(let id): id
    case .composition(let nested): nested.name
    }
  }

  /// The part of `range` in which the track has samples; `nil` where that is none.
  ///
  /// What to use where a range beyond the end shall be cut and not be refused.
  public func clamping(_ range: Range<Rational>) -> Range<Rational>? {
    guard range.isNumeric else { return nil }
    let bounds = extent ?? 0..<max(range.upperBound, .zero)
    let part = range.clamped(to: bounds)
    return part.isEmpty ? nil : part
  }

  /// How deep compositions lie in each other here: 0 for a file.
  var depth: Int {
    guard case .composition(let nested) = media else { return 0 }
    return nested.depth
  }
}

/// A composition that serves as a source of another one.
///
/// It is a copy: what is edited later in the original does not change it.
public struct NestedComposition: Hashable, Sendable {
  /// How deep compositions may lie in each other.
  public static let depthLimit = 64

  /// What messages and reports call it.
  public let name: String
  /// The composition.
  public let composition: Composition
  /// 1 for a composition of files, one more for each composition between.
  public let depth: Int

  /// Creates a source of a composition as it is now.
  ///
  /// Throws ``EditError/nestedTooDeep(limit:)``.
  public init(_ composition: Composition, name: String) throws(EditError) {
    var inner = 0
    for track in composition.tracks {
      for segment in track.segments { inner = max(inner, segment.source?.depth ?? 0) }
    }
    guard inner < Self.depthLimit else { throw .nestedTooDeep(limit: Self.depthLimit) }
    self.name = name
    self.composition = composition
    self.depth = inner + 1
  }

  /// Its enabled tracks, to be inserted elsewhere.
  public var sourceTracks: [SourceTrack] {
    composition.tracks.filter(\.isEnabled).compactMap { SourceTrack(self, track: $0.id) }
  }
}
