public import CutroomModel

/// What keeps the packets of two files from being joined by copying, field by field.
public struct CopyComparison: Sendable {
  /// A field in which two streams differ.
  public struct Difference: Hashable, Sendable {
    /// `video` or `audio`.
    public var kind: String
    /// The field of the signature, such as `level`; `stream` where one file has none of the kind.
    public var field: String
    /// The first file's value.
    public var first: String
    /// The second file's value.
    public var second: String
  }

  /// The two files.
  public let paths: [String]
  /// The fields that differ; empty where packets can be joined.
  public let differences: [Difference]

  /// The comparison as `cutroom probe --why-not-copy --json` prints it.
  public var jsonValue: JSONValue {
    [
      "ok": true, "paths": .array(paths.map { .string($0) }),
      "copyable": .bool(differences.isEmpty),
      "differences": .array(
        differences.map {
          [
            "kind": .string($0.kind), "field": .string($0.field), "first": .string($0.first),
            "second": .string($0.second),
          ]
        }),
    ]
  }

  /// The comparison as a table for people.
  public var text: String {
    let names = paths.joined(separator: " and ")
    guard !differences.isEmpty else { return "\(names) can be joined by copying" }
    let rows = differences.map { "  \($0.kind)  \($0.field): \($0.first) ≠ \($0.second)" }
    return (["\(names) cannot be joined by copying:"] + rows).joined(separator: "\n")
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
    var differences: [CopyComparison.Difference] = []
    for kind in [AssetTrack.Kind.video, .audio] {
      let signatures = [a, b].map { $0.track(kind)?.signature }
      guard signatures.contains(where: { $0 != nil }) else { continue }
      guard let one = signatures[0], let other = signatures[1] else {
        let words = signatures.map { $0 == nil ? "none" : "one" }
        differences.append(
          .init(kind: kind.rawValue, field: "stream", first: words[0], second: words[1]))
        continue
      }
      differences += Signature.fields(one, other).map { field in
        .init(
          kind: kind.rawValue, field: field.key, first: field.first, second: field.second)
      }
    }
    return CopyComparison(paths: [first, second], differences: differences)
  }

  private static func opened(_ path: String) throws(CutroomError) -> AssetInfo {
    do throws(AssetError) { return try AssetInfo.open(path) } catch {
      throw error.operationError
    }
  }
}
