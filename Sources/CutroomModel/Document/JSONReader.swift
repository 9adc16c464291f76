/// Reads JSON with JSON5's comments, trailing commas, unquoted keys and single quotes.
///
/// Every value keeps its place, numbers keep their spelling. What is wrong inside one value is
/// reported and reading goes on; where the structure is lost, reading ends. Depth, size and
/// number length are bounded, so that no text makes it slow or deep.
struct JSONReader {
  /// The largest file, in bytes.
  static let sizeLimit = 64 << 20
  /// The deepest nesting of arrays and objects.
  static let depthLimit = 64
  /// The longest number, in characters.
  static let numberLimit = 64
  /// The most values and keys, which bounds the memory that a small file can take.
  static let nodeLimit = 4_000_000
  /// The most findings before reading ends.
  static let findingLimit = 50

  /// Something wrong at a byte of the text.
  struct Finding {
    var code: DiagnosticCode
    var offset: Int
    var message: String
    var fix: String?
  }

  /// Ends reading after the finding that says why.
  struct Stop: Error {}

  let bytes: [UInt8]
  var nodes: [JSONTree.Node] = []
  var findings: [Finding] = []
  var comments: [Range<Int>] = []
  var position = 0
  private var depth = 0

  /// Reads a text; the tree is complete if nothing lost the structure.
  static func read(_ bytes: [UInt8]) -> (tree: JSONTree, findings: [Finding]) {
    var reader = JSONReader(bytes: bytes)
    let isComplete = reader.readDocument()
    let tree = JSONTree(
      bytes: bytes, nodes: reader.nodes, comments: reader.comments, isComplete: isComplete)
    return (tree, reader.findings)
  }

  init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func readDocument() -> Bool {
    do throws(Stop) {
      try checkEncoding()
      nodes.reserveCapacity(bytes.count / 12 + 16)
      try skipSpace()
      guard !isAtEnd else {
        throw stop(
          .syntaxEnd, at: 0,
          "the file is empty; a composition begins with {\"format\": \"cutroom/1\"")
      }
      try readValue()
      try skipSpace()
      guard isAtEnd else {
        // What follows a first word that is no value says nothing more.
        if nodes.first?.kind == .invalid { return false }
        throw stop(
          .syntaxUnexpected, at: position,
          "\(description(at: position)) stands after the end of the document; remove it, or the "
            + "bracket that closes the document too early")
      }
      return true
    } catch {
      return false
    }
  }

  // MARK: Characters

  var isAtEnd: Bool { position >= bytes.count }

  /// The byte at the position, 0 at the end.
  var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  private mutating func checkEncoding() throws(Stop) {
    guard bytes.count <= Self.sizeLimit else {
      throw stop(
        .syntaxTooLarge, at: 0,
        "the file has \(bytes.count) bytes; a composition may have at most \(Self.sizeLimit)")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw stop(.syntaxEncoding, at: 0, "the file is UTF-16; save it as UTF-8")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      let offset = error.byteOffsets.lowerBound
      throw stop(
        .syntaxEncoding, at: offset,
        "the byte 0x\(String(bytes[offset], radix: 16, uppercase: true)) is not UTF-8; save the "
          + "file as UTF-8")
    }
  }

