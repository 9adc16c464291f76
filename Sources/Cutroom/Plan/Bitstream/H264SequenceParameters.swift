/// What an H.264 sequence parameter set says, as far as joining streams needs it.
struct H264SequenceParameters: Hashable {
  var profile: UInt8
  var constraints: UInt8
  var level: UInt8
  var id: Int
  var chromaFormat = 1
  var bitDepth = 8
  var referenceFrames = 0
  /// Whether no picture is coded as fields.
  var isFrameOnly = true
  /// How far decoding order runs ahead of presentation order, where it is stated.
  var reorderDepth: Int?

  private static let extendedProfiles: Set<UInt8> = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
  ]

  /// Reads a set, its NAL header included; `nil` where it is none or ends early.
  init?(_ unit: [UInt8]) {
    guard unit.count > 4, unit[0] & 0x1F == 7 else { return nil }
    (profile, constraints, level) = (unit[1], unit[2], unit[3])
    id = 0
    var reader = BitReader(unit: unit, header: 4)
    id = reader.unsigned()
    guard id < 32 else { return nil }
    if Self.extendedProfiles.contains(profile) {
      guard readFormat(&reader) else { return nil }
    }
    guard readOrder(&reader) else { return nil }
    referenceFrames = reader.unsigned()
    _ = reader.flag()
    _ = (reader.unsigned(), reader.unsigned())
    isFrameOnly = reader.flag()
    if !isFrameOnly { reader.skip(1) }
    reader.skip(1)
    if reader.flag() { for _ in 0..<4 { _ = reader.unsigned() } }
    let hasMore = reader.flag()
    guard !reader.isExhausted else { return nil }
    if hasMore { readUsability(&reader) }
  }

  /// The chroma format, depths and scaling lists of the higher profiles.
  private mutating func readFormat(_ reader: inout BitReader) -> Bool {
    chromaFormat = reader.unsigned()
    if chromaFormat == 3 { reader.skip(1) }
    bitDepth = reader.unsigned() + 8
    let chromaDepth = reader.unsigned() + 8
    guard chromaFormat <= 3, bitDepth <= 14, chromaDepth == bitDepth || chromaFormat == 0 else {
      return false
    }
    reader.skip(1)
    guard reader.flag() else { return true }
    for list in 0..<(chromaFormat == 3 ? 12 : 8) where reader.flag() {
      var (last, next) = (8, 8)
      for _ in 0..<(list < 6 ? 16 : 64) {
        if next != 0 { next = (last + reader.signed() + 256) & 255 }
        if next != 0 { last = next }
      }
    }
    return !reader.isExhausted
  }

  /// How pictures are numbered.
  private mutating func readOrder(_ reader: inout BitReader) -> Bool {
    _ = reader.unsigned()
    switch reader.unsigned() {
    case 0: _ = reader.unsigned()
    case 1:
      reader.skip(1)
      _ = (reader.signed(), reader.signed())
      let count = reader.unsigned()
      guard count < 256 else { return false }
      for _ in 0..<count { _ = reader.signed() }
    default: break
    }
    return !reader.isExhausted
  }

  /// The usability information, for the depth of reordering at its end.
  private mutating func readUsability(_ reader: inout BitReader) {
    if reader.flag(), reader.bits(8) == 255 { reader.skip(32) }
    if reader.flag() { reader.skip(1) }
    if reader.flag() {
      reader.skip(4)
      if reader.flag() { reader.skip(24) }
    }
    if reader.flag() { _ = (reader.unsigned(), reader.unsigned()) }
    if reader.flag() { reader.skip(65) }
    var hasTiming = false
    for _ in 0..<2 where reader.flag() {
      hasTiming = true
      let count = reader.unsigned() + 1
      reader.skip(8)
      guard count <= 32 else { return }
      for _ in 0..<count {
        _ = (reader.unsigned(), reader.unsigned())
        reader.skip(1)
      }
      reader.skip(20)
    }
    if hasTiming { reader.skip(1) }
    reader.skip(1)
    guard reader.flag() else { return }
    reader.skip(1)
    for _ in 0..<4 { _ = reader.unsigned() }
    let depth = reader.unsigned()
    if !reader.isExhausted, depth <= 16 { reorderDepth = depth }
  }
}
