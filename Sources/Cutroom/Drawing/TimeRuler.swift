import CutroomModel

/// Marks along a timeline at round times.
struct TimeRuler {
  /// A mark.
  struct Tick: Hashable {
    var time: Rational
    /// What stands at it; `nil` for a small mark.
    var label: String?
  }

  /// The time from one labelled mark to the next.
  let step: Rational
  /// All marks up to the end.
  let ticks: [Tick]

  /// Labelled times lie at least `room` of `length` apart, which is the length of `duration`; small
  /// marks `smallRoom`.
  init(duration: Rational, length: Int, room: Int, smallRoom: Int = 6) {
    let most = max(1, length / max(1, room))
    let (step, parts) =
      Self.steps.first { duration / $0.0 <= Rational(most) } ?? Self.last(duration, most)
    self.step = step
    guard duration > .zero, duration.isValid else {
      ticks = [Tick(time: .zero, label: "0s")]
      return
    }
    // Small marks need room too.
    let marks = Int(clamping: (duration / step).ceiling) * parts
    let small = length / max(1, marks) >= smallRoom ? parts : 1
    let isDecimal = step < .one
    let count = Int(clamping: (duration * Rational(small) / step).floor)
    ticks = (0...count).map { index in
      let time = step * Rational(index) / Rational(small)
      return Tick(
        time: time,
        label: index % small == 0 ? Self.label(time, in: duration, isDecimal: isDecimal) : nil)
    }
  }

  /// Usual distances, with the parts that small marks divide them into.
  private static let steps: [(Rational, Int)] = [
    (Rational(1, 1000), 1), (Rational(1, 500), 2), (Rational(1, 200), 5), (Rational(1, 100), 5),
    (Rational(1, 50), 2), (Rational(1, 20), 5), (Rational(1, 10), 5), (Rational(1, 5), 4),
    (Rational(1, 2), 5), (1, 5), (2, 4), (5, 5), (10, 5), (15, 3), (30, 6), (60, 6), (120, 4),
    (300, 5), (600, 5), (900, 3), (1800, 6), (3600, 6), (7200, 4), (14400, 4), (28800, 4),
    (86400, 4),
  ]

  private static func last(_ duration: Rational, _ most: Int) -> (Rational, Int) {
    let days = (duration / Rational(most) / 86400).ceiling
    return (Rational(days) * 86400, 1)
  }

  /// `7s` or `0.2s`, from a minute on `1:05`, from an hour on `1:00:05`.
  static func label(_ time: Rational, in duration: Rational, isDecimal: Bool = false) -> String {
    if duration < 60 || isDecimal && duration < 3600 { return time.secondsText }
    let seconds = Int64(clamping: time.floor)
    func padded(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
    let fraction = time - Rational(seconds)
    let rest = fraction == .zero ? "" : String(fraction.secondsText.dropFirst().dropLast())
    let minutes = "\(padded(seconds / 60 % 60)):\(padded(seconds % 60))" + rest
    if duration < 3600 {
      return String(minutes.hasPrefix("0") ? minutes.dropFirst() : minutes[...])
    }
    return "\(seconds / 3600):" + minutes
  }
}
