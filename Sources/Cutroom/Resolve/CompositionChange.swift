public import CutroomModel

/// One way in which a composition differs from another.
public struct CompositionChange: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, Hashable, Sendable {
    case added, removed, changed, moved
  }

  /// What happened.
  public var kind: Kind
  /// What it happened to, in words: `clip 'b'`.
  public var subject: String
  /// How, in words: `+12 frames`; empty where the kind says all.
  public var detail: String
  /// Where it stands in the first composition; `nil` for something added.
  public var before: String?
  /// Where it stands in the second composition; `nil` for something removed.
  public var after: String?

  /// The change as one sentence.
  public var sentence: String {
    switch kind {
    case .moved: "\(subject) moved \(detail)"
    case .changed: "\(subject): \(detail)"
    case .added, .removed: "\(subject) \(kind.rawValue)" + (detail.isEmpty ? "" : " \(detail)")
    }
  }

  /// The change for programs.
  public var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("change", .string(kind.rawValue)), .init("subject", .string(subject)),
    ]
    if !detail.isEmpty { members.append(.init("detail", .string(detail))) }
    if let before { members.append(.init("before", .string(before))) }
    if let after { members.append(.init("after", .string(after))) }
    return .object(members)
  }
}

extension Engine {
  /// How the second composition differs from the first: in what they say, not in their spelling.
  ///
  /// Clips that stay but lie elsewhere are reported where both compositions resolve.
  public static func changes(
    from first: CheckedComposition, to second: CheckedComposition
  ) -> [CompositionChange] {
    guard let before = first.document, let after = second.document else { return [] }
    var comparison = DocumentComparison(
      places: ClipPlaces(first.timeline), newPlaces: ClipPlaces(second.timeline))
    comparison.compare(CompositionWriter.json(before), CompositionWriter.json(after))
    return comparison.changes
  }
}

/// Where the items of a timeline lie, by their pointers.
struct ClipPlaces {
  private(set) var starts: [String: Rational] = [:]
  private(set) var rate: FrameRate?

  init(_ timeline: Timeline?) {
    guard let timeline else { return }
    rate = timeline.frameRate
    for track in timeline.tracks {
      for segment in track.segments where starts[segment.pointer] == nil {
        starts[segment.pointer] = segment.start
      }
    }
  }
}
