import CutroomMedia
import CutroomModel

/// How many samples packets of a track hold: by their own headers where those tell.
struct PacketLength {
  private let codec: String
  /// Samples of a tick.
  private let perTick: Rational
  private let bytesPerSample: Int
  /// Samples of every packet that does not say another number; 0 where that is not known.
  private let usual: Int64

  /// `bits` are those of a sample of uncompressed sound.
  init(_ track: AssetTrack, bits: Int? = nil) {
    codec = track.codec
    perTick = track.timeBase * Rational(track.sound?.sampleRate ?? 0)
    bytesPerSample = (bits ?? 0) / 8 * (track.sound?.channelCount ?? 0)
    let settings = track.stream?.extradata ?? []
    usual =
      if track.codec == "alac", settings.count >= 36 {
        settings[12...15].reduce(0) { $0 << 8 | Int64($1) }
      } else {
        Int64(track.sound?.frameSize ?? 0)
      }
  }

  /// The samples of a channel.
  func samples(of packet: Packet) -> Int64 {
    if bytesPerSample > 0 { return Int64(packet.size / bytesPerSample) }
    let own = packet.withBytes { bytes in
      switch codec {
      case "flac": Self.flac(bytes)
      case "alac": Self.alac(bytes)
      case "opus": Self.opus(bytes)
      default: Int64?.none
      }
    }
    if let own { return own }
    if usual > 1 { return usual }
    let length = Int64(clamping: (Rational(packet.duration) * perTick).rounded)
    return min(max(0, length), 1 << 32)
  }

  private static func flac(_ bytes: RawSpan) -> Int64? {
    guard bytes.byteCount > 11, bytes[0] == 0xFF, bytes[1] & 0xFC == 0xF8 else { return nil }
    let code = bytes[2] >> 4
    let place = 4 + (bytes[4] < 0x80 ? 1 : (~bytes[4]).leadingZeroBitCount)
    switch code {
    case 1: return 192
    case 2...5: return 576 << Int64(code - 2)
    case 6 where place < bytes.byteCount: return Int64(bytes[place]) + 1
    case 7 where place + 1 < bytes.byteCount:
      return (Int64(bytes[place]) << 8 | Int64(bytes[place + 1])) + 1
    case 8...15: return 256 << Int64(code - 8)
    default: return nil
    }
  }

  /// Only blocks that are shorter than the usual length tell it.
  private static func alac(_ bytes: RawSpan) -> Int64? {
    guard bytes.byteCount > 6, bytes[2] & 0x10 != 0 else { return nil }
    let parts = (2...6).map { Int64(bytes[$0]) }
    let high = (parts[0] & 1) << 31 | parts[1] << 23 | parts[2] << 15
    return high | parts[3] << 7 | parts[4] >> 1
  }

  /// In samples of 48 kHz, which Opus always counts in.
  private static func opus(_ bytes: RawSpan) -> Int64? {
    guard bytes.byteCount > 0 else { return nil }
    let configuration = Int(bytes[0] >> 3)
    let length: Int64 =
      switch configuration {
      case 0..<12: [480, 960, 1920, 2880][configuration % 4]
      case 12..<16: [480, 960][configuration % 2]
      default: [120, 240, 480, 960][configuration % 4]
      }
    switch bytes[0] & 3 {
    case 0: return length
    case 1, 2: return 2 * length
    default: return bytes.byteCount > 1 ? Int64(bytes[1] & 63) * length : nil
    }
  }
}
