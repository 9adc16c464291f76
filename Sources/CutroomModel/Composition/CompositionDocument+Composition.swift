/// Why a composition that was edited in Swift has no document.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The track, where it is about one.
  public var track: TrackID?
  /// One sentence that says what the format has no words for.
  public var description: String
  /// The stable code.
  public var code: DiagnosticCode { .unsupported }
}

extension CompositionDocument {
  /// Writes a composition that was edited in Swift as a document, to be checked, saved and exported.
  ///
  /// Every segment becomes a clip at its exact place, on a track of the same kind. A segment's
  /// source is named by its id: one of `sources`, else a path. Which stream of a file is meant, its
  /// entry in `sources` says.
  ///
  /// `video` gives the canvas, the rate, the background and each track's opacity; `mix` gives each
  /// track's volume. Throws a ``DocumentError`` where the format has no words for something:
  /// transforms and crops of layers, layers in another order than the tracks, pans of tracks, a
  /// volume or an opacity that jumps where a ramp ends, and compositions as sources, which have to
  /// be files. Nothing is left out in silence.
  public init(
    _ composition: Composition, sources: [NamedSource] = [], video: VideoComposition? = nil,
    mix: AudioMix = AudioMix()
  ) throws(DocumentError) {
    self.init()
    self.sources = sources
    if let video { try take(video, of: composition) }
    for track in composition.tracks {
      var written = DocumentTrack()
      written.kind =
        switch track.kind {
        case .video: .video
        case .audio: .audio
        case .subtitle: .subtitle
        }
      written.id = "track\(track.id.rawValue)"
      written.name = track.name
      written.language = track.extendedLanguage ?? track.language
      written.isEnabled = track.isEnabled
      if track.kind == .audio { written.gain = try Self.gain(of: track, mix) }
      if track.kind == .video, let video { written.opacity = try Self.opacity(of: track, video) }
      if track.preferredTransform != .identity, video == nil {
        throw DocumentError(track: track.id, description: "a track's transform has no key")
      }
      for segment in track.segments where !segment.isEmpty {
        written.items.append(.clip(try Self.clip(segment, on: track)))
      }
      tracks.append(written)
    }
  }

  private mutating func take(
    _ video: VideoComposition, of composition: Composition
  ) throws(DocumentError) {
    if let problem = video.problems(with: composition).first {
      throw DocumentError(track: nil, description: problem.description)
    }
    guard let rate = FrameRate(Rational.one / video.frameDuration) else {
      throw DocumentError(track: nil, description: "the frame duration is that of no frame rate")
    }
    timeline.frameRate = rate
    timeline.size = video.renderSize
    timeline.color = video.color
    let backgrounds = Set(video.instructions.map(\.background))
    guard backgrounds.count <= 1, video.frameTimingTrack == nil else {
      throw DocumentError(
        track: video.frameTimingTrack,
        description: "instructions of several backgrounds, and frame times of a track, have no key")
    }
    timeline.background = backgrounds.first ?? .black
    let order = composition.tracks.filter { $0.kind == .video && $0.isEnabled }.map(\.id)
    for instruction in video.instructions {
      let places = instruction.layers.map { order.firstIndex(of: $0.track) ?? -1 }
      let isInOrder = zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
      guard isInOrder, !places.contains(-1) else {
        throw DocumentError(
          track: nil, description: "layers lie in another order than their tracks")
      }
      for layer in instruction.layers {
        let isPlain =
          layer.transform == Animation(.identity) && layer.crop == Animation(.none)
        guard isPlain else {
          throw DocumentError(
            track: layer.track, description: "transforms and crops of layers have no key")
        }
      }
    }
  }

  // MARK: Values over time

  private static func gain(
    of track: CompositionTrack, _ mix: AudioMix
  ) throws(DocumentError) -> Animated<Gain> {
    guard let parameters = mix.parameters[track.id] else {
      return .constant(.factor(track.preferredVolume))
    }
    guard parameters.pan.isConstant, parameters.pan.initial == .zero else {
      throw DocumentError(track: track.id, description: "the pan of a track has no key")
    }
    return try animated(parameters.volume, on: track) { .factor($0) }
  }

