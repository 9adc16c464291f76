/// The samples of a track with few of them, such as chapters.
enum SampleTable {
  struct Sample: Hashable {
    var start: Int64
    var duration: Int64
    var offset: Int64
    var size: Int
  }

  static let maximumSamples = 10_000

  /// The samples in order; `nil` if there are too many or the tables do not fit together.
  static func samples(_ bytes: [UInt8], _ table: Box) -> [Sample]? {
    guard let sizes = sizes(bytes, table), let times = times(bytes, table, count: sizes.count),
      let chunks = chunks(bytes, table), let runs = runs(bytes, table)
    else { return nil }
    var samples: [Sample] = []
    var run = 0
    for (index, chunk) in chunks.enumerated() {
      while run + 1 < runs.count, runs[run + 1].first <= index + 1 { run += 1 }
      guard runs.indices.contains(run) else { return nil }
      var offset = chunk
      for _ in 0..<min(runs[run].count, sizes.count - samples.count) {
        let size = sizes[samples.count]
        let time = times[samples.count]
        samples.append(
          Sample(start: time.start, duration: time.duration, offset: offset, size: size))
        offset += Int64(size)
      }
      if samples.count == sizes.count { break }
    }
    return samples.count == sizes.count ? samples : nil
  }

  /// The entries of a table of 32-bit numbers; `nil` if it claims more than it has or is missing.
  private static func entries(
    _ bytes: [UInt8], _ box: Box?, skipping skipped: Int = 4, columns: Int, bytes width: Int = 4
  ) -> [[UInt64]]? {
    guard let box, let count = bytes.u32(box.content.lowerBound + skipped),
      Int(count) <= maximumSamples,
      skipped + 4 + Int(count) * columns * width <= box.content.count
    else { return nil }
    let start = box.content.lowerBound + skipped + 4
    return (0..<Int(count)).map { row in
      (0..<columns).map { column in
        bytes.number(at: start + (row * columns + column) * width, bytes: width) ?? 0
      }
    }
  }

  private static func sizes(_ bytes: [UInt8], _ table: Box) -> [Int]? {
    guard let box = table.child("stsz"), let size = bytes.u32(box.content.lowerBound + 4),
      let count = bytes.u32(box.content.lowerBound + 8), Int(count) <= maximumSamples
    else { return nil }
    if size > 0 { return Array(repeating: Int(size), count: Int(count)) }
    return entries(bytes, box, skipping: 8, columns: 1)?.map { Int($0[0]) }
  }

  private static func times(
    _ bytes: [UInt8], _ table: Box, count: Int
  ) -> [(start: Int64, duration: Int64)]? {
    guard let runs = entries(bytes, table.child("stts"), columns: 2) else { return nil }
    var times: [(start: Int64, duration: Int64)] = []
    var start: Int64 = 0
    for run in runs {
      for _ in 0..<min(Int(run[0]), count - times.count) {
        times.append((start, Int64(run[1])))
        start += Int64(run[1])
      }
    }
    return times.count == count ? times : nil
  }

  private static func chunks(_ bytes: [UInt8], _ table: Box) -> [Int64]? {
    if let box = table.child("co64") {
      // Far from the limit, so that no sum of an offset and sizes overflows.
      guard let rows = entries(bytes, box, columns: 1, bytes: 8),
        rows.allSatisfy({ $0[0] < 1 << 62 })
      else { return nil }
      return rows.map { Int64($0[0]) }
    }
    return entries(bytes, table.child("stco"), columns: 1)?.map { Int64($0[0]) }
  }

  private static func runs(_ bytes: [UInt8], _ table: Box) -> [(first: Int, count: Int)]? {
    entries(bytes, table.child("stsc"), columns: 3)?.map { (Int($0[0]), Int($0[1])) }
  }
}
