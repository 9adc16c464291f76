import CutroomModel

/// How far sound lies from its exact place from a time on.
struct SoundOffset: Hashable {
  var time: Rational
  var offset: Rational
  /// Whether no more sound comes: that much is too long, or too short.
  var isAtEnd = false

  /// What is said of it.
  var warning: Diagnostic {
    let length = offset.magnitude.secondsText
    let message =
      isAtEnd
      ? "the copied sound ends \(length) too \(offset > .zero ? "late" : "early")"
      : "from \(time.secondsText) on the copied sound lies \(offset.secondsText) off its exact place"
    return Diagnostic(
      .warning, "sound.offset",
      message + ", because it is cut at its packets; mode render has it exact", at: "")
  }
}

extension SoundOffset {
  /// What is said of offsets: of each one, or of many the largest.
  static func warnings(_ offsets: [SoundOffset]) -> [Diagnostic] {
    let inside = offsets.filter { !$0.isAtEnd }
    guard inside.count > 3, let most = inside.max(by: { $0.offset.magnitude < $1.offset.magnitude })
    else { return offsets.map(\.warning) }
    let summary = Diagnostic(
      .warning, "sound.offset",
      "the copied sound lies off its exact place after \(inside.count) joints, at most "
        + "\(most.offset.secondsText) from \(most.time.secondsText) on, because it is cut at its "
        + "packets; the offsets do not add up, and mode render has none", at: "")
    return [summary] + offsets.filter(\.isAtEnd).map(\.warning)
  }
}

/// A stream of copied sound, which knows where it is not exact.
protocol CopiedSound: PacketStream {
  /// How far the sound lies from its exact places.
  var offsets: [SoundOffset] { get }
  /// How much of the sound's start no whole packet holds.
  var missingAtStart: Rational { get }
  /// Whether the first packet was decoded after another one in the source, which is not copied.
  var lacksLead: Bool { get }
}

extension ExportPlan {
  /// The stream that a range copies.
  func track(of range: CopiedRange) -> AssetTrack? {
    assets[range.path]?.tracks.first { $0.streamIndex == range.streamIndex }
  }

  /// What is wrong with a file that ends before the sound that its index names.
  func truncated(_ range: CopiedRange, missing: Rational, at time: Rational) -> CutroomError {
    located(
      CutroomError(
        .media, "media.truncated",
        "'\(range.path)' ends early: \(missing.secondsText) of the sound that "
          + "its index names are not there; repair it, shorten the clip, or set "
          + "export.damaged to \"conceal\""), .audio, at: time)
  }
}
