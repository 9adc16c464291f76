import CutroomMedia

/// Whether the times of packets can be those at which their pictures are shown.
struct PacketTimes {
  /// Whether packets do not say when they are shown.
  private(set) var areMissing = false
  /// Whether packets follow each other in the order in which they say they are shown, but the decoder
  /// gives their pictures in another order.
  private(set) var areFalse = false
  private var last: Int64?
  /// The packets in a row that rise; nothing is known of a stream of which one fell.
  private var rising = 0
  private var hasFallen = false
  /// Fewer packets in a row may rise by chance.
  private static let enough = 4

  /// Begins at another place.
  mutating func begin() { (last, rising) = (nil, 0) }

  /// Takes the next packet in decoding order into account.
  mutating func add(_ packet: Packet) {
    guard let time = packet.pts else {
      areMissing = true
      return
    }
    if let last {
      rising += time > last ? 1 : 0
      hasFallen = hasFallen || time < last
    }
    last = time
  }

  /// A picture came whose time is before that of the one before it.
  mutating func pictureFell() {
    areFalse = areFalse || !hasFallen && rising >= Self.enough
  }
}
