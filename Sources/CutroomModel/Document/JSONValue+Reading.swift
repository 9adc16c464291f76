extension JSONValue {
  /// The value that `text` holds; `nil` where something is wrong with it.
  ///
  /// ``SourceText/syntaxDiagnostics`` says what.
  package init?(_ text: SourceText) {
    guard text.syntaxDiagnostics.isEmpty, let root = text.tree.root else { return nil }
    self.init(text.tree, root)
  }

  init?(_ tree: JSONTree, _ node: Int) {
    switch tree.kind(node) {
    case .null: self = .null
    case .true: self = .bool(true)
    case .false: self = .bool(false)
    case .number:
      let spelling = tree.number(node)
      self = Int64(spelling).map { .integer($0) } ?? .number(spelling)
    case .string: self = .string(tree.string(node))
    case .array:
      var values: [JSONValue] = []
      for element in tree.elements(node) {
        guard let value = JSONValue(tree, element) else { return nil }
        values.append(value)
      }
      self = .array(values)
    case .object:
      var members: [Member] = []
      for member in tree.members(node) {
        guard let value = JSONValue(tree, member.value) else { return nil }
        members.append(Member(member.name, value))
      }
      self = .object(members)
    case .identifier, .invalid: return nil
    }
  }

  /// The value of an object's key; `nil` where there is none, or this is no object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The characters of a string.
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  /// A whole number.
  package var whole: Int64? { if case .integer(let number) = self { number } else { nil } }
  /// The elements of an array.
  package var elements: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  /// The members of an object.
  package var members: [Member]? { if case .object(let members) = self { members } else { nil } }
}
