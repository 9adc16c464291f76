/// The members of an object that a reader asks for by name.
struct Fields {
  let object: Int
  /// What the object's keys can have.
  let format: ObjectFormat
  fileprivate(set) var members: [JSONTree.Member]

  /// The value of a key, or `nil` where it is absent.
  subscript(name: String) -> Int? { members.first { $0.name == name }?.value }

  /// What a key can have.
  func value(of name: String) -> ValueFormat? { format[name]?.value }

  /// The node of a key itself.
  func key(_ name: String) -> Int? { members.first { $0.name == name }?.key }

  /// Those of `names` that are there, in the order of the text.
  func present(of names: [String]) -> [String] {
    members.lazy.map(\.name).filter(names.contains)
  }
}

extension CompositionReader {
  /// Records a finding about a value or a key.
  mutating func report(
    _ code: DiagnosticCode, _ severity: Diagnostic.Severity = .error, at node: Int,
    _ message: String, fix: String? = nil, related: Int? = nil, _ relation: String = ""
  ) {
    guard diagnostics.count < Self.findingLimit else { return }
    var others: [Diagnostic.Related] = []
    if let related {
      let place = text.place(atOffset: tree.offset(related))
      others = [.init(message: relation, pointer: tree.pointer(to: related), place: place)]
    }
    diagnostics.append(
      Diagnostic(
        severity, code, message, at: tree.pointer(to: node),
        place: text.place(atOffset: tree.offset(node)), fix: fix, related: others))
    if diagnostics.count == Self.findingLimit {
      diagnostics.append(
        Diagnostic(
          .note, code, "more than \(Self.findingLimit) findings; the rest is not listed", at: ""))
    }
  }

  /// Whether no further findings are kept, so that reading on is of no use.
  var isFull: Bool { diagnostics.count > Self.findingLimit }

  /// What a value looks like in the text, for a message.
  func written(_ node: Int) -> String {
    let spelling = String(decoding: tree.spelling(node).prefix(200), as: UTF8.self)
    let short = Excerpt.of(
      spelling.split(whereSeparator: \.isWhitespace).joined(separator: " "),
      limit: 40)
    switch tree.kind(node) {
    case .array: return "the list \(short)"
    case .object: return "the object \(short)"
    case .number: return "the number \(short)"
    case .string: return "the text \(short)"
    case .null: return "null"
    default: return short
    }
  }

  /// Reports a value of the wrong type; says nothing about one that was reported before.
  mutating func mismatch(_ node: Int, _ subject: String, _ wanted: String) {
    guard tree.kind(node) != .invalid else { return }
    if tree.kind(node) == .null {
      report(
        .shapeType, at: node,
        "\(subject) is null, which means nothing here; write \(wanted), or leave the key out")
    } else {
      report(
        .shapeType, at: node, "\(subject) must be \(wanted), but is \(written(node))")
    }
  }

  /// Reports a word that is none of `known`.
  mutating func unknown(_ word: String, _ node: Int, _ name: String, of known: [String]) {
    let quoted = known.prefix(24).map { "\"\($0)\"" }.joined(separator: ", ")
    let list = quoted + (known.count > 24 ? " …" : "")
    let nearest = Suggestion.nearest(to: word, in: known)
    let advice = nearest.map { "did you mean \"\($0)\"?" } ?? "write one of \(list)"
    report(
      .shapeEnum, at: node,
      "\"\(Excerpt.of(word))\" is no value that '\(name)' can have; \(advice)",
      fix: nearest.map { "write \"\($0)\"" })
  }

  // MARK: Objects

  /// The members of an object; reports unknown and missing keys.
  ///
  /// Keys that begin with `x-` are free. `nil` where the value is no object.
  mutating func fields(
    _ node: Int, _ subject: String, _ format: ObjectFormat
  ) -> Fields? {
    guard tree.kind(node) == .object else {
      mismatch(node, subject, "an object")
      return nil
    }
    let known = format.names
    var fields = Fields(object: node, format: format, members: [])
    var meant: Set<String> = []
    for member in tree.members(node) where !member.name.hasPrefix("x-") {
      if known.contains(member.name) {
        // Of a key that stands twice, which was reported, the first counts.
        if fields[member.name] == nil { fields.members.append(member) }
      } else if !isFull {
        if let name = reportUnknownKey(member, subject, known) { meant.insert(name) }
      }
    }
    // A required key that is only misspelt was named by the suggestion.
    for key in format.keys where key.isRequired {
      let name = key.name
      guard fields[name] == nil, !meant.contains(name) else { continue }
      report(
        .shapeMissingKey, at: node, "\(subject) lacks the key '\(name)'; add it",
        fix: "add \"\(name)\"")
    }
    return fields
  }

  /// Reports keys that do not go together; returns whether all of `names` are free of that.
  mutating func checkRules(_ fields: Fields) -> Bool {
    var isFree = true
    for rule in fields.format.rules {
      switch rule {
      case .notTogether(let names, let advice):
        isFree = exclude(fields, names, most: names.count - 1, advice) && isFree
      case .requires(let name, let other):
        guard let key = fields.key(name), fields[other] == nil else { continue }
        report(
          .shapeMissingKey, at: key, "'\(name)' needs the key '\(other)' beside it; add it",
          fix: "add \"\(other)\"")
        isFree = false
      case .notBothFalse(let first, let second):
        guard let one = fields[first], let other = fields[second], tree.kind(one) == .false,
          tree.kind(other) == .false
        else { continue }
        report(
          .shapeExclusiveKeys, at: other,
          "\"\(first)\" and \"\(second)\" are both false, so nothing would be exported; remove one "
            + "of them", fix: "remove '\(second)'")
        isFree = false
      }
    }
    return isFree
  }

  /// Returns the known key that was probably meant.
  private mutating func reportUnknownKey(
    _ member: JSONTree.Member, _ subject: String, _ known: [String]
  ) -> String? {
    let nearest = Suggestion.nearest(to: member.name, in: known)
    let advice =
      nearest.map { "did you mean '\($0)'?" }
      ?? "it can have \(known.map { "'\($0)'" }.joined(separator: ", "))"
    report(
      .shapeUnknownKey, at: member.key,
      "\(subject) has no key '\(Excerpt.of(member.name))'; \(advice)",
      fix: nearest.map { "write \"\($0)\"" })
    return nearest
  }

  /// Reports keys that exclude each other: at most `most` of `names` may be there.
  ///
  /// Returns whether that holds.
  mutating func exclude(_ fields: Fields, _ names: [String], most: Int, _ advice: String) -> Bool {
    let present = fields.present(of: names)
    guard present.count > most, let last = present.last, let key = fields.key(last) else {
      return true
    }
    let list = present.map { "'\($0)'" }.joined(separator: ", ")
    report(
      .shapeExclusiveKeys, at: key, "\(list) exclude each other; \(advice)", fix: "remove '\(last)'"
    )
    return false
  }

  // MARK: What has no effect

  /// Warns about a key that changes nothing where it stands.
  mutating func warnWithoutEffect(_ fields: Fields, _ name: String, _ reason: String) {
    guard let key = fields.key(name) else { return }
    report(
      .shapeNoEffect, .warning, at: key, "'\(name)' has no effect: \(reason); remove it",
      fix: "remove '\(name)'")
  }
}