  /// Passes over spaces and comments.
  mutating func skipSpace() throws(Stop) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      case UInt8(ascii: "/"): try skipComment()
      case UInt8(ascii: "#"):
        throw stop(
          .syntaxUnexpected, at: position, "'#' begins no comment here; write // instead")
      case 0xC2 where byte(position + 1) == 0xA0: position += 2
      default: return
      }
    }
  }

  private mutating func skipComment() throws(Stop) {
    let start = position
    switch byte(position + 1) {
    case UInt8(ascii: "/"):
      while position < bytes.count, bytes[position] != 0x0A { position += 1 }
      comments.append(start..<position)
    case UInt8(ascii: "*"):
      position += 2
      while position < bytes.count {
        if bytes[position] == UInt8(ascii: "*"), byte(position + 1) == UInt8(ascii: "/") {
          position += 2
          comments.append(start..<position)
          return
        }
        position += 1
      }
      throw stop(.syntaxEnd, at: start, "the comment that begins here is not closed; add */")
    default:
      throw stop(
        .syntaxUnexpected, at: start, "'/' stands alone; a comment begins with // or /*")
    }
  }

  // MARK: Values

  private mutating func readValue() throws(Stop) {
    guard nodes.count < Self.nodeLimit else {
      throw stop(
        .syntaxTooLarge, at: position,
        "the file has more than \(Self.nodeLimit) keys and values; split the composition")
    }
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): try readString()
    case UInt8(ascii: "{"): try nested { reader throws(Stop) in try reader.readObject() }
    case UInt8(ascii: "["): try nested { reader throws(Stop) in try reader.readArray() }
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."):
      try readNumber()
    default: try readWord()
    }
  }

  private mutating func nested(
    _ read: (inout JSONReader) throws(Stop) -> Void
  ) throws(Stop) {
    guard depth < Self.depthLimit else {
      throw stop(
        .syntaxDepth, at: position,
        "arrays and objects are nested more than \(Self.depthLimit) deep here")
    }
    depth += 1
    try read(&self)
    depth -= 1
  }

  private mutating func readArray() throws(Stop) {
    let start = open(.array)
    while true {
      try skipSpace()
      if current == UInt8(ascii: "]"), !isAtEnd { break }
      try readValue()
      guard try readSeparator(UInt8(ascii: "]"), of: start) else { break }
    }
    close(start)
  }

  private mutating func readObject() throws(Stop) {
    let start = open(.object)
    while true {
      try skipSpace()
      if current == UInt8(ascii: "}"), !isAtEnd { break }
      try readKey(of: start)
      try skipSpace()
      guard current == UInt8(ascii: ":") else {
        throw expected("':' after the key", in: start)
      }
      position += 1
      try skipSpace()
      try readValue()
      guard try readSeparator(UInt8(ascii: "}"), of: start) else { break }
    }
    close(start)
    try reportDuplicates(start)
  }

  private mutating func open(_ kind: JSONTree.Kind) -> Int {
    nodes.append(.init(kind: kind, start: UInt32(position), end: 0, next: 0))
    position += 1
    return nodes.count - 1
  }

  private mutating func close(_ node: Int) {
    position += 1
    nodes[node].end = UInt32(position)
    nodes[node].next = UInt32(nodes.count)
  }

  /// Reads a comma, or reports that it is missing between two values; false at the end bracket.
  private mutating func readSeparator(_ end: UInt8, of container: Int) throws(Stop) -> Bool {
    let valueEnd = position
    try skipSpace()
    if current == UInt8(ascii: ",") {
      position += 1
      return true
    }
    if current == end, !isAtEnd { return false }
    guard !isAtEnd, beginsValue(current) else {
      throw expected("',' or '\(Character(Unicode.Scalar(end)))'", in: container)
    }
    if position == valueEnd, isIdentifierStart(current), byte(position - 1) == UInt8(ascii: "\"") {
      throw stop(
        .syntaxString, at: position - 1,
        "\(description(at: position)) follows directly after a quote: a quote is missing before it, "
          + "or this one is too many")
    }
    try report(
      .syntaxUnexpected, at: valueEnd, "a comma is missing after this value", fix: "add ','")
    return true
  }

  private func beginsValue(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "{"), UInt8(ascii: "["),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: isIdentifierStart(byte)
    }
  }

  // MARK: Findings

  /// Records a finding; reading ends when there are too many.
  mutating func report(
    _ code: DiagnosticCode, at offset: Int, _ message: String, fix: String? = nil
  ) throws(Stop) {
    findings.append(Finding(code: code, offset: offset, message: message, fix: fix))
    if findings.count >= Self.findingLimit { throw Stop() }
  }

  /// Records the finding that ends reading.
  mutating func stop(_ code: DiagnosticCode, at offset: Int, _ message: String) -> Stop {
    findings.append(Finding(code: code, offset: offset, message: message))
    return Stop()
  }

  /// Something else stands where `what` must be.
  mutating func expected(_ what: String, in container: Int) -> Stop {
    let isArray = nodes[container].kind == .array
    if isAtEnd {
      return stop(
        .syntaxEnd, at: Int(nodes[container].start),
        "the file ends before this \(isArray ? "array" : "object") is closed; add "
          + "'\(isArray ? "]" : "}")'")
    }
    return stop(
      .syntaxUnexpected, at: position,
      "\(description(at: position)) stands where \(what) is expected")
  }

  /// The character at a byte, as messages quote it.
  func description(at offset: Int) -> String {
    guard offset < bytes.count else { return "the end of the file" }
    let text = String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
    guard let scalar = text.unicodeScalars.first, scalar.value >= 0x20, scalar.value != 0x7F else {
      return "the control character 0x\(String(bytes[offset], radix: 16))"
    }
    return "'\(scalar)'"
  }
}
