import CutroomModel

/// The times of packets in a row, kept as runs of equal steps.
///
/// Where there are more than 4000 runs, sums stand for the rows instead.
struct TimestampTable: Hashable, Sendable {
  static let limit = 4000

  /// A packet: a time, and what belongs to it.
  struct Row: Hashable, Sendable {
    /// A presentation or decoding time in ticks; the smallest number where unknown.
    var time: Int64
    /// A duration, or how much later the packet is shown than decoded.
    var length: Int64
    /// 1 for a keyframe, 2 for one that is decoded and not shown.
    var flags: Int64 = 0
  }

  /// Packets that follow each other alike.
  struct Run: Hashable, Sendable {
    /// Ticks from the packet before; of the first packet, its time.
    var step: Int64
    var length: Int64
    var flags: Int64
    var count: Int
  }

  /// How many packets there are.
  let count: Int
  /// The time of the last.
  let last: Int64
  let runs: [Run]
  /// In place of the runs, where they are too many.
  let hashes: HashList?

  init(_ rows: [Row]) {
    count = rows.count
    last = rows.last?.time ?? 0
    var runs: [Run] = []
    var previous: Int64 = 0
    for row in rows {
      let step = row.time &- previous
      previous = row.time
      if let run = runs.last, run.step == step, run.length == row.length, run.flags == row.flags {
        runs[runs.count - 1].count += 1
      } else {
        runs.append(Run(step: step, length: row.length, flags: row.flags, count: 1))
      }
      if runs.count > Self.limit { break }
    }
    let isLong = runs.count > Self.limit
    self.runs = isLong ? [] : runs
    hashes = isLong ? HashList(rows.map(Self.hash)) : nil
  }

  private static func hash(_ row: Row) -> UInt64 {
    [row.time, row.length, row.flags].reduce(0xCBF2_9CE4_8422_2325) { sum, value in
      HashList.mixed(sum, UInt64(bitPattern: value))
    }
  }

  /// The first row that differs, as both tables have it; `nil` where they are equal.
  func difference(from other: TimestampTable) -> (row: Int, own: Row?, other: Row?)? {
    if self == other { return nil }
    if let hashes, let others = other.hashes {
      return (hashes.difference(from: others)?.first ?? min(count, other.count), nil, nil)
    }
    guard hashes == nil, other.hashes == nil else { return (min(count, other.count), nil, nil) }
    var row = 0
    var time: Int64 = 0
    for (own, theirs) in zip(runs, other.runs) {
      if own == theirs {
        row += own.count
        time &+= own.step &* Int64(own.count)
        continue
      }
      var alike = own
      alike.count = theirs.count
      guard alike == theirs else { break }
      row += min(own.count, theirs.count)
      break
    }
    return (row, self.row(row), other.row(row))
  }

  /// A packet's row; `nil` past the end, or where only sums are kept.
  func row(_ index: Int) -> Row? {
    var before = 0
    var time: Int64 = 0
    for run in runs {
      if index < before + run.count {
        time &+= run.step &* Int64(index - before + 1)
        return Row(time: time, length: run.length, flags: run.flags)
      }
      before += run.count
      time &+= run.step &* Int64(run.count)
    }
    return nil
  }
}

extension TimestampTable {
  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("count", .integer(Int64(count))), .init("last", .integer(last)),
    ]
    if let hashes {
      members.append(.init("rows", .object(hashes.members)))
    } else {
      let texts = runs.map { "\($0.step) \($0.length) \($0.flags)*\($0.count)" }
      members.append(.init("runs", .array(texts.map { .string($0) })))
    }
    return .object(members)
  }

  init(_ json: JSONValue, _ place: String) throws(GoldenFlaw) {
    count = try json.count("count", place)
    guard let last = try json.value("last", place).whole else {
      throw GoldenFlaw("'last' of \(place) is no time")
    }
    self.last = last
    if let rows = json["rows"] {
      let hashes = try HashList(rows, place)
      guard hashes.count == count else { throw GoldenFlaw("\(place) has another count of rows") }
      (self.hashes, runs) = (hashes, [])
      return
    }
    hashes = nil
    var runs: [Run] = []
    var left = count
    for element in try json.list("runs", place) {
      let numbers = (element.text ?? "").split(omittingEmptySubsequences: false) {
        $0 == " " || $0 == "*"
      }
      .map { Int64($0) }
      guard numbers.count == 4, let step = numbers[0], let length = numbers[1],
        let flags = numbers[2], let times = numbers[3], times >= 1, times <= Int64(left)
      else { throw GoldenFlaw("\(place) has a run that is none, or more than its count") }
      left -= Int(times)
      runs.append(Run(step: step, length: length, flags: flags, count: Int(times)))
    }
    guard left == 0, runs.count <= Self.limit else {
      throw GoldenFlaw("\(place) has runs for \(count - left) packets where \(count) are needed")
    }
    self.runs = runs
  }
}
