/// A text file of a composition, read as JSON, with the places of all its values.
///
/// Reading happens once, when the value is created; it never fails, for what is wrong with the
/// text is found in ``syntaxDiagnostics``.
public struct SourceText: Sendable {
  /// The file's path as the user gave it; it stands in every ``Place``.
  public let file: String
  /// What is wrong with the JSON, in the order of the text.
  public let syntaxDiagnostics: [Diagnostic]
  /// The version of the format that it was written in, where it was migrated to the current one.
  public let originalFormat: String?

  let tree: JSONTree
  private let lines: LineTable

  /// Reads `bytes`, which were the content of `file`.
  public init(file: String, bytes: [UInt8]) { self.init(file: file, bytes: bytes, .all) }

  init(file: String, bytes: [UInt8], _ migrations: Migrations) {
    self.file = file
    // A file that is refused for its size is not looked at any further.
    let isTooLarge = bytes.count > JSONReader.sizeLimit
    lines = LineTable(isTooLarge ? [] : bytes)
    let (tree, findings) = JSONReader.read(bytes)
    let migrated = findings.isEmpty ? migrations.migrated(tree) : nil
    originalFormat = migrated?.from
    self.tree = migrated?.tree ?? tree
    var diagnostics: [Diagnostic] = []
    for finding in findings.sorted(by: { $0.offset < $1.offset }) {
      let place = lines.place(at: finding.offset, in: file)
      let pointer = tree.node(atOffset: finding.offset).map(tree.pointer) ?? ""
      diagnostics.append(
        Diagnostic(
          .error, finding.code, finding.message, at: pointer, place: place, fix: finding.fix))
    }
    syntaxDiagnostics = diagnostics
  }

  /// Reads a text that is in memory.
  public init(file: String, text: String) { self.init(file: file, bytes: Array(text.utf8)) }

  /// The text's bytes.
  public var bytes: [UInt8] { tree.bytes }

  /// The line and column of a byte.
  public func place(atOffset offset: Int) -> Place { lines.place(at: offset, in: file) }

  /// The place of the value that a JSON pointer names.
  ///
  /// Where the value is absent, the place of the innermost one that is there; `nil` if the text
  /// could not be read.
  public func place(ofPointer pointer: String) -> Place? {
    var index = PointerIndex(tree)
    return index.node(of: pointer).map { place(atOffset: tree.offset($0)) }
  }

  /// Fills in the places of findings that have only a pointer, also of their related places.
  public func placed(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var index = PointerIndex(tree)
    var result = diagnostics
    for number in result.indices {
      if result[number].place == nil {
        result[number].pointer = index.shortened(result[number].pointer)
        result[number].place = index.node(of: result[number].pointer)
          .map { place(atOffset: tree.offset($0)) }
      }
      for other in result[number].related.indices
      where result[number].related[other].place == nil {
        result[number].related[other].place = index.node(of: result[number].related[other].pointer)
          .map { place(atOffset: tree.offset($0)) }
      }
    }
    return result
  }

  /// A line, or the part of it around `place` where it is long, and the place's column in that
  /// part, counted from 1.
  ///
  /// Tabs and control characters are shown as spaces. `nil` for a line that the text does not have.
  public func excerpt(at place: Place, width: Int = 120) -> (text: String, column: Int)? {
    guard let offset = lines.offset(ofLine: place.line, column: place.column) else { return nil }
    let before = bytes[..<offset].suffix(width * 4)
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
    let after = bytes[offset...].prefix(width * 4)
    let end = after.firstIndex(of: 0x0A) ?? after.endIndex
    var left = shown(bytes[start..<offset])
    var right = shown(bytes[offset..<end])
    if left.count > width / 2 { left = Array("…" + String(left.suffix(width / 2))) }
    if left.count + right.count > width {
      right = right.prefix(max(0, width - left.count - 1)) + ["…"]
    }
    while right.last == " " { right.removeLast() }
    return (String(left + right), left.count + 1)
  }

  private func shown(_ bytes: ArraySlice<UInt8>) -> [Character] {
    // A cut inside a character leaves continuation bytes in front.
    let whole = bytes.drop { $0 & 0xC0 == 0x80 }
    return String(decoding: whole, as: UTF8.self).unicodeScalars.map {
      $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : Character($0)
    }
  }
}

/// Finds nodes by pointer, and remembers the children of every container it walked through, so
/// that many look-ups in a long list stay cheap.
private struct PointerIndex {
  private let tree: JSONTree
  private var elements: [Int: [Int]] = [:]
  private var members: [Int: [String: Int]] = [:]

  init(_ tree: JSONTree) { self.tree = tree }

  /// The node of a pointer, else the innermost one on the way that is there.
  mutating func node(of pointer: String) -> Int? {
    guard var node = tree.root else { return nil }
    for token in JSONPointer.tokens(pointer) {
      guard let child = child(of: node, token) else { break }
      node = child
    }
    return node
  }

  /// A pointer into a text or a number, which has nothing inside, as one to the value itself: a
  /// source may be written as its path alone.
  mutating func shortened(_ pointer: String) -> String {
    guard let slash = pointer.lastIndex(of: "/") else { return pointer }
    let parent = String(pointer[..<slash])
    guard let node = exactNode(of: parent), tree.kind(node) == .string else { return pointer }
    return parent
  }

  private mutating func exactNode(of pointer: String) -> Int? {
    guard var node = tree.root else { return nil }
    for token in JSONPointer.tokens(pointer) {
      guard let child = child(of: node, token) else { return nil }
      node = child
    }
    return node
  }

  private mutating func child(of node: Int, _ token: String) -> Int? {
    switch tree.kind(node) {
    case .array:
      let children = elements[node] ?? tree.elements(node)
      elements[node] = children
      guard let index = Int(token), children.indices.contains(index) else { return nil }
      return children[index]
    case .object:
      if members[node] == nil {
        members[node] = Dictionary(
          tree.members(node).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      }
      return members[node]?[token]
    default: return nil
    }
  }
}
