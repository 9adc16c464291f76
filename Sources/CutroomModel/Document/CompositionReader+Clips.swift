extension CompositionReader {
  /// A clip on a track of a kind, or in an edit, where the kind is not known here.
  mutating func clip(_ node: Int, _ kind: DocumentTrack.Kind) -> Clip? {
    guard let fields = fields(node, "the clip", CompositionFormat.clip) else { return nil }
    var clip = Clip(source: "")
    if checkRules(fields) { readRange(fields, &clip) }
    clip.at = time(fields, "at")
    clip.name = string(fields, "name")
    if let isEnabled = bool(fields, "enabled") { clip.isEnabled = isEnabled }
    if let node = fields["video"] {
      clip.picture = tree.kind(node) == .false ? nil : picture(node)
      if kind == .audio, clip.picture != nil {
        warnWithoutEffect(fields, "video", "an audio track has no picture")
      }
    }
    if let node = fields["audio"] {
      clip.sound = tree.kind(node) == .false ? nil : sound(node)
      if kind == .video || kind == .subtitle, clip.sound != nil {
        warnWithoutEffect(fields, "audio", "a \(kind) track has no sound")
      }
    }
    guard let source = fields["source"].flatMap({ path($0, "'source'") }) else { return nil }
    clip.source = source
    return clip
  }

  private mutating func readRange(_ fields: Fields, _ clip: inout Clip) {
    clip.in = time(fields, "in")
    clip.out = time(fields, "out")
    clip.duration = time(fields, "duration")
    if let speed = rational(fields, "speed") { clip.speed = speed }
    clip.fitDuration = time(fields, "fitDuration")
    if let isReversed = bool(fields, "reverse") { clip.isReversed = isReversed }
    clip.freeze = time(fields, "freeze")
    if let pitch: Clip.Pitch = choice(fields, "pitch") { clip.pitch = pitch }
    if let fill: Clip.Fill = choice(fields, "fill") { clip.fill = fill }
    let plays = fields["speed"] == nil ? clip.fitDuration == nil : clip.speed == .one
    if clip.pitch == .shift, plays {
      warnWithoutEffect(fields, "pitch", "the clip plays at speed 1")
    }
  }

  // MARK: Edits

  mutating func readEdits(_ node: Int) {
    guard tree.kind(node) == .array else {
      return mismatch(node, "'edits'", "a list of editing operations")
    }
    let elements = tree.elements(node)
    trackIDs = document.tracks.enumerated().map { $1.id ?? "track\($0 + 1)" }
    let known = Set(trackIDs)
    for (index, element) in elements.enumerated() where !isFull {
      guard let edit = edit(element, "edit \(index + 1)", known) else { continue }
      document.edits.append(edit)
    }
  }

  private mutating func edit(
    _ node: Int, _ subject: String, _ known: Set<String>
  ) -> DocumentEdit? {
    guard tree.kind(node) == .object else {
      mismatch(node, subject, "an object with 'op'")
      return nil
    }
    guard let op = tree.members(node).first(where: { $0.name == "op" }) else {
      report(
        .shapeMissingKey, at: node,
        "\(subject) does not say what it does; add \"op\", one of "
          + DocumentEdit.Operation.names.map { "\"\($0)\"" }.joined(separator: ", "))
      return nil
    }
    guard let name = string(op.value, "'op'") else { return nil }
    guard let format = CompositionFormat.editKinds.first(where: { $0.name == name + "Edit" }) else {
      unknown(name, op.value, "op", of: DocumentEdit.Operation.names)
      return nil
    }
    guard let fields = fields(node, "the operation '\(name)'", format) else { return nil }
    let track = self.name(fields, "track")
    if let track, !known.contains(track) { reportTrack(track, fields) }
    return operation(name, fields).map { DocumentEdit($0, track: track) }
  }

  private mutating func operation(_ name: String, _ fields: Fields) -> DocumentEdit.Operation? {
    let range = fields["range"].flatMap { stretch($0) }
    switch name {
    case "insert":
      let at = time(fields, "at")
      return fields["clip"].flatMap { clip($0, .av) }.map { .insert($0, at: at) }
    case "insertEmpty": return range.map { .insertEmpty($0) }
    case "remove": return range.map { .remove($0) }
    default:
      let duration = time(fields, "duration")
      guard let range, let duration else { return nil }
      return .scale(range, duration: duration)
    }
  }

  private mutating func stretch(_ node: Int) -> EditRange? {
    guard let fields = fields(node, "the range", CompositionFormat.stretch) else { return nil }
    let (start, end) = (time(fields, "in"), time(fields, "out"))
    guard let start, let end else { return nil }
    return EditRange(in: start, out: end)
  }

  private mutating func reportTrack(_ track: String, _ fields: Fields) {
    guard let node = fields["track"] else { return }
    let nearest = Suggestion.nearest(to: track, in: trackIDs)
    report(
      .referenceUnknownTrack, at: node,
      "there is no track '\(Excerpt.of(track))'; "
        + (nearest.map { "did you mean '\($0)'?" } ?? "write the id of a track"),
      fix: nearest.map { "write \"\($0)\"" })
  }
}

extension TimeExpression {
  /// Whether it is 0 at whatever rate.
  var isZero: Bool {
    switch self {
    case .seconds(let value): value == .zero
    case .frames(let count, _): count == 0
    case .timecode(let code):
      code.hours == 0 && code.minutes == 0 && code.seconds == 0 && code.frames == 0
    }
  }
}
