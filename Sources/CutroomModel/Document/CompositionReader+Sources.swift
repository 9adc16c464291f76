extension CompositionReader {
  /// The keys of which a source has exactly one: they say what it is.
  private static let sourceKinds: [(key: String, others: [String])] = [
    ("path", ["video", "audio"]), ("generator", ["size", "frameRate", "duration"]), ("color", []),
    ("text", ["font", "size", "color", "align", "box"]), ("composition", []),
  ]

  mutating func readSources(_ node: Int) {
    guard tree.kind(node) == .object else {
      return mismatch(node, "'sources'", "an object of ids and sources")
    }
    var seen: Set<String> = []
    for member in tree.members(node) where !isFull && !member.name.hasPrefix("x-") {
      guard !member.name.isEmpty else {
        report(.shapeValue, at: member.key, "a source has an empty id; give it a name")
        continue
      }
      guard seen.insert(member.name).inserted, let source = source(member.value, id: member.name)
      else { continue }
      document.sources.append(NamedSource(id: member.name, source: source))
    }
  }

  private mutating func source(_ node: Int, id: String) -> SourceDescription? {
    let subject = "source '\(Excerpt.of(id))'"
    if tree.kind(node) == .string {
      return path(node, subject).map { .file(path: $0, video: nil, audio: nil) }
    }
    guard tree.kind(node) == .object else {
      mismatch(node, subject, "a path or an object")
      return nil
    }
    let names = tree.members(node).map(\.name)
    // A text may have a colour, so it goes first.
    let order = ["text", "path", "generator", "composition", "color"]
    guard let kind = order.first(where: names.contains),
      let others = Self.sourceKinds.first(where: { $0.key == kind })?.others
    else {
      reportKindlessSource(node, subject)
      return nil
    }
    let rivals = order.filter { $0 != kind && !others.contains($0) && names.contains($0) }
    guard let fields = fields(node, subject, [kind] + others + rivals),
      exclude(fields, [kind] + rivals, most: 1, "a source is one of them")
    else { return nil }
    return source(fields, kind: kind)
  }

  private mutating func reportKindlessSource(_ node: Int, _ subject: String) {
    let kinds = Self.sourceKinds.map(\.key)
    let all = kinds + Self.sourceKinds.flatMap(\.others)
    for member in tree.members(node).prefix(100)
    where !member.name.hasPrefix("x-") && !all.contains(member.name) {
      if let nearest = Suggestion.nearest(to: member.name, in: kinds) {
        return report(
          .shapeUnknownKey, at: member.key,
          "\(subject) has no key '\(Excerpt.of(member.name))'; did you mean '\(nearest)'?",
          fix: "write \"\(nearest)\"")
      }
    }
    report(
      .shapeMissingKey, at: node,
      "\(subject) does not say what it is; add one of "
        + kinds.map { "'\($0)'" }.joined(separator: ", "))
  }

  private mutating func source(_ fields: Fields, kind: String) -> SourceDescription? {
    switch kind {
    case "path":
      guard let path = fields["path"].flatMap({ path($0, "'path'") }) else { return nil }
      return .file(
        path: path, video: streamChoice(fields, "video"), audio: streamChoice(fields, "audio"))
    case "color": return color(fields, "color").map { .color($0) }
    case "generator": return generator(fields).map { .generator($0) }
    case "text": return text(fields).map { .text($0) }
    default:
      refuse(fields, "composition") { _, _ in false }
      return nil
    }
  }

  private mutating func streamChoice(_ fields: Fields, _ name: String) -> StreamChoice? {
    guard let node = fields[name] else { return nil }
    if tree.kind(node) == .number {
      return integer(fields, name, in: 0...9999, "streams").map { .index($0) }
    }
    guard tree.kind(node) == .string else {
      mismatch(node, "'\(name)'", "the index of a stream of its kind, or a language")
      return nil
    }
    return self.name(fields, name).map { .language($0) }
  }

  private mutating func generator(_ fields: Fields) -> GeneratorSource? {
    let duration = time(fields, "duration")
    let (size, frameRate) = (size(fields, "size"), frameRate(fields, "frameRate"))
    guard let filter = name(fields, "generator") else { return nil }
    return GeneratorSource(filter: filter, size: size, frameRate: frameRate, duration: duration)
  }

  private mutating func text(_ fields: Fields) -> TextSource? {
    var source = TextSource(text: "")
    if let font = name(fields, "font") { source.font = font }
    if let size = rational(fields, "size", in: 0...10_000, above: 0) { source.size = size }
    if let color = color(fields, "color") { source.color = color }
    if let align: TextSource.Alignment = choice(fields, "align") { source.align = align }
    source.box = color(fields, "box")
    guard let text = string(fields, "text") else { return nil }
    source.text = text
    return source
  }
}
