extension CompositionReader {
  private static let trackKeys = [
    "id", "kind", "name", "language", "enabled", "gain", "opacity", "clips",
  ]

  mutating func readTracks(_ node: Int) {
    guard tree.kind(node) == .array else { return mismatch(node, "'tracks'", "a list of tracks") }
    var seen: [String: Int] = [:]
    for (index, element) in tree.elements(node).enumerated() where !isFull {
      guard let track = track(element, index) else {
        document.tracks.append(DocumentTrack())
        continue
      }
      document.tracks.append(track)
      let id = track.id ?? "track\(index + 1)"
      if let earlier = seen[id] {
        let reason = track.id == nil ? ", which is the id of a track without one," : ""
        report(
          .referenceDuplicateID, at: idNode(element),
          "the track id '\(Excerpt.of(id))'\(reason) is taken by an earlier track; give each track "
            + "its own id",
          related: idNode(earlier), "the earlier track")
      } else {
        seen[id] = element
      }
    }
  }

  private func idNode(_ track: Int) -> Int {
    tree.members(track).first { $0.name == "id" }?.value ?? track
  }

  private mutating func track(_ node: Int, _ index: Int) -> DocumentTrack? {
    guard
      let fields = fields(node, "track \(index + 1)", Self.trackKeys, required: ["clips"])
    else { return nil }
    var track = DocumentTrack()
    track.id = name(fields, "id")
    if let kind: DocumentTrack.Kind = choice(fields, "kind") { track.kind = kind }
    if track.kind == .subtitle, let node = fields["kind"] { refuse(node, "a subtitle track") }
    track.name = string(fields, "name")
    track.language = name(fields, "language")
    if let isEnabled = bool(fields, "enabled") { track.isEnabled = isEnabled }
    if let gain = gain(fields, "gain") { track.gain = gain }
    if let opacity = opacity(fields) { track.opacity = opacity }
    if track.kind == .video { warnWithoutEffect(fields, "gain", "a video track has no sound") }
    if track.kind == .audio {
      warnWithoutEffect(fields, "opacity", "an audio track has no picture")
    }
    if let node = fields["clips"], track.kind != .subtitle { track.items = items(node, track.kind) }
    return track
  }

  private mutating func opacity(_ fields: Fields) -> Rational? {
    guard let node = fields["opacity"], !refuseKeyframes(node, "opacity") else { return nil }
    return rational(node, "'opacity'", in: 0...1)
  }

  // MARK: Items

  private enum ItemKind: String, CaseIterable {
    case source, transition, gap
  }

  private mutating func items(_ node: Int, _ kind: DocumentTrack.Kind) -> [TrackItem] {
    guard tree.kind(node) == .array else {
      mismatch(node, "'clips'", "a list of clips, gaps and transitions")
      return []
    }
    let elements = tree.elements(node)
    var kinds: [ItemKind?] = []
    var items: [TrackItem] = []
    items.reserveCapacity(elements.count)
    for element in elements where !isFull {
      let itemKind = itemKind(element)
      kinds.append(itemKind)
      let read = itemKind.flatMap { item(element, $0, kind) }
      items.append(read ?? .clip(Clip(source: "")))
    }
    for (index, itemKind) in kinds.enumerated() where itemKind == .transition {
      checkNeighbours(of: index, kinds, elements[index])
    }
    return items
  }

  /// What an item is, or `nil` after saying what is wrong with it.
  private mutating func itemKind(_ node: Int) -> ItemKind? {
    guard tree.kind(node) == .object else {
      mismatch(node, "an item of 'clips'", "an object with 'source', 'gap' or 'transition'")
      return nil
    }
    let members = tree.members(node)
    let present = members.filter { ItemKind(rawValue: $0.name) != nil }
    if present.count == 1 { return ItemKind(rawValue: present[0].name) }
    let names = ItemKind.allCases.map(\.rawValue)
    if let second = present.dropFirst().first {
      let isRepeated = present.allSatisfy { $0.name == present[0].name }
      if isRepeated { return ItemKind(rawValue: second.name) }
      report(
        .shapeExclusiveKeys, at: second.key,
        "'\(present[0].name)' and '\(second.name)' exclude each other; an item is a clip, a gap or "
          + "a transition", fix: "remove '\(second.name)'")
      return nil
    }
    for member in members.prefix(100) where !Self.clipKeys.contains(member.name) {
      guard let nearest = Suggestion.nearest(to: member.name, in: names) else { continue }
      report(
        .shapeUnknownKey, at: member.key,
        "an item has no key '\(Excerpt.of(member.name))'; did you mean '\(nearest)'?",
        fix: "write \"\(nearest)\"")
      return nil
    }
    report(
      .shapeMissingKey, at: node,
      "the item does not say what it is; add 'source' for a clip, 'gap' or 'transition'")
    return nil
  }

  private mutating func item(
    _ node: Int, _ itemKind: ItemKind, _ kind: DocumentTrack.Kind
  ) -> TrackItem? {
    switch itemKind {
    case .source: return clip(node, kind).map { .clip($0) }
    case .transition: return transition(node).map { .transition($0) }
    case .gap:
      guard let fields = fields(node, "the gap", ["gap", "at"]) else { return nil }
      let at = time(fields, "at")
      return time(fields, "gap").map { .gap($0, at: at) }
    }
  }

