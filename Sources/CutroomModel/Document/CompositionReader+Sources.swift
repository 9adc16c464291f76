extension CompositionReader {
  /// The keys of which a source has exactly one: they say what it is.
  ///
  /// A text may have a colour, so it goes first.
  private static let sourceOrder = [
    CompositionFormat.text, CompositionFormat.file, CompositionFormat.generator,
    CompositionFormat.composition, CompositionFormat.color,
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
    guard var format = Self.sourceOrder.first(where: { names.contains($0.names[0]) }) else {
      reportKindlessSource(node, subject)
      return nil
    }
    let kind = format.names[0]
    for other in Self.sourceOrder {
      if format[other.names[0]] == nil, names.contains(other.names[0]) {
        format.keys.append(KeyFormat(other.names[0], .text, ""))
      }
    }
    let rivals = Self.sourceOrder.map { $0.names[0] }.filter { $0 == kind || rival($0, of: kind) }
    guard let fields = fields(node, subject, format),
      exclude(fields, rivals, most: 1, "a source is one of them")
    else { return nil }
    return source(fields, kind: kind)
  }

  /// Whether a key says of another kind of source than `kind` what it is.
  private func rival(_ key: String, of kind: String) -> Bool {
    guard let format = Self.sourceOrder.first(where: { $0.names[0] == kind }) else { return false }
    return format[key] == nil
  }

  private mutating func reportKindlessSource(_ node: Int, _ subject: String) {
    let kinds = CompositionFormat.sourceKinds.map { $0.names[0] }
    let all = CompositionFormat.sourceKinds.flatMap(\.names)
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
      return fields["composition"].flatMap { path($0, "'composition'") }
        .map { .composition(path: $0) }
    }
  }

  private mutating func streamChoice(_ fields: Fields, _ name: String) -> StreamChoice? {
    guard let node = fields[name] else { return nil }
    if tree.kind(node) == .number {
      guard case .either(let forms)? = fields.value(of: name) else { return nil }
      for case .integer(let bounds, let unit) in forms {
        return integer(node, name, in: bounds, unit).map { .index($0) }
      }
      return nil
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
    if let size = rational(fields, "size") { source.size = size }
    if let color = color(fields, "color") { source.color = color }
    if let align: TextSource.Alignment = choice(fields, "align") { source.align = align }
    source.box = color(fields, "box")
    source.outline = color(fields, "outline")
    source.outlineWidth = rational(fields, "outlineWidth")
    if source.outlineWidth != nil, fields["outline"] == nil {
      warnWithoutEffect(fields, "outlineWidth", "the letters have no 'outline'")
    }
    guard let text = string(fields, "text") else { return nil }
    source.text = text
    return source
  }
}
