/// Gives an encoder's parameter sets, all of number 0, numbers that another stream does not use.
///
/// Slices say in their first byte which picture set they belong to. Number 0 is one bit there, and
/// each number from 15 to 30 is nine: what follows moves by a whole byte and stays as it is.
///
///     | first, (output) | 1              | rest of the byte | …
///     | first, (output) | 0000 number+1  | rest of the byte | …
package struct HEVCNumbers: Hashable, Sendable {
  var videoSet: Int
  var sequenceSet: Int
  var pictureSet: Int

  /// Numbers that none of `sets` has; `nil` where a set does not read or none is free.
  init?(besides sets: HEVCParameterSets) {
    // The second byte of a slice must not become 0, else it might look like a start code.
    let numbers = (15...30).reversed().filter { ($0 + 1) & 3 != 0 }
    guard let videos = sets.ids(HEVCUnit.videoSet), let video = Self.free(1..<16, videos),
      let sequences = sets.ids(HEVCUnit.sequenceSet), let sequence = Self.free(1..<16, sequences),
      let pictures = sets.ids(HEVCUnit.pictureSet), let picture = Self.free(numbers, pictures)
    else { return nil }
    (videoSet, sequenceSet, pictureSet) = (video, sequence, picture)
  }

  private static func free(_ numbers: some Sequence<Int>, _ taken: Set<Int>) -> Int? {
    numbers.first { !taken.contains($0) }
  }

  /// The unit with these numbers; `nil` where it is not of number 0 or does not read.
  func renumbered(_ unit: [UInt8]) -> [UInt8]? {
    let kind = HEVCUnit.kind(unit)
    guard unit.count > HEVCUnit.header else { return nil }
    switch kind {
    case HEVCUnit.videoSet: return renumberedVideoSet(unit)
    case HEVCUnit.sequenceSet: return renumberedSequenceSet(unit)
    case HEVCUnit.pictureSet: return renumberedPictureSet(unit)
    case _ where HEVCUnit.isSlice(kind):
      return renumberedSlice(unit, isRandomAccess: HEVCUnit.isRandomAccess(kind))
    default: return unit
    }
  }

  private func renumberedVideoSet(_ unit: [UInt8]) -> [UInt8]? {
    var reader = BitReader(unit: unit, header: HEVCUnit.header)
    var writer = BitWriter()
    guard reader.bits(4) == 0 else { return nil }
    writer.add(videoSet, bits: 4)
    return finished(&writer, &reader, unit)
  }

  private func renumberedSequenceSet(_ unit: [UInt8]) -> [UInt8]? {
    guard HEVCSequenceParameters(unit)?.id == 0 else { return nil }
    var reader = BitReader(unit: unit, header: HEVCUnit.header)
    // Up to the set's own number.
    var ahead = reader
    ahead.skip(4)
    let layers = Int(ahead.bits(3))
    ahead.skip(97)
    HEVCSequenceParameters.skipLayers(layers, &ahead)
    var writer = BitWriter()
    reader.skip(4)
    writer.add(videoSet, bits: 4)
    writer.copy(reader.remaining - ahead.remaining, of: &reader)
    guard reader.unsigned() == 0 else { return nil }
    writer.addUnsigned(sequenceSet)
    return finished(&writer, &reader, unit)
  }

  private func renumberedPictureSet(_ unit: [UInt8]) -> [UInt8]? {
    var reader = BitReader(unit: unit, header: HEVCUnit.header)
    var writer = BitWriter()
    guard reader.unsigned() == 0, reader.unsigned() == 0 else { return nil }
    writer.addUnsigned(pictureSet)
    writer.addUnsigned(sequenceSet)
    return finished(&writer, &reader, unit)
  }

  /// The unit with the rest of the payload.
  private func finished(
    _ writer: inout BitWriter, _ reader: inout BitReader, _ unit: [UInt8]
  ) -> [UInt8]? {
    writer.copy(reader.remaining, of: &reader)
    guard !reader.isExhausted else { return nil }
    return writer.unit(header: Array(unit[..<HEVCUnit.header]))
  }

  private func renumberedSlice(_ unit: [UInt8], isRandomAccess: Bool) -> [UInt8]? {
    let lead = isRandomAccess ? 2 : 1
    let rest = 7 - lead
    let byte = Int(unit[HEVCUnit.header])
    guard byte >> rest & 1 == 1 else { return nil }
    let head = (byte >> (8 - lead)) << (16 - lead)
    let word = head | (pictureSet + 1) << rest | byte & (1 << rest - 1)
    return unit[..<HEVCUnit.header] + [UInt8(word >> 8), UInt8(word & 255)]
      + unit[(HEVCUnit.header + 1)...]
  }
}
