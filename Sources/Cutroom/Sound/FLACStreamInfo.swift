/// FLAC's block STREAMINFO, which says of a whole stream how large its blocks are, how many samples
/// it has and which sum they have.
struct FLACStreamInfo: Hashable {
  var leastBlock = 0
  var mostBlock = 0
  /// Bytes of the smallest frame; 0 for unknown.
  var leastFrame = 0
  var mostFrame = 0
  let sampleRate: Int
  let channels: Int
  let bits: Int
  /// Samples of a channel; 0 for unknown.
  var sampleCount: Int64 = 0
  /// The MD5 of all samples; zeros for unknown.
  var sum = [UInt8](repeating: 0, count: 16)

  /// Reads the block, also where the whole header stands before it.
  init?(_ settings: [UInt8]) {
    let mark = Array("fLaC".utf8)
    let bytes = Array(settings.starts(with: mark) ? settings.dropFirst(8) : settings[...])
    guard bytes.count >= 34 else { return nil }
    func number(_ place: Int, _ count: Int) -> Int {
      bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    (leastBlock, mostBlock) = (number(0, 2), number(2, 2))
    (leastFrame, mostFrame) = (number(4, 3), number(7, 3))
    let packed = number(10, 8)
    sampleRate = packed >> 44 & 0xFFFFF
    channels = (packed >> 41 & 7) + 1
    bits = (packed >> 36 & 31) + 1
    sampleCount = Int64(packed & 0xF_FFFF_FFFF)
    sum = Array(bytes[18..<34])
  }

  /// The block's 34 bytes.
  var bytes: [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let counted = sampleCount < 1 << 36 ? Int(sampleCount) : 0
    let packed = sampleRate << 44 | (channels - 1) << 41 | (bits - 1) << 36 | counted
    return number(leastBlock, 2) + number(mostBlock, 2) + number(leastFrame, 3)
      + number(mostFrame, 3) + number(packed, 8) + sum
  }
}
