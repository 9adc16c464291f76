/// A JSON value that can be changed and still knows where in the text it came from.
///
/// What is put in has the place of what it replaces, or of the object it is put into.
struct JSONEdit: Sendable {
  /// A key with its value.
  struct Member: Sendable {
    var key: JSONEdit
    var value: JSONEdit
  }

  private var node: JSONTree.Node
  /// The spelling of a key or value that does not stand in the text.
  private var spelling: [UInt8]?
  /// The characters of a key; empty for values.
  private(set) var name = ""
  /// The elements of an array.
  var elements: [JSONEdit] = []
  /// The members of an object, in order.
  private(set) var members: [Member] = []

  /// What it is.
  var kind: JSONTree.Kind { node.kind }

  /// Takes a value out of a tree; containers lie at most ``JSONReader/depthLimit`` deep.
  init(_ tree: JSONTree, _ index: Int) {
    node = tree.nodes[index]
    spelling = tree.replaced[index]
    switch node.kind {
    case .array: elements = tree.elements(index).map { JSONEdit(tree, $0) }
    case .object:
      members = tree.members(index).map { member in
        var key = JSONEdit(tree, member.key)
        key.name = member.name
        return Member(key: key, value: JSONEdit(tree, member.value))
      }
    default: break
    }
  }

  /// A value that stands at no place of its own.
  private init(_ value: JSONValue, at place: JSONTree.Node) {
    node = place
    node.hasEscapes = false
    switch value {
    case .null: node.kind = .null
    case .bool(let isTrue): node.kind = isTrue ? .true : .false
    case .integer, .number: node.kind = .number
    case .string(let text):
      node.kind = .string
      node.hasEscapes = text.unicodeScalars.contains {
        $0 == "\"" || $0 == "\\" || $0.value < 0x20 || $0.value == 0x7F
      }
    case .array(let values):
      node.kind = .array
      elements = values.map { JSONEdit($0, at: place) }
    case .object(let values):
      node.kind = .object
      members = values.map { member in
        Member(key: JSONEdit(key: member.key, at: place), value: JSONEdit(member.value, at: place))
      }
    }
    if node.kind != .array, node.kind != .object { spelling = Array(value.encoded().utf8) }
  }

  private init(key: String, at place: JSONTree.Node) {
    self.init(.string(key), at: place)
    name = key
  }

  // MARK: Changing

  /// The value of an object's key; setting `nil` takes key and value away.
  ///
  /// A key that is not there is put in at the end.
  subscript(key: String) -> JSONEdit? {
    get { members.first { $0.key.name == key }?.value }
    set {
      let index = members.firstIndex { $0.key.name == key }
      guard let newValue else {
        if let index { members.remove(at: index) }
        return
      }
      if let index {
        members[index].value = newValue
      } else if node.kind == .object {
        members.append(Member(key: JSONEdit(key: key, at: node), value: newValue))
      }
    }
  }

  /// Gives a key of an object another name; nothing happens where it is not there.
  mutating func rename(_ key: String, to name: String) {
    guard let index = members.firstIndex(where: { $0.key.name == key }) else { return }
    members[index].key = JSONEdit(key: name, at: members[index].key.node)
  }

  /// Puts another value at this one's place.
  mutating func replace(with value: JSONValue) { self = JSONEdit(value, at: node) }

  /// Puts a new key with a value at the end of an object.
  mutating func add(_ key: String, _ value: JSONValue) { self[key] = JSONEdit(value, at: node) }

  /// Changes every element of an array.
  mutating func forEach(_ change: (inout JSONEdit) -> Void) {
    for index in elements.indices { change(&elements[index]) }
  }

  // MARK: Back to a tree

  /// The tree of the changed document, with the text of the one that it came from.
  func tree(of original: JSONTree) -> JSONTree {
    var tree = original
    tree.nodes = []
    tree.replaced = [:]
    append(to: &tree)
    return tree
  }

  private func append(to tree: inout JSONTree) {
    let index = tree.nodes.count
    tree.nodes.append(node)
    if let spelling { tree.replaced[index] = spelling }
    for element in elements { element.append(to: &tree) }
    for member in members {
      member.key.append(to: &tree)
      member.value.append(to: &tree)
    }
    tree.nodes[index].next = UInt32(tree.nodes.count)
  }
}
