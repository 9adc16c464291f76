import CutroomMedia
import CutroomModel

extension Planner {
  /// Whether a video codec can state the timeline's rate; a finding where it cannot.
  mutating func takesRate(_ codec: Codec) -> Bool {
    let rate = timeline.frameRate.framesPerSecond
    let stated = Encoder.info(encoder: codec.encoder)?.frameRates ?? []
    let known = stated.map { Rational($0.numerator, $0.denominator) }
    if !known.isEmpty, !known.contains(rate) {
      reportRate(
        "'\(codec.name)' has no \(timeline.frameRate.text) frames per second",
        nearest: known.compactMap { FrameRate($0) })
      return false
    }
    // MPEG-4 Part 2 states ticks per second in 16 bits.
    guard codec.name == "mpeg4", rate.numerator > 65535 else { return true }
    reportRate(
      "'mpeg4' cannot state \(timeline.frameRate.text) frames per second: its ticks per second are "
        + "at most 65535",
      nearest: Resolver.usualRates.filter { $0.framesPerSecond.numerator <= 65535 })
    return false
  }

  /// Says how the container's timescale changes the times of frames.
  mutating func checkTimescale(_ container: Container, _ video: VideoPlan?) {
    guard let video, !video.isCopied, let ticks = container.timestampTicks else { return }
    let rate = timeline.frameRate
    let tick = Rational(1, ticks)
    if rate.frameDuration < tick {
      return error(
        .capabilityRate,
        "'\(container.name)' counts time in 1/\(ticks) s, so that frames of \(rate.text) per second "
          + "would share one", at: ratePointer, fix: "export to mov, or lower timeline.frameRate")
    }
    guard !(rate.frameDuration / tick).isInteger else { return }
    note(
      .capabilityRate,
      "'\(container.name)' counts time in 1/\(ticks) s: frames of \(rate.text) per second begin up to "
        + "\((tick / 2).inSeconds) beside their exact times", at: ratePointer)
  }

  private var ratePointer: String {
    document.timeline.frameRate == nil ? "/timeline" : "/timeline/frameRate"
  }

  private mutating func reportRate(_ message: String, nearest rates: [FrameRate]) {
    let wanted = timeline.frameRate.framesPerSecond
    let nearest = rates.min {
      ($0.framesPerSecond - wanted).magnitude < ($1.framesPerSecond - wanted).magnitude
    }
    error(
      .capabilityRate, message, at: ratePointer,
      fix: nearest.map { "set timeline.frameRate to \"\($0.text)\", or use another codec" })
  }
}

extension Container {
  /// The ticks per second of its timestamps, where they are not chosen for the rate.
  fileprivate var timestampTicks: Int64? {
    ["mkv", "mka", "webm"].contains(name) ? 1000 : ticksPerSecond
  }
}