  /// The opacity that all instructions give a track, where they agree on it.
  private static func opacity(
    of track: CompositionTrack, _ video: VideoComposition
  ) throws(DocumentError) -> Animated<Rational> {
    var opacity: Animation<Rational>?
    for instruction in video.instructions {
      let layer = instruction.layers.first { $0.track == track.id }
      guard let layer else {
        if track.segments(in: instruction.range).allSatisfy(\.isEmpty) || !track.isEnabled {
          continue
        }
        throw DocumentError(
          track: track.id, description: "an instruction without a layer for a track that shows")
      }
      guard opacity == nil || opacity == layer.opacity else {
        throw DocumentError(
          track: track.id, description: "instructions that differ in a layer's opacity have no key")
      }
      opacity = layer.opacity
    }
    return try opacity.map { value throws(DocumentError) in
      try animated(value, on: track) { $0 }
    } ?? 1
  }

  private static func animated<Value>(
    _ animation: Animation<Rational>, on track: CompositionTrack, _ value: (Rational) -> Value
  ) throws(DocumentError) -> Animated<Value> {
    if animation.isConstant { return .constant(value(animation.initial)) }
    var keys: [Keyframe<Value>] = []
    var last: (time: Rational, value: Rational) = (.zero, animation.initial)
    for ramp in animation.ramps {
      let start = max(ramp.range.lowerBound, .zero)
      guard start == ramp.range.lowerBound,
        start > last.time || keys.isEmpty || ramp.from == last.value
      else {
        throw DocumentError(
          track: track.id,
          description: "a value that jumps where a ramp ends, or a ramp before 0, has no keyframes")
      }
      if keys.isEmpty, start > .zero {
        keys.append(Keyframe(at: try time(.zero, track), value: value(animation.initial)))
      }
      if keys.isEmpty || start > last.time {
        keys.append(Keyframe(at: try time(start, track), value: value(ramp.from), curve: .hold))
      }
      last = (start, ramp.from)
      if !ramp.range.isEmpty {
        last = (ramp.range.upperBound, ramp.to)
        keys.append(
          Keyframe(at: try time(last.time, track), value: value(last.value), curve: ramp.curve))
      }
    }
    return .keyframes(keys)
  }

  // MARK: Clips

  private static func clip(
    _ segment: TrackSegment, on track: CompositionTrack
  ) throws(DocumentError) -> Clip {
    guard let source = segment.source, case .source(let id) = source.media else {
      throw DocumentError(
        track: track.id, description: "a composition as a source has to be a file of its own")
    }
    var clip = Clip(source: id)
    clip.at = try time(segment.range.lowerBound, track)
    if segment.playback == .frozen {
      clip.freeze = try time(segment.sourceRange.lowerBound, track)
      clip.duration = try time(segment.duration, track)
    } else {
      clip.in = try time(segment.sourceRange.lowerBound, track)
      clip.out = try time(segment.sourceRange.upperBound, track)
      clip.isReversed = segment.playback == .reversed
      if segment.rate != .one { clip.fitDuration = try time(segment.duration, track) }
    }
    guard let part = segment.clip else { return clip }
    let isWhole = part.range == 0..<part.length
    guard isWhole || part.picture == PictureSettings(), part.sound == ResolvedSound() else {
      throw DocumentError(
        track: track.id, description: "the settings of a part of a clip have no key")
    }
    clip.name = part.name
    clip.picture = part.picture
    clip.fill = part.fill
    return clip
  }

  private static func time(
    _ seconds: Rational, _ track: CompositionTrack
  ) throws(DocumentError) -> TimeExpression {
    guard seconds.fitsInt64 else {
      throw DocumentError(
        track: track.id, description: "a position does not fit a fraction of 64-bit integers")
    }
    return .seconds(seconds)
  }
}
