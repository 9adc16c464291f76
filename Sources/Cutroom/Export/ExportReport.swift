public import CutroomMetadata
public import CutroomModel

/// What an export has made.
public struct ExportReport: Sendable {
  /// The plan that was carried out.
  public let plan: ExportPlan
  /// Where the result lies.
  public let output: String
  /// How each metadata item fared.
  public let metadata: [ItemOutcome]
  /// What the author should know.
  public let warnings: [Diagnostic]
  /// Wall-clock seconds.
  public let seconds: Double
  /// The largest magnitude of the mix in dBFS before the peak policy; `nil` for silence or a copy.
  public let peakDecibels: Double?
  /// How the sound was brought to the loudness asked for; `nil` where none was.
  public let loudness: LoudnessOutcome?
  let written: [PacketWriter.Written]
  let offsets: [SoundOffset]
  /// Stretches of sources that did not decode, by file and time; empty unless damage is concealed.
  public let concealed: [ConcealedDamage]

  /// The report as `cutroom export --json` prints it.
  public var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("ok", true), .init("output", .string(output)), .init("duration", .time(plan.duration)),
      .init("container", .string(plan.containerName)),
      .init("streams", .array(plan.streams(written: written))),
      .init("metadata", .array(metadata.map(\.jsonValue))),
      .init("warnings", .array(warnings.map(\.jsonValue))),
    ]
    if !offsets.isEmpty {
      members.append(
        .init(
          "soundOffsets",
          .array(offsets.map { ["time": .time($0.time), "offset": .time($0.offset)] })))
    }
    if !concealed.isEmpty {
      members.append(.init("concealed", .array(concealed.map(\.jsonValue))))
    }
    if let peakDecibels { members.append(.init("peak", .decimal(peakDecibels, digits: 2))) }
    if let loudness { members.append(.init("loudness", loudness.jsonValue)) }
    members.append(.init("seconds", .decimal(seconds, digits: 3)))
    return .object(members)
  }

  /// A line or two for people.
  public var text: String {
    let frames = plan.video.map { "\($0.frameCount) frames, " } ?? ""
    let made =
      "\(output): \(plan.duration.secondsText), \(frames)made in "
      + JSONValue.decimal(seconds, digits: 2).encoded() + "s"
    return [made, loudness?.text].compactMap(\.self).joined(separator: "\n")
  }
}
