import CutroomModel
import Foundation

extension Gain {
  /// The factor on samples.
  var factor: Double {
    switch self {
    case .factor(let factor): factor.doubleValue
    case .decibels(let decibels): pow(10, decibels.doubleValue / 20)
    }
  }
}

/// A ramp of gain over a span of samples; exact at every sample.
struct Fade: Hashable {
  /// The first sample of the span.
  var start: Int64
  /// The first sample after it.
  var end: Int64
  /// Whether it rises from silence rather than falling to it.
  var isRising: Bool
  /// Its shape.
  var curve: FadeCurve

  /// The factor at `sample`: before the span and after it the value of its ends.
  func gain(at sample: Int64) -> Float {
    let length = end - start
    let way = length > 0 ? Double(sample - start) / Double(length) : (sample < start ? 0 : 1)
    let position = isRising ? way : 1 - way
    if position <= 0 { return 0 }
    if position >= 1 { return 1 }
    switch curve {
    case .linear: return Float(position)
    case .equalPower: return Float(sin(position * .pi / 2))
    case .cut: return (way < 0.5) == isRising ? 0 : 1
    }
  }

  /// Multiplies factors by those of the fade; the first of them is for `sample`.
  func apply(to factors: inout [Float], from sample: Int64) {
    for index in factors.indices { factors[index] *= gain(at: sample + Int64(index)) }
  }

  /// Whether it changes anything in [from, to).
  func touches(_ from: Int64, _ to: Int64) -> Bool {
    isRising ? from < end : to > start
  }
}
