/// How the pictures of a composition become those of the program: when, how large, and by which
/// instructions.
///
///     instructions │ 1        │ 2   │ 3           │    no gap, no overlap
///     track V2     │          │  C  │             │
///     track V1     │  A       │  B  │      B      │
///
/// Instructions can be derived from the tracks, and then changed.
public struct VideoComposition: Hashable, Sendable {
  /// The length of a frame in seconds; output frame n starts at n times it.
  public var frameDuration: Rational
  /// The canvas in square pixels.
  public var renderSize: PixelSize
  /// The colour space of the canvas; `nil` for the source's.
  public var color: TimelineColor?
  /// The track whose frame times the output has; `nil` for a constant rate.
  ///
  /// Where that track is empty, frames follow each other by ``frameDuration``.
  public var frameTimingTrack: TrackID?
  /// In order of time, without gap or overlap; ``problems(with:over:)`` says where they are not.
  public var instructions: [VideoInstruction]

  /// Creates a video composition.
  public init(
    frameDuration: Rational, renderSize: PixelSize, instructions: [VideoInstruction] = []
  ) {
    self.frameDuration = frameDuration
    self.renderSize = renderSize
    self.instructions = instructions
  }

  /// The instruction at `time`; a binary search.
  ///
  /// `nil` where there is none.
  public func instruction(at time: Rational) -> VideoInstruction? {
    var (low, high) = (0, instructions.count)
    while low < high {
      let middle = (low + high) / 2
      if instructions[middle].range.upperBound > time { high = middle } else { low = middle + 1 }
    }
    guard low < instructions.count, instructions[low].range.contains(time) else { return nil }
    return instructions[low]
  }

  /// What is drawn at `time`: the layers that can be seen, bottom to top.
  public func layers(at time: Rational) -> [LayerState] {
    instruction(at: time)?.layers.lazy.map { $0.state(at: time) }.filter { $0.opacity > .zero }
      ?? []
  }

  /// What is drawn in output frame `number`.
  public func layers(inFrame number: Int64) -> [LayerState] {
    layers(at: Rational(number) * frameDuration)
  }
}

/// What is drawn over a stretch of time.
public struct VideoInstruction: Hashable, Sendable {
  /// When.
  public var range: Range<Rational>
  /// What shows where nothing is drawn.
  public var background: Color
  /// The layers, bottom to top; without any the background fills the frame.
  public var layers: [LayerInstruction]

  /// Creates an instruction.
  public init(
    _ range: Range<Rational>, background: Color = .black, layers: [LayerInstruction] = []
  ) {
    self.range = range
    self.background = background
    self.layers = layers
  }

  /// The tracks whose pictures it needs.
  public var requiredTracks: [TrackID] { layers.map(\.track) }

  /// Whether anything moves or fades; if not, equal pictures give equal frames.
  public var changes: Bool { layers.contains { $0.changes(within: range) } }

  /// The track whose pictures pass as they are.
  ///
  /// There is one where a single layer is drawn opaque, uncropped and in its place.
  public var passthroughTrack: TrackID? {
    guard layers.count == 1, !changes else { return nil }
    let state = layers[0].state(at: range.lowerBound)
    let isUntouched =
      state.opacity == .one && state.transform == .identity && state.crop == .none
    return isUntouched ? state.track : nil
  }
}
