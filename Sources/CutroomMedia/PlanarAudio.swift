import CLibAV

/// Sound as one run of `Float` for each channel, to be mixed.
///
/// Full scale is 1; values beyond are kept. Ranges outside `0..<count` trap.
@safe package final class PlanarAudio: @unchecked Sendable {
  // Handed from thread to thread, never used by two at once.
  package let channelCount: Int
  /// Samples per channel.
  package private(set) var count: Int
  private var capacity: Int
  private var start = 0
  private var storage: UnsafeMutablePointer<Float>

  /// Silence of that many samples.
  package init(channels: Int, count: Int = 0) {
    precondition(channels > 0 && channels <= 1024 && count >= 0, "channels 1 to 1024")
    channelCount = channels
    self.count = count
    capacity = max(count, 64)
    unsafe storage = UnsafeMutablePointer<Float>.allocate(capacity: channels * capacity)
    if count > 0 { unsafe storage.initialize(repeating: 0, count: channels * capacity) }
  }

  deinit {
    unsafe storage.deallocate()
  }

  /// The samples of a channel; valid until the next change of the count.
  func samples(_ channel: Int) -> UnsafeMutablePointer<Float> {
    precondition(channel >= 0 && channel < channelCount, "there is no channel \(channel)")
    return unsafe storage + (channel * capacity + start)
  }

  package subscript(channel: Int, index: Int) -> Float {
    get {
      precondition(index >= 0 && index < count, "there is no sample \(index)")
      return unsafe samples(channel)[index]
    }
    set {
      precondition(index >= 0 && index < count, "there is no sample \(index)")
      unsafe samples(channel)[index] = newValue
    }
  }

  // MARK: Growing and shrinking

  /// Makes room for that many samples in all.
  package func reserve(_ total: Int) {
    guard start + total > capacity else { return }
    guard total > capacity / 2 else {
      // What was dropped at the front makes room enough.
      for channel in 0..<channelCount {
        let target = unsafe storage + channel * capacity
        unsafe target.update(from: target + start, count: count)
      }
      start = 0
      return
    }
    let larger = max(total, capacity) * 2
    let new = UnsafeMutablePointer<Float>.allocate(capacity: channelCount * larger)
    for channel in 0..<channelCount {
      unsafe (new + channel * larger).update(from: samples(channel), count: count)
    }
    unsafe storage.deallocate()
    unsafe storage = unsafe new
    capacity = larger
    start = 0
  }

  /// Adds silence at the end.
  package func appendSilence(_ samples: Int) {
    precondition(samples >= 0, "a count is not negative")
    reserve(count + samples)
    for channel in 0..<channelCount {
      unsafe (self.samples(channel) + count).update(repeating: 0, count: samples)
    }
    count += samples
  }

  /// Adds a part of other sound, or all of it, at the end.
  package func append(_ other: PlanarAudio, _ range: Range<Int>? = nil) {
    let range = range ?? 0..<other.count
    requireSameChannels(other)
    precondition(range.lowerBound >= 0 && range.upperBound <= other.count, "range outside")
    reserve(count + range.count)
    for channel in 0..<channelCount {
      unsafe (samples(channel) + count).update(
        from: other.samples(channel) + range.lowerBound, count: range.count)
    }
    count += range.count
  }

  /// Drops samples at the front.
  package func removeFirst(_ samples: Int) {
    precondition(samples >= 0 && samples <= count, "there are only \(count) samples")
    count -= samples
    start = count == 0 ? 0 : start + samples
  }

  /// Drops samples at the end.
  package func removeLast(_ samples: Int) {
    precondition(samples >= 0 && samples <= count, "there are only \(count) samples")
    count -= samples
  }

  /// A copy of a part.
  package func copy(_ range: Range<Int>) -> PlanarAudio {
    let result = PlanarAudio(channels: channelCount)
    result.append(self, range)
    return result
  }

  /// A part backwards.
  package func reversed(_ range: Range<Int>) -> PlanarAudio {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside")
    let result = PlanarAudio(channels: channelCount, count: range.count)
    guard !range.isEmpty else { return result }
    for channel in 0..<channelCount {
      let source = unsafe samples(channel) + (range.upperBound - 1)
      let target = unsafe result.samples(channel)
      for index in 0..<range.count { unsafe target[index] = source[-index] }
    }
    return result
  }

  private func setCount(_ new: Int) { count = new }

  private func requireSameChannels(_ other: PlanarAudio) {
    precondition(
      other.channelCount == channelCount,
      "\(other.channelCount) channels do not fit \(channelCount)")
  }

  private func requireRanges(_ other: PlanarAudio, _ from: Int, _ count: Int, _ at: Int) {
    requireSameChannels(other)
    precondition(from >= 0 && count >= 0 && from + count <= other.count, "source range outside")
    precondition(at >= 0 && at + count <= self.count, "target range outside")
  }
}

// MARK: - Mixing

extension PlanarAudio {
  /// Adds `count` samples of `other` from `from` to those here at `at`, times `gain`.
  package func add(
    _ other: PlanarAudio, from: Int = 0, count: Int, at: Int, gain: Float = 1
  ) {
    requireRanges(other, from, count, at)
    for channel in 0..<channelCount {
      let target = unsafe samples(channel) + at
      let source = unsafe other.samples(channel) + from
      for index in 0..<count { unsafe target[index] += source[index] * gain }
    }
  }

