extension PlanarAudio {
  /// Cuts all samples off at a magnitude.
  package func clip(to limit: Float) {
    for channel in 0..<channelCount {
      let target = unsafe samples(channel)
      for index in 0..<count {
        let value = unsafe target[index]
        unsafe target[index] = value > limit ? limit : value < -limit ? -limit : value
      }
    }
  }

  /// The sum of the squares of a channel's samples in a range.
  package func energy(_ channel: Int, _ range: Range<Int>) -> Double {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside")
    let source = unsafe samples(channel)
    var sum = 0.0
    for index in range {
      let value = unsafe Double(source[index])
      sum += value * value
    }
    return sum
  }

  /// The sum of the squares of the steps between neighbouring samples in a range.
  ///
  /// Beside the energy it tells low tones from high ones.
  package func slopeEnergy(_ channel: Int, _ range: Range<Int>) -> Double {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside")
    let source = unsafe samples(channel)
    var sum = 0.0
    for index in range.dropFirst() {
      let step = unsafe Double(source[index]) - Double(source[index - 1])
      sum += step * step
    }
    return sum
  }
}
