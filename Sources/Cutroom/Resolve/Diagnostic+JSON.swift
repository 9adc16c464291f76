public import CutroomModel

extension Diagnostic {
  /// A finding as every command's `--json` prints it.
  public var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("code", .string(code)), .init("severity", .string(severity.rawValue)),
      .init("message", .string(message)), .init("pointer", .string(pointer)),
    ]
    if let place {
      members.append(.init("line", .integer(Int64(place.line))))
      members.append(.init("column", .integer(Int64(place.column))))
    }
    if let fix { members.append(.init("fix", .string(fix))) }
    if let place { members.append(.init("file", .string(place.file))) }
    if !related.isEmpty {
      members.append(.init("related", .array(related.map(\.jsonValue))))
    }
    return .object(members)
  }
}

extension Diagnostic.Related {
  fileprivate var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("message", .string(message)), .init("pointer", .string(pointer)),
    ]
    if let place {
      members.append(.init("line", .integer(Int64(place.line))))
      members.append(.init("column", .integer(Int64(place.column))))
    }
    return .object(members)
  }
}
