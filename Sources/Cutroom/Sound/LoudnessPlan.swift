import CutroomMedia
import CutroomModel
import Foundation

/// The gain that brings a mix to a loudness, found by mixing it before it is encoded.
struct LoudnessPlan {
  /// What is done to the mix.
  var treatment: AudioMixer.Treatment
  /// What was found; its output is measured while encoding.
  var outcome: LoudnessOutcome
  /// What the author should know.
  var warning: Diagnostic?

  /// How near to the target a limited mix is brought, in LU, and in how many attempts.
  private static let tolerance = 0.1
  private static let attempts = 5
  /// The gain beyond which more does not make a limited mix louder, in decibels.
  private static let limit = 20.0

  /// Measures what `mixer` gives, and finds the gain; where peaks have to be limited, the limited
  /// mix is measured too, and the gain raised by what limiting took.
  static func make(
    _ target: LoudnessTarget, policy: SoundPolicy.Peak,
    mixer: (AudioMixer.Treatment) -> AudioMixer, progress: (Int64) throws(CutroomError) -> Void
  ) throws(CutroomError) -> LoudnessPlan {
    let (input, isLongEnough) = try measure(mixer(.none), progress)
    let wanted = target.integrated.doubleValue
    guard let integrated = input.integrated else {
      return LoudnessPlan(
        treatment: AudioMixer.Treatment(policy),
        outcome: LoudnessOutcome(
          target: target, input: input, gain: 0, isLimited: false, output: input),
        warning: unmeasurable(isLongEnough))
    }
    let ceiling = pow(10, target.truePeakOrDefault.doubleValue / 20)
    var gain = wanted - integrated
    let first = gain
    let exceeds = (input.truePeak ?? -.infinity) + gain > target.truePeakOrDefault.doubleValue
    if exceeds, policy == .error { throw tooLoud(input, gain, target) }
    func treatment() -> AudioMixer.Treatment {
      AudioMixer.Treatment(
        policy, gain: Float(pow(10, gain / 20)), truePeak: exceeds ? Float(ceiling) : nil)
    }
    if exceeds, policy == .limit {
      for _ in 0..<attempts {
        let (output, _) = try measure(mixer(treatment())) { _ throws(CutroomError) in
          try progress(0)
        }
        let missing = wanted - (output.integrated ?? wanted)
        if abs(missing) <= tolerance { break }
        gain = min(gain + missing, first + limit)
      }
    }
    return LoudnessPlan(
      treatment: treatment(),
      outcome: LoudnessOutcome(
        target: target, input: input, gain: gain, isLimited: exceeds, output: input),
      warning: nil)
  }

  private static func measure(
    _ mixer: AudioMixer, _ progress: (Int64) throws(CutroomError) -> Void
  ) throws(CutroomError) -> (LoudnessOutcome.Measured, isLongEnough: Bool) {
    let meter = ProgramMeter(sampleRate: mixer.sampleRate, channelLayout: mixer.channelLayout)
    var position: Int64 = 0
    while true {
      let sound = try mixer.next(8192)
      guard sound.count > 0 else { return (meter.finish(), meter.isLongEnough) }
      meter.add(sound)
      position += Int64(sound.count)
      try progress(position)
    }
  }

  private static func unmeasurable(_ isLongEnough: Bool) -> Diagnostic {
    Diagnostic(
      .warning, "sound.loudness",
      (isLongEnough
        ? "the sound is silent: it has no loudness"
        : "the sound is shorter than 0.4s, too short for a loudness")
        + "; its level is left as it is",
      at: "/audio/loudness")
  }

  private static func tooLoud(
    _ input: LoudnessOutcome.Measured, _ gain: Double, _ target: LoudnessTarget
  ) -> CutroomError {
    func text(_ value: Double) -> String { JSONValue.decimal(value, digits: 2).encoded() }
    let message =
      "at \(text(target.integrated.doubleValue)) LUFS the mix peaks at "
      + "\(text((input.truePeak ?? 0) + gain)) dBTP, above \(text(target.truePeakOrDefault.doubleValue))"
      + "; set a lower loudness, or \"peak\": \"limit\""
    return CutroomError(
      .input, "sound.peak", message,
      diagnostics: [Diagnostic(.error, "sound.peak", message, at: "/audio/loudness")])
  }

  /// A warning where a limited mix did not reach its loudness.
  static func shortfall(_ outcome: LoudnessOutcome) -> Diagnostic? {
    guard let integrated = outcome.output.integrated, outcome.input.integrated != nil,
      abs(integrated - outcome.target.integrated.doubleValue) > 0.5
    else { return nil }
    return Diagnostic(
      .warning, "sound.loudness",
      "the sound came to \(JSONValue.decimal(integrated, digits: 1).encoded()) LUFS: its peaks leave "
        + "no room for more", at: "/audio/loudness")
  }
}
