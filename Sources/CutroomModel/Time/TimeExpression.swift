/// A time as the author wrote it; some forms have a value only once the timeline's rate is known.
public enum TimeExpression: Hashable, Sendable {
  /// Seconds, exact.
  case seconds(Rational)
  /// A count of frames of the stated rate, else of the timeline's.
  case frames(Int64, rate: FrameRate?)
  /// A timecode at the timeline's rate, counted from 00:00:00:00.
  case timecode(Timecode)

  /// The value in seconds; ``Rational/invalid`` for a timecode that the rate does not have.
  public func seconds(at timelineRate: FrameRate) -> Rational {
    switch self {
    case .seconds(let value): value
    case .frames(let count, let rate): (rate ?? timelineRate).time(ofFrame: count)
    case .timecode(let timecode):
      timecode.frame(at: timelineRate).map(timelineRate.time(ofFrame:)) ?? .invalid
    }
  }
}

/// A SMPTE timecode: hours, minutes, seconds and frames, with or without dropped numbers.
public struct Timecode: Hashable, Sendable {
  /// Hours; may exceed 23 for long programs.
  public var hours: Int
  /// Minutes, 0...59.
  public var minutes: Int
  /// Seconds, 0...59.
  public var seconds: Int
  /// Frames, below the nominal rate.
  public var frames: Int
  /// Whether frame numbers are dropped at the start of each minute but every tenth (`;`).
  public var isDropFrame: Bool

  /// Creates a timecode from its parts; validity depends on the rate, see ``frame(at:)``.
  public init(hours: Int, minutes: Int, seconds: Int, frames: Int, isDropFrame: Bool) {
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
    self.frames = frames
    self.isDropFrame = isDropFrame
  }

  /// The number of the frame that carries this timecode; `nil` if the rate has no such timecode
  /// (a frame number too large, a dropped number, or drop-frame at a rate that does not drop).
  public func frame(at rate: FrameRate) -> Int64? {
    let nominal = rate.nominal
    guard (0..<60).contains(minutes), (0..<60).contains(seconds), hours >= 0, hours < 1_000_000,
      frames >= 0, Int64(frames) < nominal
    else { return nil }
    let totalMinutes = Int64(hours) * 60 + Int64(minutes)
    let count = (totalMinutes * 60 + Int64(seconds)) * nominal + Int64(frames)
    guard isDropFrame else { return count }
    guard nominal % 30 == 0, rate.framesPerSecond.denominator == 1001 else { return nil }
    let dropped = nominal / 15
    if seconds == 0 && Int64(frames) < dropped && minutes % 10 != 0 { return nil }
    return count - dropped * (totalMinutes - totalMinutes / 10)
  }
}
