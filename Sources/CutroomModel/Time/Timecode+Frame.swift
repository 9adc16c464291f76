extension Timecode {
  /// The timecode of a frame, counted from 00:00:00:00.
  ///
  /// `nil` for a negative frame, one after a million hours, and for drop-frame at a rate that does
  /// not drop: only multiples of 30000/1001 do.
  public init?(frame: Int64, at rate: FrameRate, isDropFrame: Bool) {
    let nominal = rate.nominal
    guard frame >= 0, nominal > 0, frame / nominal / 3600 < 1_000_000 else { return nil }
    var number = frame
    if isDropFrame {
      guard nominal % 30 == 0, rate.framesPerSecond.denominator == 1001 else { return nil }
      // Ten minutes lose the dropped numbers of nine; the first minute of the ten is whole.
      let dropped = nominal / 15
      let minute = nominal * 60 - dropped
      let tenMinutes = minute * 10 + dropped
      let (tens, rest) = frame.quotientAndRemainder(dividingBy: tenMinutes)
      number += tens * 9 * dropped
      if rest >= nominal * 60 { number += ((rest - nominal * 60) / minute + 1) * dropped }
    }
    let (totalSeconds, frames) = number.quotientAndRemainder(dividingBy: nominal)
    self.init(
      hours: Int(totalSeconds / 3600), minutes: Int(totalSeconds / 60 % 60),
      seconds: Int(totalSeconds % 60), frames: Int(frames), isDropFrame: isDropFrame)
  }
}
