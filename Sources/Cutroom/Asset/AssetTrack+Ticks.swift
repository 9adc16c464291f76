import CutroomModel

extension AssetTrack {
  /// The last tick of the stream, as libavformat counts, that is not after source time `time`.
  func tick(at time: Rational, origin: Rational) -> Int64 {
    Int64(clamping: ((time + origin) / timeBase).floor)
  }

  /// The source time of a tick of the stream.
  func time(ofTick tick: Int64, origin: Rational) -> Rational {
    Rational(tick) * timeBase - origin
  }
}
