import CutroomMetadata
import Foundation

/// The loudness of a file as iTunes writes it, `iTunNORM`, from ReplayGain.
enum SoundCheck {
  static let identifier = MetadataIdentifier(mean: "com.apple.iTunes", name: "iTunNORM")

  /// What says how a file plays: how long its sound is, and how loud.
  static let technicalKeys = [
    identifier, MetadataIdentifier(mean: "com.apple.iTunes", name: "iTunSMPB"),
  ]

  /// Ten numbers: the gain relative to 1/1000 and to 1/2500 W for each channel, the peaks, and
  /// places that nobody knows.
  ///
  /// - Parameters:
  ///   - gain: Such as `-6.50 dB`.
  ///   - peak: Such as `0.988553`; `nil` where it is not known.
  /// - Returns: `nil` if the gain is no number.
  static func text(gain: String, peak: String?) -> String? {
    guard let number = gain.split(separator: " ").first.flatMap({ Double($0) }),
      abs(number) < 100
    else { return nil }
    let power = pow(10, -number / 10)
    func word(_ value: Double) -> Int { Int(min(65534, max(0, value.rounded()))) }
    let top = peak.flatMap { Double($0) }.map { word(($0 * 32768).rounded(.down)) } ?? 0
    let words = [word(1000 * power), word(2500 * power), 0, top, 0]
    return words.flatMap { [$0, $0] }.map { number in
      let digits = String(number, radix: 16, uppercase: true)
      return " " + String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }
}
