/// The values of a JSON text with their places in it, in the order of the text.
///
/// One flat list: a container's node is followed by its children's, an object's children are key
/// and value in turn, and every node knows where the next one beside it stands. Strings and
/// numbers stay in the text until they are asked for.
struct JSONTree: Sendable {
  /// What a node is.
  enum Kind: UInt8, Sendable {
    case null, `true`, `false`, number, string, array, object
    /// An object's key without quotes.
    case identifier
    /// A value that was reported as wrong; readers pass over it in silence.
    case invalid
  }

  /// One value or key.
  struct Node: Sendable {
    var kind: Kind
    /// Whether a string has to be decoded.
    var hasEscapes = false
    /// The first byte, including a quote.
    var start: UInt32
    /// The byte after the last.
    var end: UInt32
    /// The index of the node after this one and all its children.
    var next: UInt32
  }

  /// The text.
  var bytes: [UInt8] = []
  /// The nodes; the first is the whole document.
  var nodes: [Node] = []
  /// The bytes of the comments, in order.
  var comments: [Range<Int>] = []
  /// Whether the whole text was read.
  var isComplete = false
  /// The spellings of nodes that do not stand in the text as they are, by their indices.
  var replaced: [Int: [UInt8]] = [:]

  /// The index of the document's value.
  var root: Int? { nodes.isEmpty || !isComplete ? nil : 0 }

  func kind(_ node: Int) -> Kind { nodes[node].kind }

  /// The first byte of a node.
  func offset(_ node: Int) -> Int { Int(nodes[node].start) }

  /// The node after this one and its children.
  func next(_ node: Int) -> Int { Int(nodes[node].next) }

  /// The spelling of a node, in the text unless it was changed since.
  func spelling(_ node: Int) -> ArraySlice<UInt8> {
    if !replaced.isEmpty, let spelling = replaced[node] { return spelling[...] }
    return bytes[Int(nodes[node].start)..<Int(nodes[node].end)]
  }

  /// A number's decimal spelling.
  func number(_ node: Int) -> String { String(decoding: spelling(node), as: UTF8.self) }

  /// The characters of a string or a key.
  func string(_ node: Int) -> String {
    let spelling = spelling(node)
    guard kind(node) == .string else { return String(decoding: spelling, as: UTF8.self) }
    let inside = spelling.dropFirst().dropLast()
    return nodes[node].hasEscapes
      ? JSONEscapes.decoded(inside) : String(decoding: inside, as: UTF8.self)
  }

  /// The children of an array, in order.
  func elements(_ array: Int) -> [Int] {
    var result: [Int] = []
    var child = array + 1
    while child < next(array) {
      result.append(child)
      child = next(child)
    }
    return result
  }

  /// A key with its value.
  struct Member {
    var name: String
    var key: Int
    var value: Int
  }

  /// The members of an object, in order.
  func members(_ object: Int) -> [Member] {
    var result: [Member] = []
    var key = object + 1
    while key < next(object) {
      result.append(Member(name: string(key), key: key, value: key + 1))
      key = next(key + 1)
    }
    return result
  }
}

extension JSONTree {
  /// The JSON pointer of a node; a key has that of its value.
  func pointer(to target: Int) -> String {
    guard var node = root else { return "" }
    var pointer = ""
    while node < target {
      guard let step = step(from: node, to: target) else { break }
      pointer += "/" + step.token
      guard step.child > node, step.key != target else { break }
      node = step.child
    }
    return pointer
  }

  /// The innermost value that holds or ends at a byte; of a key, its value.
  func node(atOffset offset: Int) -> Int? {
    guard var node = root else { return nil }
    while kind(node) == .array || kind(node) == .object {
      var child = node + 1
      var inner: Int?
      while child < next(node), inner == nil, self.offset(child) <= offset {
        let value = kind(node) == .object ? child + 1 : child
        if offset <= Int(nodes[value].end) { inner = value }
        child = next(value)
      }
      guard let inner else { break }
      node = inner
    }
    return node
  }

  private func step(from container: Int, to target: Int) -> (token: String, child: Int, key: Int)? {
    var child = container + 1
    var index = 0
    while child < next(container) {
      let isMember = kind(container) == .object
      let value = isMember ? child + 1 : child
      if target < next(value) {
        return (isMember ? JSONPointer.escaped(string(child)) : String(index), value, child)
      }
      child = next(value)
      index += 1
    }
    return nil
  }
}

/// The writing of JSON pointers, RFC 6901.
public enum JSONPointer {
  /// A key as it stands in a pointer.
  public static func escaped(_ key: String) -> String {
    guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      return key
    }
    var result = ""
    for character in key.unicodeScalars {
      switch character {
      case "~": result += "~0"
      case "/": result += "~1"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// The keys and indices of a pointer.
  static func tokens(_ pointer: String) -> [String] {
    // By scalars, not characters: a key may begin with a mark that joins the slash before it.
    pointer.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map(unescaped)
  }

  private static func unescaped(_ token: Substring.UnicodeScalarView) -> String {
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in token {
      switch (isEscaped, scalar) {
      case (true, "0"): result.append("~")
      case (true, "1"): result.append("/")
      case (false, "~"): break
      default: result.append(scalar)
      }
      isEscaped = !isEscaped && scalar == "~"
    }
    return String(result)
  }
}
