import CutroomMedia

/// What a frame of MP3 says about the bytes that it takes from the frames before it.
struct MP3Frame {
  /// The bytes that it needs from before.
  var borrowed: Int
  /// The bytes that it brings for itself and those after it.
  var own: Int
  /// Whether it has one granule, whose transform overlaps two frames before.
  var isShort: Bool

  /// Reads a frame's header; `nil` for something else.
  init?(_ packet: Packet) {
    let bytes = Array(packet.bytes.prefix(12))
    guard bytes.count == 12, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
    isShort = bytes[1] & 0x18 != 0x18
    let check = bytes[1] & 1 == 0 ? 2 : 0
    let isMono = bytes[3] >> 6 == 3
    let side = isShort ? (isMono ? 9 : 17) : (isMono ? 17 : 32)
    let begin = Int(bytes[4 + check])
    borrowed = isShort ? begin : begin << 1 | Int(bytes[5 + check] >> 7)
    own = max(0, packet.size - 4 - check - side)
  }

  /// How many frames before the last one decoding must begin with, so that the last is exact.
  static func lead(_ frames: [MP3Frame]) -> Int {
    guard let last = frames.last else { return 0 }
    let end = frames.count - 1
    var first = end
    for needed in max(0, end - (last.isShort ? 2 : 1))...end {
      var missing = frames[needed].borrowed
      var place = needed
      while missing > 0, place > 0 {
        place -= 1
        missing -= frames[place].own
      }
      first = min(first, place)
    }
    return end - first
  }
}

extension Planner {
  /// The samples before a piece's first one that its decoder needs.
  func runUp(_ piece: CopyPiece) -> Int64 {
    let size = Int64(max(piece.track.sound?.frameSize ?? 0, 1024))
    switch piece.track.codec {
    // Spectral band replication settles later than the transform.
    case "aac": return [4, 28].contains(piece.track.stream?.profile ?? 0) ? 3 * size : size
    case "ac3", "eac3", "mp2", "vorbis": return size
    // 80 ms are the least by the standard; after a second its predictions are those of the source.
    case "opus": return 48000
    case "mp3": return mp3RunUp(piece)
    default: return 0
    }
  }

  private func mp3RunUp(_ piece: CopyPiece) -> Int64 {
    let usual: Int64 = 4 * 1152
    guard let rate = piece.track.sound?.sampleRate else { return usual }
    let grid = SampleGrid(piece.track, in: piece.asset, rate: rate)
    let length = PacketLength(piece.track)
    let start = Int64(clamping: (piece.sourceStart * Rational(rate)).rounded)
    let ahead = Rational(24 * 1152, Int64(rate))
    let tick = piece.track.tick(at: piece.sourceStart - ahead, origin: piece.asset.origin)
    do {
      let feed = try PacketFeed(
        path: piece.path, streams: [piece.track.streamIndex], stream: piece.track.streamIndex,
        tick: tick, in: OpenFiles())
      var frames: [MP3Frame] = []
      while let packet = try feed.next(piece.track.streamIndex), let tick = packet.pts {
        guard let frame = MP3Frame(packet) else { return usual }
        frames.append(frame)
        if frames.count > 32 { frames.removeFirst() }
        let count = length.samples(of: packet)
        guard grid.sample(ofTick: tick, length: count) + count > start else { continue }
        return Int64(MP3Frame.lead(frames)) * count
      }
    } catch {
      // The export meets the same error, and says it.
      return usual
    }
    return usual
  }
}
