import CutroomMedia
import CutroomModel

/// Cuts packets between samples.
protocol SampleCutter: AnyObject {
  /// What the muxer must know of the stream.
  var parameters: CodecParameters { get }
  /// Packets with the samples in `range` of a packet that has `count`; some may come later.
  func cut(_ packet: Packet, _ range: Range<Int>, of count: Int) throws -> [CutPacket]
  /// The packets that are still to come.
  func finish() throws -> [CutPacket]
}

/// A packet, and the samples that it holds.
struct CutPacket {
  var packet: Packet
  var count: Int
}

/// Cuts uncompressed sound.
final class PlainCutter: SampleCutter {
  let parameters: CodecParameters
  private let bytesPerSample: Int

  init(parameters: CodecParameters, bits: Int) {
    self.parameters = parameters
    bytesPerSample = max(1, bits / 8 * parameters.channelCount)
  }

  func cut(_ packet: Packet, _ range: Range<Int>, of count: Int) throws -> [CutPacket] {
    if range == 0..<count { return [CutPacket(packet: packet, count: count)] }
    let first = range.lowerBound * bytesPerSample
    let bytes = Array(packet.bytes[first..<(first + range.count * bytesPerSample)])
    return [CutPacket(packet: try Packet(bytes: bytes), count: range.count)]
  }

  func finish() throws -> [CutPacket] { [] }
}
