import CutroomMedia
import CutroomModel

/// Everything that shapes how loud a part is, and where between left and right.
struct Level: Hashable {
  /// The factor that does not change.
  var gain: Float = 1
  /// Factors that keyframes lead.
  var gains: [Automation] = []
  /// Fades and cross-fades.
  var fades: [Fade] = []
  /// -1 (left) to 1 (right), where it does not change.
  var pan: Float = 0
  /// The pan that keyframes lead.
  var pans: Automation?

  /// A factor for a stretch of samples.
  enum Factor {
    case constant(Float)
    case each([Float])
  }

  /// The factors on the samples from `from` on, but for the pan.
  func factor(from: Int64, count: Int) -> Factor {
    let to = from + Int64(count)
    var constant = gain
    var moving: [Automation] = []
    for automation in gains {
      if let value = automation.constant(from, to) {
        constant *= Float(value)
      } else {
        moving.append(automation)
      }
    }
    let active = fades.filter { $0.touches(from, to) }
    guard !moving.isEmpty || !active.isEmpty else { return .constant(constant) }
    var factors = [Float](repeating: constant, count: count)
    var values = [Float](repeating: 0, count: moving.isEmpty ? 0 : count)
    for automation in moving {
      automation.fill(&values, from: from)
      for index in 0..<count { factors[index] *= values[index] }
    }
    for fade in active { fade.apply(to: &factors, from: from) }
    return .each(factors)
  }

  /// The factors of a channel that lies on a side: -1 left, 1 right, 0 neither.
  ///
  /// What the sound moves away from is lowered by as much as it moves: the left channels by `pan`
  /// where that is above 0, the right ones below 0. The others stay.
  func panned(_ factor: Factor, side: Int, from: Int64, count: Int) -> Factor {
    guard side != 0, pans != nil || pan != 0 else { return factor }
    let constant = pans.map { $0.constant(from, from + Int64(count)).map { Float($0) } } ?? pan
    if let constant {
      let share = Self.share(constant, side)
      switch factor {
      case .constant(let value): return .constant(value * share)
      case .each(let values): return .each(values.map { $0 * share })
      }
    }
    var shares = [Float](repeating: 0, count: count)
    pans?.fill(&shares, from: from)
    switch factor {
    case .constant(let value):
      for index in 0..<count { shares[index] = value * Self.share(shares[index], side) }
    case .each(let values):
      for index in 0..<count { shares[index] = values[index] * Self.share(shares[index], side) }
    }
    return .each(shares)
  }

  private static func share(_ pan: Float, _ side: Int) -> Float {
    1 - max(0, side < 0 ? pan : -pan)
  }

  /// Whether nothing depends on the channel's side.
  var isCentred: Bool { pans == nil && pan == 0 }

  /// The factors of the sides at a sample.
  func sides(at sample: Int64) -> [Float] {
    [-1, 0, 1].map { side in
      switch panned(factor(from: sample, count: 1), side: side, from: sample, count: 1) {
      case .constant(let value): value
      case .each(let values): values[0]
      }
    }
  }
}

extension PlanarAudio {
  /// Adds `count` samples of `sound`, shaped by `level`; the first of them is sample `position`.
  func add(
    _ sound: PlanarAudio, from: Int, count: Int, at place: Int, level: Level, position: Int64,
    sides: [Int]
  ) {
    let factor = level.factor(from: position, count: count)
    guard !level.isCentred else {
      switch factor {
      case .constant(let gain): add(sound, from: from, count: count, at: place, gain: gain)
      case .each(let gains): add(sound, from: from, count: count, at: place, gains: gains)
      }
      return
    }
    for channel in 0..<channelCount {
      let own = level.panned(factor, side: sides[channel], from: position, count: count)
      switch own {
      case .constant(let gain):
        add(sound, channel: channel, to: channel, from: from, count: count, at: place, gain: gain)
      case .each(let gains):
        add(sound, channel: channel, to: channel, from: from, count: count, at: place, gains: gains)
      }
    }
  }
}

extension ChannelLayout {
  /// On which side each channel of a layout lies: -1 left, 1 right, 0 neither.
  static func sides(of layout: String) -> [Int] {
    let names = channelNames(layout)
    guard !names.isEmpty else { return Array(repeating: 0, count: channels(of: layout)) }
    let left: Set = [
      "FL", "BL", "SL", "FLC", "TFL", "TBL", "TSL", "WL", "DL", "SDL", "BFL",
    ]
    let right: Set = ["FR", "BR", "SR", "FRC", "TFR", "TBR", "TSR", "WR", "DR", "SDR", "BFR"]
    return names.map { left.contains($0) ? -1 : right.contains($0) ? 1 : 0 }
  }
}
