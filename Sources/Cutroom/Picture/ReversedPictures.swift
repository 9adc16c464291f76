import CutroomMedia
import CutroomModel

/// A picture with the source time at which it begins to be shown.
struct TimedPicture {
  let start: Rational
  let shown: Shown
}

/// The pictures of a source backwards: asked for a time, it gives the one presented just before it.
///
/// Falling times are cheap: pictures are decoded a run at a time, and kept until they were shown.
final class ReversedPictures: PictureSource {
  var base: any PictureSource { source.base }
  /// The same pictures forwards.
  private let source: any PictureSource
  private let held: ClosedRange<Rational>?
  private var run: [TimedPicture] = []
  /// The last of ``run`` is shown just before every time after its start, up to this one.
  private var end = Rational.zero

  /// Shows `source` backwards; beyond the times of `held` the pictures at its ends.
  init(_ source: any PictureSource, held: ClosedRange<Rational>?) {
    self.source = source
    self.held = held
  }

  func picture(at time: Rational) throws(CutroomError) -> Shown? {
    if let held, time > held.upperBound || time <= held.lowerBound {
      return try source.picture(at: min(max(time, held.lowerBound), held.upperBound))
    }
    while time <= end, let last = run.last, last.start >= time {
      end = last.start
      run.removeLast()
    }
    if time > end || run.isEmpty {
      run = try source.pictures(before: time)
      end = time
    }
    return run.last?.shown
  }

  func pictures(before time: Rational) throws(CutroomError) -> [TimedPicture] {
    try picture(at: time).map { [TimedPicture(start: time, shown: $0)] } ?? []
  }
}

extension PictureSource {
  /// How many pictures of a size are kept to be shown backwards: at most 28 MB of them.
  static func runLength(pictureBytes: Int) -> Int {
    min(max(2, (28 << 20) / max(1, pictureBytes)), 500)
  }

  /// Pictures on a grid of `rate` before `time`, each taken from ``picture(at:)`` in rising order.
  func pictures(
    before time: Rational, rate: FrameRate, limit: Int
  ) throws(CutroomError) -> [TimedPicture] {
    let last = Int64(clamping: (time * rate.framesPerSecond).ceiling - 1)
    guard last >= 0 else { return [] }
    var pictures: [TimedPicture] = []
    for number in max(0, last - Int64(limit) + 1)...last {
      let start = rate.time(ofFrame: number)
      guard let shown = try picture(at: start) else { return [] }
      pictures.append(TimedPicture(start: start, shown: shown))
    }
    return pictures
  }
}
