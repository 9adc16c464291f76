extension VideoComposition {
  /// How instructions are made of tracks.
  public enum Grouping: Sendable {
    /// One for each stretch of time in which the same tracks show pictures.
    case stretches
    /// One for the whole time, with a layer for each track.
    case whole
  }

  /// Creates the instructions that draw the enabled picture tracks of a composition, the last one
  /// on top, each as its ``CompositionTrack/preferredTransform`` says.
  ///
  /// Without `frameRate` the highest rate of the sources counts, and 30 where none is known;
  /// without `renderSize` the composition's natural size. `nil` where no size is known.
  public init?(
    of composition: Composition, frameRate: FrameRate? = nil, renderSize: PixelSize? = nil,
    background: Color = .black, grouping: Grouping = .stretches
  ) {
    guard let size = renderSize ?? composition.naturalSize else { return nil }
    let tracks = composition.tracks.filter { $0.kind == .video && $0.isEnabled }
    self.init(frameDuration: Self.frameDuration(frameRate, tracks), renderSize: size)
    let duration = composition.duration
    guard duration > .zero else { return }
    switch grouping {
    case .whole:
      let layers = tracks.map { LayerInstruction(track: $0.id, transform: $0.preferredTransform) }
      instructions = [VideoInstruction(0..<duration, background: background, layers: layers)]
    case .stretches:
      instructions = Self.stretches(tracks, duration).map { range, shown in
        let layers = shown.map {
          LayerInstruction(track: tracks[$0].id, transform: tracks[$0].preferredTransform)
        }
        return VideoInstruction(range, background: background, layers: layers)
      }
    }
  }

  private static func frameDuration(
    _ rate: FrameRate?, _ tracks: [CompositionTrack]
  ) -> Rational {
    if let rate { return rate.frameDuration }
    let durations = tracks.lazy.flatMap(\.segments).compactMap {
      $0.source?.frameRate?.frameDuration
    }
    return durations.min() ?? Rational(1, 30)
  }

  /// The stretches of time with the same tracks showing, and the indices of these.
  private static func stretches(
    _ tracks: [CompositionTrack], _ duration: Rational
  ) -> [(range: Range<Rational>, shown: [Int])] {
    var changes: [(time: Rational, track: Int, begins: Bool)] = []
    for (index, track) in tracks.enumerated() {
      var isShowing = false
      for segment in track.segments where segment.isEmpty == isShowing {
        isShowing = !segment.isEmpty
        changes.append((segment.range.lowerBound, index, isShowing))
      }
      if isShowing { changes.append((track.duration, index, false)) }
    }
    changes.sort { $0.time < $1.time }
    var result: [(Range<Rational>, [Int])] = []
    var shown = Array(repeating: false, count: tracks.count)
    var (start, next) = (Rational.zero, 0)
    while start < duration {
      while next < changes.count, changes[next].time == start {
        shown[changes[next].track] = changes[next].begins
        next += 1
      }
      let end = next < changes.count ? changes[next].time : duration
      let indices = shown.indices.filter { shown[$0] }
      if let last = result.last, last.1 == indices {
        result[result.count - 1].0 = last.0.lowerBound..<end
      } else {
        result.append((start..<end, indices))
      }
      start = end
    }
    return result
  }
}
