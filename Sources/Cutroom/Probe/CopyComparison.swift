public import CutroomModel

/// Whether the packets of two files can be joined by copying, field by field.
public struct CopyComparison: Sendable {
  /// What it means that a field is the same or differs.
  public enum Effect: String, Sendable {
    /// Both files say the same.
    case same
    /// They differ, so that their packets cannot stand in one stream.
    case matters
    /// They differ, and packets can stand in one stream nonetheless.
    case harmless
  }

  /// A field of two streams.
  public struct Field: Hashable, Sendable {
    /// `video` or `audio`.
    public var kind: String
    /// Its name, such as `level`; `stream` where one file has none of the kind.
    public var field: String
    /// The first file's value.
    public var first: String
    /// The second file's value.
    public var second: String
    /// Whether the values differ, and whether that matters.
    public var effect: Effect
    /// What follows where they differ; empty where they do not.
    public var consequence: String
  }

  /// The two files.
  public let paths: [String]
  /// All that was compared.
  public let fields: [Field]
  /// The fields that prevent copying; empty where packets can be joined.
  public var differences: [Field] { fields.filter { $0.effect == .matters } }

  /// The comparison as `cutroom probe --why-not-copy --json` prints it.
  public var jsonValue: JSONValue {
    [
      "ok": true, "paths": .array(paths.map { .string($0) }),
      "copyable": .bool(differences.isEmpty),
      "differences": .array(differences.map(\.jsonValue)),
      "fields": .array(fields.map(\.jsonValue)),
    ]
  }

  /// The comparison as a table for people.
  public var text: String {
    let names = paths.joined(separator: " and ")
    let can = differences.isEmpty ? "can" : "cannot"
    var lines = ["\(names) \(can) be joined by copying:"]
    let width = fields.map(\.field.count).max() ?? 0
    for field in fields {
      let name = TextWidth.padded(field.field, columns: width)
      let values =
        field.effect == .same ? field.first : "\(field.first) ≠ \(field.second)"
      let words =
        switch field.effect {
        case .same: "same"
        case .matters: "differs, matters: \(field.consequence)"
        case .harmless: "differs, does not matter: \(field.consequence)"
        }
      lines.append("  \(field.kind)  \(name)  \(values)  \(words)")
    }
    return lines.joined(separator: "\n")
  }
}

extension CopyComparison.Field {
  fileprivate var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("kind", .string(kind)), .init("field", .string(field)),
      .init("first", .string(first)), .init("second", .string(second)),
      .init("effect", .string(effect.rawValue)),
    ]
    if !consequence.isEmpty { members.append(.init("consequence", .string(consequence))) }
    return .object(members)
  }
}

extension Engine {
  /// Compares the first picture and the first sound of two files.
  ///
  /// - Throws: ``CutroomError`` with code `media` when a file does not open.
  public static func compareForCopying(
    _ first: String, _ second: String
  ) throws(CutroomError) -> CopyComparison {
    let (a, b) = (try opened(first), try opened(second))
    var fields: [CopyComparison.Field] = []
    for kind in [AssetTrack.Kind.video, .audio] {
      switch (a.track(kind), b.track(kind)) {
      case (nil, nil): continue
      case (let one?, let other?): fields += TrackComparison(kind, one, other).fields
      case (let one, _):
        fields.append(
          .init(
            kind: kind.rawValue, field: "stream", first: one == nil ? "none" : "one",
            second: one == nil ? "one" : "none", effect: .matters,
            consequence: "there would be \(kind == .video ? "no picture" : "silence") for one file"
          ))
      }
    }
    return CopyComparison(paths: [first, second], fields: fields)
  }

  private static func opened(_ path: String) throws(CutroomError) -> AssetInfo {
    do throws(AssetError) { return try AssetInfo.open(path) } catch {
      throw error.operationError
    }
  }
}