  private mutating func checkNeighbours(of index: Int, _ kinds: [ItemKind?], _ node: Int) {
    for (side, other) in [("before", index - 1), ("after", index + 1)] {
      let isInside = kinds.indices.contains(other)
      // A neighbour that is wrong itself was reported.
      guard !isInside || (kinds[other] != .source && kinds[other] != nil) else { continue }
      let what = isInside ? (kinds[other] == .gap ? "a gap" : "another transition") : "nothing"
      report(
        .transitionNeighbours, at: node,
        "the transition has \(what) \(side) it, but must stand between two clips")
    }
  }

  // MARK: Clips

  static let clipKeys = [
    "source", "in", "out", "duration", "at", "speed", "fitDuration", "reverse", "freeze", "pitch",
    "fill", "video", "audio", "name", "enabled",
  ]

  private mutating func clip(_ node: Int, _ kind: DocumentTrack.Kind) -> Clip? {
    guard let fields = fields(node, "the clip", Self.clipKeys) else { return nil }
    refuseClipKeys(fields)
    var clip = Clip(source: "")
    if exclude(fields, ["in", "out", "duration"], most: 2, "two of them give the range") {
      clip.in = time(fields, "in")
      clip.out = time(fields, "out")
      clip.duration = time(fields, "duration")
    }
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
      if kind == .video, clip.sound != nil {
        warnWithoutEffect(fields, "audio", "a video track has no sound")
      }
    }
    guard let source = fields["source"].flatMap({ path($0, "'source'") }) else { return nil }
    clip.source = source
    return clip
  }

  private mutating func refuseClipKeys(_ fields: Fields) {
    refuse(fields, "speed") { $0.isSpeedOne($1) }
    refuse(fields, "fitDuration") { reader, node in reader.time(node, "fitDuration") == nil }
    refuse(fields, "reverse") { reader, node in reader.bool(fields, "reverse") != true }
    refuse(fields, "freeze") { reader, node in reader.time(node, "freeze") == nil }
    refuse(fields, "pitch") { reader, _ in
      reader.word(fields, "pitch", of: ["keep", "shift"]) != "shift"
    }
    refuse(fields, "fill") { reader, _ in
      let word = reader.word(fields, "fill", of: ["error", "freeze", "black", "loop"])
      return word == nil || word == "error"
    }
  }

  /// Whether a speed says "as it is", or is wrong, which is reported.
  private mutating func isSpeedOne(_ node: Int) -> Bool {
    guard let speed = fraction(node) else {
      mismatch(node, "'speed'", "a number above 0, or a fraction such as \"3/2\"")
      return true
    }
    guard speed.isValid, speed > .zero else {
      report(.shapeValue, at: node, "'speed' is \(written(node)), but must be above 0")
      return true
    }
    return speed == .one
  }

  // MARK: Transitions

  private static let transitionKeys = ["transition", "duration", "alignment", "overlap", "audio"]

  private mutating func transition(_ node: Int) -> TransitionItem? {
    guard
      let fields = fields(
        node, "the transition", Self.transitionKeys, required: ["duration"])
    else { return nil }
    let duration = time(fields, "duration")
    let alignment: TransitionItem.Alignment? = choice(fields, "alignment")
    let isOverlapping = bool(fields, "overlap")
    let sound: FadeCurve? = choice(fields, "audio")
    guard let node = fields["transition"], let name = string(node, "'transition'") else {
      return nil
    }
    guard TransitionName.supported.contains(name) else {
      if TransitionName.known.contains(name) {
        refuse(node, "the transition \"\(name)\"")
      } else {
        unknown(name, node, "transition", of: TransitionName.all)
      }
      return nil
    }
    guard let duration else { return nil }
    var item = TransitionItem(name: name, duration: duration)
    if let alignment { item.alignment = alignment }
    if let isOverlapping { item.isOverlapping = isOverlapping }
    if let sound { item.sound = sound }
    return item
  }
}

/// The names that transitions have.
enum TransitionName {
  /// Those that can be rendered.
  static let supported = ["dissolve"]
  /// Those of the format.
  static let all = supported + ["fadeBlack", "fadeWhite"] + xfade.map(camelCased)
  /// Those of the format and of libavfilter's `xfade`, which may be given as they are.
  static let known = Set(all + xfade)

  private static let xfade = [
    "fade", "wipeleft", "wiperight", "wipeup", "wipedown", "slideleft", "slideright", "slideup",
    "slidedown", "circlecrop", "rectcrop", "distance", "fadeblack", "fadewhite", "radial",
    "smoothleft", "smoothright", "smoothup", "smoothdown", "circleopen", "circleclose", "vertopen",
    "vertclose", "horzopen", "horzclose", "dissolve", "pixelize", "diagtl", "diagtr", "diagbl",
    "diagbr", "hlslice", "hrslice", "vuslice", "vdslice", "hblur", "fadegrays", "wipetl", "wipetr",
    "wipebl", "wipebr", "squeezeh", "squeezev", "zoomin", "fadefast", "fadeslow",
  ]

  private static func camelCased(_ name: String) -> String {
    for start in ["wipe", "slide", "smooth"] where name.hasPrefix(start) && name.count > 6 {
      let rest = name.dropFirst(start.count)
      return start + (rest.count > 1 ? rest.prefix(1).uppercased() : "") + rest.dropFirst()
    }
    return name
  }
}
