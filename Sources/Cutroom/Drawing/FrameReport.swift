public import CutroomModel

/// The pictures that were written.
public struct FrameReport: Sendable {
  /// One of them.
  public struct Frame: Hashable, Sendable {
    /// The time that was asked for.
    public var requested: Rational
    /// The time at which the picture begins to be shown.
    public var actual: Rational
    /// The file.
    public var output: String
    /// Its size.
    public var size: PixelSize
  }

  /// In the order in which they were asked for.
  public var frames: [Frame]
  /// What there is to say about them.
  public var warnings: [Diagnostic] = []

  /// The report as `cutroom frame --json` prints it.
  public var jsonValue: JSONValue {
    let values = frames.map { frame -> JSONValue in
      [
        "requested": .time(frame.requested), "actual": .time(frame.actual),
        "output": .string(frame.output),
        "size": [.integer(Int64(frame.size.width)), .integer(Int64(frame.size.height))],
      ]
    }
    return ["ok": true, "frames": .array(values)]
  }

  /// The report for people.
  public var text: String {
    frames.map { frame in
      let other =
        frame.actual == frame.requested ? "" : ", shown from \(frame.actual.secondsText) on"
      return "\(frame.output): \(frame.size.width)×\(frame.size.height), "
        + "\(frame.requested.secondsText)\(other)"
    }.joined(separator: "\n")
  }
}
