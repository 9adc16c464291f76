import CutroomMedia

/// Encodes single blocks of a lossless codec that fit between those of a source.
struct BlockEncoder {
  private let settings: AudioEncoderSettings
  /// The most samples of a block.
  let limit: Int

  /// - Throws: ``LibAVError`` where the encoder does not take the track's format.
  init(_ track: AssetTrack) throws(LibAVError) {
    let stream = track.stream
    var settings = AudioEncoderSettings(
      encoder: track.codec, sampleRate: track.sound?.sampleRate ?? 0,
      channelLayout: track.sound?.channelLayout ?? "", sampleFormat: stream?.sampleFormat ?? "")
    // Decoders know whole blocks of ALAC by another mark than shorter ones.
    limit = track.codec == "flac" ? FLACStreamInfo(stream?.extradata ?? [])?.mostBlock ?? 0 : 4095
    if track.codec == "flac" { settings.options = [KeyValue("frame_size", String(limit))] }
    self.settings = settings
    _ = try Encoder(audio: settings)
  }

  /// Blocks of nearly the same length with all of `sound`, and the samples of each.
  func blocks(_ sound: PlanarAudio) throws(LibAVError) -> [(packet: Packet, count: Int)] {
    let number = (sound.count + limit - 1) / limit
    var result: [(Packet, Int)] = []
    for index in 0..<number {
      let from = sound.count * index / number
      let count = sound.count * (index + 1) / number - from
      result.append((try block(sound, from, count), count))
    }
    return result
  }

  private func block(_ sound: PlanarAudio, _ from: Int, _ count: Int) throws(LibAVError) -> Packet {
    let encoder = try Encoder(audio: settings)
    let frame = try sound.frame(
      from: from, count: count, sampleRate: settings.sampleRate,
      channelLayout: settings.channelLayout, sampleFormat: settings.sampleFormat)
    frame.pts = 0
    _ = try encoder.send(frame)
    _ = try encoder.send(nil)
    while case .value(let packet) = try encoder.receive() {
      if packet.size > 0 { return try Packet(bytes: packet.bytes) }
    }
    throw LibAVError(code: 0, action: "encode a block of sound", reason: "there is no packet")
  }
}
