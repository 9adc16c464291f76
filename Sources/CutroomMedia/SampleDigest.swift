import CLibAV

/// The MD5 of samples as FLAC defines it: signed whole numbers, channels interleaved, the lowest
/// byte first.
package final class SampleDigest {
  private let digest = Digest()
  private let bytes: Int

  /// A sum over samples of 8, 16 or 24 bits.
  package init(bits: Int) { bytes = bits / 8 }

  /// Adds a run of samples; full scale is 1.
  package func add(_ sound: PlanarAudio, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= sound.count, "range outside")
    let channels = sound.channelCount
    let scale = Float(1 << (8 * bytes - 1))
    var buffer = [UInt8](repeating: 0, count: range.count * channels * bytes)
    for channel in 0..<channels {
      let samples = unsafe sound.samples(channel)
      var place = channel * bytes
      for index in range {
        var value = unsafe Int32((samples[index] * scale).rounded())
        for byte in 0..<bytes {
          buffer[place + byte] = UInt8(truncatingIfNeeded: value)
          value >>= 8
        }
        place += channels * bytes
      }
    }
    unsafe buffer.withUnsafeBytes { unsafe digest.update($0) }
  }

  /// The 16 bytes of the sum; nothing may be added after.
  package func finish() -> [UInt8] { digest.bytes() }
}
