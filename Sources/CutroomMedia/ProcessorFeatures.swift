import CLibAV

/// What libav uses of the processor in this process.
package enum ProcessorFeatures {
  /// Leaves libav to code that every processor runs: no vector instructions.
  ///
  /// For comparing results; encoders of other libraries choose for themselves. Call it before anything
  /// else of libav. Wraps `av_force_cpu_flags`.
  package static func usePlainCode() { av_force_cpu_flags(0) }
}
