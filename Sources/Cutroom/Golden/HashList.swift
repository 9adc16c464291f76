import CutroomModel

/// Shortened sums of things in a row, such that the first different one can be named.
///
/// Up to 2000 things have a sum each; of more, groups of equal size have one.
struct HashList: Hashable, Sendable {
  static let limit = 2000

  /// How many things there are.
  let count: Int
  /// How many of them one sum stands for.
  let group: Int
  /// The sums in order.
  let hashes: [UInt64]

  /// A list of things by the sum of each.
  init(_ each: [UInt64]) {
    let size = max(1, (each.count + Self.limit - 1) / Self.limit)
    count = each.count
    group = size
    hashes =
      size == 1
      ? each
      : stride(from: 0, to: each.count, by: size).map { start in
        each[start..<min(start + size, each.count)].reduce(0xCBF2_9CE4_8422_2325) { sum, hash in
          Self.mixed(sum, hash)
        }
      }
  }

  /// FNV-1a over the eight bytes of a sum.
  static func mixed(_ sum: UInt64, _ value: UInt64) -> UInt64 {
    (0..<8).reduce(sum) { sum, byte in
      (sum ^ (value >> (8 * UInt64(byte)) & 0xFF)) &* 0x100_0000_01B3
    }
  }

  /// The first 16 of a sum's hexadecimal digits as a number.
  static func shortened(_ digest: String) -> UInt64 { UInt64(digest.prefix(16), radix: 16) ?? 0 }

  /// Where two lists differ.
  struct Difference {
    /// The first thing that differs, or of its group the first.
    var first: Int
    /// How many sums differ, those that only one list has included.
    var number: Int
  }

  /// Where `other` differs; `nil` where it is equal.
  func difference(from other: HashList) -> Difference? {
    if self == other { return nil }
    guard group == other.group else {
      return Difference(first: min(count, other.count), number: abs(count - other.count))
    }
    let differing = zip(hashes, other.hashes).enumerated().filter { $0.element.0 != $0.element.1 }
    let shared = min(hashes.count, other.hashes.count)
    let first = differing.first.map(\.offset) ?? shared
    return Difference(
      first: min(first * group, min(count, other.count)),
      number: differing.count + abs(hashes.count - other.hashes.count))
  }
}

extension HashList {
  var members: [JSONValue.Member] {
    var runs: [(hash: UInt64, count: Int)] = []
    for hash in hashes {
      if let last = runs.last, last.hash == hash {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((hash, 1))
      }
    }
    let texts = runs.map { run in Self.digits(run.hash) + (run.count > 1 ? "*\(run.count)" : "") }
    return [
      .init("count", .integer(Int64(count))), .init("group", .integer(Int64(group))),
      .init("hashes", .array(texts.map { .string($0) })),
    ]
  }

  static func digits(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  init(_ json: JSONValue, _ place: String) throws(GoldenFlaw) {
    let count = try json.count("count", place)
    let group = try json.count("group", place)
    guard group >= 1 else { throw GoldenFlaw("\(place) has groups of nothing") }
    let number = (count + group - 1) / group
    guard number <= Self.limit else { throw GoldenFlaw("\(place) has too many sums") }
    var hashes: [UInt64] = []
    for element in try json.list("hashes", place) {
      let parts = (element.text ?? "").split(separator: "*", omittingEmptySubsequences: false)
      guard let digits = parts.first, digits.utf8.count == 16, parts.count <= 2,
        let hash = UInt64(digits, radix: 16),
        let times = parts.count == 1 ? 1 : Int(parts[1]), times >= 1,
        times <= number - hashes.count
      else { throw GoldenFlaw("\(place) has a sum that is none, or more than its count") }
      hashes += Array(repeating: hash, count: times)
    }
    guard hashes.count == number else {
      throw GoldenFlaw("\(place) has \(hashes.count) sums where \(number) are needed")
    }
    self.count = count
    self.group = group
    self.hashes = hashes
  }
}