  /// Adds as above, with a gain for each sample: `gains[0]` belongs to the first one added.
  package func add(
    _ other: PlanarAudio, from: Int = 0, count: Int, at: Int, gains: [Float]
  ) {
    requireRanges(other, from, count, at)
    precondition(gains.count >= count, "a gain for each sample")
    unsafe gains.withUnsafeBufferPointer { gains in
      guard let gains = gains.baseAddress else { return }
      for channel in 0..<channelCount {
        let target = unsafe samples(channel) + at
        let source = unsafe other.samples(channel) + from
        for index in 0..<count { unsafe target[index] += source[index] * gains[index] }
      }
    }
  }

  /// Adds one channel of `other` to one channel here, with a gain for each sample.
  package func add(
    _ other: PlanarAudio, channel source: Int, to target: Int, from: Int = 0, count: Int, at: Int,
    gains: [Float]
  ) {
    precondition(from >= 0 && count >= 0 && from + count <= other.count, "source range outside")
    precondition(at >= 0 && at + count <= self.count, "target range outside")
    precondition(gains.count >= count, "a gain for each sample")
    unsafe gains.withUnsafeBufferPointer { gains in
      guard let gains = gains.baseAddress else { return }
      let target = unsafe samples(target) + at
      let source = unsafe other.samples(source) + from
      for index in 0..<count { unsafe target[index] += source[index] * gains[index] }
    }
  }

  /// Adds one channel of `other` to one channel here, times `gain`.
  package func add(
    _ other: PlanarAudio, channel source: Int, to target: Int, from: Int = 0, count: Int, at: Int,
    gain: Float
  ) {
    precondition(from >= 0 && count >= 0 && from + count <= other.count, "source range outside")
    precondition(at >= 0 && at + count <= self.count, "target range outside")
    let target = unsafe samples(target) + at
    let source = unsafe other.samples(source) + from
    for index in 0..<count { unsafe target[index] += source[index] * gain }
  }

  /// Multiplies the samples from `at` on by one gain each.
  package func apply(envelope: [Float], at: Int = 0) {
    precondition(at >= 0 && at + envelope.count <= count, "target range outside")
    unsafe envelope.withUnsafeBufferPointer { gains in
      guard let base = gains.baseAddress else { return }
      for channel in 0..<channelCount {
        let target = unsafe samples(channel) + at
        for index in 0..<gains.count { unsafe target[index] *= base[index] }
      }
    }
  }

  /// Multiplies all samples.
  package func apply(gain: Float) {
    for channel in 0..<channelCount {
      let target = unsafe samples(channel)
      for index in 0..<count { unsafe target[index] *= gain }
    }
  }

  /// The largest absolute value; 0 for none.
  package func peak() -> Float {
    var peak: Float = 0
    for channel in 0..<channelCount {
      let source = unsafe samples(channel)
      // Eight at a time by hand: the compiler keeps the order of comparisons otherwise.
      var lanes = SIMD8<Float>(repeating: 0)
      let whole = count - count % 8
      for index in stride(from: 0, to: whole, by: 8) {
        let values = unsafe UnsafeRawPointer(source + index).loadUnaligned(as: SIMD8<Float>.self)
        let sizes = values.replacing(with: -values, where: values .< 0)
        lanes.replace(with: sizes, where: sizes .> lanes)
      }
      peak = max(peak, lanes.max())
      for index in whole..<count {
        let value = unsafe abs(source[index])
        peak = value > peak ? value : peak
      }
    }
    return peak
  }

  /// The smallest and the largest sample of a channel in a range that is not empty.
  package func extremes(_ channel: Int, _ range: Range<Int>) -> (smallest: Float, largest: Float) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside")
    precondition(!range.isEmpty, "a range with samples")
    let source = unsafe samples(channel)
    var (smallest, largest) = unsafe (source[range.lowerBound], source[range.lowerBound])
    for index in range {
      let value = unsafe source[index]
      smallest = value < smallest ? value : smallest
      largest = value > largest ? value : largest
    }
    return (smallest, largest)
  }

  /// The MD5 of the samples' bits, channel after channel.
  package func digest() -> String {
    let digest = Digest()
    for channel in 0..<channelCount {
      unsafe digest.update(
        UnsafeRawBufferPointer(start: samples(channel), count: count * MemoryLayout<Float>.size))
    }
    return digest.finish()
  }

  /// Gives libav a place for `additional` samples and keeps as many as `fill` wrote.
  func appendFilled(
    _ additional: Int,
    _ fill: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) throws(LibAVError) -> Int
  ) throws(LibAVError) {
    reserve(count + additional)
    var pointers: [UnsafeMutablePointer<UInt8>?] = unsafe (0..<channelCount).map { channel in
      unsafe UnsafeMutableRawPointer(samples(channel) + count).assumingMemoryBound(to: UInt8.self)
    }
    let written = unsafe try fill(&pointers)
    setCount(count + min(max(0, written), additional))
  }
}
