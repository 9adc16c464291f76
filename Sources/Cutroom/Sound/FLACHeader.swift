import CutroomMedia
import CutroomModel

/// What the headers of FLAC say about where samples lie.
enum FLACHeader {
  /// Samples of every packet but the last, by the block STREAMINFO; 0 where they vary.
  static func blockSize(_ information: [UInt8]) -> Int64 {
    guard information.count >= 4 else { return 0 }
    let least = Int64(information[0]) << 8 | Int64(information[1])
    let most = Int64(information[2]) << 8 | Int64(information[3])
    return least == most ? least : 0
  }

  /// Whether packets say in their own words which sample they begin with, and the container does not
  /// say it as exactly.
  static func counts(_ track: AssetTrack, in asset: AssetInfo) -> Bool {
    track.codec == "flac" && (asset.formatName == "ogg" || asset.formatName.hasPrefix("matroska"))
  }

  /// What to add to the number in a header to get a sample of source time, by the track's first
  /// packet: files that were cut begin with another number than 0.
  static func numbering(of track: AssetTrack, in asset: AssetInfo) throws(LibAVError) -> Int64? {
    let demuxer = try Demuxer(path: asset.path, trustsHeader: true)
    demuxer.select([track.streamIndex])
    let blockSize = blockSize(track.stream?.extradata ?? [])
    let rate = Rational(track.sound?.sampleRate ?? 0)
    while let packet = try demuxer.read() {
      guard packet.streamIndex == track.streamIndex else { continue }
      return firstSample(of: packet, blockSize: blockSize).map {
        Int64(clamping: (track.start * rate).rounded) - $0
      }
    }
    return nil
  }

  /// The number of the first sample in a packet, counted by the encoder; `nil` where it is no FLAC
  /// frame, or says the number of its block and blocks vary.
  static func firstSample(of packet: Packet, blockSize: Int64) -> Int64? {
    packet.withBytes { bytes in
      guard bytes.byteCount > 11, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8 else { return nil }
      guard let number = number(bytes, at: 4) else { return nil }
      // The last bit says whether samples or blocks are counted.
      if bytes[1] & 1 == 1 { return number }
      return blockSize > 0 && number < 1 << 40 ? number * blockSize : nil
    }
  }

  /// A number as UTF-8 would write it, of up to 36 bits.
  private static func number(_ bytes: RawSpan, at place: Int) -> Int64? {
    let first = bytes[place]
    guard first >= 0x80 else { return Int64(first) }
    let length = (~first).leadingZeroBitCount
    guard (2...7).contains(length) else { return nil }
    var value = Int64(first) & ((1 << Int64(max(0, 7 - length))) - 1)
    for index in 1..<length {
      let next = bytes[place + index]
      guard next & 0xC0 == 0x80 else { return nil }
      value = value << 6 | Int64(next & 0x3F)
    }
    return value
  }
}
