import CLibAV

/// Converts sound between sample rates, layouts and sample formats.
///
/// Wraps `SwrContext`.
@safe package final class Resampler: @unchecked Sendable {
  // Handed from thread to thread, never used by two at once.
  private let context: OpaquePointer
  private let source: AudioFormat
  private let target: AudioFormat
  private let channels: Int
  private let sourceChannels: Int

  /// A converter from frames in `from` to float planar sound in the rate and layout of `to`.
  ///
  /// The matrix is the gain of each input channel (inner) in each output channel (outer);
  /// libav's own where it is `nil`.
  package init(
    from: AudioFormat, to: AudioFormat, matrix: [[Double]]? = nil
  ) throws(LibAVError) {
    let action = "convert sound from \(from) to \(to)"
    let input = try LayoutValue.named(from.channelLayout, action)
    let output = try LayoutValue.named(to.channelLayout, action)
    guard let format = sampleFormat(from.sampleFormat) else {
      throw .invalid(action, "there is no sample format '\(from.sampleFormat)'")
    }
    guard from.sampleRate > 0, to.sampleRate > 0 else {
      throw .invalid(action, "a sample rate is above zero")
    }
    var created: OpaquePointer?
    let status = unsafe swr_alloc_set_opts2(
      &created, &output.layout, AV_SAMPLE_FMT_FLTP, Int32(clamping: to.sampleRate),
      &input.layout, format, Int32(clamping: from.sampleRate), 0, nil)
    try check(status, action)
    guard let context = unsafe created else { throw .outOfMemory(action) }
    unsafe self.context = unsafe context
    source = from
    target = to
    channels = output.channelCount
    sourceChannels = input.channelCount
    if let matrix {
      guard matrix.count == channels, matrix.allSatisfy({ $0.count == input.channelCount }) else {
        throw .invalid(action, "the matrix must be \(channels) rows of \(input.channelCount)")
      }
      let values = matrix.flatMap { $0 }
      try check(unsafe swr_set_matrix(context, values, Int32(input.channelCount)), action)
    }
    try check(unsafe swr_init(context), action)
  }

  deinit {
    var context: OpaquePointer? = unsafe context
    unsafe swr_free(&context)
  }

  /// Converts a frame; `nil` gives what is still inside, after which nothing may be sent.
  ///
  /// The result may be shorter or longer than the frame: the converter keeps some samples.
  /// Wraps `swr_convert`.
  package func convert(_ frame: Frame?) throws(LibAVError) -> PlanarAudio {
    let action = "convert sound"
    if let frame {
      guard frame.sampleRate == source.sampleRate, frame.sampleFormat == source.sampleFormat,
        frame.channelCount == sourceChannels
      else {
        throw .invalid(
          action,
          "the sound is \(frame.sampleRate):\(frame.channelLayout):\(frame.sampleFormat), "
            + "the converter takes \(source)")
      }
    }
    let result = PlanarAudio(channels: channels)
    guard let frame else {
      while try convert(nil, room: 4096, into: result) > 0 {}
      return result
    }
    let room = try check(
      unsafe swr_get_out_samples(context, Int32(clamping: frame.sampleCount)), action)
    _ = try convert(frame, room: Int(room), into: result)
    return result
  }

  private func convert(
    _ frame: Frame?, room: Int, into result: PlanarAudio
  ) throws(LibAVError) -> Int {
    let before = result.count
    unsafe try result.appendFilled(room) { (planes) throws(LibAVError) in
      let input = unsafe UnsafeMutableRawPointer(frame?.pointer.pointee.extended_data)?
        .assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
      let samples = Int32(clamping: frame?.sampleCount ?? 0)
      return Int(
        try check(
          unsafe swr_convert(context, planes, Int32(clamping: room), input, samples),
          "convert sound"))
    }
    return result.count - before
  }

  /// The samples still inside, at the input's rate.
  package var delay: Int64 { unsafe swr_get_delay(context, Int64(source.sampleRate)) }
}
