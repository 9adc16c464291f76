/// The parameter sets of an H.264 stream, in the form in which its container keeps them.
struct H264ParameterSets: Hashable {
  /// The bytes of a NAL unit's length in packets; `nil` where start codes separate units.
  private(set) var lengthSize: Int?
  private(set) var sequences: [[UInt8]] = []
  private(set) var pictures: [[UInt8]] = []
  /// Profile, constraints and level as the container's record states them.
  private var header: [UInt8] = []
  /// What follows the sets in the container's record.
  private var trailer: [UInt8] = []
  private var original: [UInt8]

  /// Reads a decoder's settings; `nil` where they are none of H.264 or hold no sequence set.
  init?(_ settings: [UInt8]) {
    original = settings
    if settings.first == 1 {
      guard readRecord(settings) else { return nil }
    } else {
      let units = NALUnits.separatedByStartCodes(settings)
      sequences = units.filter { $0[0] & 0x1F == 7 }
      pictures = units.filter { $0[0] & 0x1F == 8 }
    }
    guard !sequences.isEmpty, !pictures.isEmpty else { return nil }
  }

  /// Reads an `AVCDecoderConfigurationRecord`.
  private mutating func readRecord(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 7 else { return false }
    header = Array(bytes[1..<4])
    lengthSize = Int(bytes[4] & 3) + 1
    var index = 6
    func unit() -> [UInt8]? {
      guard let length = NALUnits.number(bytes, index, 2), length > 0,
        length <= bytes.count - index - 2
      else { return nil }
      defer { index += 2 + length }
      return Array(bytes[index + 2..<index + 2 + length])
    }
    for _ in 0..<Int(bytes[5] & 31) {
      guard let set = unit() else { return false }
      sequences.append(set)
    }
    guard index < bytes.count else { return false }
    let count = Int(bytes[index])
    index += 1
    for _ in 0..<count {
      guard let set = unit() else { return false }
      pictures.append(set)
    }
    trailer = Array(bytes[index...])
    return true
  }

  /// What the first sequence set says.
  var parameters: H264SequenceParameters? { H264SequenceParameters(sequences[0]) }

  /// The numbers by which sets of either kind are referred to; `nil` where one does not read.
  var ids: Set<Int>? {
    var ids: Set<Int> = []
    for set in sequences {
      guard let parameters = H264SequenceParameters(set) else { return nil }
      ids.insert(parameters.id)
    }
    for set in pictures {
      var reader = BitReader(unit: set, header: 1)
      ids.formUnion([reader.unsigned(), reader.unsigned()])
      guard !reader.isExhausted else { return nil }
    }
    return ids
  }

  /// Settings with this stream's sets and those of `other` behind them, in this one's form.
  ///
  /// `nil` where an identifier would stand for two sets, or a record would hold too many.
  func settings(adding other: H264ParameterSets) -> [UInt8]? {
    guard let own = ids, let more = other.ids, own.isDisjoint(with: more) else { return nil }
    guard lengthSize != nil else {
      return NALUnits.joined(other.sequences + other.pictures, lengthSize: nil).map {
        original + $0
      }
    }
    let allSequences = sequences + other.sequences
    let allPictures = pictures + other.pictures
    guard allSequences.count < 32, allPictures.count < 256, let added = other.parameters else {
      return nil
    }
    var bytes: [UInt8] = [1, header[0], header[1] & added.constraints, max(header[2], added.level)]
    bytes += [original[4], 0xE0 | UInt8(allSequences.count)]
    guard append(allSequences, to: &bytes) else { return nil }
    bytes.append(UInt8(allPictures.count))
    guard append(allPictures, to: &bytes) else { return nil }
    return bytes + trailer
  }

  private func append(_ sets: [[UInt8]], to bytes: inout [UInt8]) -> Bool {
    guard let joined = NALUnits.joined(sets, lengthSize: 2) else { return false }
    bytes += joined
    return true
  }
}
