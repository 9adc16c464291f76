import CutroomMedia
import CutroomModel

extension AssetTrack {
  /// The last tick of the stream, as libavformat counts, that is not after source time `time`.
  ///
  /// Where timestamps were rounded from a constant rate, a frame is shown from the earlier of its
  /// exact start and its timestamp on, so that either finds it: at 24 fps, in milliseconds, frame 1
  /// at 1/24 s and at its later tick 42, and frame 2 at 2/24 s and at its earlier tick 83.
  func tick(at time: Rational, origin: Rational) -> Int64 {
    let stamp = Int64(clamping: ((time + origin) / timeBase).floor)
    guard let picture, let grid = picture.roundedGrid, time >= picture.roundedGridStart else {
      return stamp
    }
    let frame = grid.frame(at: time - picture.roundedGridStart)
    let start = picture.roundedGridStart + grid.time(ofFrame: frame)
    let tolerance = min(picture.roundedGridGrain * 2, grid.frameDuration / timeBase / 3)
    return max(stamp, Int64(clamping: ((start + origin) / timeBase + tolerance).floor))
  }

  /// The last tick of the stream that is before source time `time`; where timestamps were rounded,
  /// the last one that the frame shown just before it may have.
  func tick(before time: Rational, origin: Rational) -> Int64 {
    let stamp = Int64(clamping: ((time + origin) / timeBase).ceiling - 1)
    guard let picture, let grid = picture.roundedGrid, time > picture.roundedGridStart else {
      return stamp
    }
    let frame = ((time - picture.roundedGridStart) * grid.framesPerSecond).ceiling - 1
    let start = picture.roundedGridStart + grid.time(ofFrame: Int64(clamping: frame))
    return max(stamp, tick(at: start, origin: origin))
  }

  /// The exact source time at which the picture with a tick begins, also where it was rounded.
  func start(ofTick tick: Int64, origin: Rational) -> Rational {
    let time = time(ofTick: tick, origin: origin)
    if extendsFirstFrame, time <= start { return .zero }
    guard let picture, let grid = picture.roundedGrid else { return time }
    let frame = ((time - picture.roundedGridStart) * grid.framesPerSecond).rounded
    return picture.roundedGridStart + grid.time(ofFrame: Int64(clamping: frame))
  }

  /// The ticks that a picture of a constant rate lasts.
  var ticksPerFrame: Int64 {
    guard let rate = picture?.frameRate, rate > .zero else { return 0 }
    return Int64(clamping: (Rational.one / rate / timeBase).rounded)
  }

  /// How much later than they are shown decoders give pictures whose packets only say when they are
  /// decoded.
  var decodingDelay: Int64 {
    Int64(stream?.videoDelay ?? 0).multipliedReportingOverflow(by: ticksPerFrame).partialValue
  }

  /// The source time of a tick of the stream.
  func time(ofTick tick: Int64, origin: Rational) -> Rational {
    Rational(tick) * timeBase - origin
  }
}
