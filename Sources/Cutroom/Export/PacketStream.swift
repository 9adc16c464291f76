import CutroomMedia

/// The packets of one output stream, in decoding order.
///
/// Presentation times and durations are in the plan's ticks; decoding times are planned by the
/// writer. Used by one thread.
protocol PacketStream: AnyObject {
  /// What the muxer must know of the stream; valid before the first packet.
  var parameters: CodecParameters { get throws(CutroomError) }
  /// The next packet; `nil` at the end.
  func next() throws(CutroomError) -> Packet?
}
