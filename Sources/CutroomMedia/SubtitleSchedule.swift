/// When lines are shown, and from where they must be drawn for each to lie in its place.
///
/// A line that appears beside others is put where it is free, and stays there after they are gone.
/// So the place of a line depends on those before it; from a time at which nothing was shown, or
/// from a fixed number of changes before, all of them are drawn in order.
struct SubtitleSchedule {
  /// The times at which a line appears or disappears, ascending, in milliseconds.
  private(set) var changes: [Int64] = []
  /// The most lines that are shown at one time.
  private(set) var mostAtOnce = 0
  private var counts: [Int] = []
  private var origins: [Int] = []
  private var ownBeginnings: Set<Int> = []
  private var moving: Set<Int> = []

  /// More changes than this are not drawn again to find a place.
  private static let runLimit = 256

  init(_ script: SubtitleScript) {
    self.init(
      script.lines.map { line in
        (script.milliseconds(line), SubtitleText.changesItsSize(line.text))
      })
  }

  /// A schedule of lines, of which some change their size while they are shown.
  init(_ lines: [(time: Range<Int64>, changesSize: Bool)]) {
    var edges: [(time: Int64, lines: Int, moving: Int)] = []
    for line in lines where !line.time.isEmpty {
      let weight = line.changesSize ? 1 : 0
      edges.append((line.time.lowerBound, 1, weight))
      edges.append((line.time.upperBound, -1, -weight))
    }
    edges.sort { $0.time < $1.time }
    var (count, movingCount, origin) = (0, 0, 0)
    var index = 0
    while index < edges.count {
      let time = edges[index].time
      let before = count
      while index < edges.count, edges[index].time == time {
        count += edges[index].lines
        movingCount += edges[index].moving
        index += 1
      }
      let number = changes.count
      if before == 0 || number - origin >= Self.runLimit { origin = number }
      if before == 0 { ownBeginnings.insert(number) }
      if movingCount > 0 { moving.insert(origin) }
      changes.append(time)
      counts.append(count)
      origins.append(origin)
      mostAtOnce = max(mostAtOnce, count)
    }
  }

  /// The index of the last change that is not after `time`; `nil` where nothing is shown then.
  func change(at time: Int64) -> Int? {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 && counts[low - 1] > 0 ? low - 1 : nil
  }

  /// The index of the change from which lines must be drawn for those at `change`.
  func origin(of change: Int) -> Int { origins[change] }

  /// Whether nothing was shown before the change at which a run begins.
  func beginsFromNothing(_ origin: Int) -> Bool { ownBeginnings.contains(origin) }

  /// Whether lines of the run change their size, so that their places depend on the time.
  func isMoving(_ origin: Int) -> Bool { moving.contains(origin) }
}
