import CutroomModel

/// Where the frames of a source begin: evenly, and near their timestamps where those are rounded.
struct SourceGrid: Hashable {
  /// The frames' exact rate.
  var rate: FrameRate
  /// The source time of the first frame.
  var start: Rational = .zero
  /// Seconds from one timestamp that may be to the next where they are rounded; `nil` where they are
  /// exact.
  var grain: Rational?
  /// Seconds per tick, of which a grain may be several.
  var tick: Rational = .one
  /// How far such timestamps lie from the even grid, in grains.
  var offsets: ClosedRange<Rational> = .zero ... .zero

  /// Whether a frame begins at `time`, by its exact start or by its timestamp.
  func isStart(_ time: Rational) -> Bool {
    let position = (time - start) * rate.framesPerSecond
    guard position.isValid else { return true }
    return position.isInteger
      || extent(ofFrame: Int64(clamping: position.rounded)).contains(time)
  }

  /// Whether `duration` is one of whole frames, by their exact length or by their timestamps.
  func isWhole(_ duration: Rational) -> Bool {
    let position = duration * rate.framesPerSecond
    guard position.isValid, !position.isInteger else { return true }
    guard let grain else { return false }
    let nearest = rate.time(ofFrame: Int64(clamping: position.rounded))
    return (duration - nearest).magnitude <= grain
  }

  /// The exact start of the frame whose rounded timestamp `time` is; `time` itself where it is none.
  func exactStart(_ time: Rational) -> Rational {
    guard grain != nil, time >= start, isStart(time) else { return time }
    let position = (time - start) * rate.framesPerSecond
    return position.isValid ? self.time(ofFrame: Int64(clamping: position.rounded)) : time
  }

  /// The exact length of frames that last `duration` by rounded timestamps; `duration` itself where
  /// they do not.
  func exactLength(_ duration: Rational) -> Rational {
    guard grain != nil, isWhole(duration) else { return duration }
    let position = duration * rate.framesPerSecond
    return position.isValid ? rate.time(ofFrame: Int64(clamping: position.rounded)) : duration
  }

  /// The frame that is shown at `time`.
  func frame(at time: Rational) -> Int64 {
    let frame = rate.frame(at: time - start)
    return extent(ofFrame: frame + 1).lowerBound <= time ? frame + 1 : frame
  }

  /// The exact start of a frame.
  func time(ofFrame number: Int64) -> Rational { start + rate.time(ofFrame: number) }

  /// From the earlier to the later of a frame's exact start and its timestamp.
  private func extent(ofFrame number: Int64) -> ClosedRange<Rational> {
    let exact = time(ofFrame: number)
    guard let grain else { return exact...exact }
    let rounded = Rational(((exact - start) / grain + offsets.lowerBound).ceiling) * grain
    let stamp = start + Rational((rounded / tick).floor) * tick
    guard stamp.isValid, stamp <= exact + offsets.upperBound * grain else { return exact...exact }
    return min(exact, stamp)...max(exact, stamp)
  }
}

extension SourceGrid {
  /// The grid of a file's pictures; `nil` where they are not shown equally long.
  init?(_ picture: AssetTrack.Picture, tick: Rational) {
    guard !picture.isVariableFrameRate,
      let rate = picture.nominalFrameRate ?? picture.frameRate.flatMap({ FrameRate($0) })
    else { return nil }
    self.rate = rate
    start = picture.roundedGridStart
    guard picture.roundedGrid != nil else { return }
    self.tick = tick
    grain = picture.roundedGridGrain * tick
    offsets = picture.roundedGridOffsets
  }
}
