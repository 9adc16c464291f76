extension CompositionReader {
  mutating func readMetadata(_ node: Int) {
    guard
      let fields = fields(node, "'metadata'", CompositionFormat.metadata)
    else { return }
    var metadata = MetadataSettings()
    if let node = fields["inherit"], let inherit = inheritance(node) { metadata.inherit = inherit }
    if let node = fields["dates"], let dates = dates(node) { metadata.dates = dates }
    if let node = fields["items"] { metadata.items = items(node) }
    if let node = fields["remove"] { metadata.remove = removals(node) }
    document.metadata = metadata
  }

  private mutating func inheritance(_ node: Int) -> MetadataSettings.Inheritance? {
    switch tree.kind(node) {
    case .string:
      switch tree.string(node) {
      case "all": return .all
      case "none": return MetadataSettings.Inheritance.none
      case "sharing": return .sharing
      default:
        unknown(tree.string(node), node, "inherit", of: ["all", "none", "sharing"])
        return nil
      }
    case .object:
      guard let fields = fields(node, "'inherit'", CompositionFormat.inheritance) else {
        return nil
      }
      return name(fields, "from").map { .from($0) }
    default:
      mismatch(node, "'inherit'", "\"all\", \"none\", \"sharing\" or {\"from\": source}")
      return nil
    }
  }

  private mutating func dates(_ node: Int) -> MetadataSettings.Dates? {
    guard let word = string(node, "'dates'") else { return nil }
    switch word {
    case "keep": return .keep
    case "shift": return .shift
    case "drop": return .drop
    case _ where ISODate.isDate(word): return .set(word)
    default:
      let nearest = Suggestion.nearest(to: word, in: ["keep", "shift", "drop"])
      report(
        .shapeEnum, at: node,
        "\"\(Excerpt.of(word))\" is no value that 'dates' can have; "
          + (nearest.map { "did you mean \"\($0)\"?" }
            ?? "write \"keep\", \"shift\", \"drop\" or a date such as \"2024-01-02T03:04:05Z\""),
        fix: nearest.map { "write \"\($0)\"" })
      return nil
    }
  }

  // MARK: Items

  private mutating func items(_ node: Int) -> [MetadataSettings.Item] {
    guard tree.kind(node) == .object else {
      mismatch(node, "'items'", "an object of keys and values")
      return []
    }
    var items: [MetadataSettings.Item] = []
    for member in tree.members(node) where !isFull && !member.name.hasPrefix("x-") {
      let isKnown = checkKey(member.name, member.key)
      guard let value = value(member.value, member.name), isKnown else { continue }
      items.append(.init(key: member.name, value: value))
    }
    return items
  }

  /// Whether a key is a common one or has a key space.
  private mutating func checkKey(_ key: String, _ node: Int) -> Bool {
    if key.unicodeScalars.contains("/") {
      guard let problem = keyProblem(key) else { return true }
      report(.metadataKey, at: node, problem)
      return false
    }
    guard !commonKeys.isEmpty, !commonKeys.contains(key) else { return true }
    let nearest = Suggestion.nearest(to: key, in: commonKeys)
    report(
      .metadataKey, at: node,
      "'\(Excerpt.of(key))' is no common metadata key; "
        + (nearest.map { "did you mean '\($0)'?" }
          ?? "write a common key such as 'title', or keySpace/key such as \"itsk/©grp\""),
      fix: nearest.map { "write \"\($0)\"" })
    return false
  }

  private mutating func value(_ node: Int, _ key: String) -> MetadataSettings.Value? {
    let isList = tree.kind(node) == .array
    let elements = isList ? tree.elements(node) : [node]
    guard !elements.isEmpty else {
      report(
        .shapeValue, at: node,
        "the value of '\(Excerpt.of(key))' is an empty list; give a value, or name the key in "
          + "'remove'")
      return nil
    }
    var (texts, files): ([String], [String]) = ([], [])
    for element in elements where !isFull {
      if tree.kind(element) == .object {
        guard let fields = fields(element, "the value", CompositionFormat.metadataFile),
          let file = fields["file"].flatMap({ path($0, "'file'") })
        else { return nil }
        files.append(file)
      } else if let text = scalar(element) {
        texts.append(text)
      } else {
        mismatch(
          element, "the value of '\(Excerpt.of(key))'",
          "a text, a number, true, false, {\"file\": path}, or a list of them")
        return nil
      }
    }
    guard texts.isEmpty || files.isEmpty else {
      report(
        .shapeType, at: node,
        "the value of '\(Excerpt.of(key))' mixes texts and files; give one kind")
      return nil
    }
    return files.isEmpty ? .texts(texts) : .files(files)
  }

  private func scalar(_ node: Int) -> String? {
    switch tree.kind(node) {
    case .string: tree.string(node)
    case .number: tree.number(node)
    case .true: "true"
    case .false: "false"
    default: nil
    }
  }

  private mutating func removals(_ node: Int) -> [String] {
    guard tree.kind(node) == .array else {
      mismatch(node, "'remove'", "a list of keys")
      return []
    }
    var keys: [String] = []
    for element in tree.elements(node) where !isFull {
      guard let key = string(element, "an entry of 'remove'"), checkKey(key, element) else {
        continue
      }
      keys.append(key)
    }
    return keys
  }

  // MARK: References

  /// Reports inheritance from a source that no clip has and the file does not declare.
  mutating func checkInheritance(_ metadata: Int?) {
    guard case .from(let id) = document.metadata.inherit, let metadata,
      !document.sources.contains(where: { $0.id == id }), !isUsedAsPath(id),
      let inherit = tree.members(metadata).first(where: { $0.name == "inherit" })?.value,
      let node = tree.members(inherit).first(where: { $0.name == "from" })?.value,
      !isDeclared(id)
    else { return }
    let nearest = Suggestion.nearest(to: id, in: document.sources.map(\.id))
    report(
      .referenceUnknownSource, at: node,
      "there is no source '\(Excerpt.of(id))'; "
        + (nearest.map { "did you mean '\($0)'?" } ?? "write an id of 'sources'"),
      fix: nearest.map { "write \"\($0)\"" })
  }

  private func isUsedAsPath(_ path: String) -> Bool {
    document.tracks.contains { track in
      track.items.contains { item in
        if case .clip(let clip) = item { clip.source == path } else { false }
      }
    }
  }

  /// Whether the file declares the source, if only with mistakes.
  private func isDeclared(_ id: String) -> Bool {
    guard let root = tree.root,
      let sources = tree.members(root).first(where: { $0.name == "sources" })?.value,
      tree.kind(sources) == .object
    else { return false }
    return tree.members(sources).contains { $0.name == id }
  }
}

