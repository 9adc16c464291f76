import CLibAV

/// How this process's allocator treats large blocks.
package enum ProcessMemory {
  /// Gives blocks of 256 KiB and more, which hold pictures, back to the system as soon as they are
  /// free, and keeps 16 MiB of smaller ones, which hold packets.
  ///
  /// The C library would otherwise keep them for later once it has seen a few freed. For programs,
  /// at their start; a library leaves the choice to its process.
  /// Wraps `mallopt`.
  package static func returnsLargeBlocks() {
    clibav_map_large_blocks(256 << 10, 16 << 20)
  }
}
