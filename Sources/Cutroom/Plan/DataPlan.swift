import CutroomModel

/// A track of data that travels along: packets of sources, unchanged.
package struct DataPlan: Sendable {
  /// FFmpeg's name of the codec.
  package var codec: String
  /// The container's four characters.
  package var tag: String
  /// What is copied, in order; there may be gaps.
  package var chunks: [Chunk]
  /// Ticks per second of all presentation times.
  package var ticksPerSecond: Int64
  /// What the container says of it.
  package var label: StreamLabel
  /// Packets of the result, at the most.
  package var packetCount: Int64 { chunks.reduce(0) { $0 + $1.count } }
}
