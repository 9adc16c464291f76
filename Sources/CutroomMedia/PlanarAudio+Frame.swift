import CLibAV

extension PlanarAudio {
  /// The sound of a frame in any sample format, full scale as 1.
  package static func from(_ frame: Frame) throws(LibAVError) -> PlanarAudio {
    let action = "read a frame's samples"
    guard frame.isAudio || frame.channelCount > 0, frame.channelCount <= 64 else {
      throw .invalid(action, "the frame has no sound")
    }
    let result = PlanarAudio(channels: frame.channelCount, count: frame.sampleCount)
    for channel in 0..<frame.channelCount {
      guard let place = SamplePlace(frame, channel: channel) else {
        throw .invalid(action, "sample format '\(frame.sampleFormat)' has no rule")
      }
      unsafe place.read(into: result.samples(channel), count: frame.sampleCount)
    }
    return result
  }

  /// A frame with a part of this sound; values are rounded to the nearest and saturated.
  ///
  /// The sample format is FFmpeg's name of an 8, 16 or 32 bit or floating-point format.
  package func frame(
    from: Int = 0, count: Int, sampleRate: Int, channelLayout: String, sampleFormat name: String
  ) throws(LibAVError) -> Frame {
    let action = "make a frame of sound"
    precondition(from >= 0 && count >= 0 && from + count <= self.count, "range outside")
    let layout = try LayoutValue.named(channelLayout, action)
    guard layout.channelCount == channelCount else {
      throw .invalid(action, "'\(channelLayout)' does not have \(channelCount) channels")
    }
    guard let format = sampleFormat(name), let samples = Int32(exactly: count), samples > 0 else {
      throw .invalid(action, "\(count) samples in '\(name)'")
    }
    let frame = Frame()
    unsafe frame.pointer.pointee.format = format.rawValue
    unsafe frame.pointer.pointee.nb_samples = samples
    unsafe frame.pointer.pointee.sample_rate = Int32(clamping: sampleRate)
    unsafe try layout.copy(to: &frame.pointer.pointee.ch_layout)
    try check(unsafe av_frame_get_buffer(frame.pointer, 0), action)
    for channel in 0..<channelCount {
      guard let place = SamplePlace(frame, channel: channel) else {
        throw .invalid(action, "sample format '\(name)' has no rule")
      }
      unsafe place.write(self.samples(channel) + from, count: count)
    }
    return frame
  }
}

/// Where the samples of one channel lie in a frame.
@safe private struct SamplePlace {
  private enum Encoding {
    case unsigned8, signed16, signed32, float, double
  }

  private let start: UnsafeMutableRawPointer
  /// Samples from one to the next of the same channel.
  private let step: Int
  private let encoding: Encoding

  init?(_ frame: Frame, channel: Int) {
    let isPlanar = frame.isPlanarAudio
    guard let rows = frame.rows(ofPlane: isPlanar ? channel : 0) else { return nil }
    switch frame.sampleFormat {
    case "u8", "u8p": encoding = .unsigned8
    case "s16", "s16p": encoding = .signed16
    case "s32", "s32p": encoding = .signed32
    case "flt", "fltp": encoding = .float
    case "dbl", "dblp": encoding = .double
    default: return nil
    }
    step = isPlanar ? 1 : frame.channelCount
    unsafe start = unsafe rows.start + (isPlanar ? 0 : channel * frame.bytesPerSample)
  }

  func read(into target: UnsafeMutablePointer<Float>, count: Int) {
    switch encoding {
    case .unsigned8:
      let source = unsafe start.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        unsafe target[index] = (Float(source[index * step]) - 128) * 0x1p-7
      }
    case .signed16:
      let source = unsafe start.assumingMemoryBound(to: Int16.self)
      for index in 0..<count { unsafe target[index] = Float(source[index * step]) * 0x1p-15 }
    case .signed32:
      let source = unsafe start.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { unsafe target[index] = Float(source[index * step]) * 0x1p-31 }
    case .float:
      let source = unsafe start.assumingMemoryBound(to: Float.self)
      if step == 1 {
        unsafe target.update(from: source, count: count)
      } else {
        for index in 0..<count { unsafe target[index] = source[index * step] }
      }
    case .double:
      let source = unsafe start.assumingMemoryBound(to: Double.self)
      for index in 0..<count { unsafe target[index] = Float(source[index * step]) }
    }
  }

  func write(_ source: UnsafeMutablePointer<Float>, count: Int) {
    switch encoding {
    case .unsigned8:
      let target = unsafe start.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        let value = unsafe nearest(Double(source[index]) * 128 + 128, -0x1p-1, 255)
        unsafe target[index * step] = UInt8(clamping: value)
      }
    case .signed16:
      let target = unsafe start.assumingMemoryBound(to: Int16.self)
      for index in 0..<count {
        let value = unsafe nearest(Double(source[index]) * 0x1p15, -0x1p15, 0x1p15 - 1)
        unsafe target[index * step] = Int16(truncatingIfNeeded: value)
      }
    case .signed32:
      let target = unsafe start.assumingMemoryBound(to: Int32.self)
      for index in 0..<count {
        unsafe target[index * step] = nearest(
          Double(source[index]) * 0x1p31, -0x1p31, 0x1p31 - 1)
      }
    case .float:
      let target = unsafe start.assumingMemoryBound(to: Float.self)
      if step == 1 {
        unsafe target.update(from: source, count: count)
      } else {
        for index in 0..<count { unsafe target[index * step] = source[index] }
      }
    case .double:
      let target = unsafe start.assumingMemoryBound(to: Double.self)
      for index in 0..<count { unsafe target[index * step] = Double(source[index]) }
    }
  }
}

/// The nearest integer within bounds, halves to even; 0 where `value` is not a number.
///
/// Adding 1.5·2⁵² leaves no room for a fraction, so the low bits of the sum are the integer; `rounded`
/// would call a function for each sample on processors of the common base.
@inline(__always)
private func nearest(_ value: Double, _ low: Double, _ high: Double) -> Int32 {
  let number = value == value ? value : 0
  let above = number < low ? low : number
  let bounded = above > high ? high : above
  return Int32(truncatingIfNeeded: (bounded + 0x1.8p52).bitPattern)
}
