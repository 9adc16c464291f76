/// What the sequence headers of an MPEG-2 stream say, which must be the same in all of them but for
/// the quantiser matrices.
package struct MPEG2Sequence: Hashable, Sendable {
  /// Size, aspect ratio, rate, bit rate and buffer, up to the flags of the matrices.
  private var header: [UInt8]
  /// Profile, level, chroma format and more.
  private var additions: [UInt8]

  /// Where both lie in a packet or in a decoder's settings.
  private struct Places {
    var header: Range<Int>
    var additions: Range<Int>

    init?(_ bytes: [UInt8]) {
      guard let first = MPEG2Sequence.place(of: 0xB3, in: bytes),
        let second = MPEG2Sequence.place(of: 0xB5, in: bytes, from: first),
        second + 6 <= bytes.count, first + 8 <= bytes.count, bytes[second] >> 4 == 1
      else { return nil }
      header = first..<first + 8
      additions = second..<second + 6
    }
  }

  /// Reads the first header in `bytes`; `nil` where there is none of MPEG-2.
  init?(_ bytes: [UInt8]) {
    guard let places = Places(bytes) else { return nil }
    header = Array(bytes[places.header])
    additions = Array(bytes[places.additions])
  }

  /// Whether no picture consists of fields.
  var isProgressive: Bool { additions[1] & 0x08 != 0 }

  /// The packet with this stream's header in place of its own, where it has one.
  func replacing(in packet: [UInt8]) -> [UInt8] {
    guard let places = Places(packet) else { return packet }
    var bytes = packet
    bytes.replaceSubrange(places.header, with: header)
    // The last two bits say whether matrices follow.
    let last = places.header.upperBound - 1
    bytes[last] = bytes[last] & ~3 | packet[last] & 3
    bytes.replaceSubrange(places.additions, with: additions)
    return bytes
  }

  /// The place behind the first start code of that kind from `start` on, before any picture.
  private static func place(of kind: UInt8, in bytes: [UInt8], from start: Int = 0) -> Int? {
    var index = start
    while index + 3 < bytes.count {
      if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
        if bytes[index + 3] == kind { return index + 4 }
        if bytes[index + 3] == 0 { return nil }
        index += 3
      }
      index += 1
    }
    return nil
  }
}
