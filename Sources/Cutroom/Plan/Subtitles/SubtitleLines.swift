import CutroomMedia
import CutroomModel

/// A stream of subtitles of a file.
struct SubtitleStream: Hashable {
  var path: String
  var index: Int
}

/// The lines of a stream of subtitles with their exact source times.
struct SubtitleLines {
  /// A line's time and its place in the script.
  struct Entry {
    var start: Rational
    var end: Rational
    var line: Int
  }

  let script: SubtitleScript
  let styles: ScriptStyles
  /// In the order of their starts.
  private let entries: [Entry]
  /// For each entry, the latest end of it and of all before it.
  private let reach: [Rational]

  init(_ script: SubtitleScript, origin: Rational) {
    self.script = script
    styles = ScriptStyles(script)
    let tick = Rational(Int64(script.timeBase.numerator), Int64(script.timeBase.denominator))
    var entries: [Entry] = []
    entries.reserveCapacity(script.lines.count)
    for (index, line) in script.lines.enumerated() {
      entries.append(
        Entry(
          start: Rational(line.start) * tick - origin, end: Rational(line.end) * tick - origin,
          line: index))
    }
    entries.sort { ($0.start, $0.line) < ($1.start, $1.line) }
    var latest = entries.first?.end ?? .zero
    var reach: [Rational] = []
    for entry in entries {
      latest = max(latest, entry.end)
      reach.append(latest)
    }
    (self.entries, self.reach) = (entries, reach)
  }

  /// The lines of which something is shown from `start` on and before `end`.
  func entries(from start: Rational, to end: Rational) -> [Entry] {
    let first = Self.partition(reach.count) { reach[$0] > start }
    let last = Self.partition(entries.count) { entries[$0].start >= end }
    guard first < last else { return [] }
    return entries[first..<last].filter { $0.end > start }
  }

  /// The lines that are shown at a time.
  func entries(at time: Rational) -> [Entry] {
    let last = Self.partition(entries.count) { entries[$0].start > time }
    let first = Self.partition(last) { reach[$0] > time }
    return entries[first..<last].filter { $0.end > time }
  }

  /// The first index for which `isBehind` holds, as for all after it.
  private static func partition(_ count: Int, _ isBehind: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
