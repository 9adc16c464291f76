import CutroomModel

/// Where the frames of a source begin: evenly, and near their timestamps where those are rounded.
struct SourceGrid: Hashable {
  /// The frames' exact rate.
  var rate: FrameRate
  /// The source time of the first frame.
  var start: Rational = .zero
  /// Seconds per tick of timestamps that are rounded; `nil` where they are exact.
  var tick: Rational?
  /// How far such timestamps lie from the even grid, in ticks.
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
    guard let tick else { return false }
    let nearest = rate.time(ofFrame: Int64(clamping: position.rounded))
    return (duration - nearest).magnitude <= tick
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
    guard let tick else { return exact...exact }
    let ticks = (exact - start) / tick
    let stamp = start + Rational((ticks + offsets.lowerBound).ceiling) * tick
    guard stamp.isValid, stamp <= exact + offsets.upperBound * tick else { return exact...exact }
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
    offsets = picture.roundedGridOffsets
  }
}
