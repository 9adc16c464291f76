/// The comments of a text, by the values that they stand beside.
struct CommentMap {
  /// The comments of one value.
  struct Entry {
    /// On lines of their own before it.
    var before: [String] = []
    /// Behind it on its line.
    var after: [String] = []
    /// Before the bracket that closes it.
    var atEnd: [String] = []
    /// Where they begin in the text.
    var offsets: [Int] = []
  }

  private(set) var entries: [String: Entry] = [:]
  /// The values around those with comments, which cannot stand on one line.
  private(set) var broken: Set<String> = []
  /// Comments behind the whole document.
  private(set) var footer: [String] = []

  /// The values that have comments.
  var pointers: Set<String> { Set(entries.keys) }

  /// Where the comments of a value begin.
  func offsets(at pointer: String) -> [Int] { entries[pointer]?.offsets ?? [] }

  init(_ tree: JSONTree) {
    guard !tree.comments.isEmpty, tree.root != nil else { return }
    let index = Index(tree)
    let containers = tree.containers(around: tree.comments.map(\.lowerBound))
    let anchors = zip(tree.comments, containers).map { Self.anchor($0, $1, tree, index) }
    let pointers = tree.pointers(of: Set(anchors.compactMap(\.node)))
    for (comment, anchor) in zip(tree.comments, anchors) {
      let text = Self.lines(of: tree.bytes[comment])
      guard let node = anchor.node, let pointer = pointers[node] else {
        footer += text
        continue
      }
      add(text, comment, to: pointer) { $0[keyPath: anchor.place] += $1 }
    }
    for pointer in entries.keys {
      var rest = pointer[...]
      if !(entries[pointer]?.atEnd.isEmpty ?? true) { broken.insert(pointer) }
      while let slash = rest.lastIndex(of: "/") {
        rest = rest[..<slash]
        guard broken.insert(String(rest)).inserted else { break }
      }
    }
  }

  /// The value that a comment is about, and how it stands to it; no value behind the document.
  private static func anchor(
    _ comment: Range<Int>, _ container: Int?, _ tree: JSONTree, _ index: Index
  ) -> (node: Int?, place: WritableKeyPath<Entry, [String]>) {
    // What ended before it on the same line is what it is about.
    if let node = index.lastEnding(before: comment.lowerBound),
      !tree.bytes[Int(tree.nodes[node].end)..<comment.lowerBound].contains(0x0A),
      endsLine(tree.bytes, comment.upperBound)
    {
      return (node, \.after)
    }
    let end = container.map { tree.next($0) } ?? tree.nodes.count
    if let next = index.firstStarting(after: comment.upperBound), next < end {
      return (next, \.before)
    }
    return (container, \.atEnd)
  }

  private mutating func add(
    _ text: [String], _ comment: Range<Int>, to pointer: String,
    _ put: (inout Entry, [String]) -> Void
  ) {
    var entry = entries[pointer] ?? Entry()
    put(&entry, text)
    entry.offsets.append(comment.lowerBound)
    entries[pointer] = entry
  }

  /// Whether nothing but a comma and spaces stands between a byte and the end of its line.
  private static func endsLine(_ bytes: [UInt8], _ start: Int) -> Bool {
    let rest = bytes[start...].prefix { $0 != 0x0A }
    return rest.allSatisfy { [0x20, 0x09, 0x0D, UInt8(ascii: ",")].contains($0) }
  }

  /// The lines of a comment without the spaces around them.
  private static func lines(of bytes: ArraySlice<UInt8>) -> [String] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      var inner = line.drop(while: isSpace)
      while let last = inner.last, isSpace(last) { inner.removeLast() }
      return String(decoding: inner, as: UTF8.self)
    }
  }

  /// Finds nodes by where they begin and end, for comments in the order of the text.
  private struct Index {
    private let tree: JSONTree
    /// Values by their ends; of those that end together, the outermost last.
    private let ends: [Int]

    init(_ tree: JSONTree) {
      self.tree = tree
      var isKey = [Bool](repeating: false, count: tree.nodes.count)
      for node in tree.nodes.indices where tree.nodes[node].kind == .object {
        for member in tree.members(node) { isKey[member.key] = true }
      }
      ends = tree.nodes.indices.filter { !isKey[$0] }.sorted {
        (tree.nodes[$0].end, -$0) < (tree.nodes[$1].end, -$1)
      }
    }

    func lastEnding(before offset: Int) -> Int? {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if Int(tree.nodes[ends[middle]].end) <= offset { low = middle + 1 } else { high = middle }
      }
      guard low > 0 else { return nil }
      let node = ends[low - 1]
      // Something that began since then stands between.
      if let next = firstStarting(after: Int(tree.nodes[node].end)),
        tree.offset(next) < offset
      {
        return nil
      }
      return node
    }

    func firstStarting(after offset: Int) -> Int? {
      var (low, high) = (0, tree.nodes.count)
      while low < high {
        let middle = (low + high) / 2
        if tree.offset(middle) < offset { low = middle + 1 } else { high = middle }
      }
      return low < tree.nodes.count ? low : nil
    }
  }
}

