/// The canonical spelling of a composition file: what `cutroom fmt` writes.
///
/// Keys stand in one order, values that are the default are left out, times have their shortest
/// form. Keys that begin with `x-` and comments are kept at their places; where a comment stands at
/// something that the canonical form does not have, it is a finding, and there is no text.
public struct CanonicalText: Sendable {
  /// The text; `nil` where a finding is an error.
  public let text: String?
  /// What is wrong with the composition, and what could not be kept.
  public let diagnostics: [Diagnostic]

  /// Reads `source` and writes it anew.
  public init(
    _ source: SourceText, commonKeys: [String] = [],
    keyProblem: @escaping (String) -> String? = { _ in nil }
  ) {
    let (document, found) = CompositionReader.read(
      source, commonKeys: commonKeys, keyProblem: keyProblem)
    guard let document, let root = source.tree.root else {
      (text, diagnostics) = (nil, found)
      return
    }
    var json = CompositionWriter.json(document)
    Self.keepFreeKeys(of: source.tree, root, in: &json)
    let comments = CommentMap(source.tree)
    var writer = CommentedWriter(comments: comments)
    writer.write(json)
    let lost = comments.pointers.subtracting(writer.written)
    var findings = found
    for pointer in lost.sorted() {
      for offset in comments.offsets(at: pointer) {
        findings.append(
          Diagnostic(
            .error, .formatComment,
            "the comment stands at a value that the canonical form leaves out or spells otherwise, "
              + "so it cannot be kept; move it or remove it", at: pointer,
            place: source.place(atOffset: offset)))
      }
    }
    text = lost.isEmpty ? writer.text + "\n" : nil
    diagnostics = findings
  }

  /// Puts the keys that are the author's own back where they stood.
  private static func keepFreeKeys(of tree: JSONTree, _ node: Int, in json: inout JSONValue) {
    switch tree.kind(node) {
    case .array:
      guard case .array(var values) = json else { return }
      let elements = tree.elements(node)
      guard values.count == elements.count else { return }
      for (index, element) in elements.enumerated() {
        keepFreeKeys(of: tree, element, in: &values[index])
      }
      json = .array(values)
    case .object: keepMembers(of: tree, node, in: &json)
    default: return
    }
  }

  private static func keepMembers(of tree: JSONTree, _ node: Int, in json: inout JSONValue) {
    let members = tree.members(node)
    var free: [JSONValue.Member] = []
    for member in members where member.name.hasPrefix("x-") {
      if let value = JSONValue(tree, member.value) { free.append(.init(member.name, value)) }
    }
    // A source of a path alone is spelt as the path.
    if case .string = json, !free.isEmpty { json = .object([.init("path", json)]) }
    guard case .object(var values) = json else { return }
    let indices = Dictionary(
      values.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    for member in members
    where tree.kind(member.value) == .array || tree.kind(member.value) == .object {
      if member.name.hasPrefix("x-") { continue }
      if let index = indices[member.name] {
        keepFreeKeys(of: tree, member.value, in: &values[index].value)
      } else if tree.kind(member.value) == .object {
        var inner = JSONValue.object([])
        keepFreeKeys(of: tree, member.value, in: &inner)
        if inner != .object([]) { values.append(.init(member.name, inner)) }
      }
    }
    json = .object(values + free)
  }
}
