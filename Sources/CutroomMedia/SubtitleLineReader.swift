/// The lines of a text in UTF-8, one after another, with their numbers.
struct SubtitleLineReader {
  private let bytes: [UInt8]
  private var position = 0
  /// The number of the line that was read last, counted from 1.
  private(set) var number = 0

  /// Takes UTF-8, with or without a byte-order mark, or UTF-16 with one.
  init(_ bytes: [UInt8]) throws(SubtitleProblem) {
    self.bytes = try Self.decoded(bytes)
    guard String(validating: self.bytes, as: UTF8.self) != nil, !self.bytes.contains(0) else {
      throw .encoding(line: Self.firstBadLine(self.bytes))
    }
  }

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  /// The next line without its end; `nil` after the last.
  mutating func next() -> ArraySlice<UInt8>? {
    guard position < bytes.count else { return nil }
    let start = position
    while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
    let line = bytes[start..<position]
    if position < bytes.count {
      let isReturn = bytes[position] == 0x0D
      position += 1
      if isReturn, position < bytes.count, bytes[position] == 0x0A { position += 1 }
    }
    number += 1
    return line
  }

  /// The next line, which is read again by ``next()``.
  func peek() -> ArraySlice<UInt8>? {
    var copy = self
    return copy.next()
  }

  private static func firstBadLine(_ bytes: [UInt8]) -> Int {
    var reader = SubtitleLineReader(unchecked: bytes)
    while let line = reader.next() {
      if line.contains(0) || String(validating: line, as: UTF8.self) == nil { break }
    }
    return max(1, reader.number)
  }

  /// The first bytes of a file, as far as they can be read, for telling its form.
  static func decodedHead(_ head: [UInt8]) -> [UInt8] {
    do { return try decoded(head.count % 2 == 0 ? head : Array(head.dropLast())) } catch {
      return head
    }
  }

  private static func decoded(_ bytes: [UInt8]) throws(SubtitleProblem) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 2, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isLittle ? first | second << 8 : first << 8 | second)
    }
    guard bytes.count % 2 == 0, let text = String(validating: units, as: UTF16.self) else {
      // Replaced characters have no line ends in them, so that the count of lines is right.
      let text = Array(String(decoding: units, as: UTF16.self).utf8)
      let good = text.firstRange(of: Array("\u{FFFD}".utf8))?.lowerBound ?? text.count
      var reader = SubtitleLineReader(unchecked: Array(text[..<good]) + [0x2E])
      while reader.next() != nil {}
      throw .encoding(line: reader.number)
    }
    return Array(text.utf8)
  }
}

extension ArraySlice<UInt8> {
  /// Without the blanks around it.
  var trimmed: ArraySlice<UInt8> {
    var part = drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0C }
    while let last = part.last, last == 0x20 || last == 0x09 || last == 0x0C { part.removeLast() }
    return part
  }

  /// Whether there is nothing but blanks.
  var isBlank: Bool { trimmed.isEmpty }

  /// As text of at most 60 characters, for messages.
  var excerpt: String {
    let text = String(decoding: self, as: UTF8.self)
    return text.count > 60 ? text.prefix(57) + "…" : text
  }
}

/// Reads numbers and signs from a line, from front to back.
struct SubtitleLineScanner {
  private(set) var rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) { rest = line }

  /// Takes blanks; their count.
  @discardableResult
  mutating func skipBlanks() -> Int {
    let count = rest.prefix { $0 == 0x20 || $0 == 0x09 }.count
    rest = rest.dropFirst(count)
    return count
  }

  /// Takes one of the signs, or nothing.
  mutating func take(_ signs: String) -> Bool {
    guard let first = rest.first, signs.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Takes a word, or nothing.
  mutating func take(word: String) -> Bool {
    guard rest.starts(with: word.utf8) else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
  }

  /// Takes at most nine digits; `nil` where there is none, or more.
  mutating func number() -> (value: Int64, digits: Int)? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...9).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return (digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }, digits.count)
  }
}
