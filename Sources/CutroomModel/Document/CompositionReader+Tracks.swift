extension CompositionReader {
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
      let fields = fields(node, "track \(index + 1)", CompositionFormat.track)
    else { return nil }
    var track = DocumentTrack()
    track.id = name(fields, "id")
    if let kind: DocumentTrack.Kind = choice(fields, "kind") { track.kind = kind }
    track.name = string(fields, "name")
    track.language = name(fields, "language")
    if let isEnabled = bool(fields, "enabled") { track.isEnabled = isEnabled }
    if let gain = animatedGain(fields, "gain") { track.gain = gain }
    if let opacity = animatedNumber(fields, "opacity") { track.opacity = opacity }
    if track.kind == .video || track.kind == .subtitle {
      warnWithoutEffect(fields, "gain", "a \(track.kind) track has no sound")
    }
    if let isDefault = bool(fields, "default") { track.isDefault = isDefault }
    if let isForced = bool(fields, "forced") { track.isForced = isForced }
    if track.kind != .subtitle {
      for name in ["default", "forced"] {
        warnWithoutEffect(fields, name, "the track has no subtitles")
      }
    }
    if track.kind == .audio {
      warnWithoutEffect(fields, "opacity", "an audio track has no picture")
    }
    if let node = fields["clips"] { track.items = items(node, track.kind) }
    return track
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
    for member in members.prefix(100) where CompositionFormat.clip[member.name] == nil {
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
      guard let fields = fields(node, "the gap", CompositionFormat.gap) else { return nil }
      let at = time(fields, "at")
      return time(fields, "gap").map { .gap($0, at: at) }
    }
  }

  private mutating func checkNeighbours(of index: Int, _ kinds: [ItemKind?], _ node: Int) {
    for (side, other) in [("before", index - 1), ("after", index + 1)] {
      let isInside = kinds.indices.contains(other)
      // A neighbour that is wrong itself was reported.
      guard !isInside || (kinds[other] != .source && kinds[other] != nil) else { continue }
      // Of two transitions in a row the first one is reported.
      if side == "before", isInside, kinds[other] == .transition { continue }
      let what = isInside ? (kinds[other] == .gap ? "a gap" : "another transition") : "nothing"
      report(
        .transitionNeighbours, at: node,
        "the transition has \(what) \(side) it, but must stand between two clips")
    }
  }

  // MARK: Transitions

  private mutating func transition(_ node: Int) -> TransitionItem? {
    guard
      let fields = fields(node, "the transition", CompositionFormat.transition)
    else { return nil }
    let duration = time(fields, "duration")
    let alignment: TransitionItem.Alignment? = choice(fields, "alignment")
    let isOverlapping = bool(fields, "overlap")
    let sound: FadeCurve? = choice(fields, "audio")
    guard let name = word(fields, "transition"), let duration else { return nil }
    var item = TransitionItem(name: TransitionName.canonical(name), duration: duration)
    if let alignment { item.alignment = alignment }
    if let isOverlapping { item.isOverlapping = isOverlapping }
    if let sound { item.sound = sound }
    return item
  }
}
