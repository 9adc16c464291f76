import CutroomMedia
import CutroomModel

/// What the blocks of a new stream of FLAC are like.
private struct BlockTally {
  private(set) var blocks: Int64 = 0
  private(set) var samples: Int64 = 0
  private var leastBlock = Int.max
  private var mostBlock = 0
  private var leastFrame = Int.max
  private var mostFrame = 0
  private var last: Int?
  /// The fewest samples of a block that is not the last.
  static let least = 16

  mutating func add(samples count: Int, bytes: Int) {
    blocks += 1
    samples += Int64(count)
    // The last block does not count.
    if let last { leastBlock = min(leastBlock, last) }
    last = count
    mostBlock = max(mostBlock, count)
    leastFrame = min(leastFrame, bytes)
    mostFrame = max(mostFrame, bytes)
  }

  /// The header of the stream, of blocks that are like those of `source` unless they vary.
  func information(_ source: FLACStreamInfo, varies: Bool, sum: [UInt8]) -> FLACStreamInfo {
    var result = source
    if varies {
      result.mostBlock = max(Self.least, mostBlock)
      result.leastBlock = max(Self.least, min(leastBlock, mostBlock))
    }
    (result.leastFrame, result.mostFrame) = (blocks > 0 ? leastFrame : 0, mostFrame)
    (result.sampleCount, result.sum) = (samples, sum)
    return result
  }
}

/// Cuts FLAC and ALAC: encodes anew, without loss, what is left of a block.
///
/// Blocks of FLAC get numbers that count from the result's start, and its header gets the sum of
/// what they decode to.
final class BlockCutter: SampleCutter {
  let parameters: CodecParameters
  private let decoder: Decoder
  private let encoder: BlockEncoder?
  private let channels: Int
  private let path: String
  private let source: FLACStreamInfo?
  private let digest: SampleDigest?
  /// Whether blocks may differ in length, so that they are numbered by samples; decided by the first.
  private var varies: Bool?
  private let isJoined: Bool
  private var tally = BlockTally()
  /// Samples too few for a block of their own.
  private var rest: PlanarAudio

  /// `encodes` says whether there may be parts of blocks; `isJoined` whether stretches follow each
  /// other.
  init(
    parameters: CodecParameters, track: AssetTrack, path: String, encodes: Bool, isJoined: Bool
  ) throws(LibAVError) {
    self.path = path
    let copy = try parameters.copy()
    channels = max(1, track.sound?.channelCount ?? 1)
    let base = TimeBase(1, Int32(clamping: track.sound?.sampleRate ?? 1))
    decoder = try Decoder(parameters: parameters, timeBase: base)
    encoder = encodes ? try BlockEncoder(track) : nil
    self.isJoined = isJoined
    rest = PlanarAudio(channels: channels)
    source = track.codec == "flac" ? FLACStreamInfo(parameters.extradata) : nil
    digest = source.map { SampleDigest(bits: $0.bits) }
    if var header = source {
      // Completed at the end; until then it promises nothing.
      (header.leastFrame, header.mostFrame, header.sampleCount) = (0, 0, 0)
      header.sum = [UInt8](repeating: 0, count: 16)
      try copy.setExtradata(header.bytes)
    }
    self.parameters = copy
  }

  func cut(_ packet: Packet, _ range: Range<Int>, of count: Int) throws -> [CutPacket] {
    let isWhole = range == 0..<count
    if varies == nil {
      varies = !isWhole || isJoined || source.map { $0.leastBlock != $0.mostBlock } ?? false
    }
    guard digest != nil || !isWhole || rest.count > 0 else {
      return [CutPacket(packet: packet, count: count)]
    }
    let sound = try decoded(packet, count)
    digest?.add(sound, range)
    if isWhole, rest.count == 0 { return [try numbered(packet, count)] }
    rest.append(sound, range)
    return rest.count < BlockTally.least ? [] : try encodeRest()
  }

  func finish() throws -> [CutPacket] {
    var packets = rest.count > 0 ? try encodeRest() : []
    guard let digest, let source else { return packets }
    let information = tally.information(source, varies: varies == true, sum: digest.finish())
    let closing = try Packet(bytes: [])
    closing.setNewExtradata(information.bytes)
    packets.append(CutPacket(packet: closing, count: 0))
    return packets
  }

  private func encodeRest() throws -> [CutPacket] {
    guard let encoder else { throw CutroomError(.internal, "internal", "a block was cut") }
    let blocks = try encoder.blocks(rest)
    rest = PlanarAudio(channels: channels)
    return try blocks.map { try numbered($0.packet, $0.count) }
  }

  /// A block of FLAC as the next one of the result.
  private func numbered(_ packet: Packet, _ count: Int) throws -> CutPacket {
    guard source != nil else { return CutPacket(packet: packet, count: count) }
    let varies = varies == true
    guard
      let bytes = FLACFrame.renumbered(
        packet.bytes, number: varies ? tally.samples : tally.blocks, countsSamples: varies)
    else { throw damage() }
    tally.add(samples: count, bytes: bytes.count)
    return CutPacket(packet: try Packet(bytes: bytes), count: count)
  }

  private func decoded(_ packet: Packet, _ count: Int) throws -> PlanarAudio {
    let errors = decoder.errorCount
    let sound = PlanarAudio(channels: channels)
    _ = try decoder.send(packet)
    while case .value(let frame) = try decoder.receive() {
      guard frame.channelCount == channels else { throw damage() }
      sound.append(try PlanarAudio.from(frame))
    }
    guard sound.count == count, decoder.errorCount == errors else { throw damage() }
    return sound
  }

  private func damage() -> CutroomError {
    CutroomError(
      .media, "media.damaged",
      "'\(path)' is damaged: a block of its sound does not decode; repair or replace the file, "
        + "or set export.damaged to \"conceal\"")
  }
}
