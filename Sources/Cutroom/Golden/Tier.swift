public import CutroomModel

/// A layer of a golden, from what was planned to what is seen and heard.
public enum Tier: String, Sendable, CaseIterable {
  /// What is copied and what rendered.
  case plan
  /// Container, streams, and the times of all packets.
  case structure
  /// The bytes of copied packets.
  case packets
  /// The bits of decoded pictures.
  case frames
  /// The bits of decoded sound.
  case samples
  /// Small pictures, with a tolerance.
  case picture
  /// Levels of sound, with a tolerance.
  case sound
  /// Items and chapters.
  case metadata
}

/// How one tier of an output stands to its golden.
public struct TierResult: Sendable, Hashable {
  /// The answer.
  public enum Result: String, Sendable {
    /// To the bit as recorded.
    case equal
    /// Not to the bit, but within the stated tolerance, and there is a reason for it.
    case within
    /// Otherwise than recorded.
    case differs
    /// Nothing was recorded or nothing is known.
    case skipped
  }

  /// The tier.
  public var tier: Tier
  /// The answer.
  public var result: Result
  /// Where it differs first and by how much, or why it was skipped.
  public var detail: String

  /// The result as `cutroom compare --json` prints it.
  public var json: JSONValue {
    [
      "name": .string(tier.rawValue), "result": .string(result.rawValue),
      "detail": .string(detail),
    ]
  }
}
