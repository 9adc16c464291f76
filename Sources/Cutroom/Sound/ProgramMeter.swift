import CutroomMedia
import Foundation

/// Measures the loudness and the true peak of a program.
struct ProgramMeter {
  private let loudness: LoudnessMeter
  private let peak: TruePeakMeter

  init(sampleRate: Int, channelLayout: String) {
    let channels = ChannelLayout.channels(of: channelLayout)
    loudness = LoudnessMeter(
      sampleRate: sampleRate, channelLayout: channelLayout, channels: channels)
    peak = TruePeakMeter(channels: channels)
  }

  /// Takes more of it in.
  func add(_ sound: PlanarAudio) {
    loudness.add(sound)
    peak.add(sound, isLast: false)
  }

  /// What was measured, once all is in.
  func finish() -> LoudnessOutcome.Measured {
    peak.add(PlanarAudio(channels: peak.channelCount), isLast: true)
    return LoudnessOutcome.Measured(
      integrated: loudness.integrated,
      truePeak: peak.highest > 0 ? 20 * log10(Double(peak.highest)) : nil)
  }

  /// Whether there was as much as one measurement takes.
  var isLongEnough: Bool { loudness.isLongEnough }
}
