public import CutroomModel

/// How a program was brought to a loudness: what was measured before and after, and what was done.
public struct LoudnessOutcome: Hashable, Sendable {
  /// What was measured of a program.
  public struct Measured: Hashable, Sendable {
    /// The integrated loudness in LUFS; `nil` for silence, and for less than 400 ms.
    public var integrated: Double?
    /// The highest true peak in dBTP; `nil` for silence.
    public var truePeak: Double?
  }

  /// What was asked for.
  public var target: LoudnessTarget
  /// The mix.
  public var input: Measured
  /// The gain on all of it, in decibels.
  public var gain: Double
  /// Whether peaks were brought down to the highest true peak.
  public var isLimited: Bool
  /// The sound that was encoded.
  public var output: Measured

  var jsonValue: JSONValue {
    var wanted: [JSONValue.Member] = [
      .init("integrated", .decimal(target.integrated.doubleValue, digits: 2))
    ]
    wanted.append(.init("truePeak", .decimal(target.truePeakOrDefault.doubleValue, digits: 2)))
    return [
      "target": .object(wanted), "input": input.jsonValue, "gain": .decimal(gain, digits: 2),
      "limited": .bool(isLimited), "output": output.jsonValue,
    ]
  }

  /// A line for people.
  var text: String {
    func level(_ measured: Measured) -> String {
      guard let integrated = measured.integrated else { return "not measurable" }
      let peak = measured.truePeak.map { ", \(JSONValue.decimal($0, digits: 1).encoded()) dBTP" }
      return "\(JSONValue.decimal(integrated, digits: 1).encoded()) LUFS\(peak ?? "")"
    }
    return "loudness: \(level(input)) became \(level(output))\(isLimited ? ", limited" : "")"
  }
}

extension LoudnessOutcome.Measured {
  fileprivate var jsonValue: JSONValue {
    [
      "integrated": integrated.map { .decimal($0, digits: 2) } ?? .null,
      "truePeak": truePeak.map { .decimal($0, digits: 2) } ?? .null,
    ]
  }
}

extension LoudnessTarget {
  /// The highest true peak in dBTP, -1 where none is stated.
  var truePeakOrDefault: Rational { truePeak ?? -1 }
}