extension JSONTree {
  /// The innermost containers that hold bytes, which are given in order; `nil` outside of all.
  fileprivate func containers(around offsets: [Int]) -> [Int?] {
    var result: [Int?] = []
    var stack: [Int] = []
    var node = 0
    for offset in offsets {
      while node < nodes.count, self.offset(node) <= offset {
        if kind(node) == .array || kind(node) == .object {
          while let top = stack.last, node >= next(top) { stack.removeLast() }
          stack.append(node)
        }
        node += 1
      }
      while let top = stack.last, Int(nodes[top].end) <= offset { stack.removeLast() }
      result.append(stack.last)
    }
    return result
  }

  /// The pointers of many nodes, in one walk; a key has that of its value.
  fileprivate func pointers(of wanted: Set<Int>) -> [Int: String] {
    var result: [Int: String] = [:]
    var stack: [(node: Int, count: Int, pointer: String)] = []
    var key: Int?
    for node in nodes.indices {
      while let top = stack.last, node >= next(top.node) { stack.removeLast() }
      let isInObject = stack.last.map { kind($0.node) == .object } ?? false
      if isInObject, key == nil {
        key = node
        continue
      }
      let isContainer = kind(node) == .array || kind(node) == .object
      let isKeyWanted = key.map(wanted.contains) ?? false
      if isContainer || isKeyWanted || wanted.contains(node) {
        let token = key.map { JSONPointer.escaped(string($0)) } ?? stack.last.map { "\($0.count)" }
        let pointer = stack.last.map { $0.pointer + "/" + (token ?? "") } ?? ""
        if let key, isKeyWanted { result[key] = pointer }
        if wanted.contains(node) { result[node] = pointer }
        if !stack.isEmpty { stack[stack.count - 1].count += 1 }
        if isContainer { stack.append((node, 0, pointer)) }
      } else if !stack.isEmpty {
        stack[stack.count - 1].count += 1
      }
      key = nil
    }
    return result
  }
}

/// Writes JSON as ``JSONValue/encoded(pretty:)`` does, with comments at their places.
struct CommentedWriter {
  private(set) var text = ""
  /// The values that were written and have comments.
  private(set) var written: Set<String> = []
  private let comments: CommentMap

  init(comments: CommentMap) { self.comments = comments }

  /// Writes a whole document.
  mutating func write(_ json: JSONValue) {
    if let entry = comments.entries[""] {
      written.insert("")
      for line in entry.before { text += line + "\n" }
    }
    write(json, "", 0)
    for line in comments.entries[""]?.after ?? [] { text += " " + line }
    for line in comments.footer { text += "\n" + line }
  }

  private mutating func write(_ json: JSONValue, _ pointer: String, _ indent: Int) {
    let isBroken = comments.broken.contains(pointer) || !json.isShort
    switch json {
    case .array(let values):
      let children = values.enumerated().map { (key: String?.none, token: "\($0)", value: $1) }
      write("[", "]", children, pointer, indent, isBroken && !isEmpty(values.count, pointer))
    case .object(let members):
      let children = members.map {
        (key: $0.key as String?, token: JSONPointer.escaped($0.key), value: $0.value)
      }
      write("{", "}", children, pointer, indent, isBroken && !isEmpty(members.count, pointer))
    default: text += json.encoded()
    }
  }

  private func isEmpty(_ count: Int, _ pointer: String) -> Bool {
    count == 0 && (comments.entries[pointer]?.atEnd.isEmpty ?? true)
  }

  private mutating func write(
    _ open: String, _ close: String, _ children: [(key: String?, token: String, value: JSONValue)],
    _ pointer: String, _ indent: Int, _ isBroken: Bool
  ) {
    text += open
    let margin = "\n" + String(repeating: "  ", count: indent + 1)
    for (index, child) in children.enumerated() {
      let place = pointer + "/" + child.token
      let entry = comments.entries[place]
      if entry != nil { written.insert(place) }
      for line in entry?.before ?? [] { text += margin + line }
      text += isBroken ? margin : index > 0 ? " " : ""
      if let key = child.key {
        JSONValue.write(key, to: &text)
        text += ": "
      }
      write(child.value, place, indent + 1)
      if index < children.count - 1 { text += "," }
      for line in entry?.after ?? [] { text += " " + line }
    }
    for line in comments.entries[pointer]?.atEnd ?? [] { text += margin + line }
    if isBroken { text += "\n" + String(repeating: "  ", count: indent) }
    text += close
  }
}
