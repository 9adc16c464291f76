import CutroomModel

extension AssetTrack {
  /// The last tick of the stream, as libavformat counts, that is not after source time `time`.
  ///
  /// Where timestamps were rounded from a constant rate, the last tick that the frame shown at
  /// `time` may have: a 24 fps frame at 1/24 s has the tick 42 of milliseconds, which is after it.
  func tick(at time: Rational, origin: Rational) -> Int64 {
    guard let picture, let grid = picture.roundedGrid, time >= picture.roundedGridStart else {
      return Int64(clamping: ((time + origin) / timeBase).floor)
    }
    let frame = grid.frame(at: time - picture.roundedGridStart)
    let start = picture.roundedGridStart + grid.time(ofFrame: frame)
    let tolerance = min(2, grid.frameDuration / timeBase / 3)
    return Int64(clamping: ((start + origin) / timeBase + tolerance).floor)
  }

  /// The last tick of the stream that is before source time `time`; where timestamps were rounded,
  /// the last one that the frame shown just before it may have.
  func tick(before time: Rational, origin: Rational) -> Int64 {
    guard let picture, let grid = picture.roundedGrid, time > picture.roundedGridStart else {
      return Int64(clamping: ((time + origin) / timeBase).ceiling - 1)
    }
    let frame = ((time - picture.roundedGridStart) * grid.framesPerSecond).ceiling - 1
    return tick(
      at: picture.roundedGridStart + grid.time(ofFrame: Int64(clamping: frame)), origin: origin)
  }

  /// The exact source time at which the picture with a tick begins, also where it was rounded.
  func start(ofTick tick: Int64, origin: Rational) -> Rational {
    let time = time(ofTick: tick, origin: origin)
    if extendsFirstFrame, time <= start { return .zero }
    guard let picture, let grid = picture.roundedGrid else { return time }
    let frame = ((time - picture.roundedGridStart) * grid.framesPerSecond).rounded
    return picture.roundedGridStart + grid.time(ofFrame: Int64(clamping: frame))
  }

  /// The source time of a tick of the stream.
  func time(ofTick tick: Int64, origin: Rational) -> Rational {
    Rational(tick) * timeBase - origin
  }
}
