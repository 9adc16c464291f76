import CutroomMedia
import CutroomModel

/// Brings an encoder's packets into the form of the copied ones that they stand between.
struct JoinedPackets {
  private let join: VideoJoin

  init(_ join: VideoJoin) { self.join = join }

  /// The packets with units as the source's, without the encoder's name: decoders would take the
  /// copied pictures for that encoder's, too.
  ///
  /// - Throws: ``CutroomError`` with code `internal` where the encoder's parameter sets are not
  ///   those that the stream was begun with.
  func joined(
    _ packets: [Packet], of encoder: Encoder
  ) throws(CutroomError) -> [Packet] {
    guard encoder.parameters.extradata == join.encoderSettings else {
      throw CutroomError(
        .internal, "encode.settings", "the encoder's parameter sets differ from chunk to chunk")
    }
    if case .asEncoded = join.form { return packets }
    var result: [Packet] = []
    for packet in packets {
      let bytes = try bytes(of: packet)
      do { result.append(try packet.replacing(bytes)) } catch {
        throw CutroomError(.internal, "internal", error.reason)
      }
    }
    return result
  }

  private func bytes(of packet: Packet) throws(CutroomError) -> [UInt8] {
    var units = NALUnits.separatedByStartCodes(packet.bytes)
    let (lengthSize, sets): (Int?, [[UInt8]])
    switch join.form {
    case .asEncoded: return packet.bytes
    case .sequence(let sequence):
      return packet.isKeyframe ? sequence.replacing(in: packet.bytes) : packet.bytes
    case .units(let size, let own):
      (lengthSize, sets) = (size, own)
      units.removeAll(where: Self.namesEncoder)
    case .renumberedUnits(let size, let own, let numbers):
      (lengthSize, sets) = (size, own)
      let renumbered = units.compactMap { numbers.renumbered($0) }
      guard renumbered.count == units.count else {
        throw CutroomError(
          .internal, "encode.settings", "a picture names other parameter sets than the first")
      }
      units = renumbered
    }
    // Streams of start codes are entered at any keyframe, with the sets that are there.
    if lengthSize == nil, packet.isKeyframe { units = sets + units }
    guard let bytes = NALUnits.joined(units, lengthSize: lengthSize) else {
      throw CutroomError(
        .unsupported, "encode.length", "a picture is too large for the source's packets")
    }
    return bytes
  }

  /// Whether a unit is x264's text about itself: unregistered user data.
  private static func namesEncoder(_ unit: [UInt8]) -> Bool {
    unit.count > 1 && unit[0] & 0x1F == 6 && unit[1] == 5
  }
}

extension Packet {
  /// A packet of other bytes with this one's times.
  func replacing(_ bytes: [UInt8]) throws(LibAVError) -> Packet {
    let copy = try Packet(bytes: bytes)
    (copy.pts, copy.dts, copy.duration) = (pts, dts, duration)
    copy.isKeyframe = isKeyframe
    return copy
  }
}
