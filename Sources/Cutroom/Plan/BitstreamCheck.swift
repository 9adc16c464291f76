import CutroomMedia

/// Looks into packets, because containers' keyframe flags do not always tell the truth.
enum BitstreamCheck {
  /// Whether decoding can start at this packet without anything before it.
  ///
  /// H.264: its first picture must be an IDR. HEVC: an IRAP picture. Other codecs: the flag counts.
  static func isRandomAccess(_ packet: Packet, _ demuxer: Demuxer, _ track: AssetTrack) -> Bool {
    let stream = demuxer.streams.first { $0.index == track.streamIndex }
    return isRandomAccess(packet, extradata: stream?.extradata ?? [], codec: track.codec)
  }

  /// As above, for a stream with these settings.
  static func isRandomAccess(_ packet: Packet, extradata: [UInt8], codec: String) -> Bool {
    guard codec == "h264" || codec == "hevc" else { return packet.isKeyframe }
    let isHEVC = codec == "hevc"
    let kinds = nalKinds(
      packet.bytes, lengthSize: lengthSize(extradata, isHEVC: isHEVC), isHEVC: isHEVC)
    let pictures = kinds.filter { isHEVC ? $0 < 32 : (1...5).contains($0) }
    guard let first = pictures.first else { return false }
    return isHEVC ? (16...23).contains(first) : first == 5
  }

  /// Whether decoding can start at this packet, and nothing after it is presented before it.
  static func isClosed(_ packet: Packet, _ demuxer: Demuxer, _ track: AssetTrack) -> Bool {
    isRandomAccess(packet, demuxer, track)
  }

  /// The bytes of a NAL unit's length; `nil` where start codes separate them.
  private static func lengthSize(_ extradata: [UInt8], isHEVC: Bool) -> Int? {
    guard extradata.first == 1 || isHEVC && extradata.count > 22 && extradata[0] != 0 else {
      return nil
    }
    let place = isHEVC ? 21 : 4
    return place < extradata.count ? Int(extradata[place] & 3) + 1 : nil
  }

  private static func nalKinds(_ bytes: [UInt8], lengthSize: Int?, isHEVC: Bool) -> [UInt8] {
    var kinds: [UInt8] = []
    func note(_ index: Int) {
      guard index < bytes.count else { return }
      kinds.append(isHEVC ? (bytes[index] >> 1) & 0x3F : bytes[index] & 0x1F)
    }
    var index = 0
    guard let lengthSize else {
      while index + 3 < bytes.count {
        if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
          note(index + 3)
          index += 3
        }
        index += 1
      }
      return kinds
    }
    while index + lengthSize < bytes.count {
      var length = 0
      for offset in 0..<lengthSize { length = length << 8 | Int(bytes[index + offset]) }
      note(index + lengthSize)
      guard length > 0 else { break }
      index += lengthSize + length
    }
    return kinds
  }
}