/// Dates of ISO 8601 as metadata has them: from `2024` to `2024-01-02T03:04:05.5+01:00`.
enum ISODate {
  static func isDate(_ text: String) -> Bool {
    guard text.utf8.count <= 40 else { return false }
    let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    let widths = [4, 2, 2]
    guard (1...3).contains(date.count),
      zip(date, widths).allSatisfy({ number($0.0, width: $0.1) != nil }),
      date.count < 2 || (1...12).contains(number(date[1], width: 2) ?? 0),
      date.count < 3 || (1...31).contains(number(date[2], width: 2) ?? 0)
    else { return false }
    return halves.count == 1 || (date.count == 3 && isTime(halves[1]))
  }

  private static func isTime(_ text: Substring) -> Bool {
    var body = text
    if body.hasSuffix("Z") {
      body = body.dropLast()
    } else if let sign = body.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let zone = body[sign...].dropFirst().filter { $0 != ":" }
      guard number(zone[...], width: 4) != nil else { return false }
      body = body[..<sign]
    }
    let parts = body.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = number(parts[0], width: 2), hour < 24,
      let minute = number(parts[1], width: 2), minute < 60
    else { return false }
    guard parts.count == 3 else { return true }
    guard case .value(let second) = DecimalText.parse(parts[2]) else { return false }
    return second >= .zero && second < 61 && parts[2].utf8.first.map { $0 >= 48 } == true
  }

  private static func number(_ text: Substring, width: Int) -> Int? {
    guard text.utf8.count == width, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}
