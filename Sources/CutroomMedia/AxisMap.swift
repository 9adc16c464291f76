/// From where in a source the samples of a row, or of a column, are taken.
///
/// Places are continuous: sample n of the source reaches from n to n + 1.
package struct AxisMap: Hashable, Sendable {
  /// The source place at which the first sample begins, in 2⁻³² source samples.
  package var start: Int64
  /// Source samples per sample, above 0, in 2⁻³² source samples.
  package var step: Int64
  /// The source samples that may be looked at; beyond them the outermost ones go on.
  package var readable: Range<Int>
  /// How many samples there are.
  package var count: Int

  /// A map; `readable` is not empty.
  package init(start: Int64, step: Int64, readable: Range<Int>, count: Int) {
    self.start = start
    self.step = step
    self.readable = readable
    self.count = count
  }

  static let one = Int64(1) << 32

  /// The samples as they are.
  package static func identity(_ count: Int) -> AxisMap {
    AxisMap(start: 0, step: one, readable: 0..<count, count: count)
  }

  /// The same for planes with 1 sample for 2 to the power of `source`, and of `target`.
  func subsampled(from source: Int, to target: Int) -> AxisMap {
    let (round, own) = ((1 << source) - 1, (1 << target) - 1)
    return AxisMap(
      start: start >> Int64(source), step: max(1, (step << Int64(target)) >> Int64(source)),
      readable: (readable.lowerBound >> source)..<((readable.upperBound + round) >> source),
      count: (count + own) >> target)
  }
}

/// The weights with which samples are summed up: bicubic, as wide as reducing needs.
struct WeightTable {
  /// The weight of a whole sample.
  static let unitBits: Int32 = 14
  /// Weights per sample.
  let taps: Int
  /// The first source sample of each.
  let firsts: [Int32]
  /// `taps` for each, of a sum of 2 to the power of ``unitBits``.
  let weights: [Int32]
  /// The source samples that are used.
  let used: Range<Int>

  init(_ map: AxisMap) {
    let isWhole = map.step == AxisMap.one && map.start & (AxisMap.one - 1) == 0
    let step = Double(map.step) / Double(AxisMap.one)
    let stretch = max(1, step)
    let reach = 2 * stretch
    let wanted = isWhole ? 1 : Int(reach * 2) + 2
    let taps = min(wanted, map.readable.count)
    var firsts = [Int32](repeating: 0, count: map.count)
    var weights = [Int32](repeating: 0, count: map.count * taps)
    var row = [Double](repeating: 0, count: taps)
    for index in 0..<map.count {
      let whole = map.start + Int64(index) * map.step + map.step / 2
      let center = Double(whole) / Double(AxisMap.one) - 0.5
      let first = isWhole ? Int(whole >> 32) : Int((center - reach).rounded(.up))
      let kept = min(max(first, map.readable.lowerBound), map.readable.upperBound - taps)
      firsts[index] = Int32(truncatingIfNeeded: kept)
      if isWhole && taps == 1 {
        weights[index] = 1 << Self.unitBits
        continue
      }
      for tap in 0..<taps { row[tap] = 0 }
      for source in first..<(first + wanted) {
        let weight = Self.cubic((Double(source) - center) / stretch)
        let place = min(max(source, map.readable.lowerBound), map.readable.upperBound - 1)
        row[place - kept] += weight
      }
      Self.round(row, into: &weights, at: index * taps)
    }
    (self.taps, self.firsts, self.weights) = (taps, firsts, weights)
    let lowest = Int(firsts.min() ?? 0)
    used = lowest..<(Int(firsts.max() ?? 0) + taps)
  }

  /// The cubic of libswscale's "bicubic".
  private static func cubic(_ distance: Double) -> Double {
    let d = distance.magnitude
    if d < 1 { return (1.4 * d - 2.4) * d * d + 1 }
    return d < 2 ? ((3 - 0.6 * d) * d - 4.8) * d + 2.4 : 0
  }

  /// Rounds the running sum, so that many small weights keep their sum.
  private static func round(_ row: [Double], into weights: inout [Int32], at place: Int) {
    let sum = row.reduce(0, +)
    let unit = Double(1 << unitBits)
    var (running, last) = (0.0, Int32(0))
    for (tap, weight) in row.enumerated() {
      running += weight
      let total = Int32((running / sum * unit).rounded())
      weights[place + tap] = total - last
      last = total
    }
  }
}
