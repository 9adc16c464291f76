public import CutroomMetadata
public import CutroomModel

extension TagSet {
  /// What `cutroom tag --json` prints: all items, then those that were given but dropped, the
  /// chapters, and what became of everything that was given.
  public func json(file: String, outcomes: [ItemOutcome] = []) -> JSONValue {
    var given: [MetadataIdentifier: ItemOutcome] = [:]
    for outcome in outcomes where outcome.outcome != .dropped {
      given[outcome.identifier.folded] = outcome
    }
    var list = items.map { item in Self.json(item, given[item.identifier.folded]) }
    for outcome in outcomes where outcome.outcome == .dropped {
      list.append(
        .object(
          [JSONValue.Member("key", outcome.key.map { .string($0.rawValue) } ?? .null)]
            + [
              .init("identifier", .string(outcome.identifier.description)), .init("values", []),
              .init("outcome", "dropped"),
            ] + Self.detail(outcome)))
    }
    let report: [JSONValue.Member] =
      outcomes.isEmpty ? [] : [.init("outcomes", .array(outcomes.map(\.jsonValue)))]
    return .object(
      [
        .init("ok", true), .init("file", .string(file)), .init("container", .string(container)),
        .init("items", .array(list)),
        .init(
          "chapters",
          .array(chapters.map { ["start": .time($0.start), "title": .string($0.title)] })),
      ] + report)
  }

  private static func detail(_ outcome: ItemOutcome?) -> [JSONValue.Member] {
    outcome?.detail.map { [.init("detail", .string($0))] } ?? []
  }

  static func json(_ item: MetadataItem, _ outcome: ItemOutcome? = nil) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("key", item.commonKey.map { .string($0.rawValue) } ?? .null),
      .init("identifier", .string(item.identifier.description)),
      .init("values", .array(item.values.map { .string($0) })),
      .init("outcome", .string(outcome?.outcome.rawValue ?? "exact")),
    ]
    if case .data(let bytes) = item.value {
      if let mediaType = item.mediaType ?? item.extraAttributes["mediaType"] {
        members.append(.init("mediaType", .string(mediaType)))
      }
      members.append(.init("bytes", .integer(Int64(bytes.count))))
      members.append(.init("sha256", .string(SHA256.sum(bytes))))
    }
    for name in ["pictureType", "language"] {
      if let value = item.extraAttributes[name] { members.append(.init(name, .string(value))) }
    }
    return .object(members + detail(outcome))
  }
}
