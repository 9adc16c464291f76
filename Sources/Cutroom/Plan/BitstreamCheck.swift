import CutroomMedia

/// Looks into packets, because containers' keyframe flags do not always tell the truth.
enum BitstreamCheck {
  /// How decoding can begin at a packet.
  enum Entry {
    /// It counts on from nothing before.
    case fresh
    /// It counts on from what is before, unless it is marked as beginning anew.
    case continuing
  }

  /// How decoding can begin at this packet without anything before it; `nil` where it cannot.
  ///
  /// H.264: its first picture must be an IDR. HEVC: an IRAP picture. MPEG-2 and AV1: a sequence
  /// header stands in front. VP8, VP9, H.263, MPEG-4 Part 2 and others whose packets tell: a
  /// keyframe. Other codecs: the flag counts.
  static func entry(_ packet: Packet, _ demuxer: Demuxer, _ track: AssetTrack) -> Entry? {
    let stream = demuxer.streams.first { $0.index == track.streamIndex }
    return entry(packet, extradata: stream?.extradata ?? [], codec: track.codec)
  }

  /// As above, for a stream with these settings.
  static func entry(_ packet: Packet, extradata: [UInt8], codec: String) -> Entry? {
    switch codec {
    case "h264", "hevc": break
    case "mpeg2video":
      return packet.isKeyframe && MPEG2Sequence(packet.bytes) != nil ? .fresh : nil
    case "vp8", "vp9", "av1":
      guard codec != "av1" || packet.isKeyframe else { return nil }
      let begins = packet.withBytes { bytes in
        codec == "av1" ? beginsSequence(bytes) : isKeyframe(bytes, isVP9: codec == "vp9")
      }
      return begins ? .fresh : nil
    default:
      let tells = IntraPicture.codecs.contains(codec)
      let begins = !tells || packet.withBytes { IntraPicture.begins($0, codec: codec) }
      return packet.isKeyframe && begins ? .fresh : nil
    }
    let isHEVC = codec == "hevc"
    let size = lengthSize(extradata, codec: codec)
    let kind = packet.withBytes { firstPicture($0, lengthSize: size, isHEVC: isHEVC) }
    guard let kind else { return nil }
    guard isHEVC else { return kind == 5 ? .fresh : nil }
    guard HEVCUnit.isRandomAccess(kind) else { return nil }
    return kind == HEVCUnit.cleanRandomAccess ? .continuing : .fresh
  }

  /// Whether a packet that its container calls a keyframe is at least intra coded.
  static func isIntra(_ packet: Packet, _ stream: StreamInfo?) -> Bool {
    guard packet.isKeyframe, let stream else { return packet.isKeyframe }
    if IntraPicture.codecs.contains(stream.codecName) {
      return packet.withBytes { IntraPicture.begins($0, codec: stream.codecName) }
    }
    guard stream.codecName == "h264" else {
      let told = ["hevc", "vp8", "vp9"].contains(stream.codecName)
      return !told || entry(packet, extradata: stream.extradata, codec: stream.codecName) != nil
    }
    let size = lengthSize(stream.extradata, codec: "h264")
    let units =
      size.map { NALUnits.prefixed(packet.bytes, lengthSize: $0) ?? [] }
      ?? NALUnits.separatedByStartCodes(packet.bytes)
    guard let slice = units.first(where: { (1...5).contains($0[0] & 0x1F) }) else { return false }
    var reader = BitReader(unit: Array(slice.prefix(16)), header: 1)
    _ = reader.unsigned()
    let kind = reader.unsigned() % 5
    return kind == 2 || kind == 4
  }

  /// Whether decoding can begin at this packet without anything before it.
  static func isRandomAccess(_ packet: Packet, _ demuxer: Demuxer, _ track: AssetTrack) -> Bool {
    entry(packet, demuxer, track) != nil
  }

  /// An HEVC packet that counts on from what is before it, as one that does not.
  ///
  /// Only the kind of its units changes: a CRA picture becomes a BLA picture without leading ones.
  /// The end of a sequence before it would make decoders drop pictures that they did not show yet.
  static func brokenLink(_ packet: [UInt8], _ stream: StreamInfo?) -> [UInt8] {
    let size = stream.flatMap { lengthSize($0.extradata, codec: $0.codecName) }
    let found =
      size.map { NALUnits.prefixed(packet, lengthSize: $0) ?? [] }
      ?? NALUnits.separatedByStartCodes(packet)
    let units = found.map { unit in
      HEVCUnit.kind(unit) == HEVCUnit.cleanRandomAccess
        ? [unit[0] & 0x81 | HEVCUnit.brokenLinkAccess << 1] + unit.dropFirst() : unit
    }
    return NALUnits.joined(units, lengthSize: size) ?? packet
  }

  /// The bytes of a NAL unit's length; `nil` where start codes separate them.
  private static func lengthSize(_ extradata: [UInt8], codec: String) -> Int? {
    let isHEVC = codec == "hevc"
    guard extradata.first == 1 || isHEVC && extradata.count > 22 && extradata[0] != 0 else {
      return nil
    }
    let place = isHEVC ? 21 : 4
    return place < extradata.count ? Int(extradata[place] & 3) + 1 : nil
  }

  /// Whether the first frame of a VP8 or VP9 packet is a keyframe.
  private static func isKeyframe(_ bytes: RawSpan, isVP9: Bool) -> Bool {
    guard bytes.byteCount > 1 else { return false }
    guard isVP9 else { return bytes[0] & 1 == 0 }
    // Marker, profile, in the highest profile a bit more, whether a known picture is shown, kind.
    let isHighest = bytes[0] & 0x30 == 0x30
    return bytes[0] & (isHighest ? 0x06 : 0x0C) == 0
  }

  /// Whether a sequence header stands before the first frame of an AV1 packet.
  private static func beginsSequence(_ bytes: RawSpan) -> Bool {
    var index = 0
    while index < bytes.byteCount {
      let kind = bytes[index] >> 3 & 15
      if kind == 1 { return true }
      // Only a temporal delimiter and metadata may stand in front.
      guard kind == 2 || kind == 5, bytes[index] & 2 != 0 else { return false }
      index += bytes[index] & 4 != 0 ? 2 : 1
      var (size, shift) = (0, 0)
      while index < bytes.byteCount, shift < 35 {
        size |= Int(bytes[index] & 0x7F) << shift
        index += 1
        if bytes[index - 1] & 0x80 == 0 { break }
        shift += 7
      }
      guard size < bytes.byteCount else { return false }
      index += size
    }
    return false
  }

  /// The kind of the first unit that holds a part of a picture.
  private static func firstPicture(
    _ bytes: RawSpan, lengthSize: Int?, isHEVC: Bool
  ) -> UInt8? {
    func picture(_ index: Int) -> UInt8? {
      guard index < bytes.byteCount else { return nil }
      let kind = isHEVC ? bytes[index] >> 1 & 0x3F : bytes[index] & 0x1F
      return isHEVC ? HEVCUnit.isSlice(kind) ? kind : nil : (1...5).contains(kind) ? kind : nil
    }
    var index = 0
    guard let lengthSize else {
      while index + 3 < bytes.byteCount {
        if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
          if let kind = picture(index + 3) { return kind }
          index += 3
        }
        index += 1
      }
      return nil
    }
    while index + lengthSize < bytes.byteCount {
      var length = 0
      for offset in 0..<lengthSize { length = length << 8 | Int(bytes[index + offset]) }
      if let kind = picture(index + lengthSize) { return kind }
      guard length > 0 else { break }
      index += lengthSize + length
    }
    return nil
  }
}
