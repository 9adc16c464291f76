/// What an HEVC sequence parameter set says, as far as joining streams needs it.
struct HEVCSequenceParameters: Hashable {
  var id = 0
  /// The number of the video parameter set that it belongs to.
  var videoSet = 0
  var profile = 0
  /// Whether the high tier's bit rates are allowed.
  var isHighTier = false
  var level = 0
  /// Whether pictures may hold fields.
  var mayBeInterlaced = false
  var chromaFormat = 1
  var bitDepth = 8
  /// How far decoding order runs ahead of presentation order.
  var reorderDepth = 0

  /// Reads a set, its NAL header included; `nil` where it is none or ends early.
  init?(_ unit: [UInt8]) {
    guard unit.count > 2, HEVCUnit.kind(unit) == HEVCUnit.sequenceSet else { return nil }
    var reader = BitReader(unit: unit, header: HEVCUnit.header)
    videoSet = Int(reader.bits(4))
    let layers = Int(reader.bits(3))
    reader.skip(3)
    isHighTier = reader.flag()
    profile = Int(reader.bits(5))
    reader.skip(32)
    reader.skip(1)
    mayBeInterlaced = reader.flag()
    reader.skip(46)
    level = Int(reader.bits(8))
    Self.skipLayers(layers, &reader)
    id = reader.unsigned()
    chromaFormat = reader.unsigned()
    if chromaFormat == 3 { reader.skip(1) }
    _ = (reader.unsigned(), reader.unsigned())
    if reader.flag() { for _ in 0..<4 { _ = reader.unsigned() } }
    bitDepth = reader.unsigned() + 8
    let chromaDepth = reader.unsigned() + 8
    _ = reader.unsigned()
    let statesAll = reader.flag()
    for _ in (statesAll ? 0 : layers)...layers {
      _ = reader.unsigned()
      reorderDepth = reader.unsigned()
      _ = reader.unsigned()
    }
    guard !reader.isExhausted, id < 16, chromaFormat <= 3, bitDepth <= 16, reorderDepth <= 16,
      chromaDepth == bitDepth || chromaFormat == 0
    else { return nil }
  }

  /// Passes over what is said of layers of time.
  static func skipLayers(_ layers: Int, _ reader: inout BitReader) {
    guard layers > 0 else { return }
    let states = (0..<8).map { _ in reader.bits(2) }
    for layer in 0..<layers {
      if states[layer] & 2 != 0 { reader.skip(88) }
      if states[layer] & 1 != 0 { reader.skip(8) }
    }
  }
}

/// The kinds of HEVC's NAL units.
enum HEVCUnit {
  /// The bytes of a unit's header.
  static let header = 2
  static let videoSet: UInt8 = 32
  static let sequenceSet: UInt8 = 33
  static let pictureSet: UInt8 = 34
  /// A picture at which decoding can begin, after which leading pictures may come that cannot be
  /// decoded then.
  static let cleanRandomAccess: UInt8 = 21
  /// The same without leading pictures, counting on from nothing before.
  static let brokenLinkAccess: UInt8 = 18

  /// The kind of a unit.
  static func kind(_ unit: [UInt8]) -> UInt8 { unit.isEmpty ? 63 : unit[0] >> 1 & 0x3F }

  /// Whether decoding can begin at a picture of this kind.
  static func isRandomAccess(_ kind: UInt8) -> Bool { (16...23).contains(kind) }

  /// Whether it holds a part of a picture.
  static func isSlice(_ kind: UInt8) -> Bool { kind < 32 }
}
