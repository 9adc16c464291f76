/// Replacements of ranges in `moov`, with the boxes whose sizes change with them.
struct Splices {
  private struct Splice {
    var range: Range<Int>
    var bytes: [UInt8]
    /// The boxes that the range lies in.
    var ancestors: [Box]
    var order: Int

    /// What is inserted between two boxes comes before the size of the next one, and what ends an
    /// inner box comes before what ends the outer one.
    static func < (first: Splice, second: Splice) -> Bool {
      (first.range.lowerBound, first.range.upperBound, -first.ancestors.count, first.order)
        < (second.range.lowerBound, second.range.upperBound, -second.ancestors.count, second.order)
    }
  }

  private var splices: [Splice] = []
  private var growth: [Int: Int] = [:]
  private var parents: [Int: Box] = [:]

  /// By how many bytes `moov` grows.
  private(set) var delta = 0

  var isEmpty: Bool { splices.isEmpty }

  /// Whether the box lies in a range that is replaced.
  func replaces(_ box: Box) -> Bool {
    splices.contains { $0.range.lowerBound <= box.start && box.end <= $0.range.upperBound }
  }

  /// The replacement, where there is but one.
  var only: (range: Range<Int>, bytes: [UInt8], ancestors: [Box])? {
    guard splices.count == 1, let splice = splices.first else { return nil }
    return (splice.range, splice.bytes, splice.ancestors)
  }

  /// The boxes that all replacements lie in, the outermost first.
  var commonAncestors: [Box] {
    guard var common = splices.first?.ancestors else { return [] }
    for splice in splices {
      let pairs = zip(common, splice.ancestors).prefix { $0.start == $1.start && $0.end == $1.end }
      common = pairs.map(\.0)
    }
    return common
  }

  /// Replaces `range`, which lies inside all of `ancestors`.
  mutating func replace(_ range: Range<Int>, with bytes: [UInt8], in ancestors: [Box]) {
    splices.append(
      Splice(range: range, bytes: bytes, ancestors: ancestors, order: splices.count))
    let change = bytes.count - range.count
    delta += change
    for box in ancestors {
      growth[box.start, default: 0] += change
      parents[box.start] = box
    }
  }

  /// The new bytes.
  ///
  /// - Throws: ``MetadataError`` if a box outgrows its 32-bit size, or if two changes overlap.
  func applied(to bytes: [UInt8]) throws(MetadataError) -> [UInt8] {
    var all = splices
    for (start, change) in growth where change != 0 {
      guard let box = parents[start], !box.extendsToEnd else { continue }
      let size = box.end - box.start + change
      var field: [UInt8] = []
      if box.header == 16 {
        field.append(size, bytes: 8)
        all.append(Splice(range: start + 8..<start + 16, bytes: field, ancestors: [], order: 0))
      } else {
        guard let size = UInt32(exactly: size) else {
          throw MetadataError(.limit, "the box '\(box.type)' would exceed 4 GiB")
        }
        field.append(size, bytes: 4)
        all.append(Splice(range: start..<start + 4, bytes: field, ancestors: [], order: 0))
      }
    }
    all.sort(by: <)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + max(0, delta))
    var position = 0
    for splice in all {
      guard splice.range.lowerBound >= position, splice.range.upperBound <= bytes.count else {
        throw MetadataError(.malformed, "boxes of the movie header overlap")
      }
      result += bytes[position..<splice.range.lowerBound]
      result += splice.bytes
      position = splice.range.upperBound
    }
    return result + bytes[position...]
  }
}
