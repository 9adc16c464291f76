/// The parameter sets of an HEVC stream, in the form in which its container keeps them.
struct HEVCParameterSets: Hashable {
  /// Units of one kind, as a container's record groups them.
  private struct Group: Hashable {
    /// The kind, and whether all units of the kind stand here.
    var head: UInt8
    var units: [[UInt8]]
    var kind: UInt8 { head & 0x3F }
  }

  /// The bytes of a NAL unit's length in packets; `nil` where start codes separate units.
  private(set) var lengthSize: Int?
  private var groups: [Group] = []
  private var original: [UInt8]
  /// Where a record's groups begin.
  private static let recordHeader = 23

  /// Reads a decoder's settings; `nil` where they are none of HEVC or a kind of set is missing.
  init?(_ settings: [UInt8]) {
    original = settings
    if settings.first == 1 {
      guard readRecord(settings) else { return nil }
    } else {
      for unit in NALUnits.separatedByStartCodes(settings) where unit.count > HEVCUnit.header {
        add(unit, head: HEVCUnit.kind(unit))
      }
    }
    guard !units(HEVCUnit.videoSet).isEmpty, !units(HEVCUnit.sequenceSet).isEmpty,
      !units(HEVCUnit.pictureSet).isEmpty
    else { return nil }
  }

  /// Reads an `HEVCDecoderConfigurationRecord`.
  private mutating func readRecord(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= Self.recordHeader else { return false }
    lengthSize = Int(bytes[21] & 3) + 1
    var index = Self.recordHeader
    for _ in 0..<Int(bytes[22]) {
      guard index < bytes.count, let count = NALUnits.number(bytes, index + 1, 2) else {
        return false
      }
      var group = Group(head: bytes[index], units: [])
      index += 3
      for _ in 0..<count {
        guard let length = NALUnits.number(bytes, index, 2), length > HEVCUnit.header,
          length <= bytes.count - index - 2
        else { return false }
        group.units.append(Array(bytes[index + 2..<index + 2 + length]))
        index += 2 + length
      }
      groups.append(group)
    }
    return true
  }

  private mutating func add(_ unit: [UInt8], head: UInt8) {
    let kind = HEVCUnit.kind(unit)
    if let place = groups.firstIndex(where: { $0.kind == kind }) {
      groups[place].units.append(unit)
    } else {
      groups.append(Group(head: head, units: [unit]))
    }
  }

  /// The units of a kind.
  func units(_ kind: UInt8) -> [[UInt8]] { groups.filter { $0.kind == kind }.flatMap(\.units) }

  /// The sets of all three kinds, in the order in which they refer to each other.
  var sets: [[UInt8]] {
    [HEVCUnit.videoSet, HEVCUnit.sequenceSet, HEVCUnit.pictureSet].flatMap(units)
  }

  /// What the first sequence set says.
  var parameters: HEVCSequenceParameters? {
    units(HEVCUnit.sequenceSet).first.flatMap { HEVCSequenceParameters($0) }
  }

  /// The numbers of the sets of a kind; `nil` where one does not read.
  func ids(_ kind: UInt8) -> Set<Int>? {
    var ids: Set<Int> = []
    for unit in units(kind) {
      var reader = BitReader(unit: unit, header: HEVCUnit.header)
      switch kind {
      case HEVCUnit.videoSet: ids.insert(Int(reader.bits(4)))
      case HEVCUnit.sequenceSet:
        guard let parameters = HEVCSequenceParameters(unit) else { return nil }
        ids.insert(parameters.id)
      default: ids.insert(reader.unsigned())
      }
      guard !reader.isExhausted else { return nil }
    }
    return ids
  }

  /// Settings with this stream's sets and those of `other` behind them, in this one's form.
  ///
  /// `nil` where a number would stand for two sets of a kind, or one is too long for a record.
  func settings(adding other: HEVCParameterSets) -> [UInt8]? {
    for kind in [HEVCUnit.videoSet, HEVCUnit.sequenceSet, HEVCUnit.pictureSet] {
      guard let own = ids(kind), let more = other.ids(kind), own.isDisjoint(with: more) else {
        return nil
      }
    }
    guard lengthSize != nil else {
      return NALUnits.joined(other.sets, lengthSize: nil).map { original + $0 }
    }
    guard let added = other.parameters else { return nil }
    var merged = self
    for unit in other.sets { merged.add(unit, head: 0x80 | HEVCUnit.kind(unit)) }
    return merged.record(holding: added)
  }

  /// The container's record, of a level that holds for `added`, too.
  private func record(holding added: HEVCSequenceParameters) -> [UInt8]? {
    var bytes = Array(original[..<Self.recordHeader])
    bytes[12] = max(bytes[12], UInt8(clamping: added.level))
    if added.isHighTier { bytes[1] |= 0x20 }
    // Nothing is promised about decoding parts of pictures at once.
    (bytes[13], bytes[14]) = (0xF0, 0)
    bytes[15] = 0xFC
    bytes[22] = UInt8(clamping: groups.count)
    for group in groups {
      guard let units = NALUnits.joined(group.units, lengthSize: 2), groups.count < 256 else {
        return nil
      }
      bytes += [group.head, UInt8(group.units.count >> 8 & 255), UInt8(group.units.count & 255)]
      bytes += units
    }
    return bytes
  }
}
