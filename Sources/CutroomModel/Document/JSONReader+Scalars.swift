extension JSONReader {
  // MARK: Strings

  /// Reads a string in either kind of quotes.
  mutating func readString() throws(Stop) {
    let (start, quote) = (position, bytes[position])
    var hasEscapes = false
    position += 1
    while true {
      skipPlainCharacters()
      guard !isAtEnd else {
        throw stop(.syntaxEnd, at: start, "the string that begins here has no closing quote")
      }
      let byte = bytes[position]
      if byte == quote { break }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try readEscape()
      } else if byte == 0x0A || byte == 0x0D {
        throw stop(
          .syntaxString, at: start,
          "the string that begins here is not closed on its line; add a closing quote, or write "
            + "\\n for a new line")
      } else {
        if byte < 0x20 { try reportControlCharacter(byte) }
        position += 1
      }
    }
    position += 1
    append(.string, from: start, hasEscapes: hasEscapes)
  }

  /// Moves to the next quote, backslash or control character.
  private mutating func skipPlainCharacters() {
    var index = position
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
        || byte == UInt8(ascii: "'")
      {
        break
      }
      index += 1
    }
    position = index
  }

  private mutating func reportControlCharacter(_ byte: UInt8) throws(Stop) {
    let hex = String(byte, radix: 16)
    let escape = byte == 9 ? "\\t" : "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    try report(
      .syntaxString, at: position,
      "a string may not hold the control character 0x\(hex); write \(escape)",
      fix: "write \(escape)")
  }

  private mutating func readEscape() throws(Stop) {
    switch JSONEscapes.read(bytes[position...].prefix(12)) {
    case .scalar(_, let length): position += length
    case .loneSurrogate(let length):
      let written = String(decoding: bytes[position..<position + length], as: UTF8.self)
      try report(
        .syntaxString, at: position,
        "'\(written)' is half of a surrogate pair; write both halves, or the character itself")
      position += length
    case .unknown:
      try report(
        .syntaxString, at: position,
        "a backslash with \(description(at: position + 1)) is no escape sequence; write \\\\ for a "
          + "backslash, or one of \\\" \\/ \\b \\f \\n \\r \\t \\uXXXX")
      // The byte after the backslash is read as itself, unless it ends the line.
      position += byte(position + 1) < 0x20 ? 1 : 2
    }
  }

  // MARK: Keys

  /// Reads a key of the object `container`, quoted or not.
  mutating func readKey(of container: Int) throws(Stop) {
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): try readString()
    case let byte where isIdentifierStart(byte):
      let start = position
      var hasDash = false
      while position < bytes.count, isIdentifier(current) || current == UInt8(ascii: "-") {
        hasDash = hasDash || current == UInt8(ascii: "-")
        position += 1
      }
      if hasDash {
        let key = Excerpt.of(String(decoding: bytes[start..<position], as: UTF8.self))
        try report(
          .syntaxUnexpected, at: start, "the key '\(key)' needs quotes, for it holds a '-'",
          fix: "write \"\(key)\"")
      }
      append(.identifier, from: start)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      let isAfterComma = position > 0 && bytes[position - 1] == UInt8(ascii: ",")
      throw stop(
        .syntaxUnexpected, at: position,
        isAfterComma
          ? "a digit stands where a key is expected; decimals are written with a point, as in 1.5"
          : "a key that begins with a digit needs quotes")
    default: throw expected("a key or '}'", in: container)
    }
  }

  func isIdentifierStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
      true
    default: false
    }
  }

  private func isIdentifier(_ byte: UInt8) -> Bool {
    isIdentifierStart(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  // MARK: Numbers and words

  /// Reads a number by JSON's grammar and keeps its spelling.
  mutating func readNumber() throws(Stop) {
    let start = position
    while position < bytes.count, isNumberByte(current) { position += 1 }
    let text = bytes[start..<position]
    guard text.count <= Self.numberLimit else {
      try report(
        .syntaxNumber, at: start,
        "the number has \(text.count) characters; at most \(Self.numberLimit) are read")
      return append(.invalid, from: start)
    }
    guard isJSONNumber(text) else {
      try report(.syntaxNumber, at: start, complaint(about: text))
      return append(.invalid, from: start)
    }
    append(.number, from: start)
  }

  private func isNumberByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
      || (isIdentifier(byte) && byte < 0x80)
  }

  private func isJSONNumber(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    func digits(_ rest: inout ArraySlice<UInt8>) -> Bool {
      let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
      rest = rest.dropFirst(count)
      return count > 0
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let hasLeadingZero = rest.first == UInt8(ascii: "0")
    let whole = rest.count
    guard digits(&rest), !hasLeadingZero || whole - rest.count == 1 else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard digits(&rest) else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard digits(&rest) else { return false }
    }
    return rest.isEmpty
  }

  private func complaint(about text: ArraySlice<UInt8>) -> String {
    let written = String(decoding: text, as: UTF8.self)
    let body = written.drop { $0 == "-" || $0 == "+" }
    if body == "Infinity" || body == "NaN" {
      return "\(written) is not a number that a composition can hold; write a finite number"
    }
    if written.first == "+" { return "'\(written)' is not a number; write it without '+'" }
    if body.first == "." { return "'\(written)' is not a number; write a 0 before the point" }
    if body.last == "." { return "'\(written)' is not a number; write a digit after the point" }
    if body.hasPrefix("0x") || body.hasPrefix("0X") {
      return "'\(written)' is not a number; write it in decimal"
    }
    if body.first == "0", body.dropFirst().first?.isNumber == true {
      return "'\(written)' is not a number; write it without leading zeros"
    }
    return "'\(written)' is not a number; a value with a unit is a string and needs quotes"
  }

  /// Reads `true`, `false` or `null`, and reports every other word.
  mutating func readWord() throws(Stop) {
    let start = position
    while position < bytes.count, isIdentifier(current) { position += 1 }
    guard position > start else {
      guard !isAtEnd else {
        throw stop(.syntaxEnd, at: start, "the file ends where a value is expected")
      }
      throw stop(
        .syntaxUnexpected, at: start, "\(description(at: start)) stands where a value is expected")
    }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    switch word {
    case "true": append(.true, from: start)
    case "false": append(.false, from: start)
    case "null": append(.null, from: start)
    case "NaN", "Infinity":
      try report(
        .syntaxNumber, at: start,
        "\(word) is not a number that a composition can hold; write a finite number")
      append(.invalid, from: start)
    default:
      let known = ["true", "false", "null"].first { $0 == word.lowercased() }
      let advice = known.map { "write \($0)" } ?? "a text needs quotes"
      try report(
        .syntaxUnexpected, at: start, "'\(Excerpt.of(word))' is not a value; \(advice)",
        fix: known.map { "write \($0)" } ?? "write \"\(Excerpt.of(word))\"")
      append(.invalid, from: start)
    }
  }

  mutating func append(_ kind: JSONTree.Kind, from start: Int, hasEscapes: Bool = false) {
    nodes.append(
      .init(
        kind: kind, hasEscapes: hasEscapes, start: UInt32(start), end: UInt32(position),
        next: UInt32(nodes.count + 1)))
  }

  // MARK: Duplicate keys

  /// Reports every key of the object that stood before.
  mutating func reportDuplicates(_ object: Int) throws(Stop) {
    var keys: [Int] = []
    var hasEscapes = false
    var key = object + 1
    while key < nodes.count {
      keys.append(key)
      hasEscapes = hasEscapes || nodes[key].hasEscapes
      key = Int(nodes[key + 1].next)
    }
    guard keys.count > 1 else { return }
    if keys.count <= 12 && !hasEscapes {
      // Few keys are compared with each other, which needs no memory.
      for later in 1..<keys.count {
        if let earlier = keys[..<later].first(where: { haveSameName(keys[later], $0) }) {
          try reportDuplicate(keys[later], of: earlier)
        }
      }
    } else {
      var seen: [String: Int] = [:]
      for key in keys {
        if let earlier = seen.updateValue(key, forKey: name(key)) {
          try reportDuplicate(key, of: earlier)
        }
      }
    }
  }

  private func inside(_ key: Int) -> Range<Int> {
    let quote = nodes[key].kind == .string ? 1 : 0
    return Int(nodes[key].start) + quote..<Int(nodes[key].end) - quote
  }

  private func haveSameName(_ a: Int, _ b: Int) -> Bool {
    let (rangeA, rangeB) = (inside(a), inside(b))
    guard rangeA.count == rangeB.count else { return false }
    for index in 0..<rangeA.count
    where bytes[rangeA.lowerBound + index] != bytes[rangeB.lowerBound + index] {
      return false
    }
    return true
  }

  private func name(_ key: Int) -> String {
    let text = bytes[inside(key)]
    return nodes[key].hasEscapes
      ? JSONEscapes.decoded(text) : String(decoding: text, as: UTF8.self)
  }

  private mutating func reportDuplicate(_ key: Int, of earlier: Int) throws(Stop) {
    let line = bytes[..<Int(nodes[earlier].start)].count { $0 == 0x0A } + 1
    try report(
      .syntaxDuplicateKey, at: Int(nodes[key].start),
      "the key '\(Excerpt.of(name(key)))' stands twice in this object, first in line \(line); "
        + "remove one of them")
  }
}
